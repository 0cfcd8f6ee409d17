// Moving cows of the virtual table: by mouse, finger or keys, along the beam, to another beam, or off the board.

import { byId, say, set } from "./dom.js";
import { cellAt, toBoard } from "./geometry.js";
import { cowsOf, sayHeld } from "./cows.js";
import { hands } from "./send.js";

const SETTLE_MS = 2500; // how long a dropped cow waits for the table to say where it stands

/**
 * `look()` gives the newest state and whether cows may be taken; `redraw(held)` draws with `held` in the hand,
 * held being {cow, on, place} or null.
 */
export function enableGrabbing(look, redraw) {
  const svg = byId("board");
  let held = null;
  let settleTimer = null;
  let isDropped = false;

  const hold = (next) => {
    held = next;
    isDropped = false;
    clearTimeout(settleTimer);
    redraw(held);
    if (held) sayHeld(whisper(), held, look().state);
  };
  const letGo = () => hold(null);
  const startOf = (cow) => {
    const at = cowsOf(look().state).find((one) => one.beam.beam === cow);
    return { cow, on: at.on, place: at.place, from: at };
  };

  /** Give the deed to the table; the cow stays where it was dropped until a newer state says where it is. */
  async function drop(isOffBoard = false) {
    const { cow, on, place, from } = held;
    isDropped = true;
    clearTimeout(settleTimer);
    settleTimer = setTimeout(letGo, SETTLE_MS);
    let isTaken = true;
    if (isOffBoard) isTaken = await hands("lift", { beam: cow });
    else if (from.isLifted || from.isToppled || on !== from.on || on !== cow) isTaken = await hands("put", { beam: cow, on, place });
    else if (place !== from.place) isTaken = await hands("slide", { beam: cow, place });
    else isTaken = false;
    if (!isTaken || isOffBoard) letGo();
  }

  svg.addEventListener("pointerdown", (event) => {
    const element = event.target.closest?.("[data-cow]");
    const { state, isInHand } = look();
    if (!element || !isInHand || event.button > 0) return;
    event.preventDefault();
    element.focus({ preventScroll: true });
    hold(startOf(element.dataset.cow));
    let isOff = false;
    const move = (at) => {
      const point = toBoard(svg, at.clientX, at.clientY);
      const cell = cellAt(point.x, point.y, state.beams);
      isOff = cell === null;
      set(element, "data-off", isOff);
      if (cell && held && (cell.beam !== held.on || cell.place !== held.place)) hold({ ...held, on: cell.beam, place: cell.place });
    };
    const end = (at) => {
      element.removeEventListener("pointermove", move);
      element.removeEventListener("pointerup", end);
      element.removeEventListener("pointercancel", end);
      set(element, "data-off", null);
      if (held && at.type === "pointerup") drop(isOff);
      else letGo();
    };
    element.setPointerCapture(event.pointerId);
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", end);
    element.addEventListener("pointercancel", end);
  });

  svg.addEventListener("keydown", (event) => {
    const element = event.target.closest?.("[data-cow]");
    const { state, isInHand } = look();
    if (!element || !isInHand || event.ctrlKey || event.metaKey || event.altKey) return;
    const cow = element.dataset.cow;
    const now = held?.cow === cow ? held : startOf(cow);
    const index = state.beams.findIndex((beam) => beam.beam === now.on);
    const step = { ArrowDown: [0, 1], ArrowUp: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (step) {
      const beam = state.beams[Math.max(0, Math.min(state.beams.length - 1, index + step[0]))];
      const place = Math.max(-beam.last, Math.min(beam.last, now.place + step[1]));
      hold({ ...now, on: beam.beam, place });
    } else if (event.key === "Enter" || event.key === " ") {
      if (held && !isDropped) drop();
    } else if (event.key === "Delete" || event.key === "Backspace") {
      hold(now);
      drop(true);
    } else if (event.key === "Escape" && held) letGo();
    else return;
    event.preventDefault();
  });

  svg.addEventListener("focusout", (event) => {
    if (held && event.target.dataset?.cow === held.cow && !isDropped) letGo();
  });

  return { held: () => held, letGo };
}

/** A quiet place that tells a screen reader where the held cow is. */
function whisper() {
  let place = byId("whisper");
  if (!place) {
    place = document.createElement("p");
    place.id = "whisper";
    place.className = "unseen";
    place.setAttribute("aria-live", "polite");
    document.body.append(place);
  }
  say(place, "");
  return place;
}
