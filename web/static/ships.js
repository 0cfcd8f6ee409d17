// The two ships at the board's ends: name, whose turn, score windows, and the lenses the beams come from.

import { draw, keyed, say, set } from "./dom.js";
import { HEIGHT, SHIP, WIDTH, beamX } from "./geometry.js";

const MID = WIDTH / 2;
const SPOT = { a: [-1, -1], b: [-1, 0], c: [1, -1], e: [0, 0], g: [-1, 1], h: [1, 0], i: [1, 1] };

/** Pip centres of a face in units of `step` from the die's middle. */
export function pips(face) {
  const spots = { 1: ["e"], 2: ["a", "i"], 3: ["a", "e", "i"], 4: ["a", "c", "g", "i"], 5: ["a", "c", "e", "g", "i"], 6: ["a", "b", "g", "c", "h", "i"] };
  return (spots[face] || []).map((spot) => SPOT[spot]);
}

const NAME = 92; // how far from the edge the words of a ship stand

/** Both ships, as groups to be put into the board. */
export function buildShips() {
  return ["black", "white"].map((side) => {
    const ship = draw("g", { class: `ship ${side}`, "data-ship": side });
    const flip = side === "white" ? `translate(0 ${HEIGHT}) scale(1 -1)` : null;
    const hull = draw("g", { transform: flip },
      draw("ellipse", { class: "halo", cx: MID, cy: SHIP - 12, rx: MID - 4, ry: 84 }),
      draw("path", { class: "dome", d: `M${MID - 92} 27C${MID - 80}-4 ${MID + 80}-4 ${MID + 92} 27z` }),
      draw("path", { class: "hull", d: `M8 ${SHIP - 6}C44 44 150 21 ${MID} 20S${WIDTH - 44} 44 ${WIDTH - 8} ${SHIP - 6}C${WIDTH - 12} ${SHIP} ${WIDTH - 40} ${SHIP} ${WIDTH - 60} ${SHIP}H60C40 ${SHIP} 12 ${SHIP} 8 ${SHIP - 6}z` }),
      draw("path", { class: "rim", d: `M14 ${SHIP - 5}H${WIDTH - 14}` }),
      ...Array.from({ length: 13 }, (_, i) => draw("circle", { class: `rim-light delay-${i % 4}`, cx: 55 + i * 40, cy: SHIP - 5, r: 2.6 })),
    );
    const line = side === "white" ? HEIGHT - 55 : 71; // where the names stand, on the broad part of the hull
    ship.append(hull,
      draw("text", { class: "ship-name", x: NAME, y: line }),
      draw("text", { class: "ship-word", x: WIDTH - NAME, y: line, "text-anchor": "end" }),
      draw("g", { class: "windows" }));
    return ship;
  });
}

/** Bring a ship up to date with names, score and mover. */
export function updateShip(ship, state) {
  const side = ship.dataset.ship;
  const isMover = state.mover === side && state.phase !== "over";
  set(ship, "data-mover", isMover);
  set(ship, "data-winner", state.winner === side);
  say(ship.querySelector(".ship-word"), shipWord(state, side, isMover));
  const toWin = Math.max(1, Math.min(9, state.score.to_win));
  const gap = toWin > 5 ? 30 : 42;
  const y = side === "white" ? HEIGHT - 50 : 50;
  const name = state.names[side];
  sayWithin(ship.querySelector(".ship-name"), name.length > 12 ? `${name.slice(0, 11)}…` : name, MID - ((toWin - 1) / 2) * gap - 25 - NAME);
  const windows = Array.from({ length: toWin }, (_, i) => i);
  keyed(ship.querySelector(".windows"), windows, (i) => i, () => draw("g", {},
    draw("circle", { class: "window", r: 17 }),
    draw("use", { class: "cow-head", href: "#cow-head", x: -14, y: -13, width: 28, height: 22 })),
  (window, i) => {
    set(window, "transform", `translate(${MID + (i - (toWin - 1) / 2) * gap} ${y}) scale(${toWin > 5 ? 0.7 : 1})`);
    set(window, "data-home", i < (state.score[side] || 0));
  });
}

/** A text that is set closer where it would run into the windows; the letters' size depends on the page's. */
function sayWithin(place, words, room) {
  const key = `${words}|${room}|${getComputedStyle(place).fontSize}`;
  if (place.dataset.fits === key) return;
  say(place, words);
  set(place, "textLength", null);
  const isLong = place.getComputedTextLength() > room;
  set(place, "textLength", isLong ? Math.max(room, 40) : null);
  set(place, "lengthAdjust", isLong ? "spacingAndGlyphs" : null);
  place.dataset.fits = key;
}

function shipWord(state, side, isMover) {
  if (state.winner === side) return "wins!";
  if (state.winner === "draw") return "draw";
  if (isMover) return ["to roll", "rolling", "refused"].includes(state.phase) ? "▸ throws" : "▸ pulls";
  return `${state.score[side] || 0} of ${state.score.to_win}`;
}

/** The lens of a beam at one end: a die's face for 1 to 6, a star, stairs, a sum for the others. */
export function buildLens(beam, index, side) {
  const y = side === "white" ? HEIGHT - SHIP - 19 : SHIP + 19;
  const lens = draw("g", { class: `lens ${side}`, transform: `translate(${beamX(index)} ${y})` });
  if (/^[1-6]$/.test(beam)) {
    lens.append(draw("rect", { class: "lens-die", x: -13, y: -13, width: 26, height: 26, rx: 6 }));
    for (const [x, y2] of pips(Number(beam))) lens.append(draw("circle", { class: "lens-pip", cx: x * 6.5, cy: y2 * 6.5, r: 2.7 }));
    return lens;
  }
  const icon = beam === "super" ? "mark-super" : `icon-${beam}`;
  lens.append(
    draw("use", { class: "lens-icon", href: `#${icon}`, x: -10, y: -16, width: 20, height: 20 }),
    draw("text", { class: "lens-word", y: 15, "text-anchor": "middle" }, beam));
  return lens;
}
