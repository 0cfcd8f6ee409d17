// The coach's stars on the board: on the cells its pull leads to, or on the cows its keep is for.

import { draw, keyed, set } from "./dom.js";
import { beamX, pitchY, placeY } from "./geometry.js";
import { layer } from "./board.js";

export function updateStars(state) {
  const indexOf = (beam) => state.beams.findIndex((one) => one.beam === beam);
  const best = state.pulls.find((pull) => pull.name === state.coach.pull);
  const landings = Object.entries(best?.to ?? {}).map(([beam, place]) => ({ beam, place, isOnCow: false }));
  const aims = state.coach.beams.map((beam) => ({ beam, place: state.beams[indexOf(beam)]?.place, isOnCow: true }));
  const stars = [...landings, ...aims].filter((star) => indexOf(star.beam) >= 0);
  keyed(layer("stars"), stars, (star) => `${star.beam} ${star.isOnCow}`, () => draw("g", { class: "coach-star" },
    draw("circle", { r: 11 }), draw("path", { d: STAR })), (group, star) => {
    // On a cow it sits at her left ear, where neither her tag nor her antenna is.
    const x = beamX(indexOf(star.beam)) - (star.isOnCow ? 20 : 0);
    const y = placeY(star.place) - (star.isOnCow ? Math.min(16, pitchY() / 2) : 0);
    set(group, "transform", `translate(${x} ${y})`);
    set(group, "data-star", star.beam);
  });
}

/** A star of five points round the origin. */
const STAR = Array.from({ length: 10 }, (_, point) => {
  const reach = point % 2 ? 3.4 : 8;
  const angle = (Math.PI * (point - 2.5)) / 5;
  return `${point ? "L" : "M"}${(reach * Math.cos(angle)).toFixed(2)} ${(reach * Math.sin(angle)).toFixed(2)}`;
}).join("") + "Z";
