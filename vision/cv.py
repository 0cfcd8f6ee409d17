"""Typed wrappers round the OpenCV calls we use; the only module that imports it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""A picture (height, width, 3) uint8 BGR."""
Grey = NDArray[np.uint8]
"""(height, width) uint8."""
Floats = NDArray[np.float32]
Points = NDArray[np.float32]
"""(n, 2) float32: x, y in px."""

cv2.setNumThreads(1)  # one picture at a time on one core: the table thread and the page need the others
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)  # we report broken files, a line each


def to_grey(image: Image) -> Grey:
    """Luminance, (height, width) uint8."""
    return cast(Grey, cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))


def to_hsv(image: Image) -> Image:
    """Hue 0..179, saturation and value 0..255."""
    return cast(Image, cv2.cvtColor(image, cv2.COLOR_BGR2HSV))


def to_lab(image: Image) -> Image:
    """CIE L*a*b* in OpenCV's 8-bit packing."""
    return cast(Image, cv2.cvtColor(image, cv2.COLOR_BGR2LAB))


def shrink(image: NDArray[Any], width: int, height: int) -> NDArray[Any]:
    """Resize by averaging areas: the noise goes down with the size."""
    return cast("NDArray[Any]", cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA))


def enlarge(image: NDArray[Any], width: int, height: int) -> NDArray[Any]:
    """Resize smoothly to a larger size."""
    return cast("NDArray[Any]", cv2.resize(image, (width, height), interpolation=cv2.INTER_CUBIC))


def box_blur(image: NDArray[Any], size: int) -> NDArray[Any]:
    """Mean over a size x size window."""
    return cast("NDArray[Any]", cv2.blur(image, (size, size)))


def soft_blur(image: NDArray[Any], sigma_px: float) -> NDArray[Any]:
    """Gaussian blur."""
    return cast("NDArray[Any]", cv2.GaussianBlur(image, (0, 0), sigma_px))


def beyond(image: Grey, other: Grey, bias: float) -> Grey:
    """255 where `image` is larger than `other` by more than `bias`, else 0."""
    return cast(Grey, cv2.threshold(cv2.subtract(image, other), bias, 255, cv2.THRESH_BINARY)[1])


def components(mask: Grey) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Connected parts: statistics (x, y, width, height, area) and centroids; row 0 is the ground."""
    _, _, stats, centres = cv2.connectedComponentsWithStats(mask, connectivity=4)
    return cast("NDArray[np.int32]", stats), cast("NDArray[np.float64]", centres)


def hull(points: NDArray[Any]) -> NDArray[Any]:
    """Convex hull of (n, 2) points, same type."""
    return cast("NDArray[Any]", cv2.convexHull(points))[:, 0, :]


def area(points: NDArray[Any]) -> float:
    """Area of a polygon in square px."""
    return float(cv2.contourArea(points))


def smallest_square(points: Points) -> tuple[tuple[float, float], tuple[float, float], float]:
    """Smallest turned rectangle round the points: centre, sides, angle in degrees."""
    centre, sides, angle = cv2.minAreaRect(points)
    return (float(centre[0]), float(centre[1])), (float(sides[0]), float(sides[1])), float(angle)


def sample(image: NDArray[Any], x: NDArray[np.float32], y: NDArray[np.float32]) -> NDArray[Any]:
    """The image at fractional places, bilinear; outside it the border repeats. Same shape as `x`."""
    return cast(
        "NDArray[Any]",
        cv2.remap(image, x, y, interpolation=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
    )


def fill(image: NDArray[Any], polygon: NDArray[Any], colour: float | tuple[float, float, float]) -> None:
    """Fill a polygon of (n, 2) px points, anti-aliased to a sixteenth of a px; changes `image`."""
    fixed = np.round(np.asarray(polygon, np.float64) * 16).astype(np.int32)
    shade = (float(colour),) * 3 if isinstance(colour, (int, float)) else colour
    cv2.fillPoly(image, [fixed], shade, cv2.LINE_AA, 4)


def draw_box(image: Image, box: tuple[int, int, int, int], colour: tuple[int, int, int]) -> None:
    """Outline a box; changes `image`."""
    x, y, width, height = box
    cv2.rectangle(image, (x, y), (x + width, y + height), colour, 2, cv2.LINE_AA)


def draw_text(image: Image, text: str, x: int, y: int, colour: tuple[int, int, int]) -> None:
    """Write with a dark rim, so that it can be read on any ground; changes `image`."""
    for shade, thickness in (((0, 0, 0), 4), (colour, 1)):
        cv2.putText(image, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.55, shade, thickness, cv2.LINE_AA)


def add_signed(image: Image, lighter: Image, darker: Image) -> Image:
    """`image + lighter - darker`, clipped to 0..255."""
    return cast(Image, cv2.subtract(cv2.add(image, lighter), darker))


def to_jpeg(image: Image, quality: int = 85) -> bytes:
    """JPEG bytes."""
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return bytes(data)


def decode(data: bytes, reduction: int = 1) -> Image | None:
    """The picture in a file's bytes, eight bits and three colours, turned as its EXIF says; None if there is none.

    `reduction` (1, 2, 4 or 8) makes it that many times smaller, JPEG without ever holding it whole.
    """
    if not data:
        return None
    flags = {
        1: cv2.IMREAD_COLOR,
        2: cv2.IMREAD_REDUCED_COLOR_2,
        4: cv2.IMREAD_REDUCED_COLOR_4,
        8: cv2.IMREAD_REDUCED_COLOR_8,
    }[reduction]
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:
        return None
    return cast("Image | None", image)


def save(image: Image, path: Path) -> bool:
    """Write a picture in the format of its name; False if that failed."""
    return bool(cv2.imwrite(str(path), image))


class Video:
    """A video file or camera opened with OpenCV; pictures come one by one."""

    def __init__(self, place: str, *, camera: bool = False) -> None:
        api = cv2.CAP_V4L2 if camera else cv2.CAP_ANY
        self._capture = cv2.VideoCapture(place, api)

    @property
    def is_open(self) -> bool:
        """Whether the device or file could be opened."""
        return bool(self._capture.isOpened())

    @property
    def pace_hz(self) -> float:
        """Pictures a second as the file or camera claims; 0 when it doesn't say."""
        return float(self._capture.get(cv2.CAP_PROP_FPS))

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height as the file or camera claims."""
        return (
            int(self._capture.get(cv2.CAP_PROP_FRAME_WIDTH)),
            int(self._capture.get(cv2.CAP_PROP_FRAME_HEIGHT)),
        )

    def ask_size(self, width: int, height: int) -> None:
        """Ask a camera for a picture size; it takes the nearest it has."""
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def next(self) -> Image | None:
        """The next picture, or None at the end or when the camera fails."""
        good, image = self._capture.read()
        if not good or image is None or image.size == 0:
            return None
        return cast(Image, image)

    def close(self) -> None:
        """Let go of the file or device."""
        self._capture.release()
