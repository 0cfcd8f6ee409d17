"""Finds spots that look like pips: round, small, plain inside, on plain ground, lighter or darker than it.

How it works: local thresholds at three window sizes and both polarities give spots of every size; each is then
measured again from its middle along rays, in all spots at once: where the brightness crosses half-way between inside
and ground lies the rim. What isn't round, or whose ground isn't plain, is dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision import cv
from vision.cv import Grey

_WINDOW_PX = 25
"""Threshold window; in it pips of up to 7 px radius are found, larger ones in the picture halved and quartered."""
_SMALL_WINDOW_PX = 11
_WIDE_WINDOW_PX = 45
_THUMBNAIL_PX = 200
_BIASES = (5.0, 12.0, 28.0)
# The lowest is noise at full size and used on the smaller pictures only.
"""Grey levels beyond the window's mean: low ones find pale pips, high ones part a pip from a lit rim it touches."""
_RAYS = 16
_ANGLES = np.arange(_RAYS) * (2 * np.pi / _RAYS)
_COS, _SIN = np.cos(_ANGLES).astype(np.float32), np.sin(_ANGLES).astype(np.float32)
_REACH = np.arange(0.2, 2.61, 0.15, dtype=np.float32)
"""Samples along a ray in units of the first guess of the radius."""
_RING = 1.55
"""Where the ground is looked at, in radii: inside half the distance of two neighbours on a six."""
MOST_SPOTS = 600
"""More spots than this is a carpet: only the plainest are followed."""
MOST_GUESSES = 1500
_ROUGH_CONTRAST = 60
"""Grey levels: a mark this strong on plain ground is there, whatever its shape."""

Column = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Spots:
    """Spots as columns of equal length, strongest first.

    `x`, `y`, `radius` in px; `inside`, `ground` grey levels; `flatness` shorter axis by longer; `plain` share of the
    ring that has the ground's level.
    """

    x: Column
    y: Column
    radius: Column
    inside: Column
    ground: Column
    flatness: Column
    plain: Column

    @property
    def count(self) -> int:
        """How many spots."""
        return int(self.x.size)

    @property
    def contrast(self) -> Column:
        """Signed: positive for dark pips on a lighter die."""
        return self.ground - self.inside

    def take(self, chosen: NDArray[np.intp] | NDArray[np.bool_]) -> Spots:
        """Some of the spots, in the order asked for."""
        return Spots(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))


def find_spots(grey: Grey) -> tuple[Spots, Spots]:
    """All pip-like spots of a picture, and strong rough marks: pips that have run together, print, dirt."""
    smooth: Grey = cv.soft_blur(grey, 0.8)
    guess = np.concatenate(list(_guesses(smooth)))
    if len(guess) > MOST_GUESSES:
        guess = guess[np.argsort(-guess[:, 3])[:MOST_GUESSES]]
    if not len(guess):
        empty = np.zeros(0, np.float32)
        return Spots(*([empty] * 7)), Spots(*([empty] * 7))
    clear, rough = _measure(smooth, guess)
    return _without_doubles(clear), _without_doubles(rough)


def _guesses(smooth: Grey) -> Iterator[NDArray[np.float32]]:
    """Components of all sizes, biases and polarities, (n, 4) each: x, y, radius, strength in px of `smooth`."""
    height, width = smooth.shape
    for halving in (1, 2, 4):
        if halving > 1 and min(height, width) // halving < 2 * _WINDOW_PX:
            continue
        small = smooth if halving == 1 else cv.shrink(smooth, width // halving, height // halving)
        scale = np.array([halving, halving, halving, 1], np.float32)
        shift = np.array([(halving - 1) / 2, (halving - 1) / 2, 0, 0], np.float32)
        for mask, bias in _masks(small, _WINDOW_PX, _BIASES[halving == 1 :]):
            yield _components(mask, _WINDOW_PX, bias) * scale + shift
        if halving == 1:
            # In a thumbnail the halved picture has no gap left between the pips of a six.
            is_thumbnail = min(height, width) <= _THUMBNAIL_PX
            extra = _WIDE_WINDOW_PX if is_thumbnail else _SMALL_WINDOW_PX
            biases = (*_BIASES[1:], 2 * _BIASES[-1]) if is_thumbnail else _BIASES[1:2]
            for mask, bias in _masks(small, extra, biases):
                yield _components(mask, extra, bias)


def _masks(grey: Grey, window: int, biases: tuple[float, ...]) -> Iterator[tuple[Grey, float]]:
    """Where the picture is darker, then lighter, than the mean of its window by more than each bias."""
    mean: Grey = cv.box_blur(grey, window)
    for first, second in ((mean, grey), (grey, mean)):
        for bias in biases:
            yield cv.beyond(first, second, bias), bias


def _components(mask: Grey, window: int, bias: float) -> NDArray[np.float32]:
    """Spots of one threshold: (n, 4) of x, y, radius, strength."""
    stats, centres = cv.components(mask)
    width, height, area = stats[:, 2], stats[:, 3], stats[:, 4]
    longer = np.maximum(width, height)
    good = (longer <= 0.66 * window) & (area >= 6) & (np.minimum(width, height) >= 0.38 * longer)
    good &= area > 0.5 * width * height
    good[0] = False
    x, y = (centres[good, column].astype(np.float32) for column in (0, 1))
    radius = np.sqrt(area[good].astype(np.float32) / np.float32(np.pi))
    return np.stack([x, y, radius, np.full_like(x, bias) + radius], axis=1)


def _measure(grey: Grey, guess: NDArray[np.float32]) -> tuple[Spots, Spots]:
    """Measure each guess along rays: the round ones on plain ground, and rough ones of strong contrast."""
    x, y, radius = guess[:, 0], guess[:, 1], guess[:, 2]
    for _ in range(2):
        x, y, rim, profile = _rims(grey, x, y, radius)
        radius = np.sqrt(np.mean(rim**2, axis=1)).astype(np.float32)
    inside = np.median(profile[:, :, :3].reshape(len(x), -1), axis=1)
    ring = cv.sample(grey, x[:, None] + radius[:, None] * _RING * _COS, y[:, None] + radius[:, None] * _RING * _SIN)
    ring = ring.astype(np.float32)
    ground = np.median(ring, axis=1)
    contrast = ground - inside
    size = np.abs(contrast)
    plain = np.mean(np.abs(ring - ground[:, None]) < 0.33 * size[:, None] + 2, axis=1)
    across = rim + np.roll(rim, _RAYS // 2, axis=1)
    flatness = across.min(axis=1) / np.maximum(across.max(axis=1), 1e-3)
    ragged = np.std(across - _ellipse(across), axis=1) / np.maximum(across.mean(axis=1), 1e-3)
    good = (size >= 12) & (plain >= 0.5) & (flatness > 0.35) & (ragged < 0.13) & (radius >= 1.2)
    rough = ~good & (size >= _ROUGH_CONTRAST) & (plain >= 0.6) & (flatness > 0.35) & (radius >= 2.5)
    spots = Spots(
        x,
        y,
        radius,
        inside.astype(np.float32),
        ground.astype(np.float32),
        flatness.astype(np.float32),
        plain.astype(np.float32),
    )
    return spots.take(good), spots.take(rough)


def _rims(
    grey: Grey, x: Column, y: Column, radius: Column
) -> tuple[Column, Column, NDArray[np.float32], NDArray[np.float32]]:
    """Better middles and the rim's distance along each ray, (n, rays)."""
    reach = radius[:, None, None] * _REACH
    across = (x[:, None, None] + reach * _COS[:, None]).reshape(len(x), -1)
    down = (y[:, None, None] + reach * _SIN[:, None]).reshape(len(x), -1)
    profile = cv.sample(grey, across, down).astype(np.float32).reshape(len(x), _RAYS, len(_REACH))
    inside = np.median(profile[:, :, :3].reshape(len(x), -1), axis=1)
    ground = np.median(profile[:, :, 8:11].reshape(len(x), -1), axis=1)
    half = ((inside + ground) / 2)[:, None, None]
    sign = np.sign(ground - inside)[:, None, None]
    over = (profile - half) * sign > 0
    first = np.argmax(over, axis=2)
    first = np.where(over.any(axis=2), np.maximum(first, 1), len(_REACH) - 1)
    after = np.take_along_axis(profile, first[:, :, None], 2)[:, :, 0]
    before = np.take_along_axis(profile, first[:, :, None] - 1, 2)[:, :, 0]
    step = after - before
    share = np.where(np.abs(step) > 1e-3, (half[:, :, 0] - before) / np.where(step == 0, 1, step), 0.5)
    rim = radius[:, None] * (_REACH[first - 1] + 0.15 * np.clip(share, 0, 1))
    moved_x = x + (rim * _COS).mean(axis=1)
    moved_y = y + (rim * _SIN).mean(axis=1)
    return moved_x.astype(np.float32), moved_y.astype(np.float32), rim.astype(np.float32), profile


def _ellipse(across: NDArray[np.float32]) -> NDArray[np.float32]:
    """The nearest ellipse's diameters: mean plus the second harmonic."""
    mean = across.mean(axis=1, keepdims=True)
    cosine, sine = np.cos(2 * _ANGLES), np.sin(2 * _ANGLES)
    a = (across * cosine).mean(axis=1, keepdims=True) * 2
    b = (across * sine).mean(axis=1, keepdims=True) * 2
    fitted: NDArray[np.float32] = mean + a * cosine + b * sine
    return fitted


def _without_doubles(spots: Spots) -> Spots:
    """One of each group of spots within a radius of each other: the one on the plainest ground."""
    rank = np.argsort(-(spots.plain + 0.3 * spots.flatness + 0.002 * np.abs(spots.contrast)))[:MOST_SPOTS]
    spots = spots.take(rank)
    if spots.count < 2:
        return spots
    apart = np.hypot(spots.x[:, None] - spots.x, spots.y[:, None] - spots.y)
    reach = np.maximum(np.maximum(spots.radius[:, None], spots.radius), 2.0)
    # A small die on plain ground is itself a spot; its pips aren't doubles of it.
    alike = np.minimum(spots.radius[:, None], spots.radius) > 0.55 * np.maximum(spots.radius[:, None], spots.radius)
    close = np.tril((apart < reach) & alike, -1)
    keep = np.ones(spots.count, bool)
    for row in range(1, spots.count):
        if (close[row, :row] & keep[:row]).any():
            keep[row] = False
    return spots.take(keep)
