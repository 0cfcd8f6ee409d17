"""Image → Reading: spots, faces, the dice round them, what speaks against them. Pure.

Rules of this file
  * A die that is wrong but looks sure is the worst there is; a refusal costs one nudge.
  * Dice are counted, not pips: a face counts only on top of a square of its size.
  * Spots that look like pips but belong to no die are a die that can't be read, unless they lie on a die's side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision import cv
from vision.calibration import Calibration
from vision.cv import Grey, Image
from vision.dice import Die, find_dice, without_overlapping, without_tilted, without_unvouched
from vision.pips import Spots, find_spots
from vision.readings import DieSeen, Reading, Refusal
from vision.reasons import burnt_places, die_colour, has_hand, is_blurred, light_fault, name_unread

_WORK_PX = 1000
"""Larger pictures are read at this size: a die of a fiftieth of the width still has 20 px."""

_MOST_UNREAD = 12
_PALE_BESIDE = 11
_STRONG = 60
_PALE = 16
"""Contrast of the palest pips (grey levels) that make an unread die; cloth and wood stay below it."""


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
    spots, rough = find_spots(grey)
    dice, faces = find_dice(work, grey, spots)
    dice = without_overlapping(without_tilted(dice, spots))
    edge = _usual_edge(dice, calibration, work.shape[1])
    unread = _unread(spots, dice, faces)
    if not dice and not unread:
        unread = _unread(rough, [], [])
    seen = tuple(_seen(die, work.shape) for die in without_unvouched(dice, len(unread)))
    burnt = burnt_places(work, edge) if edge is not None else ()
    named = [replace(die, refusal=name_unread(die, seen + unread, burnt, edge or die.edge_px)) for die in unread]
    every = (*seen, *named)
    if edge is not None and (expect is None or len(every) < expect):
        every = (*every, *_burnt_dice(every, burnt, edge))
    if expect is not None and len(every) < expect:
        every = tuple(_perhaps_stacked(die) for die in every)
    reasons = [die.refusal for die in every if die.refusal is not None]
    if expect is not None and (len(every) != expect or reasons):
        reasons = [*_picture_faults(work, grey, every, expect), *reasons]
    ordered = sorted(every, key=lambda die: die.centre[0])
    return Reading(tuple(_grown(die, scale) for die in ordered), tuple(dict.fromkeys(reasons)), width, height)


def _perhaps_stacked(die: DieSeen) -> DieSeen:
    """Where a die is missing, another that isn't flat stands on it."""
    return replace(die, refusal=Refusal.STACKED) if die.refusal is Refusal.COCKED else die


def _picture_faults(image: Image, grey: Grey, dice: tuple[DieSeen, ...], expect: int) -> Iterator[Refusal]:
    """What may be the matter with the whole picture when the dice aren't what was expected."""
    if has_hand(image):
        yield Refusal.HAND
    if len(dice) < expect and is_blurred(grey):
        yield Refusal.BLURRED
    if len(dice) != expect:
        yield Refusal.NOT_FIVE


def _usual_edge(dice: list[Die], calibration: Calibration | None, width: int) -> float | None:
    """A die's edge in px of the work picture: measured where dice were read, else as calibrated."""
    if dice:
        return float(np.median([die.edge for die in dice]))
    return None if calibration is None else calibration.edge_in(width)


def _burnt_dice(dice: tuple[DieSeen, ...], burnt: tuple[tuple[float, float], ...], edge: float) -> Iterator[DieSeen]:
    """A burnt-out patch where no die is known may be one."""
    for x, y in burnt:
        if all(np.hypot(x - die.centre[0], y - die.centre[1]) > 0.8 * edge for die in dice):
            box = (int(x - edge / 2), int(y - edge / 2), int(edge), int(edge))
            yield DieSeen(None, "other", "other", box, (x, y), 0.0, Refusal.GLARE)


def _unread(spots: Spots, dice: list[Die], faces: list[Die]) -> tuple[DieSeen, ...]:
    """Pips that belong to no read die, gathered to the dice they probably are.

    Beside dice that were read, what is as large and as deep as their pips counts; in a picture where none was, every
    round plain spot of some strength: an empty tray has none, a carpet may, and then it's refused for nothing. A face
    of three and more pips that was turned down counts wherever it lies.
    """
    free = _like_pips(spots, dice)
    edge = float(np.median([die.edge for die in dice])) if dice else 0.0
    for turned_down in faces:
        face = turned_down.face
        if face.value >= 3 and abs(face.contrast) > _PALE and face.doubt < 0.7:
            free[list(face.spots)] = True
    for die in dice:
        own = 0.95 * min(die.edge, 4.2 * die.face.step)
        free &= np.hypot(spots.x - die.face.middle[0], spots.y - die.face.middle[1]) > own
    left = spots.take(free)
    found: list[DieSeen] = []
    taken = np.zeros(left.count, bool)
    for number in range(left.count):
        if taken[number] or len(found) == _MOST_UNREAD:
            continue
        reach = 1.15 * edge if edge else 9 * float(left.radius[number])
        mine = ~taken & (np.hypot(left.x - left.x[number], left.y - left.y[number]) < reach)
        taken |= mine
        x, y = float(left.x[mine].mean()), float(left.y[mine].mean())
        half = (edge or reach) / 2
        box = (int(x - half), int(y - half), int(2 * half), int(2 * half))
        found.append(DieSeen(None, "other", "other", box, (x, y), 0.0, Refusal.UNKNOWN_DIE))
    return tuple(found)


def _like_pips(spots: Spots, dice: list[Die]) -> NDArray[np.bool_]:
    """Which spots could be pips: like those of the read dice, else round or strong."""
    depth, radius = np.abs(spots.contrast), spots.radius
    if not dice:
        pale = (depth > _PALE) & (spots.plain > 0.8) & (spots.flatness > 0.5)
        return np.asarray((radius > 1.8) & (pale | ((depth > _STRONG) & (spots.plain > 0.6))), bool)
    usual = float(np.median([die.face.radius for die in dice]))
    deep = float(np.median([abs(die.face.contrast) for die in dice]))
    like = (radius > max(1.8, 0.5 * usual)) & (radius < 2.0 * usual) & (depth > max(_PALE_BESIDE, 0.15 * deep))
    return np.asarray(like & (spots.plain > 0.8) & (spots.flatness > 0.5), bool)


def _seen(die: Die, shape: tuple[int, ...]) -> DieSeen:
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
