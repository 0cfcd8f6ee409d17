"""The die round a face: rays from its middle to where the die's colour ends must draw a square of the right size.

How it works: the face's colour is known from points between its pips. Along each ray the first lasting change of
colour is the die's edge (places of known pips are passed over). The four sides are then measured from the rays that
meet them nearly straight on; a side whose die goes on without a change (a side face in the same light) is told apart
from one that ends too early, which is never a die.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision import cv
from vision.cv import Image
from vision.faces import PLACES, PLAIN_POINTS, Face
from vision.pips import Spots

_RAYS = 48
_SAMPLES = 44
_REACH_STEPS = 4.4
"""Rays run this many steps (quarters of an edge) from the middle; a corner is 2.8 away."""
_ANGLES = np.arange(_RAYS, dtype=np.float32) * np.float32(2 * np.pi / _RAYS)
_LEAST_CHANGE = 9.0
"""Grey levels: less is noise and cloth."""


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """The square round a face.

    `sides` are the distances in steps from the middle to the four sides (right, lower, left, upper along the face's
    axes), infinite where no end was seen; `colour` and `pip_colour` BGR; `edge_contrast` grey levels at the rim.
    """

    sides: tuple[float, float, float, float]
    colour: tuple[float, float, float]
    pip_colour: tuple[float, float, float]
    unevenness: float

    @property
    def seen_count(self) -> int:
        """How many of the four sides end where a die of this face would."""
        return sum(1 for side in self.sides if 1.55 <= side <= 2.5)

    @property
    def short_count(self) -> int:
        """How many sides end too early."""
        return sum(1 for side in self.sides if side < 1.55)


def outline(image: Image, face: Face) -> Outline:
    """Measure the die round a face."""
    colour, spread = _face_colour(image, face)
    pip_colour = _pip_colour(image, face)
    change = float(np.abs(pip_colour - colour).max())
    bar = max(_LEAST_CHANGE, 0.13 * change, 4.0 * spread)
    ends = _ray_ends(image, face, colour, bar)
    sides = tuple(_side(ends, quarter) for quarter in range(4))
    return Outline(
        (sides[0], sides[1], sides[2], sides[3]),
        (float(colour[0]), float(colour[1]), float(colour[2])),
        (float(pip_colour[0]), float(pip_colour[1]), float(pip_colour[2])),
        spread,
    )


def _face_colour(image: Image, face: Face) -> tuple[NDArray[np.float32], float]:
    points = face.at(PLAIN_POINTS)
    shades = _colours(image, points)
    colour = np.median(shades, axis=0)
    spread = float(np.median(np.abs(shades - colour).max(axis=1)))
    return colour.astype(np.float32), spread


def _pip_colour(image: Image, face: Face) -> NDArray[np.float32]:
    shades = _colours(image, face.at(PLACES[np.array(face.pips)]))
    return np.median(shades, axis=0).astype(np.float32)


def _colours(image: Image, points: NDArray[np.float32]) -> NDArray[np.float32]:
    x, y = (np.ascontiguousarray(points[:, column], np.float32)[None] for column in (0, 1))
    return cv.sample(image, x, y)[0].astype(np.float32)


def _ray_ends(
    image: Image, face: Face, colour: NDArray[np.float32], bar: float
) -> NDArray[np.float32]:
    """Where each ray leaves the die's colour, in steps; infinite where it doesn't."""
    reach = np.linspace(0.4, _REACH_STEPS, _SAMPLES, dtype=np.float32)
    plane = np.stack(
        [np.cos(_ANGLES)[:, None] * reach, np.sin(_ANGLES)[:, None] * reach], axis=2
    ).reshape(-1, 2)
    points = face.at(plane)
    shades = _colours(image, points)
    away = np.abs(shades - colour).max(axis=1)
    pips = PLACES[np.array(face.pips)]
    over = np.hypot(plane[:, :1] - pips[:, 0], plane[:, 1:] - pips[:, 1]).min(axis=1)
    away[over < 1.45 * face.radius / max(face.step, 1e-3)] = 0
    beyond = (away > bar).reshape(_RAYS, _SAMPLES)
    lasting = beyond[:, :-1] & beyond[:, 1:]
    first = np.argmax(lasting, axis=1)
    ends = np.where(lasting.any(axis=1), reach[first], np.float32(np.inf))
    return ends.astype(np.float32)


def _side(ends: NDArray[np.float32], quarter: int) -> float:
    """Distance to one side: the median over the rays within 34 degrees of straight on."""
    middle = quarter * _RAYS // 4
    near = np.arange(middle - 4, middle + 5) % _RAYS
    offset = _ANGLES[near] - np.float32(quarter * np.pi / 2)
    return float(np.median(ends[near] * np.cos(offset)))


def find_ones(image: Image, spots: Spots, taken: NDArray[np.bool_]) -> tuple[tuple[Face, Outline], ...]:
    """Single spots in the middle of a square of die colour; `taken` marks spots that belong to other faces."""
    found = []
    for number in np.flatnonzero(~taken):
        if spots.flatness[number] < 0.7:
            continue
        one = _one(image, spots, int(number))
        if one is not None:
            found.append(one)
    return tuple(found)


def _one(image: Image, spots: Spots, number: int) -> tuple[Face, Outline] | None:
    """Try the square round one spot at all turns; the best that fits."""
    radius = float(spots.radius[number])
    middle = np.array([spots.x[number], spots.y[number]], np.float32)
    trial = Face(
        1, middle, np.array([radius * 2.4, 0], np.float32), np.array([0, radius * 2.4], np.float32), radius,
        (False,) * 4 + (True,) + (False,) * 4, float(spots.ground[number]), float(spots.contrast[number]), 0.0, (number,),
    )
    ring = middle + radius * 1.9 * np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)
    shades = _colours(image, ring.astype(np.float32))
    colour = np.median(shades, axis=0).astype(np.float32)
    spread = float(np.median(np.abs(shades - colour).max(axis=1)))
    change = float(np.abs(_pip_colour(image, trial) - colour).max())
    ends = _ray_ends(image, trial, colour, max(_LEAST_CHANGE, 0.13 * change, 4.0 * spread))
    if not np.isfinite(ends).all():
        return None
    square = _fit_square(ends * np.float32(trial.step))
    if square is None:
        return None
    turn, half, shift = square
    step = half / 2
    if not 0.05 < radius / (2 * half) < 0.17:
        return None
    across = np.array([np.cos(turn), np.sin(turn)], np.float32) * step
    down = np.array([-np.sin(turn), np.cos(turn)], np.float32) * step
    face = Face(1, middle, across, down, radius, trial.pips, trial.level, trial.contrast, shift, (number,))
    return face, outline(image, face)


def _fit_square(ends: NDArray[np.float32]) -> tuple[float, float, float] | None:
    """Turn (rad), half the edge (px) and doubt of the square that rays end on; None where it isn't one."""
    best: tuple[float, float, float] | None = None
    for turn in np.radians(np.arange(0, 90, 3)):
        relative = _ANGLES - np.float32(turn)
        share = np.maximum(np.abs(np.cos(relative)), np.abs(np.sin(relative)))
        halves = ends * share
        half = float(np.median(halves))
        straight = share > 0.82  # near a corner the rounding shortens the ray
        error = float(np.mean(np.abs(halves[straight] - half)) / half)
        if best is None or error < best[2]:
            best = (float(turn), half, error)
    if best is None or best[2] > 0.09:
        return None
    return best[0], best[1], best[2] / 0.09
