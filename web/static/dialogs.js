// The dialogs: new game, corrections, resigning, and the virtual table's mishaps.

import { byId, make, set } from "./dom.js";
import { capital, other } from "./read.js";
import { command, hands } from "./send.js";

// What a fault looks like to a person; a name that isn't here is shown as it is.
const FAULT_WORDS = {
  cocked: "a die leans", touching: "dice touch", stacked: "a die on a die", "off tray": "a die off the tray", sixth: "a sixth die",
  glare: "lamp glare", hand: "a hand in view", dark: "the lamp goes out", blur: "out of focus", frozen: "picture freezes",
  gone: "camera unplugged", none: "all well again", silent: "stops answering", drop: "loses packets", corrupt: "garbles packets",
  weak: "weak magnet", ghost: "ghost cell", stuck: "stuck sensor", chatter: "chattering sensor", reboot: "board restarts",
  "brown-out": "supply sags", unplug: "cable pulled",
};

const DRAWER = "mishaps"; // stays beside the table, so that one sees how it copes
let isOpenFor = null;

/** Open a dialog afresh with this content; closes on Escape, on its button, and, but for a drawer, on a click beside it. */
function open(name, title, ...content) {
  if (isOpenFor) takeAway(isOpenFor);
  const close = make("button", { type: "button", class: "small", "data-do": "close" }, "Close");
  const dialog = make("dialog", { class: "dialog", "data-dialog": name, "aria-labelledby": `${name}-title` },
    make("h2", { id: `${name}-title` }, title), ...content, make("div", { class: "row end" }, close));
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => takeAway(dialog));
  dialog.addEventListener("keydown", (event) => { if (event.key === "Escape") dialog.close(); });
  byId("dialogs").append(dialog);
  if (name === DRAWER) dialog.show();
  else dialog.showModal();
  isOpenFor = dialog;
  return dialog;
}

/** A dialog goes; what the table said into it stays. */
function takeAway(dialog) {
  const toast = byId("toast");
  if (dialog.contains(toast)) document.body.append(toast);
  dialog.remove();
}

function action(name, words, deed, isStrong = true) {
  const button = make("button", { type: "button", class: isStrong ? "small strong" : "small", "data-do": name }, words);
  button.addEventListener("click", async () => { if (await deed()) isOpenFor?.close(); });
  return button;
}

function field(label, control) {
  return make("label", { class: "field" }, make("span", {}, label), control);
}

const beamName = (beam) => (/^[1-6]$/.test(beam) ? `Beam ${beam}` : capital(beam));

// Who may sit at a side: the value that goes over the wire, and what a person reads.
const LEVELS = [["", "a person"], ["gentle", "computer, gentle"], ["greedy", "computer, greedy"], ["keen", "computer, keen"], ["best", "computer, best"]];
const THROWS = [["tray", "thrown in the tray"], ["generator", "thrown by the table itself"]];

export function openNewGame(state) {
  const name = (side) => make("input", { type: "text", maxlength: 40, value: state.names[side], name: side, autocomplete: "off" });
  const white = name("white");
  const black = name("black");
  const toWin = make("select", { name: "cows_to_win" }, ...[2, 3, 4, 5].map((count) => make("option", { value: count, selected: count === (state.game.rules?.cows_to_win ?? 3) }, `${count} cows`)));
  const seats = state.game.computers || {};
  const seat = (side) => make("select", { name: `${side}-player` }, ...LEVELS.map(([value, words]) => make("option", { value, selected: value === (seats[side]?.level ?? "") }, words)));
  const players = { white: seat("white"), black: seat("black") };
  const seated = Object.values(seats)[0];
  const throws = make("select", { name: "throws" }, ...THROWS.map(([value, words]) => make("option", { value, selected: value === (seated?.throws ?? "tray") }, words)));
  const how = field("Computer’s dice", throws);
  // A computer is called by its level and throws somehow; a person has a name.
  const seatChanged = () => {
    for (const side of ["white", "black"]) names[side].hidden = Boolean(players[side].value);
    how.hidden = !players.white.value && !players.black.value;
  };
  const nameOf = (input, side) => {
    const isLevelsName = seats[side] && input.value.trim() === state.names[side];
    return isLevelsName || players[side].value ? null : input.value.trim() || null;
  };
  const names = { white: field("Name", white), black: field("Name", black) };
  for (const control of Object.values(players)) control.addEventListener("change", () => seatChanged());
  seatChanged();
  const computers = () => Object.fromEntries(Object.entries(players).filter(([, control]) => control.value)
    .map(([side, control]) => [side, { level: control.value, seed: Math.floor(Math.random() * 1e9), throws: throws.value }]));
  // Only where a computer sits or sat: who changes nothing sends nothing.
  const isSeated = () => Boolean(seated || players.white.value || players.black.value);
  const start = () => {
    const rules = { ...(state.game.rules || {}), cows_to_win: Number(toWin.value) };
    const isChanged = rules.cows_to_win !== (state.game.rules?.cows_to_win ?? 3);
    return command("new_game", { white: nameOf(white, "white"), black: nameOf(black, "black"), ...(isSeated() ? { computers: computers() } : {}), ...(isChanged ? { rules } : {}) });
  };
  open("new_game", "New game", field("White, below", players.white), names.white, field("Black, above", players.black), names.black, how, field("To win", toWin),
    make("p", { class: "quiet" }, "The game that runs now stays in the journal."), make("div", { class: "row" }, action("new_game", "Start", start)));
}

export function openCorrections(state) {
  const dice = make("input", { type: "text", inputmode: "numeric", pattern: "[1-6]{5}", maxlength: 5, size: 6, name: "dice", autocomplete: "off", value: state.dice.map((die) => die.value ?? "").join("") });
  const mover = make("select", { name: "mover" }, ...["white", "black"].map((side) => make("option", { value: side, selected: side === state.mover }, state.names[side])));
  const places = state.beams.map((beam) => make("input", { type: "number", min: -beam.last, max: beam.last, value: beam.place, name: `cow-${beam.beam}`, "data-beam": beam.beam }));
  const position = () => `${places.map((input) => input.value || "0").join(",")} ${(state.position.split(" ")[1] || mover.value || "w").charAt(0)}`;
  open("correct", "Set right",
    make("p", { class: "quiet" }, "Every correction is written into the game’s record."),
    make("fieldset", {}, make("legend", {}, "Dice"), field("Five faces", dice), action("correct_dice", "Set dice", () => command("correct_dice", { dice: dice.value }))),
    make("fieldset", {}, make("legend", {}, "Whose turn"), field("To move", mover), action("correct_mover", "Set mover", () => command("correct_mover", { mover: mover.value }))),
    make("fieldset", {}, make("legend", {}, "Cows"),
      make("p", { class: "quiet" }, `Cells from the centre: above 0 towards ${state.names.white}, below 0 towards ${state.names.black}.`),
      make("div", { class: "places" }, ...places.map((input) => field(beamName(input.dataset.beam), input))),
      action("correct_cows", "Set cows", () => command("correct_cows", { position: position() }))));
}

export function openResign(state) {
  const give = (side) => action(`resign_${side}`, `${state.names[side]} gives up`, () => command("resign", { side }), side === state.mover);
  const first = state.mover || "white";
  open("resign", "Give up?", make("p", { class: "quiet" }, "The game ends at once, and the other side wins."), make("div", { class: "row" }, give(first), give(other(first))));
}

const anyCow = (state) => state.beams[Math.floor(Math.random() * state.beams.length)].beam;

/** Everything that goes wrong at a real table, on command. */
export function openMishaps(state) {
  const fault = (of, name) => {
    const button = make("button", { type: "button", class: "small", "data-fault": `${of}:${name}`, title: name }, FAULT_WORDS[name] || FAULT_WORDS[name.split(":")[0]] || name);
    button.addEventListener("click", () => hands("fault", { of, name }));
    return button;
  };
  const group = (of, title) => make("fieldset", {}, make("legend", {}, title), make("div", { class: "row wrap" }, ...(state.virtual?.faults[of] || []).map((name) => fault(of, name))));
  const dialog = open(DRAWER, "Mishaps", make("p", { class: "quiet" }, "Only on the virtual table: make the simulated camera and board misbehave, and watch the table cope."),
    group("camera", "Camera and dice"), group("board", "Board and cows"),
    make("div", { class: "row wrap apart" }, action("knock", "Knock a cow over", () => hands("knock", { beam: anyCow(state) }), false),
      action("tidy", "Put every cow back", () => hands("tidy"), false)));
  set(dialog, "data-simulation", true);
}
