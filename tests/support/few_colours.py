"""Small PNG files of screenshots: the parts that a camera or a gradient fills are given fewer colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

COLOURS = 88  # in each such part; many more make the picture of the page larger than 300 kB
NEAR = 6.0  # on the Lab scale, where 1 is just seen beside another: what is rarer than that keeps its own colour
_SAMPLE = 20_000
_CHUNK = 4_000

Box = tuple[int, int, int, int]  # left, top, right, bottom in px


def smaller_png(png: bytes, busy: Sequence[Box]) -> bytes:
    """The same picture with few colours in each of these boxes, every other pixel as it was."""
    image: Any = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    for left, top, right, bottom in busy:
        part = image[top:bottom, left:right]
        part[:] = _few(part)
    return bytes(cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 9])[1])


def _few(part: Any) -> Any:
    """Each pixel by the nearest of the colours that stand for all, as the eye sees distance, where one is near."""
    colours, places, counts = np.unique(part.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    seen = cv2.cvtColor(colours[None].astype(np.float32) / 255, cv2.COLOR_BGR2LAB)[0]
    weights = np.sqrt(counts) / np.sqrt(counts).sum()
    size = min(_SAMPLE, int(np.count_nonzero(weights)))
    sample = seen[np.random.default_rng(1).choice(len(seen), size, p=weights)]
    cv2.setRNGSeed(1)
    enough = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 12, 0.1)
    kmeans: Any = cv2.kmeans  # its published types know no None for the labels
    _, _, middles = kmeans(sample, min(COLOURS, size), None, enough, 1, cv2.KMEANS_PP_CENTERS)
    shown = np.clip((cv2.cvtColor(middles[None], cv2.COLOR_LAB2BGR)[0] * 255).round(), 0, 255).astype(np.uint8)
    few = colours.copy()
    for at in range(0, len(seen), _CHUNK):
        away = ((seen[at : at + _CHUNK, None] - middles[None]) ** 2).sum(2)
        is_near = away.min(1) <= NEAR**2
        few[at : at + _CHUNK][is_near] = shown[away.argmin(1)][is_near]
    return few[places.ravel()].reshape(part.shape)
