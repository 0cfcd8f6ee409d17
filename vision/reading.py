"""Image → Reading: spots, faces, the dice round them, what speaks against them. Pure.

Rules of this file
  * A die that is wrong but looks sure is the worst there is; a refusal costs one nudge.
  * Dice are counted, not pips: a face counts only on top of a square of its size.
  * Spots that look like pips but belong to no die are a die that can't be read, unless they lie on a die's side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision import cv
from vision.calibration import Calibration
from vision.cv import Grey, Image
from vision.faces import Face, find_faces
from vision.locate import Outline, find_ones, outline
from vision.pips import Spots, find_spots
from vision.readings import DieSeen, Reading, Refusal
from vision.reasons import burnt_places, die_colour, has_hand, is_blurred, light_fault, name_unread

_WORK_PX = 1000
"""Larger pictures are read at this size: a die of a fiftieth of the width still has 20 px."""

_STRANGER_REACH = 3.3
"""Steps round a face in which no other pip may lie: half a five or six looks like a two, most of a six like a four."""

_MOST_UNREAD = 12
_TILT = 0.06
"""How much narrower a cocked die's top must be than the others': the cosine of 20 degrees; the fit is good to 0.02."""


@dataclass(frozen=True, slots=True, eq=False)
class _Die:
    face: Face
    rim: Outline
    refusal: Refusal | None = None

    @property
    def edge(self) -> float:
        """The die's edge in px."""
        return self.face.step * 2 * self.rim.half


def read(image: Image, expect: int | None = 5, calibration: Calibration | None = None) -> Reading:
    """Read all dice of a picture (height, width, 3) uint8 BGR.

    `expect` is how many dice should be there; None for any number.
    """
    height, width = image.shape[:2]
    work = image
    scale = max(height, width) / _WORK_PX
    if scale > 1.02:
        work = cv.shrink(image, round(width / scale), round(height / scale))
    else:
        scale = 1.0
    grey = cv.to_grey(work)
    fault = light_fault(grey)
    if fault is not None:
        return Reading((), (fault,), width, height)
    spots = find_spots(grey)
    dice, faces = _dice(work, grey, spots)
    dice = _without_tilted(dice)
    edge = _usual_edge(dice, calibration, work.shape[1])
    seen = tuple(_seen(die, work.shape) for die in dice)
    unread = _unread(spots, dice, faces)
    burnt = burnt_places(work, edge) if edge is not None else ()
    named = [replace(die, refusal=name_unread(die, seen + unread, burnt, edge or die.edge_px)) for die in unread]
    every = (*seen, *named)
    if edge is not None and (expect is None or len(every) < expect):
        every = (*every, *_burnt_dice(every, burnt, edge))
    reasons = [die.refusal for die in every if die.refusal is not None]
    if expect is not None and (len(every) != expect or reasons):
        reasons = [*_picture_faults(work, grey, every, expect), *reasons]
    ordered = sorted(every, key=lambda die: die.centre[0])
    return Reading(tuple(_grown(die, scale) for die in ordered), tuple(dict.fromkeys(reasons)), width, height)


def _picture_faults(
    image: Image, grey: Grey, dice: tuple[DieSeen, ...], expect: int
) -> Iterator[Refusal]:
    """What may be the matter with the whole picture when the dice aren't what was expected."""
    if has_hand(image):
        yield Refusal.HAND
    if len(dice) < expect and is_blurred(grey):
        yield Refusal.BLURRED
    if len(dice) != expect:
        yield Refusal.NOT_FIVE


def _usual_edge(dice: list[_Die], calibration: Calibration | None, width: int) -> float | None:
    """A die's edge in px of the work picture: measured where dice were read, else as calibrated."""
    if dice:
        return float(np.median([die.edge for die in dice]))
    return None if calibration is None else calibration.edge_in(width)


def _burnt_dice(
    dice: tuple[DieSeen, ...], burnt: tuple[tuple[float, float], ...], edge: float
) -> Iterator[DieSeen]:
    """A burnt-out patch where no die is known may be one."""
    for x, y in burnt:
        if all(np.hypot(x - die.centre[0], y - die.centre[1]) > 0.8 * edge for die in dice):
            box = (int(x - edge / 2), int(y - edge / 2), int(edge), int(edge))
            yield DieSeen(None, "other", "other", box, (x, y), 0.0, Refusal.GLARE)


def _without_tilted(dice: list[_Die]) -> list[_Die]:
    """Dice refused as cocked whose top is narrower one way than the others' tops are.

    A camera that looks at the tray aslant narrows all tops alike, a cocked die only its own.
    """
    narrow = [_narrowness(die.face) for die in dice]
    steady = [shape for shape in narrow if shape is not None]
    if not steady:
        return dice
    usual = np.median(np.stack(steady), axis=0)
    return [
        replace(die, refusal=Refusal.COCKED)
        if shape is not None and float(np.hypot(*(shape - usual))) > _TILT
        else die
        for die, shape in zip(dice, narrow, strict=True)
    ]


def _narrowness(face: Face) -> NDArray[np.float64] | None:
    """How a top departs from a square, as a vector in the picture; None where its pips don't tell.

    The length is the share by which the one way is shorter, the angle twice its direction: two tops narrowed the same
    way by the camera have the same vector however they are turned. A six may be made a tenth longer than wide.
    """
    if face.value not in (4, 5):
        return None
    metric = np.outer(face.across, face.across) + np.outer(face.down, face.down)
    size = float(metric[0, 0] + metric[1, 1])
    return np.array([metric[0, 0] - metric[1, 1], 2 * metric[0, 1]], np.float64) / size


def _dice(image: Image, grey: Grey, spots: Spots) -> tuple[list[_Die], list[_Die]]:
    """The dice, and the faces that were turned down."""
    faces = [_Die(face, outline(image, face)) for face in find_faces(grey, spots)]
    squares = [die for die in faces if _is_die(die)]
    dice = _best([die for die in squares if not _has_strangers(die, spots, squares)])
    alike = [die for die in faces if _is_like(die, dice)]
    squares += alike
    dice = _best(dice + [die for die in alike if not _has_strangers(die, spots, squares)])
    taken = np.zeros(spots.count, bool)
    for die in dice:
        taken |= np.hypot(spots.x - die.face.middle[0], spots.y - die.face.middle[1]) < 0.75 * die.edge
    edge = float(np.median([die.edge for die in dice])) if len(dice) >= 2 else None
    ones = [_Die(face, rim) for face, rim in find_ones(image, spots, taken, edge)]
    squares += [die for die in ones if _is_die(die) or _is_like(die, dice)]
    lone = [die for die in squares if die.face.value == 1 and not _has_strangers(die, spots, squares)]
    return _of_one_kind(_best(dice + lone)), faces


def _is_die(die: _Die) -> bool:
    """Whether the rim round a face is a die's: the fewer pips vouch for the square, the more of its sides must be seen."""
    return die.rim.seen_count >= {1: 4, 2: 4, 3: 3}.get(die.face.value, 2)


def _is_like(die: _Die, dice: list[_Die]) -> bool:
    """Whether a face with one side too few is like most dice already found in size and pips: of the same set."""
    needed = {1: 3, 2: 3, 3: 2}.get(die.face.value)
    if needed is None or die.rim.seen_count < needed or _is_die(die):
        return False
    same = [
        other
        for other in dice
        if 0.88 < die.face.radius / other.face.radius < 1.14
        and (0.9 < die.edge / other.edge < 1.11 if die.face.value == 1 else 0.9 < die.face.step / other.face.step < 1.11)
    ]
    return len(same) >= 2 and 2 * len(same) > len(dice)


def _has_strangers(die: _Die, spots: Spots, squares: list[_Die]) -> bool:
    """Whether pips that the face doesn't explain lie on the die or close by: then it's a part of another face.

    A neighbour's pip belongs to a square of its own beside this one. Pips on a die's sides look flat from above.
    """
    face = die.face
    frame = np.linalg.inv(np.stack([face.across, face.down], axis=1))
    steps = np.stack([spots.x - face.middle[0], spots.y - face.middle[1]], axis=1) @ frame.T
    near = np.hypot(steps[:, 0], steps[:, 1]) < _STRANGER_REACH
    like = (spots.contrast * face.contrast > 0) & (spots.flatness > 0.7)
    like &= (np.abs(spots.contrast) > 0.4 * abs(face.contrast))
    like &= (spots.radius > 0.65 * face.radius) & (spots.radius < 1.5 * face.radius)
    explained = np.zeros(spots.count, bool)
    explained[list(face.spots)] = True
    for other in squares:
        apart = float(np.hypot(*(other.face.middle - face.middle)))
        if apart > 0.93 * max(die.edge, other.edge) and other.rim.seen_count >= 3:
            explained[list(other.face.spots)] = True
    return bool((near & like & ~explained).any())


def _best(candidates: list[_Die]) -> list[_Die]:
    """Of faces that overlap the one with most pips, then the clearest."""
    ranked = sorted(candidates, key=lambda die: (-die.face.value, die.face.doubt))
    kept: list[_Die] = []
    for die in ranked:
        if all(np.hypot(*(die.face.middle - other.face.middle)) > 0.75 * other.edge for other in kept):
            kept.append(die)
    return kept


def _of_one_kind(dice: list[_Die]) -> list[_Die]:
    """Dice of one picture are of about one size, and so are their pips; what isn't is no die that can be trusted."""
    sure = [die for die in dice if die.face.value >= 4] or dice
    if not sure:
        return dice
    edge = float(np.median([die.edge for die in sure]))
    radius = float(np.median([die.face.radius for die in sure]))
    kept = []
    for die in dice:
        is_usual = 0.78 < die.edge / edge < 1.28 and (
            die.face.value == 1 or 0.7 < die.face.radius / radius < 1.4
        )
        if is_usual:
            kept.append(die)
        elif die.face.value >= 4:
            kept.append(replace(die, refusal=Refusal.UNKNOWN_DIE))
    return kept


def _unread(spots: Spots, dice: list[_Die], faces: list[_Die]) -> tuple[DieSeen, ...]:
    """Pips that belong to no read die, gathered to the dice they probably are.

    Beside dice that were read, what is as large and as deep as their pips counts; in a picture where none was, every
    round plain spot of some strength: an empty tray has none, a carpet may, and then it's refused for nothing. A face
    of three and more pips that was turned down counts wherever it lies.
    """
    free = (spots.flatness > 0.62) & (spots.plain > 0.8) & (np.abs(spots.contrast) > 22) & (spots.radius > 1.8)
    edge = 0.0
    if dice:
        edge = float(np.median([die.edge for die in dice]))
        radius = float(np.median([die.face.radius for die in dice]))
        depth = float(np.median([abs(die.face.contrast) for die in dice]))
        free &= (spots.radius > 0.5 * radius) & (spots.radius < 2.0 * radius)
        free &= np.abs(spots.contrast) > 0.25 * depth
    for turned_down in faces:
        face = turned_down.face
        if face.value >= 3 and abs(face.contrast) > 22 and face.doubt < 0.7:
            free[list(face.spots)] = True
    for die in dice:
        free &= np.hypot(spots.x - die.face.middle[0], spots.y - die.face.middle[1]) > 0.95 * die.edge
    left = spots.take(free)
    found: list[DieSeen] = []
    taken = np.zeros(left.count, bool)
    for number in range(left.count):
        if taken[number] or len(found) == _MOST_UNREAD:
            continue
        reach = 0.85 * edge if edge else 9 * float(left.radius[number])
        mine = ~taken & (np.hypot(left.x - left.x[number], left.y - left.y[number]) < reach)
        taken |= mine
        x, y = float(left.x[mine].mean()), float(left.y[mine].mean())
        half = (edge or reach) / 2
        box = (int(x - half), int(y - half), int(2 * half), int(2 * half))
        found.append(DieSeen(None, "other", "other", box, (x, y), 0.0, Refusal.UNKNOWN_DIE))
    return tuple(found)


def _seen(die: _Die, shape: tuple[int, ...]) -> DieSeen:
    half = die.rim.half
    corners = np.array([(-half, -half), (half, -half), (half, half), (-half, half)], np.float32)
    left, top = die.face.at(corners).min(axis=0)
    right, bottom = die.face.at(corners).max(axis=0)
    is_cut = min(left, top) < -2 or right > shape[1] + 2 or bottom > shape[0] + 2
    dark_pips = die.face.contrast > 0
    return DieSeen(
        die.face.value,
        die_colour(die.rim.colour, dark_pips),
        die_colour(die.rim.pip_colour, not dark_pips),
        (int(left), int(top), int(right - left), int(bottom - top)),
        (float(die.face.middle[0]), float(die.face.middle[1])),
        round(1 - die.face.doubt / 2, 3),
        Refusal.HIDDEN if is_cut else die.refusal,
    )


def _grown(die: DieSeen, scale: float) -> DieSeen:
    """From px of the work picture to px of the picture as given."""
    if scale == 1.0:
        return die
    left, top, width, height = (round(part * scale) for part in die.box)
    centre = (die.centre[0] * scale, die.centre[1] * scale)
    return replace(die, box=(left, top, width, height), centre=centre)
