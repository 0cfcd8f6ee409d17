"""The recipe that most dice readers on the net follow, as a baseline: find round blobs, gather near ones to dice.

It knows nothing of faces, sides or doubt: whatever number of blobs lies together is a die's value. Ours is measured
against it on the same pictures.
"""

from __future__ import annotations

import math

import cv2

from vision.cv import Image

NEAR_PX = 26.0  # between two pips of a die: the widest gap on the drawn dice, 16 mm at 2.5 px a mm, is 23 px
_WIDTH_PX = 640


def blob_values(image: Image) -> tuple[int, ...]:
    """The values that the recipe sees in a picture (height, width, 3) uint8 BGR, sorted.

    Pictures are brought to 640 px width, for which its distances are meant.
    """
    height, width = image.shape[:2]
    if width != _WIDTH_PX:
        image = cv2.resize(image, (_WIDTH_PX, round(height * _WIDTH_PX / width)))  # type: ignore[assignment]
    pips = [(float(point.pt[0]), float(point.pt[1])) for point in _detector().detect(cv2.medianBlur(image, 3))]
    return tuple(sorted(len(group) for group in gathered(pips, NEAR_PX)))


def gathered(points: list[tuple[float, float]], near: float) -> list[list[tuple[float, float]]]:
    """Points in groups: two belong together when a chain of steps no longer than `near` joins them.

    >>> sorted(map(len, gathered([(0, 0), (3, 0), (6, 0), (50, 0)], 4)))
    [1, 3]
    """
    left = list(points)
    groups = []
    while left:
        group = [left.pop()]
        for point in group:  # grows while it is walked
            close = [other for other in left if math.dist(point, other) <= near]
            group += close
            left = [other for other in left if other not in close]
        groups.append(group)
    return groups


def _detector() -> cv2.SimpleBlobDetector:
    settings = cv2.SimpleBlobDetector.Params()
    settings.filterByColor = False  # dark pips and light ones
    settings.filterByArea, settings.minArea, settings.maxArea = True, 12, 400
    settings.filterByCircularity, settings.minCircularity = True, 0.7
    settings.filterByInertia, settings.minInertiaRatio = True, 0.5
    return cv2.SimpleBlobDetector.create(settings)
