"""Why something wasn't read: names for what the reader turned down, and what speaks against the whole picture.

Rules of this file
  * Nothing here makes a die surer; it only refuses, or gives a refusal a better name.
  * A name is advice to a person ("nudge it", "move the lamp"): where two fit, the one with the simpler mend wins.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision import cv
from vision.cv import Grey, Image
from vision.readings import DieSeen, Refusal

_DARK_LEVEL = 50
"""Brightness that all but half a percent of a picture stays below when nothing in it can be told apart."""
_BURNT = 250
_SOFT_EDGE = 0.10
"""Steepest edge of a picture, as a share of its range for each px: in focus 0.25 and more."""
_SMALL_WIDTH = 160


def light_fault(grey: Grey) -> Refusal | None:
    """Too dark or too bright to say anything."""
    small = grey[::4, ::4]
    if float(np.percentile(small, 99.5)) < _DARK_LEVEL:
        return Refusal.TOO_DARK
    if float(np.mean(small >= _BURNT)) > 0.6:
        return Refusal.TOO_BRIGHT
    return None


def is_blurred(grey: Grey) -> bool:
    """Whether even the sharpest edges of the picture are soft."""
    smooth = cv.soft_blur(grey, 1.0).astype(np.int16)
    low, high = np.percentile(smooth[::4, ::4], (0.5, 99.5))
    if high - low < 60:
        return False
    steep = max(
        float(np.percentile(np.abs(smooth[:, 2:] - smooth[:, :-2]), 99.9)),
        float(np.percentile(np.abs(smooth[2:] - smooth[:-2]), 99.9)),
    )
    return steep / 2 < _SOFT_EDGE * float(high - low)


def has_hand(image: Image) -> bool:
    """Whether skin reaches from the picture's rim into its middle.

    A wooden floor has the colour too but fills the picture; wooden walls have it but stay at the rim.
    """
    height = max(1, round(_SMALL_WIDTH * image.shape[0] / image.shape[1]))
    hsv = cv.to_hsv(np.asarray(cv.shrink(image, _SMALL_WIDTH, height), np.uint8))
    hue, full, bright = hsv[..., 0], hsv[..., 1], hsv[..., 2]
    skin = (((hue <= 17) | (hue >= 172)) & (full > 45) & (full < 175) & (bright > 110)).astype(np.uint8)
    middle = skin[int(height * 0.3) : int(height * 0.7), int(_SMALL_WIDTH * 0.2) : int(_SMALL_WIDTH * 0.8)]
    if not 0.06 < float(middle.mean()) < 0.7:
        return False
    stats, _ = cv.components(skin)
    for left, top, width, tall, area in stats[1:]:
        at_rim = left <= 1 or top <= 1 or left + width >= _SMALL_WIDTH - 1 or top + tall >= height - 1
        if at_rim and 0.03 < area / skin.size < 0.5 and area > 0.06 * middle.size:
            return True
    return False


def burnt_places(image: Image, edge_px: float) -> tuple[tuple[float, float], ...]:
    """Middles of burnt-out patches of a die's size."""
    burnt = (image.min(axis=2) >= _BURNT).astype(np.uint8)
    stats, centres = cv.components(burnt)
    square = edge_px * edge_px
    return tuple(
        (float(x), float(y))
        for (_, _, width, tall, area), (x, y) in zip(stats[1:], centres[1:], strict=True)
        if 0.08 * square < area < 2.0 * square and max(width, tall) < 2 * edge_px
    )


def name_unread(
    seen: DieSeen, others: tuple[DieSeen, ...], burnt: tuple[tuple[float, float], ...], edge_px: float
) -> Refusal:
    """The likeliest reason why the pips at `seen` make no die."""
    x, y = seen.centre
    if any(np.hypot(x - bx, y - by) < 0.9 * edge_px for bx, by in burnt):
        return Refusal.GLARE
    apart = [float(np.hypot(x - other.centre[0], y - other.centre[1])) for other in others if other is not seen]
    if apart and min(apart) < 0.75 * edge_px:
        return Refusal.STACKED
    if apart and min(apart) < 1.3 * edge_px:
        return Refusal.TOUCHING
    # Pips of the set's size without a flat top round them: the die stands on an edge.
    return Refusal.COCKED if sum(other.is_sure for other in others) >= 2 else Refusal.UNKNOWN_DIE


def die_colour(colour: tuple[float, float, float], dark_pips: bool) -> str:
    """The name of a die's colour (BGR): white, black, red, yellow, green, blue or other."""
    swatch: NDArray[np.uint8] = np.array([[colour]]).clip(0, 255).astype(np.uint8)
    hue, full, bright = (int(part) for part in cv.to_hsv(swatch)[0, 0])
    if full < 80 or bright < 45:
        return "white" if dark_pips else "black"
    for name, least, most in (
        ("red", 0, 9),
        ("yellow", 18, 37),
        ("green", 38, 84),
        ("blue", 85, 135),
        ("red", 165, 180),
    ):
        if least <= hue <= most:
            return name
    return "other"
