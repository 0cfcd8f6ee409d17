"""Cameras by name: `virtual`, `files:PATH` (or just an existing PATH), `v4l2:/dev/video0`, `picamera`, `auto`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from vision.errors import CameraGoneError, SourceNameError
from vision.sources.files import FilesSource
from vision.sources.picamera import PicameraSource
from vision.sources.source import Source
from vision.sources.v4l2 import V4l2Source
from vision.sources.virtual import VirtualSource, VirtualTray

ACCEPTED = "virtual, files:PATH, an existing path, v4l2:/dev/video0, picamera, auto"
_BY_ID = Path("/dev/v4l/by-id")


@dataclass(frozen=True, slots=True)
class Choice:
    """The camera "auto" took, opened once and closed again, and why the others were refused, one line each."""

    source: Source
    refused: tuple[str, ...]


def make_source(name: str, clock: Callable[[], float], tray: VirtualTray | None = None) -> Source:
    """The camera of this name, not yet opened; `tray` is the one "virtual" looks at (a new one by default).

    Raises:
        SourceNameError: nobody knows the name, or its path isn't there.
        CameraGoneError: "auto" found no camera.
    """
    kind, _, rest = name.partition(":")
    if name == "virtual":
        return VirtualSource(tray if tray is not None else VirtualTray(clock), clock)
    if name == "picamera":
        return PicameraSource(clock)
    if name == "auto":
        return choose_source(clock).source
    if kind == "v4l2" and rest:
        return V4l2Source(rest, clock)
    path = Path(rest) if kind == "files" and rest else Path(name)
    if name and path.exists():
        return V4l2Source(str(path), clock) if path.is_char_device() else FilesSource(path, clock)
    raise SourceNameError(name, ACCEPTED)


def choose_source(clock: Callable[[], float]) -> Choice:
    """The first real camera that opens: the ribbon camera, then USB cameras by id, then /dev/video0.

    Raises:
        CameraGoneError: none opens; its reason names each and why.
    """
    by_id = sorted(_BY_ID.glob("*")) if _BY_ID.is_dir() else []
    candidates: list[Source] = [PicameraSource(clock), *(V4l2Source(str(path), clock) for path in by_id)]
    if not by_id:
        candidates.append(V4l2Source("/dev/video0", clock))
    refused: list[str] = []
    for source in candidates:
        try:
            source.open()
        except CameraGoneError as error:
            refused.append(str(error))
            continue
        source.close()
        return Choice(source, tuple(refused))
    raise CameraGoneError("auto", "no camera found: " + " | ".join(refused), "plug one in, or use the virtual table")
