"""What the 139 LEDs shall do: colours, motions, and the light plan made of them.

A light plan gives every cell a colour and a motion. It is the whole picture, never a change: the link works
out what must be sent. Motions run on the board from one command, so that a busy host can't make a light
stutter. Each meaning must differ in motion or place too, never by colour alone: that is the business of
whoever makes the plan.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from firmware_bridge.errors import AddressError
from firmware_bridge.geometry import CELL_COUNT


class Colour(StrEnum):
    """The palette by name; its place in this list is its number on the wire (at most 16)."""

    DARK = "dark"
    WHITE = "white"
    DIM_WHITE = "dim-white"
    BLACK_SIDE = "black-side"
    BLUE = "blue"
    ORANGE = "orange"
    AMBER = "amber"
    GREEN = "green"
    RED = "red"
    PURPLE = "purple"


class Motion(StrEnum):
    """What a lit cell does; its place in this list is its number on the wire (at most 16)."""

    STEADY = "steady"
    BREATHE = "breathe"
    BLINK = "blink"
    PULSE = "pulse"
    CHASE_TO_WHITE = "chase-to-white"
    CHASE_TO_BLACK = "chase-to-black"
    SPARKLE = "sparkle"


COLOURS: tuple[Colour, ...] = tuple(Colour)
MOTIONS: tuple[Motion, ...] = tuple(Motion)

RGB: dict[Colour, tuple[int, int, int]] = {
    Colour.DARK: (0, 0, 0),
    Colour.WHITE: (220, 220, 200),
    Colour.DIM_WHITE: (40, 40, 36),
    Colour.BLACK_SIDE: (50, 0, 200),  # Black's lights: a deep violet, since an LED can't shine black
    Colour.BLUE: (0, 60, 255),
    Colour.ORANGE: (255, 80, 0),
    Colour.AMBER: (255, 140, 0),
    Colour.GREEN: (0, 200, 40),
    Colour.RED: (255, 0, 0),
    Colour.PURPLE: (160, 0, 160),
}
"""The palette as red, green, blue 0..255, before dimming."""


@dataclass(frozen=True, slots=True)
class Light:
    """What one cell's LED does."""

    colour: Colour = Colour.DARK
    motion: Motion = Motion.STEADY

    @property
    def number(self) -> int:
        """The light as one byte on the wire: colour number in the high half, motion number in the low
        half."""
        return COLOURS.index(self.colour) << 4 | MOTIONS.index(self.motion)

    @classmethod
    def from_number(cls, number: int) -> Light:
        """The light of a wire byte.

        Raises:
            AddressError: no such colour or motion number.
        """
        colour, motion = number >> 4, number & 0x0F
        if colour >= len(COLOURS) or motion >= len(MOTIONS):
            raise AddressError("light number", number, f"colour 0..{len(COLOURS) - 1}, motion 0..{len(MOTIONS) - 1}")
        return cls(COLOURS[colour], MOTIONS[motion])

    def __str__(self) -> str:
        return f"{self.colour}/{self.motion}"


LightPlan = tuple[Light, ...]
"""One `Light` for each of the 139 cells, by cell number."""

DARK = Light()
DARK_PLAN: LightPlan = (DARK,) * CELL_COUNT


def light_plan(pairs: Iterable[tuple[str, str]]) -> LightPlan:
    """A light plan from 139 pairs of colour name and motion name, by cell number.

    Raises:
        AddressError: not 139 pairs, or a name that isn't in `Colour` or `Motion`.
    """
    plan = tuple(light(colour, motion) for colour, motion in pairs)
    return check_plan(plan)


def light(colour: str, motion: str = "steady") -> Light:
    """One light by names; raises AddressError for a name that isn't in `Colour` or `Motion`."""
    if colour not in COLOURS:
        raise AddressError("colour", colour, ", ".join(COLOURS))
    if motion not in MOTIONS:
        raise AddressError("motion", motion, ", ".join(MOTIONS))
    return Light(Colour(colour), Motion(motion))


def check_plan(plan: LightPlan) -> LightPlan:
    """The same plan; raises AddressError unless it holds one light for each of the 139 cells."""
    if len(plan) != CELL_COUNT:
        raise AddressError("light plan", f"{len(plan)} lights", f"{CELL_COUNT}, one for each cell")
    return plan
