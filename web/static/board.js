// The board as a picture: beams, cells with their lights, landing places, paths of a pull, arrows home.

import { byId, draw, keyed, say, set } from "./dom.js";
import { BOTTOM, HEIGHT, PITCH_X, TOP, WIDTH, beamX, fit, pitchY, placeY, zoneOf } from "./geometry.js";
import { beamWords, cowWords, placeText, placeWords } from "./read.js";
import { buildLens, buildShips, updateShip } from "./ships.js";

const KNOWN_LIGHTS = new Set(["white", "dim-white", "black-side", "blue", "orange", "amber", "green", "red", "purple"]);
const DARK = new Set(["", "dark"]);

let svg = null;
let shape = "";
const cells = new Map();

/** The board's layers from back to front; cows are put into `cows` by cows.js. */
export function layer(name) {
  return svg.querySelector(`[data-layer="${name}"]`);
}

/** Build what doesn't change while the beams keep their lengths. */
function build(beams) {
  svg = byId("board");
  svg.replaceChildren();
  cells.clear();
  fit(beams);
  set(svg, "viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  const back = draw("g", { "data-layer": "back" }, ...stars());
  const lenses = draw("g", {});
  const grid = draw("g", { "data-layer": "cells" });
  beams.forEach((beam, index) => {
    const x = beamX(index);
    const height = (2 * beam.last + 1) * pitchY();
    back.append(draw("rect", { class: "lane", x: x - PITCH_X / 2 + 3, y: placeY(-beam.last) - pitchY() / 2, width: PITCH_X - 6, height, rx: 18 }));
    back.append(draw("rect", { class: "tractor", "data-tractor": beam.beam, x: x - PITCH_X / 2 + 5, width: PITCH_X - 10, rx: 16 }));
    for (const side of ["black", "white"]) lenses.append(buildLens(beam.beam, index, side));
    for (let place = -beam.last; place <= beam.last; place += 1) grid.append(buildCell(beam, index, place));
  });
  back.append(draw("path", { class: "centre", d: `M6 ${HEIGHT / 2}H${WIDTH - 6}` }));
  svg.append(back, ...buildShips(), lenses, grid, draw("g", { "data-layer": "paths" }), draw("g", { "data-layer": "cows" }), draw("g", { "data-layer": "stars" }), draw("g", { "data-layer": "marks" }));
}

function buildCell(beam, index, place) {
  const height = pitchY() - 6;
  const zone = zoneOf(beam, place);
  const box = { x: beamX(index) - 23, y: placeY(place) - height / 2, width: 46, height, rx: Math.min(12, height / 2) };
  const cell = draw("g", { class: "cell", "data-cell": `${beam.beam}:${placeText(place)}`, "data-zone": zone },
    draw("rect", { class: "pad", ...box }),
    zone === "none" ? null : draw("rect", { class: "zone", fill: `url(#pattern-${zone})`, ...box }),
    draw("rect", { class: "light", ...box }),
    draw("rect", { class: "target", ...box }));
  cell.style.setProperty("--step", place); // for chases, which run along a beam
  cell.style.setProperty("--spark", (index * 5 + place * 7) % 11); // for sparkles, which don't
  cells.set(`${beam.beam}:${place}`, cell);
  return cell;
}

/** A fixed sky: the same stars each time, thin enough to be no distraction. */
function stars() {
  let seed = 7;
  const next = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  return Array.from({ length: 90 }, () => draw("circle", { class: "sky-star", cx: (next() * WIDTH).toFixed(1), cy: (next() * HEIGHT).toFixed(1), r: (0.4 + next() * next() * 1.5).toFixed(2), opacity: (0.25 + next() * 0.6).toFixed(2) }));
}

/** Draw a state, all but the cows. `shownPull` is the pull a person points at, or null. */
export function updateBoard(state, shownPull) {
  const now = state.beams.map((beam) => `${beam.beam}:${beam.last}:${beam.zone}`).join();
  if (now !== shape) {
    build(state.beams);
    shape = now;
  }
  for (const ship of svg.querySelectorAll(".ship")) updateShip(ship, state);
  updateLights(state);
  updateTargets(state, shownPull);
  updateTractors(state, shownPull);
  updatePaths(state, shownPull);
  updateMarks(state);
}

function updateLights(state) {
  let index = 0;
  for (const beam of state.beams) {
    for (let place = -beam.last; place <= beam.last; place += 1) {
      const [colour, motion] = state.lights[index] || ["", ""];
      index += 1;
      const cell = cells.get(`${beam.beam}:${place}`);
      set(cell, "data-light", DARK.has(colour) ? null : KNOWN_LIGHTS.has(colour) ? colour : "white");
      set(cell, "data-motion", DARK.has(colour) ? null : motion || "steady");
    }
  }
}

function updateTargets(state, shownPull) {
  const landing = new Map();
  for (const pull of state.pulls) {
    for (const [beam, place] of Object.entries(pull.to)) {
      const key = `${beam}:${place}`;
      if (!landing.has(key)) landing.set(key, []);
      landing.get(key).push(pull);
    }
  }
  for (const [key, cell] of cells) {
    const pulls = landing.get(key);
    set(cell, "data-target", pulls ? pulls.map((pull) => pull.name).join(" · ") : null);
    set(cell, "data-shown", Boolean(shownPull && pulls?.includes(shownPull)));
    set(cell, "data-chosen", Boolean(pulls?.some((pull) => pull.chosen)));
  }
}

function updateTractors(state, shownPull) {
  const inPull = new Set((shownPull ? [shownPull] : state.pulls).flatMap((pull) => Object.keys(pull.to)));
  state.beams.forEach((beam) => {
    const tractor = svg.querySelector(`[data-tractor="${CSS.escape(beam.beam)}"]`);
    const isOn = inPull.has(beam.beam) && state.mover !== null;
    set(tractor, "data-on", isOn ? (shownPull ? "shown" : "offered") : null);
    if (!isOn) return;
    const cowY = placeY(beam.place);
    const isWhite = state.mover === "white";
    set(tractor, "fill", `url(#beam-${state.mover})`);
    set(tractor, "y", isWhite ? cowY : TOP - 4);
    set(tractor, "height", Math.max(0, isWhite ? BOTTOM + 4 - cowY : cowY - TOP + 4));
  });
}

/** The ways of the cows in the pull that is pointed at, chosen, or the only one. */
function updatePaths(state, shownPull) {
  const pull = shownPull || state.pulls.find((one) => one.chosen) || null;
  const ways = Object.entries(pull?.to || {}).map(([beam, place]) => {
    const index = state.beams.findIndex((one) => one.beam === beam);
    return { beam, index, from: state.beams[index]?.place ?? 0, to: place };
  }).filter((way) => way.index >= 0 && way.from !== way.to);
  keyed(layer("paths"), ways, (way) => way.beam, () => draw("g", { class: "way" },
    draw("path", { "marker-end": "url(#arrow-tip)" }),
    draw("use", { class: "ghost", href: "#cow", width: 66, height: 68 })),
  (group, way) => {
    const x = beamX(way.index);
    const shift = 0.55 * pitchY() * Math.sign(way.from - way.to);
    set(group.firstChild, "d", `M${x} ${placeY(way.from)}V${placeY(way.to) + shift}`);
    set(group.lastChild, "x", x - 33);
    set(group.lastChild, "y", placeY(way.to) - 34);
  });
}

/** Where each wrong cow belongs, and the way there. */
function updateMarks(state) {
  const marks = state.wrong.map((cow) => {
    const index = state.beams.findIndex((beam) => beam.beam === cow.beam);
    const actual = state.virtual?.cows.find((one) => one.beam === cow.beam);
    const on = state.beams.findIndex((beam) => beam.beam === actual?.on);
    const at = cow.at.find((place) => Number.isInteger(place) && place !== cow.home) ?? (Number.isInteger(actual?.place) ? actual.place : null);
    return { ...cow, index, from: at, onIndex: on >= 0 ? on : index };
  }).filter((cow) => cow.index >= 0 && (cow.from !== cow.home || cow.onIndex !== cow.index));
  keyed(layer("marks"), marks, (cow) => cow.beam, () => draw("g", { class: "wrong-mark" },
    draw("path", { class: "home-way", "marker-end": "url(#arrow-tip)" }),
    draw("rect", { class: "home-cell", width: 54, rx: 14 }),
    draw("text", { class: "home-word", "text-anchor": "middle" }, "home")),
  (group, cow) => {
    const [way, cell, word] = group.children;
    const x = beamX(cow.index);
    const y = placeY(cow.home);
    const height = pitchY() + 2;
    set(cell, "x", x - 27);
    set(cell, "y", y - height / 2);
    set(cell, "height", height);
    set(word, "x", x);
    set(word, "y", y + 5 + homeWordShift(cow));
    set(group, "data-home", `${cow.beam}:${placeText(cow.home)}`);
    set(way, "d", cow.from === null ? "" : wayHome(beamX(cow.onIndex), placeY(cow.from), x, y));
  });
  say(svg.querySelector("desc") || svg.insertBefore(draw("desc"), svg.firstChild), boardWords(state));
}

/** The word stands on the side of its cell that the cow doesn't cover. */
function homeWordShift(cow) {
  const isNear = cow.from !== null && cow.onIndex === cow.index && Math.abs(cow.from - cow.home) < 3;
  return isNear ? Math.sign(cow.home - cow.from) * pitchY() * 0.9 : 0;
}

function wayHome(fromX, fromY, x, y) {
  if (fromX === x) return `M${x + 24} ${fromY}C${x + 50} ${fromY} ${x + 50} ${y} ${x + 31} ${y}`; // past the cow, not through it
  const short = 20 / (Math.hypot(x - fromX, y - fromY) || 1);
  const endX = x - (x - fromX) * short;
  const endY = y - (y - fromY) * short;
  return `M${fromX} ${fromY}L${endX} ${endY}`;
}

function boardWords(state) {
  return state.beams.map((beam) => `${cowWords(beam.beam)} on ${beamWords(beam.beam)}: ${placeWords(beam.place, state.names)}`).join("; ");
}
