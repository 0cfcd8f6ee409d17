"""The two sides, the nine beams and their cells."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from controller.errors import InputError
from controller.games.cosmic_cows.rules import DEFAULT_RULES, Rules


class Side(StrEnum):
    """The two players, after the colour of their dice."""

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> Side:
        """The opponent."""
        return Side.BLACK if self is Side.WHITE else Side.WHITE

    @property
    def sign(self) -> int:
        """The direction of this side's end: +1 for White, -1 for Black."""
        return 1 if self is Side.WHITE else -1

    @property
    def letter(self) -> str:
        """`w` or `b`."""
        return "w" if self is Side.WHITE else "b"


class Beam(StrEnum):
    """The nine beams, declared in board order."""

    CHANCE = "chance"
    ONE = "1"
    TWO = "2"
    THREE = "3"
    SUPER = "super"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    STRAIGHTS = "straights"


BEAMS: tuple[Beam, ...] = tuple(Beam)


class Cell(NamedTuple):
    """One cell: the centre is place 0, White's end positive; its text is `3:+2`, `3:0` or `super:-1`."""

    beam: Beam
    place: int

    def __str__(self) -> str:
        return f"{self.beam.value}:{self.place:+d}" if self.place else f"{self.beam.value}:0"

    @classmethod
    def parse(cls, text: str, rules: Rules = DEFAULT_RULES) -> Cell:
        """The cell of this text.

        Raises:
            InputError: not a cell of a board of these rules.
        """
        found = re.fullmatch(r"([a-z1-6]+):(0|[+-][1-9][0-9]?)", text) if isinstance(text, str) else None
        accepted = f"beam:place, such as 3:+2, 3:0 or super:-1; beams {' '.join(BEAMS)}"
        if found is None or found[1] not in BEAMS:
            raise InputError("cell", text, accepted)
        cell = cls(Beam(found[1]), int(found[2]))
        last = last_place(cell.beam, rules)
        if abs(cell.place) > last:
            raise InputError("cell", text, f"places -{last} to +{last} on beam {cell.beam.value}")
        return cell


def last_place(beam: Beam, rules: Rules = DEFAULT_RULES) -> int:
    """The last place towards either player, counted from the centre: 8, and 1 on the super beam."""
    return 1 if beam is Beam.SUPER else rules.last


def zone_start(beam: Beam, rules: Rules = DEFAULT_RULES) -> int:
    """The first place of a win zone, counted from the centre: 6, and 1 on the super beam."""
    return 1 if beam is Beam.SUPER else rules.zone_start


def cells(rules: Rules = DEFAULT_RULES) -> tuple[Cell, ...]:
    """Every cell of the board: beam by beam in board order, each from Black's end to White's."""
    return tuple(
        Cell(beam, place) for beam in BEAMS for place in range(-last_place(beam, rules), last_place(beam, rules) + 1)
    )
