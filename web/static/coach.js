// The odds for everybody; what the coach says, as far as it may; its switch; and after the game what could have been better.

import { byId, keyed, make, say, set, show } from "./dom.js";
import { command } from "./send.js";

const MODES = [["off", "Off"], ["on request", "On request"], ["always", "Always"]];

/** A chance in whole per cent; only certainty is 100 and only the impossible 0. */
export function percent(chance) {
  if (chance > 0 && chance < 0.005) return "under 1 %";
  if (chance < 1 && chance >= 0.995) return "over 99 %";
  return `${Math.round(chance * 100)} %`;
}

export function updateCoach(state) {
  const { coach } = state;
  show(byId("coach-says"), Boolean(coach.sentence));
  say(byId("coach-says"), coach.sentence.replace(/ %/g, "\u00a0%"));
  show(byId("odds"), Boolean(state.odds));
  if (state.odds) {
    say(byId("odds-improve"), improveWords(state));
    say(byId("odds-nothing"), state.odds.nothing > 0 ? `Ends with nothing: ${percent(state.odds.nothing)}.` : "Never ends with nothing.");
    byId("odds-bar").style.setProperty("--share", state.odds.improve);
  }
  drawSwitch(state);
  drawLessons(state);
}

function improveWords(state) {
  const chance = percent(state.odds.improve);
  if (state.pulls.length === 0) return `Rolling on finds a pull with ${chance}.`;
  return `Rolling on beats ${state.pulls.length > 1 ? "the best of these" : "this"} with ${chance}.`;
}

/** The ids of the dice that the coach would keep, as many of each face as it says. */
export function advisedDice(state, dice) {
  const faces = [...(state.coach.keep ?? "")].map(Number);
  const ids = new Set();
  for (const die of dice) {
    const at = faces.indexOf(die.value);
    if (at < 0) continue;
    faces.splice(at, 1);
    ids.add(die.id);
  }
  return ids;
}

function drawSwitch(state) {
  const mayControl = document.body.dataset.control === "yes";
  show(byId("coach"), mayControl);
  keyed(byId("coach-modes"), MODES, ([mode]) => mode, ([mode, words]) => {
    const button = make("button", { type: "button", class: "mode", "data-coach": mode }, words);
    button.addEventListener("click", () => { if (button.getAttribute("aria-pressed") !== "true") command("coach", { mode }); });
    return button;
  }, (button, [mode]) => set(button, "aria-pressed", String(state.coach.mode === mode)));
  show(byId("ask-coach"), state.can.has("ask_coach"));
}

function drawLessons(state) {
  show(byId("lessons-part"), state.coach.lessons.length > 0);
  const key = (lesson) => `${lesson.turn}.${lesson.roll}`;
  keyed(byId("lessons"), state.coach.lessons, key, () => make("li", {}, make("a", {}), make("span", { class: "lesson-who" }), make("span", {})), (item, lesson) => {
    const [link, who, words] = item.children;
    set(link, "href", `#turn-${lesson.turn}`);
    say(link, `Turn ${lesson.turn}`);
    say(who, state.names[lesson.mover] ?? "");
    say(words, lesson.sentence);
  });
}

export function enableCoach() {
  byId("ask-coach").addEventListener("click", () => command("ask_coach"));
}
