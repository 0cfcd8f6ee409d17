// The dice as read, big and crisp; on the virtual table also the hands' choice of which ones stay lying.

import { byId, draw, keyed, make, say, set, show } from "./dom.js";
import { pips } from "./ships.js";
import { command, hands } from "./send.js";
import { openNewGame } from "./dialogs.js";
import { other } from "./read.js";
import { advisedDice } from "./coach.js";

const NEAR = 0.12; // of the picture's width: how far a read die's middle may lie from where the hand put it
const DICE = 5;
const AFTER_DRAG_MS = 300; // a mouse gives a click at the end of a drag, a finger doesn't
const KNOWN_COLOURS = new Set(["white", "black", "red", "yellow", "green", "blue"]);

let kept = new Set(); // ids (virtual) or places in the row (real) that stay lying in the next throw
let turnOf = ""; // the turn the choice was made in
let typed = ""; // faces entered by hand, for a table without a camera
let lyingCount = 5;
let isOwnPickUp = false; // the page itself had a die picked up, so the others aren't therefore kept
let draggedAt = -Infinity;
let latest = null;

/** The drawn face of a die; null draws a question mark, a tumbling die nothing. */
export function buildDie() {
  return draw("svg", { class: "face", viewBox: "0 0 100 100", "aria-hidden": "true" },
    draw("rect", { class: "face-side", x: 4, y: 8, width: 92, height: 90, rx: 22 }),
    draw("rect", { class: "face-top", x: 4, y: 3, width: 92, height: 90, rx: 22 }),
    draw("g", { class: "face-pips" }), draw("text", { class: "face-unsure", x: 50, y: 66, "text-anchor": "middle" }));
}

export function updateDie(face, value, colour, isUnsure = false) {
  set(face, "data-colour", KNOWN_COLOURS.has(colour) ? colour : "white");
  set(face, "data-unsure", isUnsure);
  const key = `${value}`;
  if (face.dataset.value !== key) {
    face.dataset.value = key;
    face.querySelector(".face-pips").replaceChildren(...pips(value).map(([x, y]) => draw("circle", { cx: 50 + x * 25, cy: 48 + y * 25, r: 9.5 })));
  }
  say(face.querySelector(".face-unsure"), value === null ? "?" : "");
}

/** The row of dice: those of the virtual tray with what was read of them, or those that were read. */
export function diceOf(state) {
  if (!state.virtual?.hasTray || state.virtual.tray.length === 0) return state.dice.map((die, index) => ({ id: index, ...die, isOnRail: false }));
  const free = new Set(state.dice.filter((die) => die.box));
  const told = state.dice.filter((die) => !die.box); // corrected or entered: no picture says which lies where
  return state.virtual.tray.map((lying) => {
    let best = null;
    for (const die of free) {
      const away = Math.hypot(die.box[0] + die.box[2] / 2 - lying.x, die.box[1] + die.box[3] / 2 - lying.y);
      if (away < NEAR && (!best || away < best.away)) best = { die, away };
    }
    if (best) free.delete(best.die);
    const read = best?.die || told.shift() || { value: null, colour: thrownColour(state), kept: false, refusal: null };
    return { ...read, id: lying.id, isOnRail: Boolean(lying.rail), x: lying.x, y: lying.y };
  });
}

/** What the camera hasn't said yet: each side throws its own dice, White first for the start. */
function thrownColour(state) {
  if (!state.isOpening) return state.mover || "white";
  return state.opening.white.length > state.opening.black.length ? "black" : "white";
}

const mayKeep = (state) => state.roll > 0 && state.roll < state.rolls && ["rolled", "refused", "touched"].includes(state.phase);
const isRead = (state) => state.devices.camera?.state === "ready";
const canChoose = (state) => Boolean(state.virtual?.hasTray) || (state.can.has("keep") && !isRead(state));
// Faces are entered by hand where no camera reads them, where it can't read the real dice that lie there, and for
// the start, which a recorded turn doesn't show.
const canEnter = (state) => state.can.has("enter_dice") && (!isRead(state) || (!state.virtual?.hasTray && ["refused", "opening"].includes(state.phase)));

export function updateDice(state) {
  latest = state;
  const turn = `${state.game.id}|${state.mover}|${state.history.length}`;
  if (turn !== turnOf || state.roll === 0) {
    kept = new Set();
    turnOf = turn;
    lyingCount = DICE;
  }
  const dice = diceOf(state);
  const ids = new Set(dice.map((die) => die.id));
  kept = new Set([...kept].filter((id) => ids.has(id)));
  const isPickedUp = dice.length < lyingCount && !isOwnPickUp; // someone took dice up: those left lying are the kept ones
  if (dice.length < lyingCount) isOwnPickUp = false;
  lyingCount = dice.length;
  if (mayKeep(state)) for (const die of dice) if (die.isOnRail || isPickedUp) kept.add(die.id);
  drawDice(state, dice);
  drawOpening(state);
  drawThrow(state, dice);
  drawKeypad(state);
}

function drawDice(state, dice) {
  const isRolling = state.phase === "rolling";
  const isOpen = canChoose(state) && mayKeep(state) && document.body.dataset.control === "yes";
  const advised = advisedDice(state, dice);
  set(byId("dice"), "data-rolling", isRolling);
  keyed(byId("dice"), dice, (die) => die.id, createDie, (holder, die) => {
    const [button, word, nudge] = holder.children;
    const isKept = kept.has(die.id) || (!canChoose(state) && die.kept);
    const isTumbling = isRolling && !isKept;
    updateDie(button.firstChild, isTumbling ? null : die.value, die.colour, !isTumbling && (Boolean(die.refusal) || die.value === null));
    set(button, "aria-pressed", isOpen || isKept ? String(isKept) : null);
    set(button, "aria-disabled", isOpen ? null : "true");
    set(button, "aria-label", dieWords(die, isKept) + (advised.has(die.id) ? ", the coach would keep it" : ""));
    set(holder, "data-advised", advised.has(die.id));
    set(holder, "data-kept", isKept);
    set(holder, "data-refusal", die.refusal);
    say(word, die.refusal || (isKept ? (die.isOnRail ? "in the rail" : "stays") : ""));
    const isUnread = state.phase === "refused" && die.value === null; // not even seen where it lies
    show(nudge, Boolean((die.refusal || isUnread) && state.virtual?.hasTray));
  });
  show(byId("rail"), isOpen);
  show(byId("rail-drag"), Boolean(state.virtual?.hasTray));
}

function dieWords(die, isKept) {
  const value = die.value === null ? "unread" : String(die.value);
  return `${die.colour} die, ${value}${die.refusal ? `, ${die.refusal}` : ""}${isKept ? ", stays" : ""}`;
}

function createDie(die) {
  const button = make("button", { type: "button", class: "die", "data-die": die.id }, buildDie());
  const nudge = make("button", { type: "button", class: "nudge small", "data-nudge": die.id }, "Nudge");
  nudge.addEventListener("click", () => hands("nudge", { die: die.id }));
  button.addEventListener("click", (click) => {
    if (click.timeStamp - draggedAt > AFTER_DRAG_MS) toggle(die.id);
  });
  enableRailDrag(button, die.id);
  return make("div", { class: "die-place" }, button, make("span", { class: "die-word" }), nudge);
}

function toggle(id) {
  if (!latest || !canChoose(latest) || !mayKeep(latest)) return;
  if (kept.has(id)) {
    kept.delete(id);
    if (diceOf(latest).some((die) => die.id === id && die.isOnRail)) {
      isOwnPickUp = true;
      hands("pick_up", { dice: [id] });
    }
  } else kept.add(id);
  updateDice(latest);
}

/** A die dragged down on to the rail is laid there by the virtual hand; a click stays a click. */
function enableRailDrag(button, id) {
  button.addEventListener("pointerdown", (down) => {
    if (!latest?.virtual?.hasTray || !mayKeep(latest) || down.button > 0) return;
    const move = (at) => { button.style.translate = `${at.clientX - down.clientX}px ${at.clientY - down.clientY}px`; };
    const end = (at) => {
      button.removeEventListener("pointermove", move);
      button.style.translate = "";
      const rail = byId("rail").getBoundingClientRect();
      const isOver = at.clientY > rail.top - 8 && at.clientY < rail.bottom + 24 && at.clientX > rail.left && at.clientX < rail.right;
      if (at.type !== "pointerup" || !isOver || at.clientY - down.clientY < 12) return;
      draggedAt = at.timeStamp;
      kept.add(id);
      hands("rail", { dice: [id] });
      updateDice(latest);
    };
    button.setPointerCapture(down.pointerId);
    button.addEventListener("pointermove", move);
    button.addEventListener("pointerup", end, { once: true });
    button.addEventListener("pointercancel", end, { once: true });
  });
}

function drawOpening(state) {
  const isOn = state.isOpening || (state.history.length === 0 && state.phase === "to roll" && state.opening.white.length > 0);
  show(byId("opening"), isOn);
  show(byId("dice"), !isOn || state.phase !== "to roll"); // the last die of the start stands above already
  if (!isOn) return;
  keyed(byId("opening"), ["black", "white"], (side) => side, (side) => make("div", { class: "opener", "data-opener": side }, make("span", {}), buildDie()), (place, side) => {
    const faces = state.opening[side];
    say(place.firstChild, state.names[side]);
    updateDie(place.lastChild, faces[faces.length - 1] ?? null, side, faces.length === 0);
  });
}

function drawThrow(state, dice) {
  const isVirtual = Boolean(state.virtual?.hasTray);
  const button = document.querySelector('[data-do="throw"]');
  show(button, isVirtual && state.phase !== "over");
  const isPossible = !["rolling", "paused", "over", "moving", "wrong"].includes(state.phase) && !(state.phase === "rolled" && state.roll >= state.rolls && state.pulls.length);
  const computer = computerToAct(state);
  button.disabled = !isPossible || Boolean(computer) || document.body.dataset.control !== "yes";
  const count = DICE - kept.size;
  const again = mayKeep(state);
  say(button, computer ? `${state.names[computer]} is on the move` : again ? (count === 0 ? "Nothing left to throw" : kept.size ? `Throw ${count} again` : "Throw all again") : state.phase === "waiting" ? nextThrow(state) : "Throw");
  if (again && count === 0) button.disabled = true;
  const toRail = dice.filter((die) => kept.has(die.id) && !die.isOnRail);
  show(document.querySelector('[data-do="rail"]'), isVirtual && again && toRail.length > 0);
  show(document.querySelector('[data-do="keep"]'), !isVirtual && canChoose(state) && again);
  show(document.querySelector('[data-do="again"]'), state.phase === "over" && document.body.dataset.control === "yes");
  const isEmpty = dice.length === 0 && !canEnter(state) && !state.isOpening;
  say(byId("dice-help"), isEmpty ? "The tray is empty." : "");
}

/** The side on the move, if a computer plays it: its dice are thrown without this button. */
function computerToAct(state) {
  const seats = state.game.computers || {};
  const toStart = state.opening?.white?.length ? "black" : state.opening?.black?.length || (seats.white && seats.black) ? "white" : null;
  const side = state.isOpening ? toStart : state.mover;
  return side && seats[side] && state.phase !== "over" ? side : null;
}

/** Once a pull stands, the next throw is the other side's and ends the turn. */
const nextThrow = (state) => (state.mover ? `${state.names[other(state.mover)]} throws` : "Throw");

/** Five faces by hand, or one in the opening: where no camera reads them. */
function drawKeypad(state) {
  const pad = byId("keypad");
  const isOn = canEnter(state) && document.body.dataset.control === "yes";
  show(pad, isOn);
  if (!isOn) typed = "";
  if (!isOn) return;
  const wanted = state.isOpening ? 1 : 5;
  if (!pad.firstChild) buildKeypad(pad);
  say(pad.querySelector(".typed"), typed.padEnd(wanted, "·").split("").join(" "));
  for (const key of pad.querySelectorAll("[data-face]")) key.disabled = typed.length >= wanted;
  pad.querySelector('[data-do="clear_dice"]').disabled = typed === "";
  pad.querySelector('[data-do="enter_dice"]').disabled = typed.length !== wanted;
}

function buildKeypad(pad) {
  const press = (change) => () => {
    typed = change(typed);
    drawKeypad(latest);
  };
  const faces = [1, 2, 3, 4, 5, 6].map((value) => {
    const face = buildDie();
    updateDie(face, value, "white");
    const key = make("button", { type: "button", class: "key", "data-face": value, "aria-label": String(value) }, face);
    key.addEventListener("click", press((now) => now + value));
    return key;
  });
  const clear = make("button", { type: "button", class: "small", "data-do": "clear_dice" }, "Clear");
  clear.addEventListener("click", press(() => ""));
  const enter = make("button", { type: "button", class: "small strong", "data-do": "enter_dice" }, "Enter dice");
  enter.addEventListener("click", async () => {
    if (await command("enter_dice", { dice: typed })) press(() => "")();
  });
  pad.append(make("div", { class: "keys" }, ...faces), make("div", { class: "typing" }, make("output", { class: "typed" }), clear, enter));
}

/** What the three buttons under the dice do. */
export function enableThrowing() {
  const on = (name, deed) => document.querySelector(`[data-do="${name}"]`).addEventListener("click", deed);
  on("again", () => openNewGame(latest));
  on("throw", () => hands("throw", { keep: [...kept] }));
  on("rail", () => hands("rail", { dice: diceOf(latest).filter((die) => kept.has(die.id) && !die.isOnRail).map((die) => die.id) }));
  on("keep", () => command("keep", { dice: diceOf(latest).filter((die) => kept.has(die.id)).map((die) => die.value).sort().join("") }));
}

