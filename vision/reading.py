"""Image → Reading: spots, faces, the dice round them, what speaks against them. Pure.

Rules of this file
  * A die that is wrong but looks sure is the worst there is; a refusal costs one nudge.
  * Dice are counted, not pips: a face counts only on top of a square of its size.
  * Spots that look like pips but belong to no die are a die that can't be read, unless they lie on a die's side.
"""

from __future__ import annotations

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

_WORK_PX = 1000
"""Larger pictures are read at this size: a die of a fiftieth of the width still has 20 px."""

_STRANGER_REACH = 3.3
"""Steps round a face in which no other pip may lie: half a five or six looks like a two, most of a six like a four."""

_MOST_UNREAD = 12


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
    spots = find_spots(grey)
    dice, faces = _dice(work, grey, spots)
    seen = [_seen(die, scale) for die in dice] + _unread(spots, dice, faces, scale)
    refusals = [die.refusal for die in seen if die.refusal is not None]
    if expect is not None and len(seen) != expect:
        refusals.append(Refusal.NOT_FIVE)
    return Reading(tuple(seen), tuple(dict.fromkeys(refusals)), width, height)


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


def _unread(spots: Spots, dice: list[_Die], faces: list[_Die], scale: float) -> list[DieSeen]:
    """Pips that belong to no read die, gathered to the dice they probably are.

    Beside dice that were read, what is as large and as deep as their pips counts; in a picture where none was, every
    round plain spot of some strength: an empty tray has none, a carpet may, and then it's refused for nothing. A face
    of three and more pips that was turned down counts wherever it lies.
    """
    free = (spots.flatness > 0.62) & (spots.plain > 0.8) & (np.abs(spots.contrast) > 22) & (spots.radius > 1.8)
    if dice:
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
        if taken[number]:
            continue
        if len(found) == _MOST_UNREAD:
            break
        reach = 9 * float(left.radius[number])
        taken |= np.hypot(left.x - left.x[number], left.y - left.y[number]) < reach
        x, y, half = float(left.x[number]) * scale, float(left.y[number]) * scale, reach * scale / 2
        box = (int(x - half), int(y - half), int(2 * half), int(2 * half))
        found.append(DieSeen(None, "other", "other", box, (x, y), 0.0, Refusal.UNKNOWN_DIE))
    return found


def _seen(die: _Die, scale: float) -> DieSeen:
    corners = die.face.at(np.array([(-2, -2), (2, -2), (2, 2), (-2, 2)], np.float32)) * scale
    left, top = corners.min(axis=0)
    right, bottom = corners.max(axis=0)
    return DieSeen(
        die.face.value,
        "white",
        "black",
        (int(left), int(top), int(right - left), int(bottom - top)),
        (float(die.face.middle[0] * scale), float(die.face.middle[1] * scale)),
        1 - die.face.doubt / 2,
        die.refusal,
    )
