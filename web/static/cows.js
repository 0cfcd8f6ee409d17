// The cows on the board: where each stands, what is said of it, and which may be taken in hand.

import { draw, keyed, say, set } from "./dom.js";
import { beamX, placeY } from "./geometry.js";
import { layer } from "./board.js";
import { beamWords, cowWords, placeWords } from "./read.js";

/** Where a cow is now: the beam it stands on, its place, whether it is in the hand. `held` is what a person drags. */
function standing(beam, state, held) {
  if (held && held.cow === beam.beam) return { on: held.on, place: held.place, isHeld: true, isLifted: false };
  const actual = state.virtual?.cows.find((cow) => cow.beam === beam.beam);
  if (actual) {
    const isLifted = !Number.isInteger(actual.place);
    const isToppled = actual.state === "toppled";
    return { on: actual.on || beam.beam, place: isLifted ? beam.place : actual.place, isHeld: false, isLifted, isToppled };
  }
  if (state.hasSensors && beam.seen.length === 1 && Number.isInteger(beam.seen[0])) {
    return { on: beam.beam, place: beam.seen[0], isHeld: false, isLifted: false };
  }
  const isLifted = state.hasSensors && beam.seen.length === 0 && ["moving", "wrong"].includes(state.phase);
  return { on: beam.beam, place: beam.place, isHeld: false, isLifted };
}

/** Every cow with its beam and where it is, in board order. */
export function cowsOf(state, held = null) {
  return state.beams.map((beam) => {
    const at = standing(beam, state, held);
    const index = state.beams.findIndex((one) => one.beam === at.on);
    return { beam, ...at, index: index < 0 ? state.beams.indexOf(beam) : index };
  });
}

/** Draw the cows; `isInHand` says whether they can be moved from here. */
export function updateCows(state, held, isInHand) {
  const wrong = new Map(state.wrong.map((cow) => [cow.beam, cow]));
  const pulled = new Set(state.pulls.flatMap((pull) => Object.keys(pull.to)));
  keyed(layer("cows"), cowsOf(state, held), (cow) => cow.beam.beam, create, (element, cow) => {
    const name = cow.beam.beam;
    element.style.transform = `translate(${beamX(cow.index)}px, ${placeY(cow.place)}px)`;
    set(element, "data-place", cow.place);
    set(element, "data-on", cow.on);
    set(element, "data-wrong", wrong.has(name));
    set(element, "data-lifted", cow.isLifted);
    set(element, "data-toppled", cow.isToppled && !cow.isHeld);
    set(element, "data-held", cow.isHeld);
    set(element, "data-pulled", pulled.has(name) && !wrong.has(name));
    set(element, "data-locked", cow.beam.locked);
    set(element, "tabindex", isInHand ? 0 : null);
    set(element, "role", isInHand ? "button" : "img");
    set(element, "aria-label", words(cow, state, wrong.get(name), isInHand));
  });
}

function words(cow, state, wrong, isInHand) {
  const name = cow.beam.beam;
  const where = cow.isToppled ? "knocked over" : cow.isLifted ? "in the hand" : `at ${placeWords(cow.place, state.names)}`;
  const elsewhere = cow.on === name ? "" : ` on ${beamWords(cow.on)}`;
  const astray = wrong ? `; stands wrong, belongs at ${placeWords(wrong.home, state.names)}` : "";
  return `${cowWords(name)}, ${where}${elsewhere}${astray}${isInHand ? "; arrow keys move it" : ""}`;
}

function create(cow) {
  const name = cow.beam.beam;
  const tag = /^[1-6]$/.test(name) ? name : { super: "★", chance: "?", straights: "≡" }[name] || "";
  return draw("g", { class: "cow", "data-cow": name },
    draw("ellipse", { class: "cow-shadow", cy: 28, rx: 22, ry: 5 }),
    draw("circle", { class: "cow-ring", r: 30 }),
    draw("g", { class: "cow-body" },
      draw("use", { href: "#cow", x: -33, y: -34, width: 66, height: 68 }),
      name === "super" ? draw("use", { class: "cow-star", href: "#mark-super", x: -7, y: -22, width: 14, height: 14 }) : null,
      draw("g", { class: "ear-tag", transform: "translate(19 18)" },
        draw("rect", { x: -7.5, y: -7.5, width: 15, height: 15, rx: 4 }),
        draw("text", { y: 4.2, "text-anchor": "middle" }, tag))),
    draw("g", { class: "cow-alarm", transform: "translate(-21 -19)" },
      draw("path", { d: "M0-9.500 9.500 8H-9.500z" }), draw("text", { y: 5.500, "text-anchor": "middle" }, "!")));
}

/** Say how a grabbed cow would stand, while it is moved by keys. */
export function sayHeld(element, held, state) {
  const text = `${cowWords(held.cow)} over ${beamWords(held.on)}, ${placeWords(held.place, state.names)}`;
  say(element, text);
}
