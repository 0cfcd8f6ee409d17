"""What the camera thread tells: frozen events in the past tense, each with its monotonic time `at_s` in seconds."""

from __future__ import annotations

from dataclasses import dataclass

from vision.readings import Reading


@dataclass(frozen=True, slots=True)
class TrayRolling:
    """Something began to move in the tray after it had lain still."""

    at_s: float


@dataclass(frozen=True, slots=True)
class TraySettled:
    """The tray lies still and three pictures alike were read since the last motion.

    The reading says what lies there, whatever it is: sure, refused, too few dice, or none. `at_s` is the time of
    the third picture.
    """

    reading: Reading
    at_s: float


@dataclass(frozen=True, slots=True)
class TrayLookedAt:
    """The answer to `look_again()`: read from pictures taken after the call, with the tray still."""

    reading: Reading
    at_s: float


@dataclass(frozen=True, slots=True)
class CameraGone:
    """The camera gives no pictures any more, or never did; opening it is tried for ever."""

    name: str
    reason: str
    mend: str
    at_s: float


@dataclass(frozen=True, slots=True)
class CameraBack:
    """The camera gives pictures (also sent the first time)."""

    name: str
    at_s: float


TrayEvent = TrayRolling | TraySettled | TrayLookedAt | CameraGone | CameraBack
