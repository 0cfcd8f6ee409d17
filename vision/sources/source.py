"""What a camera must offer, in our words: the newest picture with its time, and nothing else."""

from __future__ import annotations

from typing import Protocol

from vision.cv import Image

Picture = tuple[Image, float]
"""An image (height, width, 3) uint8 BGR and the monotonic time in seconds it was taken."""


class Source(Protocol):
    """One camera. Methods are called from one thread only, the one that opened it."""

    @property
    def name(self) -> str:
        """The name it was asked for by, as in the config."""

    @property
    def is_live(self) -> bool:
        """Whether its pictures carry fresh noise, so that two the same to the last bit mean a frozen camera."""

    def open(self) -> None:
        """Start the camera.

        Raises:
            CameraGoneError: it isn't there or can't be used; says what to do.
        """

    def newest(self, after_s: float) -> Picture | None:
        """The newest picture if it was taken after `after_s`, else None; never waits longer than 0.2 s.

        The caller may keep the image but not write into it.

        Raises:
            CameraGoneError: the camera went away.
        """

    def close(self) -> None:
        """Let go of the device; more than once does no harm."""

    def describe(self) -> str:
        """One line for a person: what it is, and with what size and pace it runs."""
