"""Everything the turn machine can ask for, frozen. The loop carries them out: journal first, then the rest."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from controller.games.cosmic_cows import Rules
from controller.table.entries import Entry
from controller.table.seats import PERSONS, Seats


class Sound(StrEnum):
    """What the buzzer says; each has its own rhythm, none is needed to play."""

    READ = "read"
    ACCEPTED = "accepted"
    WRONG = "wrong"
    REFUSED = "refused"
    FORFEIT = "forfeit"
    WIN = "win"


@dataclass(frozen=True, slots=True)
class Record:
    """Write these entries to the journal as one transaction before anything is shown."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class StartGame:
    """Open a new game in the journal."""

    rules: Rules
    white: str | None
    black: str | None
    seats: Seats = PERSONS


@dataclass(frozen=True, slots=True)
class LookAtDiceAgain:
    """Take fresh pictures of the still tray and answer with `TrayLookedAt`."""


@dataclass(frozen=True, slots=True)
class Play:
    """Sound the buzzer."""

    sound: Sound


@dataclass(frozen=True, slots=True)
class Refuse:
    """The command can't be done now; `why` is one sentence for who gave it."""

    why: str


Effect = Record | StartGame | LookAtDiceAgain | Play | Refuse
