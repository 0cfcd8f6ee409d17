"""What the reader says about one picture: the dice it saw, and by name what it refuses to say.

A reading is a value: frozen, comparable, without the picture it came from. Coordinates are picture pixels, origin at
the top left, x to the right, y down.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Refusal(StrEnum):
    """Why a die, or a whole picture, isn't read. The text is the name used in code, journal, page and guide."""

    COCKED = "cocked"
    STACKED = "stacked"
    TOUCHING = "touching"
    GLARE = "glare"
    BLURRED = "blurred"
    TOO_DARK = "too dark"
    TOO_BRIGHT = "too bright"
    HIDDEN = "hidden"
    AT_WALL = "at the wall"
    HAND = "hand in view"
    NOT_FIVE = "not five"
    UNKNOWN_DIE = "unknown die"


Box = tuple[int, int, int, int]
"""x, y, width and height in pixels."""


@dataclass(frozen=True, slots=True)
class DieSeen:
    """One die in the picture.

    `value` is 1 to 6, the likely one where `refusal` is set, None where there is none. `box` is the top face's
    bounding box, `centre` the middle of the top face, both in px. `sureness` runs from 0 to 1.
    """

    value: int | None
    colour: str
    pip_colour: str
    box: Box
    centre: tuple[float, float]
    sureness: float
    refusal: Refusal | None = None

    @property
    def is_sure(self) -> bool:
        """Whether the value may be played with."""
        return self.refusal is None and self.value is not None

    @property
    def edge_px(self) -> float:
        """A rough size of the die: the mean of the box's sides."""
        return (self.box[2] + self.box[3]) / 2


@dataclass(frozen=True, slots=True)
class Reading:
    """All dice of one picture, from left to right; `refusals` holds each reason once, worst first.

    `width` and `height` are the picture's, in px.
    """

    dice: tuple[DieSeen, ...]
    refusals: tuple[Refusal, ...]
    width: int
    height: int

    @property
    def is_sure(self) -> bool:
        """Whether every die is sure and nothing else speaks against the picture."""
        return not self.refusals and all(die.is_sure for die in self.dice)

    @property
    def values(self) -> tuple[int, ...]:
        """The values of the sure dice, sorted."""
        return tuple(sorted(die.value for die in self.dice if die.is_sure and die.value is not None))
