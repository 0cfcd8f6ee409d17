"""The die round a face: along each of its four sides the picture must change, all four about equally far out.

How it works: beside each side the picture is read on lines parallel to it and each line becomes one colour (the
median, so that pips of a side face or a glint don't count). Walking outwards, a sharp step of that colour is the
die's edge; a sheen or a shadow's rim changes slowly and makes none. A square that isn't a die's, say one laid over
half a face, is crossed by the real edges at a slant, and its lines show no step.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision import cv
from vision.cv import Image
from vision.faces import PLACES, PLAIN_POINTS, Face
from vision.pips import Spots

Vectors = NDArray[np.float32]

_REACH = np.arange(1.2, 3.65, 0.1, dtype=np.float32)
"""Lines parallel to a side, in steps (quarters of an edge) from the middle."""
_ALONG = np.linspace(-1.15, 1.15, 11, dtype=np.float32)
"""Points on a line: the straight part of a side between its round corners."""
_SHARP = 2
"""A step is measured over this many lines to either side: 0.4 steps, a twentieth of the die in all."""
_NEAREST_SIDE, _FARTHEST_SIDE = 1.55, 2.95
"""Where a die's side may lie, in steps: makers put the outer pips at 0.17 to 0.31 of the edge from the middle."""
_LEAST_CHANGE = 7.0
"""Grey levels: less is noise and cloth."""
_CHANGE_SHARE = 0.07
"""Of the contrast between pip and die: on a bright picture a step must be larger."""
_QUARTERS = np.array([(1, 0), (0, 1), (-1, 0), (0, -1)], np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """The square round a face.

    `sides` are the distances in steps from the middle to the four sides (right, lower, left, upper along the face's
    axes), infinite where no edge was seen; `strength` how sharp each is, in grey levels; colours BGR.
    """

    sides: tuple[float, float, float, float]
    strength: tuple[float, float, float, float]
    colour: tuple[float, float, float]
    pip_colour: tuple[float, float, float]

    @property
    def half(self) -> float:
        """The usual distance of the seen sides in steps; 2 where none was seen."""
        seen = sorted(side for side in self.sides if side < _REACH[-1])
        return seen[(len(seen) - 1) // 2] if seen else 2.0

    @property
    def seen_count(self) -> int:
        """How many sides lie equally far out, within an eighth of the edge."""
        half = self.half
        return sum(1 for side in self.sides if abs(side - half) <= 0.3)


def outline(image: Image, face: Face) -> Outline:
    """Measure the die round a face."""
    shades = _colours(image, face.at(PLAIN_POINTS))
    colour = np.median(shades, axis=0)
    pip_colour = np.median(_colours(image, face.at(PLACES[np.array(face.pips)])), axis=0)
    bar = max(_LEAST_CHANGE, _CHANGE_SHARE * float(np.abs(pip_colour - colour).max()))
    steps = _side_steps(image, face)
    found = [_first_peak(steps[quarter], bar) for quarter in range(4)]
    (right, a), (lower, b), (left, c), (upper, d) = found
    return Outline((right, lower, left, upper), (a, b, c, d), _bgr(colour), _bgr(pip_colour))


def _bgr(colour: Vectors) -> tuple[float, float, float]:
    return float(colour[0]), float(colour[1]), float(colour[2])


def _colours(image: Image, points: Vectors) -> Vectors:
    """Colours at (n, 2) px, (n, 3) float32."""
    x, y = (np.ascontiguousarray(points[:, column], np.float32)[None] for column in (0, 1))
    return np.asarray(cv.sample(image, x, y)[0], np.float32)


def _side_steps(image: Image, face: Face) -> Vectors:
    """How sharply the colour changes at each line beside each side, (4, lines)."""
    outward = _QUARTERS[:, None, None] * _REACH[:, None, None]
    sideways = np.roll(_QUARTERS, 1, axis=1)[:, None, None] * _ALONG[:, None]
    plane = (outward + sideways).reshape(-1, 2)
    shades = _colours(image, face.at(plane)).reshape(4, len(_REACH), len(_ALONG), 3)
    return _sharpness(np.median(shades, axis=2))


def _sharpness(lines: Vectors) -> Vectors:
    """Colour step across each line from the lines before to those behind it, strongest channel; 0 at the ends."""
    steps = np.zeros(lines.shape[:-1], np.float32)
    steps[..., _SHARP:-_SHARP] = np.abs(lines[..., 2 * _SHARP :, :] - lines[..., : -2 * _SHARP, :]).max(axis=-1)
    return steps


def _first_peak(steps: Vectors, bar: float) -> tuple[float, float]:
    """Distance and strength of the first sharp edge where a side may be; infinite and 0 where there is none."""
    inside = (_REACH >= _NEAREST_SIDE) & (_REACH <= _FARTHEST_SIDE)
    bar = max(bar, 0.25 * float(steps[inside].max()))
    for number in np.flatnonzero(inside):
        value = steps[number]
        if value >= bar and value >= steps[number - 1] and value >= steps[number + 1]:
            return float(_REACH[number]), float(value)
    return float("inf"), 0.0


_TURNS = np.radians(np.arange(0, 90, 5)).astype(np.float32)
_ONE_REACH = np.geomspace(2.4, 9.6, 32).astype(np.float32)
"""Distances of a one's sides from its pip, in pip radii; the lines beyond serve the steps at the ends."""
_SAME_SIZE = 0.12
_ALL_OVER = np.array(
    [(x, y) for x in (-1.45, -0.75, 0, 0.75, 1.45) for y in (-1.45, -0.75, 0, 0.75, 1.45) if x or y], np.float32
)
"""Points all over a one's face but its pip, in steps."""
_ONE_ALONG = np.linspace(-0.55, 0.55, 9, dtype=np.float32)


def find_ones(
    image: Image, spots: Spots, taken: NDArray[np.bool_], edge_px: float | None
) -> tuple[tuple[Face, Outline], ...]:
    """Single spots in the middle of a square; `taken` marks spots that belong to other faces.

    With `edge_px`, the size of the other dice, only squares of that size count.
    """
    found = []
    for number in np.flatnonzero(_alone(image, spots) & ~taken):
        one = _one(image, spots, int(number), edge_px)
        if one is not None:
            found.append(one)
    return tuple(found)


def _alone(image: Image, spots: Spots) -> NDArray[np.bool_]:
    """Round spots with plain ground as far as a one's die reaches at least."""
    if not spots.count:
        return np.zeros(0, bool)
    angle = np.arange(16, dtype=np.float32) * np.float32(np.pi / 8)
    grey = cv.to_grey(image)
    reach = spots.radius[:, None] * np.float32(2.4)
    ring = cv.sample(grey, spots.x[:, None] + reach * np.cos(angle), spots.y[:, None] + reach * np.sin(angle))
    same = np.abs(ring.astype(np.float32) - spots.ground[:, None]) < 0.3 * np.abs(spots.contrast[:, None])
    chosen: NDArray[np.bool_] = (same.mean(axis=1) > 0.9) & (spots.flatness > 0.72) & (spots.radius > 1.8)
    return chosen


def _one(image: Image, spots: Spots, number: int, edge_px: float | None) -> tuple[Face, Outline] | None:
    """The square round one spot whose weakest side is strongest, over all turns and sizes."""
    radius = float(spots.radius[number])
    middle = np.array([spots.x[number], spots.y[number]], np.float32)
    steps = _turned_steps(image, middle, radius)
    contrast = abs(float(spots.contrast[number]))
    bar = max(_LEAST_CHANGE, _CHANGE_SHARE * contrast)
    near = np.maximum(steps, np.maximum(np.roll(steps, 1, axis=2), np.roll(steps, -1, axis=2)))
    ranked = np.sort(near, axis=1)
    weakest = ranked[:, 0]
    if edge_px is not None:  # the size is known, so one side may be pale
        weakest = np.where(ranked[:, 0] >= 0.4 * bar, ranked[:, 1], 0)
        weakest[:, np.abs(_ONE_REACH * radius * 2 / edge_px - 1) > _SAME_SIZE] = 0
    turn, size = np.unravel_index(int(np.argmax(weakest)), weakest.shape)
    if weakest[turn, size] < bar or not 0.055 < 1 / (2 * _ONE_REACH[size]) < 0.16:
        return None
    # Nothing sharper may lie between pip and side: then the square is the ground's, not the die's.
    inner = steps[turn, :, : max(0, int(size) - 3)]
    if inner.size and float(np.median(inner.max(axis=1))) > 0.7 * float(weakest[turn, size]):
        return None
    step = float(_ONE_REACH[size]) * radius / 2
    angle = float(_TURNS[turn])
    across = np.array([np.cos(angle), np.sin(angle)], np.float32) * np.float32(step)
    down = np.array([-np.sin(angle), np.cos(angle)], np.float32) * np.float32(step)
    pips = (False,) * 4 + (True,) + (False,) * 4
    level = float(spots.ground[number])
    face = Face(1, middle, across, down, radius, pips, level, float(spots.contrast[number]), 0.3, (number,))
    if not _is_plain(image, face, contrast):
        return None
    measured = outline(image, face)
    if edge_px is None:
        return face, measured
    # The size is known, so an edge counts where it must be, whatever else lies inside or outside of it.
    right, lower, left, upper = (2.0 if strength >= 0.4 * bar else float("inf") for strength in near[turn, :, size])
    return face, replace(measured, sides=(right, lower, left, upper))


def _is_plain(image: Image, face: Face, contrast: float) -> bool:
    """Whether the square round a one has one colour, up to its corners: a two half hidden has not."""
    shades = _colours(image, face.at(_ALL_OVER))
    away = np.abs(shades - np.median(shades, axis=0)).max(axis=1)
    return int(np.count_nonzero(away > max(12.0, 0.25 * contrast))) <= 4


def _turned_steps(image: Image, middle: Vectors, radius: float) -> Vectors:
    """Colour steps for all turns, sides and distances, (turns, 4, distances)."""
    plane = np.stack(
        [
            np.broadcast_to(_ONE_REACH[:, None], (len(_ONE_REACH), len(_ONE_ALONG))),
            _ONE_REACH[:, None] * _ONE_ALONG,
        ],
        axis=2,
    ).reshape(-1, 2)
    angles = (_TURNS[:, None] + np.arange(4, dtype=np.float32) * np.float32(np.pi / 2)).ravel()
    cosine, sine = np.cos(angles)[:, None], np.sin(angles)[:, None]
    x = middle[0] + radius * (plane[:, 0] * cosine - plane[:, 1] * sine)
    y = middle[1] + radius * (plane[:, 0] * sine + plane[:, 1] * cosine)
    shades = cv.sample(image, x.astype(np.float32), y.astype(np.float32)).astype(np.float32)
    lines = np.median(shades.reshape(len(_TURNS), 4, len(_ONE_REACH), len(_ONE_ALONG), 3), axis=3)
    return _sharpness(lines)
