"""A USB camera through OpenCV's V4L2 back end; a thread of its own keeps only the newest picture."""

from __future__ import annotations

import fcntl
import os
import struct
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from vision import cv
from vision.cv import Image
from vision.errors import CameraGoneError
from vision.sources.source import Picture

THROWN_AWAY = 8
"""First pictures that aren't used: exposure and white balance are still hunting (field report 22)."""
SIZE_PX = (640, 480)
_WAIT_S = 0.2
_STOP_S = 1.0
"""A driver may hold a read for ten seconds; the grabber then ends by itself later."""
_EARLY = 0.2
"""Share of its period by which a picture may come early, since camera and asking have rhythms of their own."""
_PLUG = "plug the camera in; list them with: ls /dev/v4l/by-id"
_FREE = "end the other program, and see that the user is in the group video"
_UNCOVER = "open its shutter or take off its cap, else unplug it and plug it in again"

# linux/videodev2.h: VIDIOC_QUERYCAP and the flags of struct v4l2_capability.
_ASK_CAPABILITY = 0x80685600
_CAPABILITY = struct.Struct("=16s32s32sIII12x")
_CAN_CAPTURE, _HAS_DEVICE_CAPS = 0x1, 0x80000000
_RIBBON_DRIVERS = ("unicam", "rp1-cfe", "bcm2835-isp", "pispbe")
"""These offer raw ribbon-camera data, from which OpenCV gets nothing (field report 25)."""


def devices_in(folder: Path) -> tuple[str, ...]:
    """The video devices below a folder such as /dev, by their lasting names where they have one (field report 24)."""
    lasting = {path.resolve(): path for path in sorted(folder.glob("v4l/by-id/*"), reverse=True)}
    numbered = sorted(folder.glob("video*"), key=lambda path: (len(path.name), path.name))
    return tuple(str(lasting.get(path.resolve(), path)) for path in numbered)


def why_not(device: str) -> str | None:
    """Why a device is no camera to use; None if it can take pictures. Asks it, but starts nothing."""
    try:
        handle = os.open(device, os.O_RDWR | os.O_NONBLOCK)
    except OSError as error:
        return error.strerror or "can't be opened"
    try:
        answer = fcntl.ioctl(handle, _ASK_CAPABILITY, bytes(_CAPABILITY.size))
    except OSError:
        return "no video device"
    finally:
        os.close(handle)
    return unfit(answer)


def unfit(answer: bytes) -> str | None:
    """What a device's answer to VIDIOC_QUERYCAP says against it; None if it is a camera."""
    driver, _, _, _, whole, part = _CAPABILITY.unpack(answer)
    name = driver.split(b"\0")[0].decode("ascii", "replace")
    if name in _RIBBON_DRIVERS:
        return "a ribbon camera's raw data; use picamera"
    can = part if whole & _HAS_DEVICE_CAPS else whole
    return None if can & _CAN_CAPTURE else f"takes no pictures (driver {name})"


class Capture(Protocol):
    """An opened camera as `cv.Video` offers it."""

    @property
    def is_open(self) -> bool:
        """Whether it could be opened."""

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height."""

    def next(self) -> Image | None:
        """The next picture; None when there is none any more."""

    def close(self) -> None:
        """Let go of it."""


def open_camera(device: str) -> Capture:
    """The camera through OpenCV, asked for 640x480 and a queue of one picture."""
    video = cv.Video(device, camera=True)
    if video.is_open:
        video.ask_size(*SIZE_PX)
    return video


class V4l2Source:
    """The camera at a device path such as `/dev/video0` or one of `/dev/v4l/by-id`; a bare number means the former.

    Args:
        device: the path or number.
        clock: monotonic seconds.
        pictures_per_second: how many are given at most.
        opener: opens the device; OpenCV by default.
    """

    is_live = True

    def __init__(
        self,
        device: str,
        clock: Callable[[], float],
        pictures_per_second: float,
        opener: Callable[[str], Capture] = open_camera,
    ) -> None:
        self._device = f"/dev/video{device}" if device.isdecimal() else device
        self.name = f"v4l2:{self._device}"
        self._clock = clock
        self._period_s = 1 / pictures_per_second
        self._opener = opener
        self._grabber: _Grabber | None = None

    def open(self) -> None:
        """Start the camera and throw its first pictures away.

        Raises:
            CameraGoneError: there is no such device, it can't be used, or it gives no picture.
        """
        self.close()
        if not Path(self._device).exists():
            raise CameraGoneError(self.name, "no such device", _PLUG)
        capture = self._opener(self._device)
        if not capture.is_open:
            capture.close()
            raise CameraGoneError(self.name, why_not(self._device) or "another program has it", _FREE)
        if any(capture.next() is None for _ in range(THROWN_AWAY)):
            capture.close()
            raise CameraGoneError(self.name, "opens but gives no picture", _FREE)
        self._grabber = _Grabber(capture, self._clock)
        self._grabber.start()

    def newest(self, after_s: float) -> Picture | None:
        """The newest picture if one is due after `after_s`; waits at most 0.2 s for it.

        Raises:
            CameraGoneError: the camera was unplugged, or gives nothing but black.
        """
        if self._grabber is None:
            return None
        picture = self._grabber.newer(after_s + self._period_s * (1 - _EARLY))
        if picture is None:
            if self._grabber.has_failed:
                raise CameraGoneError(self.name, "gives no pictures any more", _PLUG)
            return None
        if not picture[0].any():
            raise CameraGoneError(self.name, "gives only black pictures", _UNCOVER)
        return picture

    def close(self) -> None:
        """Stop and let go of the device."""
        grabber, self._grabber = self._grabber, None
        if grabber is not None:
            grabber.stop()

    def describe(self) -> str:
        """One line for a person."""
        if self._grabber is None:
            return f"USB camera {self._device}"
        width, height = self._grabber.size_px
        return f"USB camera {self._device}, {width}x{height}, {1 / self._period_s:.0f} pictures a second"


class _Grabber:
    """The thread named "grabber": drivers queue pictures, so somebody must take them as they come (field report 23)."""

    def __init__(self, capture: Capture, clock: Callable[[], float]) -> None:
        self._capture = capture
        self._clock = clock
        self._fresh = threading.Condition()
        self._picture: Picture | None = None
        self._over = threading.Event()
        self.has_failed = False
        self.size_px = capture.size_px
        self._thread = threading.Thread(target=self._run, name="grabber", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def newer(self, after_s: float) -> Picture | None:
        """The newest picture that isn't older than `after_s`, waited for a moment."""
        with self._fresh:
            self._fresh.wait_for(lambda: self.has_failed or self._is_newer(after_s), _WAIT_S)
            return self._picture if self._is_newer(after_s) else None

    def stop(self) -> None:
        self._over.set()
        self._thread.join(_STOP_S)

    def _is_newer(self, after_s: float) -> bool:
        return self._picture is not None and self._picture[1] >= after_s

    def _run(self) -> None:
        while not self._over.is_set():
            image = self._capture.next()
            at_s = self._clock()
            with self._fresh:
                if image is None:
                    self.has_failed = True
                else:
                    self._picture = (image, at_s)
                self._fresh.notify_all()
            if image is None:
                break
        self._capture.close()
