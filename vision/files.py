"""Pictures from files: what a file holds, turned upright, eight bits and three colours; and which files there are.

Rules of this file
  * Memory is bounded: a header is read before its picture, and a large picture is made smaller while it's decoded.
  * What can't be read is refused by name; a picture whose end is missing is never half read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision import cv
from vision.cv import Image
from vision.errors import UnreadableError
from vision.picture_header import Header, parse_header

PICTURE_SUFFIXES = frozenset(
    {".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".bmp", ".webp", ".gif", ".tif", ".tiff", ".ppm", ".pgm", ".pbm"}
    | {".heic", ".heif", ".avif", ".jp2", ".dng"}
)
"""Names that promise a picture. Of the last ones some can't be read everywhere; then that is told."""
VIDEO_SUFFIXES = frozenset({".avi", ".mp4", ".mkv", ".mov", ".webm", ".m4v", ".mjpg", ".mjpeg", ".ogv", ".mpg", ".ts"})
MOST_BYTES = 200_000_000
"""A picture file larger than this is no photograph; it isn't loaded."""
MOST_PX = 110_000_000
"""Largest phone pictures in use have 108 megapixels; more would take a Pi's memory."""
LEAST_PX = 16
"""A picture smaller than this shows no pips."""
LONGEST_PX = 4000
"""Larger pictures are made smaller while they are read: dice in them are then still hundreds of px wide."""
DEFAULT_PACE_HZ = 25.0
"""For a video that doesn't say its pace."""
_REDUCTIONS = (8, 4, 2)
_KINDS = "known are JPEG, PNG, WebP, BMP, GIF, TIFF and PNM"


@dataclass(frozen=True, slots=True, eq=False)
class Loaded:
    """A file's picture (height, width, 3) uint8 BGR, and how many px of the file one of its px stands for."""

    image: Image
    scale: float


def is_video(path: Path) -> bool:
    """Whether the file's name is a video's."""
    return path.suffix.lower() in VIDEO_SUFFIXES


def files_in(folder: Path) -> tuple[Path, ...]:
    """All files of a folder and those below it, hidden ones left out, in order of their names.

    Folders that may not be entered count as empty; links to folders aren't followed, so there is no circle.
    """
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [Path(place, name) for name in names if not name.startswith(".")]
    return tuple(sorted(found))


def seen_files_in(folder: Path) -> tuple[Path, ...]:
    """Those of `files_in` whose names are a picture's or a video's."""
    suffixes = PICTURE_SUFFIXES | VIDEO_SUFFIXES
    return tuple(path for path in files_in(folder) if path.suffix.lower() in suffixes)


def load(path: Path) -> Image:
    """The picture in a file, (height, width, 3) uint8 BGR; a very large one is made smaller.

    Raises:
        UnreadableError: the file is missing, empty, cut off, too large, too small or no picture.
    """
    return load_scaled(path).image


def load_scaled(path: Path) -> Loaded:
    """The picture in a file, with its scale.

    Raises:
        UnreadableError: as for `load`.
    """
    data = _bytes(path)
    header = parse_header(data)
    reduction = 1
    if header is not None:
        _check(header, path)
        longest = max(header.width, header.height)
        reduction = next((step for step in _REDUCTIONS if longest / step >= LONGEST_PX / 2), 1)
        reduction = reduction if longest > LONGEST_PX else 1
    image = cv.decode(data, reduction)
    if image is None:
        raise UnreadableError(str(path), f"no picture that can be read; {_KINDS}")
    if min(image.shape[:2]) < LEAST_PX:
        raise _too_small(path, image.shape[1], image.shape[0])
    scale = float(reduction)
    if header is not None and reduction > 1:
        scale = max(header.width, header.height) / max(image.shape[:2])
    return _smaller(image, scale)


def frames(path: Path) -> Iterator[tuple[Image, float]]:
    """The pictures of a video with their times in seconds from its start.

    Raises:
        UnreadableError: it can't be opened or holds no picture.
    """
    _check_file(path)
    video = cv.Video(str(path))
    count = 0
    try:
        pace = video.pace_hz if video.is_open else 0.0
        pace = pace if 0 < pace <= 240 else DEFAULT_PACE_HZ
        while video.is_open and (image := video.next()) is not None:
            yield image, count / pace
            count += 1
    finally:
        video.close()
    if not count:
        raise UnreadableError(str(path), "a video without pictures")


def _check_file(path: Path) -> None:
    """Devices and pipes may never end, so only plain files are read."""
    try:
        is_plain = path.is_file()
        size = path.stat().st_size
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or "can't be read"
        raise UnreadableError(str(path), reason) from error
    if not is_plain:
        raise UnreadableError(str(path), "not a plain file")
    if size == 0:
        raise UnreadableError(str(path), "the file is empty")


def _bytes(path: Path) -> bytes:
    _check_file(path)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise UnreadableError(str(path), f"larger than {MOST_BYTES // 1_000_000} MB")
        return path.read_bytes()
    except UnreadableError:
        raise
    except OSError as error:
        raise UnreadableError(str(path), error.strerror or "can't be read") from error


def _check(header: Header, path: Path) -> None:
    width, height = header.width, header.height
    if width * height > MOST_PX:
        raise UnreadableError(
            str(path), f"{width}x{height} px is too large; at most {MOST_PX // 1_000_000} megapixels are read"
        )
    if not header.is_whole:
        raise UnreadableError(str(path), f"the {header.kind} picture is cut off")
    if min(width, height) < LEAST_PX:
        raise _too_small(path, width, height)


def _too_small(path: Path, width: int, height: int) -> UnreadableError:
    return UnreadableError(str(path), f"{width}x{height} px is too small; at least {LEAST_PX} each way")


def _smaller(image: Image, scale: float) -> Loaded:
    """The picture, no longer than `LONGEST_PX`."""
    height, width = image.shape[:2]
    too_long = max(height, width) / LONGEST_PX
    if too_long <= 1:
        return Loaded(image, scale)
    wanted = max(1, round(width / too_long)), max(1, round(height / too_long))
    shrunk = np.asarray(cv.shrink(image, *wanted), np.uint8)
    return Loaded(shrunk, scale * too_long)
