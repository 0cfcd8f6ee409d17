"""A Raspberry Pi's ribbon camera through picamera2, which is imported only when the camera is asked for or opened."""

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
_NOT_INSTALLED = "picamera2 isn't installed"
_INSTALL = "sudo apt install python3-picamera2, and use an environment with system packages"
_RIBBON = "check both ends of the ribbon, then: rpicam-hello --list-cameras"
_EARLY = 0.2
"""Share of its period by which a picture may come early, since the asking has a rhythm of its own."""


def why_not() -> str | None:
    """Why there is no ribbon camera to use; None if there is one. Starts nothing."""
    try:
        library = _library()
        listed = library.Picamera2.global_camera_info()
    except CameraGoneError as error:
        return error.reason
    except (RuntimeError, OSError) as error:
        return f"can't list cameras: {error}"
    return None if listed else "no ribbon camera is listed"


class PicameraSource:
    """The ribbon camera; pictures are taken when asked for, so none is ever old."""

    name = "picamera"
    is_live = True

    def __init__(self, clock: Callable[[], float], pictures_per_second: float) -> None:
        self._clock = clock
        self._period_s = 1 / pictures_per_second
        self._camera: Any = None

    def open(self) -> None:
        """Start the camera and throw its first pictures away.

        Raises:
            CameraGoneError: picamera2 isn't installed, or there is no ribbon camera.
        """
        self.close()
        library = _library()
        try:
            self._camera = library.Picamera2()
            # libcamera's "RGB888" lies in memory as blue, green, red.
            wanted = {"size": SIZE_PX, "format": "RGB888"}
            self._camera.configure(self._camera.create_video_configuration(main=wanted))
            self._camera.start()
            for _ in range(THROWN_AWAY):
                self._camera.capture_array("main")
        except (RuntimeError, IndexError, OSError) as error:
            self.close()
            raise CameraGoneError(self.name, f"no ribbon camera: {error}", _RIBBON) from error

    def newest(self, after_s: float) -> Picture | None:
        """A picture taken now, if one is due after `after_s`.

        Raises:
            CameraGoneError: the camera failed, or gives nothing but black.
        """
        if self._camera is None or self._clock() - after_s < self._period_s * (1 - _EARLY):
            return None
        try:
            image = np.asarray(self._camera.capture_array("main"), np.uint8)
        except (RuntimeError, OSError) as error:
            raise CameraGoneError(self.name, str(error), _RIBBON) from error
        if not image.any():
            raise CameraGoneError(self.name, "gives only black pictures", "take off its cap; " + _RIBBON)
        return np.ascontiguousarray(image[:, :, :3]), self._clock()

    def close(self) -> None:
        """Stop the camera and let go of it."""
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.stop()
            camera.close()

    def describe(self) -> str:
        """One line for a person."""
        return f"ribbon camera, {SIZE_PX[0]}x{SIZE_PX[1]}, {1 / self._period_s:.0f} pictures a second"


def _library() -> Any:
    """picamera2, which needs the system's own Python packages (field report 25)."""
    try:
        return importlib.import_module("picamera2")
    except ImportError as error:
        raise CameraGoneError(PicameraSource.name, _NOT_INSTALLED, _INSTALL) from error
