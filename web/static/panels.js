// What is told in words: whose turn, the sentence, what can be pulled, the turns so far, the devices.

import { byId, keyed, make, say, set, show } from "./dom.js";
import { capital, cowWords } from "./read.js";
import { buildDie, updateDie } from "./dice.js";
import { command } from "./send.js";

const ALWAYS_SHOWN = ["board", "camera"]; // of the others only those that aren't well

export function updateSaid(state) {
  const mover = byId("mover");
  set(mover, "data-side", state.phase === "over" ? state.winner : state.mover);
  say(mover, turnWords(state));
  const isRolling = state.mover && state.roll > 0 && !["over", "opening"].includes(state.phase);
  show(byId("rolls"), Boolean(isRolling));
  say(byId("rolls"), `Roll ${state.roll} of ${state.rolls}`);
  set(byId("rolls"), "data-roll", Math.min(state.roll, 3));
  say(byId("tally"), `${state.names.white} ${state.score.white} : ${state.score.black} ${state.names.black}`);
  set(byId("tally"), "title", `First to ${state.score.to_win} cows in the own win zone`);
  say(byId("sentence"), state.sentence || "The table has nothing to say yet.");
  set(byId("sentence"), "data-long", state.sentence.length > 90);
  const told = letters(state.sentence); // what the sentence says already isn't said twice
  const notice = [state.notice?.sentence, state.notice?.mend].filter((part) => part && !told.includes(letters(part)));
  show(byId("notice"), notice.length > 0 && state.phase !== "over");
  set(byId("notice"), "data-calm", !state.notice?.mend);
  say(byId("notice"), notice.join(" "));
  set(byId("notice"), "data-notice", state.notice?.name);
  show(byId("win"), state.phase === "over");
  if (state.phase === "over") {
    say(byId("win-words"), winWords(state));
    set(byId("win"), "data-side", state.winner);
  }
}

const letters = (words) => words.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();

function turnWords(state) {
  if (state.phase === "over") return "Game over";
  if (state.isOpening) return "Who starts?";
  if (!state.mover) return "";
  return `${state.names[state.mover]}’s turn`;
}

function winWords(state) {
  const reason = state.reason ? `: ${state.reason}` : "";
  if (state.winner === "draw") return `A draw${reason}`;
  return state.winner ? `${state.names[state.winner] || capital(state.winner)} wins${reason}` : `The game is over${reason}`;
}

/** The list of pulls; `onShow(how, name)` is called as a person points at one, with null when they leave. */
export function updatePulls(state, pinned, onShow) {
  const isChoosable = state.can.has("choose_pull") && document.body.dataset.control === "yes";
  const create = (pull) => {
    const button = make("button", { type: "button", class: "pull", "data-pull": pull.name },
      make("span", { class: "pull-name" }), make("span", { class: "pull-to" }), make("span", { class: "pull-odds" }));
    button.addEventListener("pointerenter", () => onShow("hover", pull.name));
    button.addEventListener("pointerleave", () => onShow("hover", null));
    button.addEventListener("focus", () => onShow("focus", pull.name));
    button.addEventListener("blur", () => onShow("focus", null));
    button.addEventListener("click", () => {
      if (button.dataset.choose !== undefined) command("choose_pull", { pull: pull.name });
      else onShow("pin", pull.name);
    });
    return make("li", {}, button);
  };
  keyed(byId("pulls"), state.pulls, (pull) => pull.name, create, (item, pull) => {
    const button = item.firstChild;
    const [name, to, odds] = button.children;
    say(name, capital(pull.name));
    say(to, pullWords(pull));
    const isBest = state.coach.pull === pull.name;
    say(odds, pull.wins ? "wins the game" : isBest ? "the coach’s pull" : "");
    set(button, "data-best", isBest);
    set(button, "data-wins", pull.wins);
    set(button, "data-chosen", pull.chosen);
    set(button, "data-choose", isChoosable);
    set(button, "aria-pressed", String(pull.chosen || pinned === pull.name));
  });
  say(byId("no-pulls"), state.pulls.length ? "" : noPullWords(state));
}

/** Which cow goes how far; a cow that is locked where it stands goes nowhere. */
function pullWords(pull) {
  const cows = Object.entries(pull.cows);
  const words = cows.map(([beam, cells]) => (cells ? `${cowWords(beam)} by ${cells}` : `${cowWords(beam)} locked`)).join(", ");
  const last = cows.length ? cows[cows.length - 1][1] : 0;
  return last ? `${words} ${last === 1 ? "cell" : "cells"}` : words;
}

function noPullWords(state) {
  if (["rolled", "moving", "waiting"].includes(state.phase)) return "These dice pull no cow.";
  if (state.phase === "over") return "The game is over.";
  if (state.phase === "paused") return "The game is paused.";
  if (state.phase === "wrong") return "First every cow goes home.";
  return "The dice decide: this fills when they are read.";
}

export function updateHistory(state) {
  const turns = state.history.slice().reverse();
  show(byId("no-history"), turns.length === 0);
  keyed(byId("history"), turns, (turn) => turn.turn, () => make("li", {}, make("span", { class: "turn-number" }), make("span", { class: "turn-side" }, make("span", { class: "unseen" })), make("span", { class: "turn-pull" }), make("span", { class: "turn-dice" })), (item, turn) => {
    const [number, side, pull, dice] = item.children;
    const throws = Array.isArray(turn.throws) ? turn.throws : [];
    set(item, "id", `turn-${turn.turn}`); // the coach's lessons lead here
    say(number, `${turn.turn ?? ""}`);
    set(side, "data-side", turn.mover);
    say(side.firstChild, state.names[turn.mover] || "");
    say(pull, turn.pull || "forfeit");
    set(pull, "data-forfeit", !turn.pull);
    set(dice, "aria-label", `threw ${throws.join(", ")}`);
    const last = String(throws[throws.length - 1] || "");
    keyed(dice, [...last].map((face, index) => ({ face, index })), (die) => die.index, buildDie, (face, die) => updateDie(face, Number(die.face) || null, turn.mover));
  });
}

export function updateDevices(state) {
  const place = ([name]) => (ALWAYS_SHOWN.includes(name) ? ALWAYS_SHOWN.indexOf(name) : ALWAYS_SHOWN.length);
  const devices = Object.entries(state.devices)
    .filter(([name, device]) => device?.state && device.state !== "off" && (ALWAYS_SHOWN.includes(name) || device.state !== "ready"))
    .sort((one, two) => place(one) - place(two));
  keyed(byId("devices"), devices, ([name]) => name, ([name]) => make("li", {},
    make("details", { class: "device", "data-device": name }, make("summary", {}, make("span", { class: "device-name" }, capital(name)), make("span", { class: "device-state" })), make("p", {}))), (item, [, device]) => {
    const details = item.firstChild;
    set(details, "data-state", device.state);
    say(details.querySelector(".device-state"), device.state);
    say(details.querySelector("p"), [device.sentence, device.mend, device.name ? `(${device.name})` : ""].filter(Boolean).join(" "));
  });
  const isWatching = state.virtual?.hasCows && !state.virtual.hasTray; // a real or recorded camera beside a virtual board
  const simulated = isWatching ? "simulated board" : "simulated camera and board";
  say(byId("simulated").lastElementChild, `: ${simulated}`);
  set(byId("simulated"), "title", `virtual table: ${simulated}`);
  show(byId("simulated"), Boolean(state.virtual));
}
