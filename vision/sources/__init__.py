"""Cameras by name: `picamera`, `v4l2:/dev/video0`, `files:PATH` (or just an existing PATH), `auto`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from vision.errors import SourceNameError
from vision.sources.files import FilesSource
from vision.sources.picamera import PicameraSource
from vision.sources.source import Source
from vision.sources.v4l2 import V4l2Source

ACCEPTED = "virtual, picamera, v4l2:/dev/video0, files:PATH, an existing path, auto"


def open_source(url: str, clock: Callable[[], float], pictures_per_second: float) -> Source:
    """The camera of this name, made but not yet opened."""
    kind, _, rest = url.partition(":")
    if url == "picamera":
        return PicameraSource(clock)
    if kind == "v4l2" and rest:
        return V4l2Source(rest, clock)
    path = Path(rest) if kind == "files" and rest else Path(url)
    if url and path.exists():
        return FilesSource(path, clock)
    raise SourceNameError(url, ACCEPTED)
