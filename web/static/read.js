// The public state, brought into one shape: every optional field present, nothing unknown trusted.

const BEAMS = ["chance", "1", "2", "3", "super", "4", "5", "6", "straights"];

const list = (value) => (Array.isArray(value) ? value : []);
const object = (value) => (value && typeof value === "object" && !Array.isArray(value) ? value : {});
const whole = (value, other) => (Number.isInteger(value) ? value : other);
const text = (value) => (typeof value === "string" ? value : "");

/** The state as the page's other modules expect it; `raw` is what the table sent. */
export function tidy(raw) {
  const from = object(raw);
  const virtual = from.virtual ? tidyVirtual(object(from.virtual)) : null;
  return {
    version: whole(from.version, 0),
    game: { players: {}, rules: {}, ...object(from.game) },
    names: sides((side) => text(object(object(from.game).players)[side]) || capital(side)),
    phase: text(from.phase) || "to roll",
    mover: from.mover === "white" || from.mover === "black" ? from.mover : null,
    roll: whole(from.roll, 0),
    rolls: whole(from.rolls, 3),
    position: text(from.position),
    beams: tidyBeams(list(from.beams)),
    dice: list(from.dice).map(object).map(tidyDie),
    refusals: list(from.refusals).map(text).filter(Boolean),
    pulls: list(from.pulls).map(object).map(tidyPull),
    wrong: list(from.wrong).map(object).map((cow) => ({ ...cow, beam: text(cow.beam), at: list(cow.at), home: whole(cow.home, 0) })),
    lights: list(from.lights).map((pair) => [text(list(pair)[0]), text(list(pair)[1])]),
    sentence: text(from.sentence),
    notice: from.notice ? object(from.notice) : null,
    score: { white: 0, black: 0, to_win: 3, ...object(from.score) },
    winner: text(from.winner) || null,
    reason: text(from.reason) || null,
    isOpening: isOpening(from),
    opening: sides((side) => list(object(from.opening)[side])),
    history: list(from.history).map(object),
    odds: from.odds ? { improve: share(from.odds.improve), nothing: share(from.odds.nothing) } : null,
    chances: list(from.chances).map(share),
    coach: tidyCoach(object(from.coach)),
    can: new Set(list(from.can).map(text)),
    devices: object(from.devices),
    virtual,
    hasSensors: list(object(object(from.devices).board).can).includes("sensors"),
  };
}

/** Whether it is still open who starts: nobody is the mover then, also while a die rolls. */
function isOpening(from) {
  return from.phase === "opening" || (from.mover === null && ["rolling", "refused", "touched"].includes(from.phase));
}

function tidyBeams(found) {
  if (found.length === 0) return BEAMS.map((beam) => blankBeam(beam));
  return found.map(object).map((beam) => {
    const name = text(beam.beam);
    const last = whole(beam.last, name === "super" ? 1 : 8);
    return { ...blankBeam(name), last, zone: whole(beam.zone, 3), place: whole(beam.place, 0), seen: list(beam.seen), locked: Boolean(beam.locked) };
  });
}

function blankBeam(beam) {
  return { beam, last: beam === "super" ? 1 : 8, zone: beam === "super" ? 1 : 3, place: 0, seen: [], locked: false };
}

function tidyDie(die) {
  const box = list(die.box).length === 4 ? die.box.map(Number) : null;
  const value = whole(die.value, 0);
  return { value: value >= 1 && value <= 6 ? value : null, colour: text(die.colour) || "white", kept: Boolean(die.kept), box, refusal: text(die.refusal) || null };
}

function tidyPull(pull) {
  return { name: text(pull.name), cows: object(pull.cows), to: object(pull.to), chosen: Boolean(pull.chosen), wins: Boolean(pull.wins) };
}

const share = (value) => Math.min(1, Math.max(0, Number(value) || 0));

function tidyCoach(coach) {
  const lessons = list(coach.lessons).map(object).map((lesson) => ({ turn: whole(lesson.turn, 0), roll: whole(lesson.roll, 0), mover: text(lesson.mover), sentence: text(lesson.sentence) }));
  return { mode: text(coach.mode) || "off", sentence: text(coach.sentence), keep: typeof coach.keep === "string" ? coach.keep : null, pull: text(coach.pull) || null, beams: list(coach.beams).map(text), lessons };
}

function tidyVirtual(virtual) {
  const faults = object(virtual.faults);
  return {
    hasTray: virtual.hands !== false && Array.isArray(virtual.tray), // a real camera may watch beside a virtual board
    hasCows: virtual.hands !== false && list(virtual.cows).length > 0,
    tray: list(virtual.tray).map(object),
    faults: { board: list(faults.board).map(text), camera: list(faults.camera).map(text) },
    cows: list(virtual.cows).map(object),
  };
}

const sides = (of) => ({ white: of("white"), black: of("black") });

export const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
export const other = (side) => (side === "white" ? "black" : "white");

/** A place on a beam in its one text form: +2, 0, -1. */
export const placeText = (place) => (place > 0 ? `+${place}` : String(place));

/** A place in words: how far from the centre and towards whom. */
export function placeWords(place, names) {
  if (place === 0) return "the centre";
  return `${Math.abs(place)} towards ${place > 0 ? names.white : names.black}`;
}

export const beamWords = (beam) => (/^[1-6]$/.test(beam) ? `beam ${beam}` : `the ${beam} beam`);
export const cowWords = (beam) => (/^[1-6]$/.test(beam) ? `cow ${beam}` : `${beam} cow`);
