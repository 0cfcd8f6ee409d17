"""From spots to faces: which spots lie as the pips of one face do, and what that face shows.

Rules of this file
  * Every face from two to six has pips in two opposite corners; so each pair of like spots at a fitting distance is
    tried as such a diagonal, and the other seven places where a pip may lie are looked at in the picture itself.
  * Each of the nine places must be clearly a pip or clearly plain die. In between is never sure.
  * Between the places, and a little outside them, the face must be plain.

How it works: the nine places of a face, in steps along its axes `a` and `b`
```
   (-1,-1) (0,-1) (1,-1)
   (-1, 0) (0, 0) (1, 0)        o  plain points: (±½,±½), (±1½,±½), (±½,±1½)
   (-1, 1) (0, 1) (1, 1)
```
The level `t` of a point is 0 where it has the face's brightness and 1 where it has the pips'.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision import cv
from vision.cv import Grey
from vision.pips import Spots

PLACES = np.array([(column, row) for row in (-1, 0, 1) for column in (-1, 0, 1)], np.float32)
PLAIN_POINTS = np.array(
    [(x * 0.5, y * 0.5) for x in (-1, 1) for y in (-1, 1)]
    + [(x * 1.5, y * 0.5) for x in (-1, 1) for y in (-1, 1)]
    + [(x * 0.5, y * 1.5) for x in (-1, 1) for y in (-1, 1)],
    np.float32,
)
STEP_PER_EDGE = 0.25
_DIAGONAL_PER_RADIUS = (4.0, 11.5)
"""Distance of opposite corner pips over their radius: edge 0.71, radius 0.06 to 0.14 of it."""
_IS_PIP = 0.58
_IS_PLAIN = 0.33
_PALER = 0.8
"""Between large pips the ring that a plain place is held against lies partly on them."""
_STRANGE = 0.9
"""A glare as strong as the pips are deep may hide one."""

# Row by row as in PLACES; the three and the two lie on the tried diagonal, the six either way.
_PLAIN_NEEDED = 9

_MASKS: dict[tuple[bool, ...], int] = {
    tuple(bool(int(sign)) for sign in text.replace(" ", "")): value
    for text, value in (
        ("100 000 001", 2),
        ("100 010 001", 3),
        ("101 000 101", 4),
        ("101 010 101", 5),
        ("111 000 111", 6),
        ("101 101 101", 6),
    )
}


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A face as the pips say.

    `middle` px; `across` and `down` are the lattice steps (a quarter of the edge) as px vectors; `radius` px; `pips`
    which of `PLACES` are pips; `level` face brightness, `contrast` signed; `doubt` 0 (clear) to 1.
    """

    value: int
    middle: NDArray[np.float32]
    across: NDArray[np.float32]
    down: NDArray[np.float32]
    radius: float
    pips: tuple[bool, ...]
    level: float
    contrast: float
    doubt: float
    spots: tuple[int, ...]

    @property
    def step(self) -> float:
        """Mean length of the two steps, px."""
        return float((np.hypot(*self.across) + np.hypot(*self.down)) / 2)

    def at(self, points: NDArray[np.float32]) -> NDArray[np.float32]:
        """Points in steps to px, (n, 2)."""
        placed: NDArray[np.float32] = self.middle + points[:, :1] * self.across + points[:, 1:] * self.down
        return placed


def find_faces(grey: Grey, spots: Spots) -> tuple[Face, ...]:
    """All faces from two to six that pairs of spots propose, doubtful ones left out; they may overlap."""
    first, second = _pairs(spots)
    if not len(first):
        return ()
    half = np.float32(0.5)
    corner_x = (spots.x[second] - spots.x[first]) * half
    corner_y = (spots.y[second] - spots.y[first]) * half
    middle = np.stack([spots.x[first] + corner_x, spots.y[first] + corner_y], axis=1)
    across = np.stack([corner_x + corner_y, corner_y - corner_x], axis=1) * half
    down = np.stack([corner_x - corner_y, corner_x + corner_y], axis=1) * half
    radius = (spots.radius[first] + spots.radius[second]) * half
    levels, strange, plain_count = _levels(grey, middle, across, down, radius)
    contrast = (spots.contrast[first] + spots.contrast[second]) / 2
    ground = (spots.ground[first] + spots.ground[second]) / 2
    found = []
    for row in np.flatnonzero(plain_count >= _PLAIN_NEEDED):
        seen = tuple(bool(level > _IS_PIP) for level in levels[row])
        value = _MASKS.get(seen)
        if value is None:
            continue
        doubt = _doubt(levels[row], seen)
        doubt = max(doubt, float(np.abs(strange[row]).max()) / _STRANGE)
        if doubt > 1:
            continue
        face = Face(
            value,
            middle[row],
            across[row],
            down[row],
            float(radius[row]),
            seen,
            float(ground[row]),
            float(contrast[row]),
            doubt,
            (int(first[row]), int(second[row])),
        )
        found.append(_settle_face(face, spots))
    return tuple(face for face in found if face is not None)


def _pairs(spots: Spots) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Like spots at the distance of a diagonal."""
    apart = np.hypot(spots.x[:, None] - spots.x, spots.y[:, None] - spots.y)
    radius = (spots.radius[:, None] + spots.radius) / 2
    alike = np.minimum(spots.radius[:, None], spots.radius) > 0.72 * np.maximum(spots.radius[:, None], spots.radius)
    most = np.maximum(np.abs(spots.contrast[:, None]), np.abs(spots.contrast))
    same_way = spots.contrast[:, None] * spots.contrast > 0
    like_ground = np.abs(spots.ground[:, None] - spots.ground) < 0.6 * most
    like_depth = np.abs(spots.contrast[:, None] - spots.contrast) < 0.5 * most
    least, largest = _DIAGONAL_PER_RADIUS
    good = same_way & alike & like_ground & like_depth & (apart > least * radius) & (apart < largest * radius)
    first, second = np.nonzero(np.triu(good, 1))
    return first, second


def _lay(
    middle: NDArray[np.float32], across: NDArray[np.float32], down: NDArray[np.float32], points: NDArray[np.float32]
) -> NDArray[np.float32]:
    """(pairs, points, 2) px."""
    laid: NDArray[np.float32] = (
        middle[:, None] + points[None, :, :1] * across[:, None] + points[None, :, 1:] * down[:, None]
    )
    return laid


_DISC = np.array([(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)], np.float32)
_RING_RADII = 1.6
_RING = np.array([(np.cos(a), np.sin(a)) for a in np.arange(10) * (2 * np.pi / 10)], np.float32)
_ROWS = np.concatenate([np.ones((len(PLAIN_POINTS), 1), np.float32), PLAIN_POINTS], axis=1)
_PLACE_ROWS = np.concatenate([np.ones((len(PLACES), 1), np.float32), PLACES], axis=1)


def slope_fit(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Level and slope of faces from their plain points, (faces, 12) to (faces, 3); the two worst points don't count.

    A lamp at one side makes a face lighter there; its brightness is then a slope, not a level.
    """
    coarse = values @ np.linalg.pinv(_ROWS).T.astype(np.float32)
    error = np.abs(values - coarse @ _ROWS.T)
    weight = (error <= np.partition(error, -3, axis=1)[:, -3:-2]).astype(np.float32)
    weighted = _ROWS[None] * weight[:, :, None]
    normal = weighted.transpose(0, 2, 1) @ _ROWS
    right = (weighted * values[:, :, None]).sum(axis=1)
    solved: NDArray[np.float32] = np.linalg.solve(normal, right[:, :, None])[:, :, 0].astype(np.float32)
    return solved


def _levels(
    grey: Grey,
    middle: NDArray[np.float32],
    across: NDArray[np.float32],
    down: NDArray[np.float32],
    radius: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Level `t` of the nine places, how strange the ground round them is, and how many plain points are plain.

    The first two are (pairs, 9). A place's level is taken against the ring round it, so that a sheen makes no pip; how
    far that ring is from the face's slope says where a glare may hide one.
    """
    plain = _shades(grey, _lay(middle, across, down, PLAIN_POINTS), radius * 0.4, _DISC).mean(axis=2)
    fitted = slope_fit(plain)
    laid = _lay(middle, across, down, PLACES)
    places = _shades(grey, laid, radius * 0.5, _DISC).mean(axis=2)
    # Neighbours on a six may cover more than half of the ring: the quarter of it that is most like the face counts.
    ring = np.sort(_shades(grey, laid, radius * np.float32(_RING_RADII), _RING), axis=2)
    is_dark = (fitted @ _PLACE_ROWS.T)[:, [0, 8]].mean(axis=1) > places[:, [0, 8]].mean(axis=1)
    around = np.where(is_dark[:, None], ring[:, :, -3], ring[:, :, 2])
    depth = around - places
    contrast = (depth[:, 0] + depth[:, 8]) / 2
    contrast = np.where(np.abs(contrast) < 6, np.float32(1e6), contrast)[:, None]
    flat = np.abs(plain - fitted @ _ROWS.T) < 0.25 * np.abs(contrast)
    is_steep = np.hypot(fitted[:, 1], fitted[:, 2]) * 2 > 0.7 * np.abs(contrast[:, 0])
    strange = (fitted @ _PLACE_ROWS.T - around) / contrast
    level: NDArray[np.float32] = depth / contrast
    return level, strange, np.where(is_steep, 0, np.count_nonzero(flat, axis=1)).astype(np.float32)


def _shades(
    grey: Grey, laid: NDArray[np.float32], radius: NDArray[np.float32], shape: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Brightness at the points of a small shape round each place, (pairs, places, points)."""
    points = (laid[:, :, None, :] + radius[:, None, None, None] * shape).astype(np.float32)
    flat = points.reshape(len(laid), -1, 2)
    found = cv.sample(grey, np.ascontiguousarray(flat[..., 0]), np.ascontiguousarray(flat[..., 1]))
    return found.astype(np.float32).reshape(len(laid), laid.shape[1], -1)


def _doubt(levels: NDArray[np.float32], seen: tuple[bool, ...]) -> float:
    """How far the worst place is from what it was taken for: 1 is the bar."""
    is_pip = np.array(seen)
    pips = np.abs(levels[is_pip] - 1) / (1 - _IS_PIP)
    bare = levels[~is_pip]
    plain = np.where(bare > 0, bare / _IS_PLAIN, -bare / _PALER)
    return float(max(pips.max(), plain.max()))


def _settle_face(face: Face, spots: Spots) -> Face | None:
    """The face fitted to its spots; None where a pip's place has no spot near, or the fit is poor."""
    chosen = []
    places = PLACES[np.array(face.pips)]
    met = np.zeros(len(places), bool)
    for number, (x, y) in enumerate(face.at(places)):
        apart = np.hypot(spots.x - x, spots.y - y)
        nearest = int(np.argmin(apart))
        met[number] = apart[nearest] <= 0.45 * face.step and spots.contrast[nearest] * face.contrast > 0
        if met[number]:
            chosen.append(nearest)
    # A pip that a lit rim runs into makes no spot of its own; the picture says clearly enough that it's there.
    if len(places) - len(chosen) > face.value // 3 or len(chosen) < 2:
        return None
    wanted = places[met]
    seen = np.stack([spots.x[chosen], spots.y[chosen]], axis=1)
    radii = spots.radius[chosen]
    if radii.min() < 0.62 * radii.max():
        return None
    fitted = _fit(wanted, seen) if len(wanted) > 3 else (face.middle, face.across, face.down)
    middle, across, down = fitted
    error = seen - (middle + wanted[:, :1] * across + wanted[:, 1:] * down)
    step = (np.hypot(*across) + np.hypot(*down)) / 2
    if float(np.sqrt((error**2).sum(axis=1).mean())) > 0.16 * step:
        return None
    if not _is_squarish(across, down):
        return None
    return Face(
        face.value,
        middle.astype(np.float32),
        across.astype(np.float32),
        down.astype(np.float32),
        float(np.median(radii)),
        face.pips,
        face.level,
        face.contrast,
        face.doubt,
        tuple(chosen),
    )


def _fit(
    wanted: NDArray[np.float32], seen: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Least squares: middle and the two steps."""
    rows = np.concatenate([np.ones((len(wanted), 1), np.float32), wanted], axis=1)
    solved, *_ = np.linalg.lstsq(rows, seen, rcond=None)
    return solved[0], solved[1], solved[2]


def _is_squarish(across: NDArray[np.float32], down: NDArray[np.float32]) -> bool:
    """A face seen from above: sides alike within a fifth, corners within 12 degrees of right.

    A six's long side may be a tenth longer than its short one by its maker's will.
    """
    one, other = float(np.hypot(*across)), float(np.hypot(*down))
    lean = float(abs(np.dot(across, down))) / max(one * other, 1e-6)
    return min(one, other) > 0.78 * max(one, other) and lean < 0.21
