// The row of buttons for the game itself: only what makes sense right now can be pressed.

import { byId, keyed, make, say, set } from "./dom.js";
import { command, hands } from "./send.js";
import { openCorrections, openMishaps, openNewGame, openResign } from "./dialogs.js";

const send = (name) => () => command(name);
// What the turn waits for stands by the dice, at hand on a phone; the rest stands below.
const TURN_BUTTONS = [
  { name: "done", words: "Done", deed: send("done"), needs: "done", isStrong: true },
  { name: "reroll", words: "I roll again", deed: send("reroll"), needs: "reroll" },
  { name: "resume", words: "Resume", deed: send("resume"), needs: "resume", isStrong: true },
  { name: "home", words: "Put every cow back", deed: () => hands("tidy"), isForVirtual: true, isForAstray: true },
];
const BUTTONS = [
  { name: "undo", words: "Take back", deed: send("undo"), needs: "undo", stays: true },
  { name: "pause", words: "Pause", deed: send("pause"), needs: "pause" },
  { name: "correct", words: "Set right…", deed: openCorrections, needs: ["correct_dice", "correct_mover", "correct_cows"], stays: true },
  { name: "new", words: "New game…", deed: openNewGame, needs: "new_game", stays: true },
  { name: "resign", words: "Give up…", deed: openResign, needs: "resign" },
  { name: "mishaps", words: "Mishaps…", deed: openMishaps, isForVirtual: true },
];

let latest = null;

export function updateControls(state) {
  latest = state;
  const isOurs = document.body.dataset.control === "yes";
  const can = (needs) => [needs].flat().some((name) => state.can.has(name));
  const isWanted = (button) => {
    if (button.isForAstray) return state.virtual?.hasCows && state.wrong.length > (state.isOpening ? 0 : 1);
    return button.isForVirtual ? state.virtual : button.stays || can(button.needs);
  };
  // The virtual hands' throw announces itself; only a die that was touched leaves the question open.
  const isAsked = (button) => isWanted(button) && (button.name !== "reroll" || !state.virtual?.hasTray || state.phase === "touched");
  place("controls", isOurs ? BUTTONS.filter(isWanted) : [], state, can);
  place("turn-buttons", isOurs ? TURN_BUTTONS.filter(isAsked) : [], state, can);
}

function place(id, shown, state, can) {
  keyed(byId(id), shown, (button) => button.name, (button) => {
    const element = make("button", { type: "button", class: "control", "data-do": button.name }, button.words);
    element.addEventListener("click", () => button.deed(latest));
    return element;
  }, (element, button) => {
    const isStrong = button.isStrong || (button.name === "new" && state.phase === "over");
    set(element, "data-strong", isStrong);
    element.disabled = !button.isForVirtual && !can(button.needs);
    say(element, button.words);
  });
}
