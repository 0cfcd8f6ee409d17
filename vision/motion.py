"""Whether anything moved between two pictures; cheap enough to be asked for every picture of an idle table.

How it works: a picture becomes a small grey one (noise averages out), which is compared with the *anchor*, the last
picture that was seen to move or the first still one. Wide soft changes (a cloud, somebody's shadow) are taken out,
sharp ones stay: a die that turned, left or came. A still anchor follows the light slowly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision import cv
from vision.cv import Floats, Image

THUMB_WIDTH_PX = 160
"""A die of a fifteenth of the picture's width is ten px wide here, one of its pips one: a turned face shows."""
_SOFT_PX = 41
"""Changes wider than this are light, not dice."""
_LEAST_STEP = 8.0
"""Grey levels; four times the noise that is left of a bad camera's ten levels after averaging 16 px."""
_MOST_STEP = 25.0
_FOLLOW_S = 4.0


@dataclass(frozen=True, slots=True, eq=False)
class Anchor:
    """What a picture is compared with: a small grey picture and its time in seconds."""

    thumb: Floats
    at_s: float


def thumbnail(image: Image) -> Floats:
    """The picture small and grey, (height, 160) float32."""
    height = max(1, round(THUMB_WIDTH_PX * image.shape[0] / image.shape[1]))
    small = cv.shrink(image, THUMB_WIDTH_PX, height)
    return cv.to_grey(small).astype(np.float32)


def has_moved(anchor: Anchor, thumb: Floats) -> bool:
    """Whether something sharp changed since the anchor."""
    if anchor.thumb.shape != thumb.shape:
        return True
    # Light falls on light and dark alike by a share: what was there is held against now as if it were lit as now.
    light = cv.box_blur(thumb, _SOFT_PX) / np.maximum(cv.box_blur(anchor.thumb, _SOFT_PX), 1)
    change = thumb - anchor.thumb * np.clip(light, 0.4, 2.5)
    size = np.abs(change)
    noise = 1.48 * float(np.median(size))
    step = min(max(_LEAST_STEP, 6 * noise), _MOST_STEP)
    return int(np.count_nonzero(size > step)) >= 2


def follow(anchor: Anchor | None, thumb: Floats, at_s: float) -> tuple[Anchor, bool]:
    """The next anchor, and whether the picture moved. Without an anchor the picture becomes it, unmoved."""
    if anchor is None:
        return Anchor(thumb, at_s), False
    if has_moved(anchor, thumb):
        return Anchor(thumb, at_s), True
    share = np.float32(min(1.0, max(0.0, at_s - anchor.at_s) / _FOLLOW_S))
    return Anchor(anchor.thumb + (thumb - anchor.thumb) * share, at_s), False
