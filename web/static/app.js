// The page's beginning: one state comes in, one `render` brings everything up to date.

import { byId, say, set, show } from "./dom.js";
import { tidy } from "./read.js";
import { follow } from "./live.js";
import { onStale, setVersion } from "./send.js";
import { updateBoard } from "./board.js";
import { updateCows } from "./cows.js";
import { enableGrabbing } from "./grab.js";
import { enableThrowing, updateDice } from "./dice.js";
import { enableCamera, updateCamera } from "./camera.js";
import { updateDevices, updateHistory, updatePulls, updateSaid } from "./panels.js";
import { updateControls } from "./controls.js";
import { enableCoach, updateCoach } from "./coach.js";
import { updateGraph } from "./graph.js";
import { updateStars } from "./stars.js";
import { updateHow } from "./how.js";

const LINKS = { live: "", polling: "Live line lost: asking every few seconds.", lost: "No word from the table. Trying again…" };

let state = tidy({});
const pointed = { hover: null, focus: null, pin: null }; // names of pulls; a tapped one is pinned until the dice change
let grabbing = null;

const mayControl = () => document.body.dataset.control === "yes";
const isInHand = () => Boolean(state.virtual?.hasCows) && mayControl() && state.phase !== "over";
const shownPull = () => state.pulls.find((pull) => pull.name === (pointed.hover || pointed.focus || pointed.pin)) || null;

/** Show one state of the table; called for every state and nothing else decides what is on the page. */
export function render(raw) {
  state = tidy(raw);
  setVersion(state.version);
  set(document.body, "data-phase", state.phase);
  set(document.body, "data-mover", state.mover);
  set(document.body, "data-virtual", Boolean(state.virtual));
  for (const [how, name] of Object.entries(pointed)) if (!state.pulls.some((pull) => pull.name === name)) pointed[how] = null;
  if (grabbing?.held() && standsAsHeld(grabbing.held())) grabbing.letGo();
  drawBoard(grabbing?.held() ?? null);
  updateSaid(state);
  updatePulls(state, pointed.pin, point);
  updateDice(state);
  updateCamera(state);
  updateHow(state);
  updateCoach(state);
  updateGraph(state);
  updateHistory(state);
  updateDevices(state);
  updateControls(state);
  set(document.body, "data-version", raw.version);
  document.title = state.sentence ? `${state.sentence.slice(0, 60)} – Cowboard` : "Cowboard";
}

function drawBoard(held) {
  updateBoard(state, shownPull());
  updateCows(state, held, isInHand());
  updateStars(state);
}

/** A dropped cow stays drawn where it was let go until the table says the same. */
function standsAsHeld(held) {
  const actual = state.virtual?.cows.find((cow) => cow.beam === held.cow);
  return Boolean(actual) && actual.on === held.on && actual.place === held.place;
}

/** `how` is hover, focus or pin; a null name ends it, a second pin on the same name too. */
function point(how, name) {
  pointed[how] = how === "pin" && pointed.pin === name ? null : name;
  updateBoard(state, shownPull());
  updatePulls(state, pointed.pin, point);
}

function showLink(name) {
  set(document.body, "data-live", name);
  say(byId("live"), LINKS[name] ?? "");
  show(byId("live"), Boolean(LINKS[name]));
}

render({});
grabbing = enableGrabbing(() => ({ state, isInHand: isInHand() }), (held) => updateCows(state, held, isInHand()));
enableThrowing();
enableCamera();
enableCoach();
onStale(follow(render, showLink).ask);
