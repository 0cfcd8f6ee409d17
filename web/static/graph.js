// Who was how likely to win, turn by turn: White's share above the middle, Black's below; a line, and the same in words.

import { byId, draw, say, set, show } from "./dom.js";
import { percent } from "./coach.js";

const WIDTH = 320;
const HEIGHT = 96;
const EDGE = 8; // so that the line's ends and the newest dot aren't cut

export function updateGraph(state) {
  const { chances } = state;
  const isThere = chances.length > 1;
  show(byId("graph"), isThere);
  if (!isThere) return;
  const points = chances.map((chance, index) => [across(index, chances.length), down(chance)]);
  const line = points.map(([x, y], index) => `${index ? "L" : "M"}${x} ${y}`).join("");
  const middle = down(0.5);
  const svg = byId("graph-picture");
  if (!svg.firstChild) build(svg);
  const [, , , whole, white, black, dot] = svg.children;
  set(white, "d", `${line}L${WIDTH - EDGE} ${middle}L${EDGE} ${middle}Z`);
  set(black, "d", `${line}L${WIDTH - EDGE} ${middle}L${EDGE} ${middle}Z`);
  set(whole, "d", line);
  const [x, y] = points[points.length - 1];
  set(dot, "cx", x);
  set(dot, "cy", y);
  const now = chances[chances.length - 1];
  drawShare(state, "white", now);
  drawShare(state, "black", 1 - now);
  set(svg, "aria-label", graphWords(state));
}

const across = (index, count) => round(EDGE + ((WIDTH - 2 * EDGE) * index) / (count - 1));
const down = (chance) => round(EDGE + (HEIGHT - 2 * EDGE) * (1 - chance));
const round = (number) => Math.round(number * 10) / 10;

function drawShare(state, side, chance) {
  const [name, share] = byId(`graph-${side}`).children;
  say(name, state.names[side]);
  const unit = side === "white" ? " to win" : "";
  say(share, state.phase !== "over" ? `${percent(chance)}${unit}` : chance === 1 ? "won" : "");
}

/** Built once, from back to front; the two halves are the same area seen through two windows. */
function build(svg) {
  const middle = down(0.5);
  const windowOf = (id, y) => draw("clipPath", { id }, draw("rect", { x: 0, y, width: WIDTH, height: middle }));
  set(svg, "viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  svg.append(
    draw("defs", {}, windowOf("graph-above", 0), windowOf("graph-below", middle),
      draw("pattern", { id: "graph-stripes", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, draw("rect", { class: "graph-stripe", width: 2.4, height: 6 }))),
    draw("rect", { class: "graph-ground", x: 0.5, y: 0.5, width: WIDTH - 1, height: HEIGHT - 1, rx: 10 }),
    draw("path", { class: "graph-middle", d: `M${EDGE} ${middle}H${WIDTH - EDGE}` }),
    draw("path", { class: "graph-line" }),
    draw("path", { class: "graph-white", "clip-path": "url(#graph-above)" }),
    draw("path", { class: "graph-black", "clip-path": "url(#graph-below)" }),
    draw("circle", { class: "graph-now", r: 4.5 }));
}

/** For a screen reader: where it began, its highest and lowest, where it stands. */
function graphWords(state) {
  const { chances, names } = state;
  const turnOf = (chance) => chances.indexOf(chance);
  const at = (chance) => `${percent(chance)} ${turnOf(chance) ? `after turn ${turnOf(chance)}` : "at the start"}`;
  const now = chances[chances.length - 1];
  return `${names.white}’s chance to win over ${chances.length - 1} turns: ${percent(chances[0])} at the start, ` +
    `at most ${at(Math.max(...chances))}, at least ${at(Math.min(...chances))}, ${percent(now)} now. The rest is ${names.black}’s.`;
}
