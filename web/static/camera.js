// The camera's picture: asked for one by one, only while someone can see it, with the names of what it refuses.

import { byId, draw, keyed, set, say, show } from "./dom.js";

const BUSY_MS = 500; // while dice roll
const CALM_MS = 5000; // a still tray changes rarely, but a lamp may go out

let isOnScreen = false;
let isAsking = false;
let shownFor = "";
let timer = null;
let newest = null;
let url = null;

export function enableCamera() {
  new IntersectionObserver((entries) => {
    isOnScreen = entries[entries.length - 1].isIntersecting;
    if (isOnScreen) look();
  }).observe(byId("camera"));
  document.addEventListener("visibilitychange", look);
}

export function updateCamera(state) {
  newest = state;
  const camera = state.devices.camera;
  show(byId("camera"), Boolean(camera && camera.state && camera.state !== "none") && document.body.dataset.control === "yes");
  const reading = JSON.stringify([camera?.state, state.phase, state.dice, state.virtual?.tray]);
  if (reading !== shownFor) {
    shownFor = reading;
    look();
  }
  drawChips(state);
}

function look() {
  clearTimeout(timer);
  if (!newest || !isOnScreen || document.visibilityState !== "visible") return;
  const camera = newest.devices.camera;
  if (camera?.state === "ready") fetchPicture();
  else without([camera?.sentence, camera?.mend].filter(Boolean).join(" "));
  timer = setTimeout(look, newest.phase === "rolling" ? BUSY_MS : CALM_MS);
}

async function fetchPicture() {
  if (isAsking) return;
  isAsking = true;
  try {
    const answer = await fetch("/api/picture.jpg", { cache: "no-store" });
    if (!answer.ok) throw new Error(String(answer.status));
    const next = URL.createObjectURL(await answer.blob());
    byId("picture").src = next;
    if (url) URL.revokeObjectURL(url);
    url = next;
    show(byId("no-picture"), false);
  } catch {
    without("");
  } finally {
    isAsking = false;
  }
}

/** An old picture must not pass for the present one. */
function without(why) {
  say(byId("no-picture"), why || "No picture");
  show(byId("no-picture"), true);
}

/** Over each die that is refused, the name of why. */
function drawChips(state) {
  const chips = state.dice.map((die, index) => ({ ...die, index })).filter((die) => die.box && die.refusal);
  keyed(byId("overlay"), chips, (die) => die.index, () => draw("g", { class: "chip" },
    draw("rect", { class: "chip-box", rx: 2 }), draw("text", { "text-anchor": "middle" })), (chip, die) => {
    const [x, y, width, height] = die.box;
    const [box, word] = chip.children;
    set(box, "x", x * 100 - 1);
    set(box, "y", y * 75 - 1);
    set(box, "width", width * 100 + 2);
    set(box, "height", height * 75 + 2);
    set(word, "x", (x + width / 2) * 100);
    set(word, "y", y * 75 > 8 ? y * 75 - 2.5 : (y + height) * 75 + 6);
    say(word, die.refusal);
  });
}
