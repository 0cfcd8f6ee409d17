"""Pictures from files: what a file holds, turned upright, eight bits and three colours; and which files there are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision import cv
from vision.cv import Image
from vision.errors import UnreadableError

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff", ".ppm", ".pgm"})
VIDEO_SUFFIXES = frozenset({".avi", ".mp4", ".mkv", ".mov", ".webm", ".m4v", ".mjpg", ".mjpeg"})
MOST_BYTES = 200_000_000
"""A picture file larger than this is no photograph; it isn't loaded."""
LEAST_PX = 16
"""A picture smaller than this shows no pips."""
_LONGEST_PX = 4000
"""Larger pictures are halved while they are read: dice in them are then still hundreds of px wide."""


def is_video(path: Path) -> bool:
    """Whether the file's name is a video's."""
    return path.suffix.lower() in VIDEO_SUFFIXES


def files_in(folder: Path) -> tuple[Path, ...]:
    """All files of a folder and those below it, hidden ones left out, in order of their names."""
    return tuple(
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )


def load(path: Path) -> Image:
    """The picture in a file, (height, width, 3) uint8 BGR.

    Raises:
        UnreadableError: the file is missing, empty, cut off, too large, too small or no picture.
    """
    data = _bytes(path)
    stored = cv.decode(data)
    if stored is None:
        raise UnreadableError(str(path), "not a picture")
    if _is_cut_off(data):
        raise UnreadableError(str(path), "the picture is cut off")
    if min(stored.shape[:2]) < LEAST_PX:
        raise UnreadableError(
            str(path), f"{stored.shape[1]}x{stored.shape[0]} px is too small; at least {LEAST_PX} each way"
        )
    return _plain(stored)


def frames(path: Path) -> Iterator[tuple[Image, float]]:
    """The pictures of a video with their times in seconds from its start.

    Raises:
        UnreadableError: it can't be opened or holds no picture.
    """
    video = cv.Video(str(path))
    count = 0
    try:
        pace = video.pace_hz if video.is_open else 0.0
        while video.is_open and (image := video.next()) is not None:
            yield image, count / (pace if pace > 0 else 25.0)
            count += 1
    finally:
        video.close()
    if not count:
        raise UnreadableError(str(path), "a video without pictures")


def _bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise UnreadableError(str(path), f"larger than {MOST_BYTES // 1_000_000} MB")
        data = path.read_bytes()
    except OSError as error:
        if isinstance(error, UnreadableError):
            raise
        raise UnreadableError(str(path), error.strerror or "can't be read") from error
    if not data:
        raise UnreadableError(str(path), "the file is empty")
    return data


def _is_cut_off(data: bytes) -> bool:
    """Whether a JPEG or PNG lacks its end: decoders fill the rest with grey and say nothing."""
    if data.startswith(b"\xff\xd8"):
        return b"\xff\xd9" not in data[-4096:]
    if data.startswith(b"\x89PNG"):
        return b"IEND" not in data[-64:]
    return False


def _plain(stored: NDArray[np.generic]) -> Image:
    """Eight bits, three colours, of a sensible size."""
    image = stored
    if image.dtype != np.uint8:
        top = 65535.0 if image.dtype == np.uint16 else max(float(np.max(image)), 1.0)
        image = (np.asarray(image, np.float32) * np.float32(255 / top)).clip(0, 255).astype(np.uint8)
    if image.ndim == 2:
        image = np.repeat(image[:, :, None], 3, axis=2)
    scale = max(image.shape[:2]) / _LONGEST_PX
    if scale > 1:
        return np.asarray(
            cv.shrink(image[:, :, :3], round(image.shape[1] / scale), round(image.shape[0] / scale)), np.uint8
        )
    return np.ascontiguousarray(image[:, :, :3], np.uint8)
