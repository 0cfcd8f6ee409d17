"""Image → Reading: spots, faces, the dice round them, what speaks against them. Pure.

Rules of this file
  * A die that is wrong but looks sure is the worst there is; a refusal costs one nudge.
  * Dice are counted, not pips: a face counts only on top of a square of its size.
  * Spots that look like pips but belong to no die are a die that can't be read, unless they lie on a die's side.
"""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True, eq=False)
class _Die:
    face: Face
    rim: Outline
    refusal: Refusal | None = None

    @property
    def edge(self) -> float:
        """The die's edge in px."""
        return self.face.step * 4


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
    dice = _dice(work, grey, spots)
    seen = [_seen(die, scale) for die in dice]
    refusals = [die.refusal for die in seen if die.refusal is not None]
    if expect is not None and len(seen) != expect:
        refusals.append(Refusal.NOT_FIVE)
    return Reading(tuple(seen), tuple(dict.fromkeys(refusals)), width, height)


def _dice(image: Image, grey: Grey, spots: Spots) -> list[_Die]:
    candidates = [_Die(face, outline(image, face)) for face in find_faces(grey, spots)]
    good = [die for die in candidates if die.rim.short_count == 0 and die.rim.seen_count >= 2]
    dice = _best(good)
    taken = np.zeros(spots.count, bool)
    for die in dice:
        taken |= np.hypot(spots.x - die.face.middle[0], spots.y - die.face.middle[1]) < 0.75 * die.edge
    ones = [_Die(face, rim) for face, rim in find_ones(image, spots, taken)]
    return _best(dice + [die for die in ones if die.rim.short_count == 0 and die.rim.seen_count >= 3])


def _best(candidates: list[_Die]) -> list[_Die]:
    ranked = sorted(candidates, key=lambda die: (-die.face.value, die.face.doubt))
    kept: list[_Die] = []
    for die in ranked:
        if all(np.hypot(*(die.face.middle - other.face.middle)) > 0.75 * other.edge for other in kept):
            kept.append(die)
    return kept


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
