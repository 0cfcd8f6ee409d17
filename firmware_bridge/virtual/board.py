"""A whole virtual board: controller, cows and hands behind a pseudo-terminal that speaks the real packets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from firmware_bridge.lights import LightPlan


@dataclass(frozen=True, slots=True)
class CowStanding:
    """Where one cow is: named after the beam it belongs to.

    `beam` and `place` say where it stands or lies (None while lifted); `place` is a fraction while it slides.
    `state` is `standing`, `sliding`, `lifted` or `toppled`.
    """

    cow: str
    beam: str | None
    place: float | None
    state: str


class VirtualBoard:
    """Start, stop and the hands; every method may be called from any thread."""

    def __init__(self, variant: str = "magnet", *, seed: int = 0, faults: tuple[str, ...] = ()) -> None:
        self.variant = variant

    def start(self) -> None:
        """Open the pseudo-terminal and start the thread."""
        raise NotImplementedError

    def stop(self) -> None:
        """Stop and join the thread, close the pseudo-terminal."""
        raise NotImplementedError

    @property
    def port(self) -> str:
        """The device path the host has to open now; changes with every `unplug`."""
        raise NotImplementedError

    def lights(self) -> LightPlan:
        """What the board shows now."""
        raise NotImplementedError

    def cows(self) -> tuple[CowStanding, ...]:
        """The nine cows in beam order."""
        raise NotImplementedError

    def slide(self, cow: str, to_place: int, seconds: float = 0.6) -> None:
        """Slide a cow along the beam it stands on; cells on the way fire, with gaps between them."""
        raise NotImplementedError

    def lift(self, cow: str) -> None:
        """Take a cow off the board."""
        raise NotImplementedError

    def put(self, cow: str, beam: str, place: int) -> None:
        """Stand a cow on any cell, also of another beam; sets a toppled one up again."""
        raise NotImplementedError

    def knock(self, cow: str) -> None:
        """Topple a cow where it stands: its magnet leaves the cell."""
        raise NotImplementedError

    def set_up(self, places: Mapping[str, int] | None = None) -> None:
        """Somebody sets all cows on their own beams: at these places, or 0 where none is given."""
        raise NotImplementedError

    def press(self, button: str) -> None:
        """Press a button: `done`, `undo` or `new-game`."""
        raise NotImplementedError

    def turn(self, steps: int) -> None:
        """Turn the knob; positive is clockwise."""
        raise NotImplementedError

    def fault(self, text: str) -> None:
        """Bring a fault by name, `none` to clear all; raises AddressError naming the known ones."""
        raise NotImplementedError
