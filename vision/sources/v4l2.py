"""A USB camera through OpenCV's V4L2 back end; a thread of its own keeps only the newest picture."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from vision import cv
from vision.errors import CameraGoneError
from vision.sources.source import Picture

THROWN_AWAY = 8
"""First pictures that aren't used: exposure and white balance are still hunting (field report 22)."""
_WAIT_S = 0.2
_MEND = "plug the camera in; name it by /dev/v4l/by-id/…; the user must be in the group video"


class V4l2Source:
    """The camera at a device path such as `/dev/video0` or one of `/dev/v4l/by-id`."""

    is_live = True

    def __init__(self, device: str, clock: Callable[[], float]) -> None:
        self.name = f"v4l2:{device}"
        self._device = device
        self._clock = clock
        self._grabber: _Grabber | None = None

    def open(self) -> None:
        """Start the camera at 640x480 and throw its first pictures away.

        Raises:
            CameraGoneError: there is no such device, or it gives no picture.
        """
        if not Path(self._device).exists():
            raise CameraGoneError(self._device, "no such camera", _MEND)
        video = cv.Video(self._device, camera=True)
        video.ask_size(640, 480)
        if not video.is_open or any(video.next() is None for _ in range(THROWN_AWAY)):
            video.close()
            raise CameraGoneError(self._device, "gives no picture, or another program has it", _MEND)
        self._grabber = _Grabber(video, self._clock)
        self._grabber.start()

    def newest(self, after_s: float) -> Picture | None:
        """The newest picture if taken after `after_s`; waits at most 0.2 s for it.

        Raises:
            CameraGoneError: the camera was unplugged.
        """
        if self._grabber is None:
            return None
        picture = self._grabber.newer(after_s)
        if picture is None and self._grabber.has_failed:
            raise CameraGoneError(self._device, "gives no pictures any more", _MEND)
        return picture

    def close(self) -> None:
        """Stop and let go of the device."""
        if self._grabber is not None:
            self._grabber.stop()
            self._grabber = None

    def describe(self) -> str:
        """One line for a person."""
        if self._grabber is None:
            return f"USB camera {self._device}"
        width, height = self._grabber.size_px
        return f"USB camera {self._device}, {width}x{height}"


class _Grabber:
    """The thread named "grabber": drivers queue pictures, so somebody must take them as they come."""

    def __init__(self, video: cv.Video, clock: Callable[[], float]) -> None:
        self._video = video
        self._clock = clock
        self._fresh = threading.Condition()
        self._picture: Picture | None = None
        self._over = False
        self.has_failed = False
        self.size_px = video.size_px
        self._thread = threading.Thread(target=self._run, name="grabber", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def newer(self, after_s: float) -> Picture | None:
        with self._fresh:
            self._fresh.wait_for(lambda: self.has_failed or self._is_newer(after_s), _WAIT_S)
            return self._picture if self._is_newer(after_s) else None

    def stop(self) -> None:
        self._over = True
        self._thread.join()
        self._video.close()

    def _is_newer(self, after_s: float) -> bool:
        return self._picture is not None and self._picture[1] > after_s

    def _run(self) -> None:
        while not self._over:
            image = self._video.next()
            at_s = self._clock()
            with self._fresh:
                if image is None:
                    self.has_failed = True
                else:
                    self._picture = (image, at_s)
                self._fresh.notify_all()
            if image is None:
                return
