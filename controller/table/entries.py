"""The lines of a game: everything that may change a game, frozen, one kind of line each.

A game changes only by these. The turn machine writes them, the journal stores them, the record file prints them, and
`controller.table.game.fold` is the one function that carries them out. An entry says what was decided at the table,
never how it was noticed: a pull made by hand, by knob and on the page is the same entry.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from controller.games.cosmic_cows import Dice, Side


class Correctable(StrEnum):
    """What a person may correct."""

    DICE = "dice"
    MOVER = "mover"
    COWS = "cows"


class EndReason(StrEnum):
    """Why a game ended."""

    COWS_HOME = "cows home"
    RESIGNED = "resigned"
    TURN_LIMIT = "turn limit"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class OpeningThrow:
    """`side` threw for the start: one die, or five under the house rule.

    `is_generated`: the service's own generator threw for a computer.
    """

    side: Side
    faces: tuple[int, ...]
    is_generated: bool = False


@dataclass(frozen=True, slots=True)
class Keep:
    """The mover left these faces lying (ascending) and took the others up to roll again."""

    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Throw:
    """Five dice were read: the next roll of the turn. `is_generated` as for an opening throw."""

    dice: Dice
    is_generated: bool = False


@dataclass(frozen=True, slots=True)
class PullMade:
    """The mover used the dice for the pull of this name."""

    name: str


@dataclass(frozen=True, slots=True)
class Forfeit:
    """The last roll offered nothing: the turn passes."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """`who` set the dice, the mover or the cows to `value` (its text form)."""

    what: Correctable
    value: str
    who: str


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The newest opening throw, roll, pull, forfeit, correction or end no longer counts; `who` took it back."""

    who: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over; no winner is a draw or an abandoned game."""

    winner: Side | None
    reason: EndReason


Entry = OpeningThrow | Keep | Throw | PullMade | Forfeit | Corrected | TakenBack | Ended
