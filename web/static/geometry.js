// Where everything lies on the drawn board, in its own units: White's end below, Black's above.

export const WIDTH = 590;
export const HEIGHT = 812;
export const PITCH_X = 62;
const LEFT = 16;
export const SHIP = 88; // the height of a ship with its lenses' row beneath
const LENS = 38;
export const TOP = SHIP + LENS;
export const BOTTOM = HEIGHT - SHIP - LENS;
const MIDDLE = HEIGHT / 2;

let longest = 8;

/** Boards come in 17, 13 and 11 cells: the same height holds fewer, taller cells. */
export function fit(beams) {
  longest = Math.max(1, ...beams.map((beam) => beam.last));
}

export const pitchY = () => (BOTTOM - TOP) / (2 * longest + 1);
export const beamX = (index) => LEFT + PITCH_X * (index + 0.5);
export const placeY = (place) => MIDDLE + place * pitchY();

/** The beam's index and the place nearest to a point of the board; null where no beam is near. */
export function cellAt(x, y, beams) {
  const index = Math.floor((x - LEFT) / PITCH_X);
  const beam = beams[index];
  if (!beam) return null;
  const place = Math.round((y - MIDDLE) / pitchY());
  if (Math.abs(place) > beam.last + 1) return null;
  return { index, beam: beam.beam, place: Math.max(-beam.last, Math.min(beam.last, place)) };
}

/** Whose win zone a place belongs to: white, black or none. */
export function zoneOf(beam, place) {
  const first = beam.last - beam.zone + 1;
  if (place >= Math.max(first, 1)) return "white";
  if (place <= -Math.max(first, 1)) return "black";
  return "none";
}

/** A point of the screen in the board's units. */
export function toBoard(svg, clientX, clientY) {
  const matrix = svg.getScreenCTM();
  if (!matrix) return { x: 0, y: 0 };
  const point = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
  return { x: point.x, y: point.y };
}
