// How the game is played, in a few lines beside the table, with the numbers of this game's house rules.

import { byId, make, set, show } from "./dom.js";

const STRAIGHTS = [3, 4];
const CHANCE = { "5-9": 4, "10-12": 3, "23-25": 3, "26-30": 4 };

let isFirst = true; // open where a game begins; later as the reader leaves it
let shownFor = "";

export function updateHow(state) {
  if (!state.position) return; // the table hasn't been heard of yet
  show(byId("how"), (state.game.kind ?? "cosmic-cows") === "cosmic-cows");
  if (isFirst) set(byId("how"), "open", state.history.length === 0);
  isFirst = false;
  const turn = turnLines(state);
  const dice = diceLines(state.game.rules || {});
  const key = JSON.stringify([turn, dice]);
  if (key === shownFor) return;
  shownFor = key;
  byId("how-turn").replaceChildren(...turn.map((line) => make("li", {}, line)));
  byId("how-dice").replaceChildren(...dice.map((parts) => make("li", {}, ...parts.map((part) => make("span", {}, part)))));
}

function turnLines(state) {
  const zone = state.game.rules?.win_zone ?? 3;
  return [
    `First with ${state.score.to_win} cows on the last ${zone === 1 ? "cell" : `${zone} cells`} at their end wins.`,
    `Throw up to ${state.rolls} times, then pull a cow your way:`,
  ];
}

/** What dice show, and which cow that pulls how far. */
function diceLines(rules) {
  const [small, large] = rules.straights ?? STRAIGHTS;
  return [
    ["2, 3 or 4 alike", "that number’s cow, as far"],
    ["2 and 2, 3 and 2 alike", "both cows"],
    ["4 or 5 in a row", `straights cow, ${small} or ${large} cells`],
    ["5 alike", "super cow, all the way"],
    ...chanceBands(rules.chance ?? CHANCE).map(([bands, cells]) => [`total ${bands}`, `chance cow, ${cells} cells`]),
  ];
}

/** The totals that are worth the same, together: [["10–12, 23–25", 3], ["5–9, 26–30", 4]]. */
function chanceBands(chance) {
  const worth = new Map();
  for (const [band, cells] of Object.entries(chance)) worth.set(cells, [...(worth.get(cells) ?? []), band.replace("-", "–")]);
  return [...worth].sort(([one], [two]) => one - two).map(([cells, bands]) => [bands.join(", "), cells]);
}
