"""Cameras by name: `picamera`, `v4l2:/dev/video0`, `files:PATH` (or just an existing PATH), `auto`, `virtual`.

An explicit name never falls through to another camera. `auto` tells in the log which it took and why it refused the
others.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from vision.errors import CameraGoneError, SourceNameError
from vision.sources import picamera, v4l2
from vision.sources.files import FilesSource
from vision.sources.picamera import PicameraSource
from vision.sources.source import Source
from vision.sources.v4l2 import V4l2Source
from vision.sources.virtual import VirtualSource, VirtualTray

_log = logging.getLogger(__name__)

ACCEPTED = "auto, virtual, picamera, v4l2:DEVICE such as v4l2:/dev/video0, or an existing picture, folder or video"
_DEVICES = Path("/dev")


@dataclass(frozen=True, slots=True)
class Choice:
    """The camera that "auto" took, made but not opened, and why the ones before it were refused, one line each."""

    source: Source
    refused: tuple[str, ...]


def open_source(url: str, clock: Callable[[], float], pictures_per_second: float) -> Source:
    """The camera of this name; made here, opened later by the thread that looks through it.

    Args:
        url: one of the names above; `v4l2:0` is short for `v4l2:/dev/video0`.
        clock: monotonic seconds, with which the pictures are stamped.
        pictures_per_second: how many are given at most; a video keeps its own pace.

    Raises:
        SourceNameError: nobody knows the name, or there is nothing at its path.
        CameraGoneError: "auto" found no camera; names what was tried and why it was refused.
    """
    kind, _, rest = url.partition(":")
    if url == "auto":
        choice = choose_source(clock, pictures_per_second)
        _log.info("camera: took %s%s", choice.source.name, "".join(f"; refused {line}" for line in choice.refused))
        return choice.source
    if url == "virtual":
        return VirtualSource(VirtualTray(clock), clock, pictures_per_second)
    if url == "picamera":
        return PicameraSource(clock, pictures_per_second)
    if kind == "v4l2" and rest:
        return V4l2Source(rest, clock, pictures_per_second)
    path = Path(rest if kind == "files" and rest else url)
    if not url or not _is_there(path):
        raise SourceNameError(url, ACCEPTED)
    if path.is_char_device():
        return V4l2Source(str(path), clock, pictures_per_second)
    return FilesSource(path, clock, pictures_per_second)


def choose_source(clock: Callable[[], float], pictures_per_second: float, devices: Path = _DEVICES) -> Choice:
    """The first camera that is there: the ribbon camera, then USB cameras. Asks them, but starts none.

    Args:
        clock: as for `open_source`.
        pictures_per_second: as for `open_source`.
        devices: the folder of the device files.

    Raises:
        CameraGoneError: there is none; names what was tried and why it was refused.
    """
    refused = []
    why = picamera.why_not()
    if why is None:
        return Choice(PicameraSource(clock, pictures_per_second), ())
    refused.append(f"picamera: {why}")
    for device in v4l2.devices_in(devices):
        why = v4l2.why_not(device)
        if why is None:
            return Choice(V4l2Source(device, clock, pictures_per_second), tuple(refused))
        refused.append(f"{device}: {why}")
    if len(refused) == 1:
        refused.append(f"USB: no {devices}/video*")
    raise CameraGoneError("auto", "no camera found: " + "; ".join(refused), "plug one in, or use the virtual camera")


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name too long, or a folder that may not be entered
        return False


__all__ = ["ACCEPTED", "Choice", "Source", "choose_source", "open_source"]
