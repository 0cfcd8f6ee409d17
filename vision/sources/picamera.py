"""A Raspberry Pi's ribbon camera through picamera2, which is imported only when the camera is opened."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from vision.errors import CameraGoneError
from vision.sources.source import Picture

SIZE_PX = (640, 480)
THROWN_AWAY = 8
"""First pictures that aren't used: exposure and white balance are still hunting (field report 22)."""


class PicameraSource:
    """The ribbon camera; pictures are taken when asked for, so none is ever old."""

    name = "picamera"
    is_live = True

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._camera: Any = None

    def open(self) -> None:
        """Start the camera.

        Raises:
            CameraGoneError: picamera2 isn't installed, or there is no ribbon camera.
        """
        try:
            library = importlib.import_module("picamera2")
        except ImportError as error:
            mend = "sudo apt install python3-picamera2, and use an environment with system packages"
            raise CameraGoneError(self.name, "picamera2 isn't installed", mend) from error
        try:
            camera = library.Picamera2()
            # libcamera's "RGB888" lies in memory as blue, green, red.
            camera.configure(camera.create_video_configuration(main={"size": SIZE_PX, "format": "RGB888"}))
            camera.start()
            for _ in range(THROWN_AWAY):
                camera.capture_array("main")
        except (RuntimeError, IndexError, OSError) as error:
            mend = "check both ends of the ribbon, then: rpicam-hello --list-cameras"
            raise CameraGoneError(self.name, f"no ribbon camera: {error}", mend) from error
        self._camera = camera

    def newest(self, after_s: float) -> Picture | None:
        """A picture taken now.

        Raises:
            CameraGoneError: the camera failed.
        """
        if self._camera is None or self._clock() <= after_s:
            return None
        try:
            image = np.asarray(self._camera.capture_array("main"), np.uint8)
        except (RuntimeError, OSError) as error:
            raise CameraGoneError(self.name, str(error), "check both ends of the ribbon") from error
        return np.ascontiguousarray(image[:, :, :3]), self._clock()

    def close(self) -> None:
        """Stop the camera and let go of it."""
        if self._camera is not None:
            self._camera.stop()
            self._camera.close()
            self._camera = None

    def describe(self) -> str:
        """One line for a person."""
        return f"ribbon camera, {SIZE_PX[0]}x{SIZE_PX[1]}"
