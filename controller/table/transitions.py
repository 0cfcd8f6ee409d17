"""The transition table of a turn: what can happen in which phase, and the phase after it.

Rules of this file: data only. The interpreters (`rolls`, `moves`, `orders`) find out *what happened*; this table says
*where that leads*; `machine.step` is the only one to use it. The diagram in `docs/turn.md` is drawn from it.

How it works: a row names the phases it holds in, the happening, and where it goes: to a phase, to `REST` (the phase
in which the game rests: see `resting_phase`), or it stays (`STAY`). A happening without a row for the present phase
is a bug of ours and raises `StateError`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from controller.errors import StateError
from controller.table.effects import Effect, Sound
from controller.table.entries import Entry
from controller.table.game import Game, Stage
from controller.table.state import Notice, Phase, TurnState


class Happening(StrEnum):
    """What an event turned out to mean."""

    DICE_ROLLING = "dice rolling"
    DICE_TAKEN_UP = "dice taken up"
    DICE_AS_BEFORE = "dice as before"
    DICE_REFUSED = "dice refused"
    DICE_TOUCHED = "dice touched"
    DICE_KEPT = "dice kept"
    OPENING_THROWN = "opening thrown"
    ROLL_READ = "roll read"
    TURN_FORFEITED = "turn forfeited"
    COW_ON_THE_WAY = "cow on the way"
    PULL_STANDS = "pull stands"
    PULL_CHOSEN = "pull chosen"
    PULL_MADE = "pull made"
    PULL_CHANGED = "pull changed"
    COWS_WRONG = "cows wrong"
    COWS_ASTRAY = "cows astray"
    COWS_TOLD = "cows told"
    COWS_HOME = "cows home"
    DICE_LOOKED_AT = "dice looked at"
    DICE_CORRECTED = "dice read again"
    TAKEN_BACK = "taken back"
    CORRECTED = "corrected"
    PAUSED = "paused"
    RESUMED = "resumed"
    DEVICE_LOST = "device lost"
    DEVICE_BACK = "device back"
    NOT_NOW = "not now"
    GAME_ENDED = "game ended"
    GAME_STARTED = "game started"


class Goto(StrEnum):
    """Targets of a row that aren't a phase of their own."""

    REST = "the resting phase"
    STAY = "the same phase"


@dataclass(frozen=True, slots=True)
class Happened:
    """One happening, with the entries it writes, what is told of it, and effects of its own."""

    what: Happening
    entries: tuple[Entry, ...] = ()
    notice: Notice | None = None
    effects: tuple[Effect, ...] = ()


Interpreted = tuple[TurnState, tuple[Happened, ...]]

_TRAY_PHASES = (Phase.OPENING, Phase.TO_ROLL, Phase.ROLLING, Phase.REFUSED, Phase.TOUCHED, Phase.ROLLED)
_TURN_PHASES = (Phase.TO_ROLL, Phase.ROLLING, Phase.REFUSED, Phase.TOUCHED, Phase.ROLLED)
_OPENING_PHASES = (Phase.OPENING, Phase.ROLLING, Phase.REFUSED, Phase.TOUCHED)
_COW_PHASES = (Phase.MOVING, Phase.WAITING, Phase.WRONG)
_ACTIVE = (*_TRAY_PHASES, *_COW_PHASES)
_ALL = tuple(Phase)

ROWS: tuple[tuple[tuple[Phase, ...], Happening, Phase | Goto], ...] = (
    (_TRAY_PHASES, Happening.DICE_ROLLING, Phase.ROLLING),
    (_TRAY_PHASES, Happening.DICE_TAKEN_UP, Goto.REST),
    (_TRAY_PHASES, Happening.DICE_AS_BEFORE, Goto.REST),
    (_TRAY_PHASES, Happening.DICE_REFUSED, Phase.REFUSED),
    (_TRAY_PHASES, Happening.DICE_TOUCHED, Phase.TOUCHED),
    ((*_TURN_PHASES[1:], *_COW_PHASES), Happening.DICE_KEPT, Goto.STAY),
    (_OPENING_PHASES, Happening.OPENING_THROWN, Goto.REST),
    ((*_TURN_PHASES, Phase.MOVING, Phase.WRONG, Phase.WAITING), Happening.ROLL_READ, Phase.ROLLED),
    ((*_TURN_PHASES, *_COW_PHASES), Happening.TURN_FORFEITED, Phase.TO_ROLL),
    ((Phase.ROLLING, Phase.TOUCHED, Phase.ROLLED, *_COW_PHASES), Happening.COW_ON_THE_WAY, Phase.MOVING),
    ((Phase.ROLLING, Phase.TOUCHED, Phase.ROLLED, *_COW_PHASES), Happening.PULL_STANDS, Phase.WAITING),
    ((Phase.ROLLING, Phase.TOUCHED, Phase.ROLLED, *_COW_PHASES), Happening.COWS_WRONG, Phase.WRONG),
    (
        (Phase.ROLLING, Phase.REFUSED, Phase.TOUCHED, Phase.ROLLED, *_COW_PHASES),
        Happening.PULL_MADE,
        Phase.TO_ROLL,
    ),
    ((*_TURN_PHASES[1:], *_COW_PHASES), Happening.PULL_CHOSEN, Goto.STAY),
    ((Phase.TO_ROLL,), Happening.PULL_CHANGED, Phase.TO_ROLL),
    ((*_TRAY_PHASES, Phase.OVER), Happening.COWS_ASTRAY, Goto.STAY),
    ((*_TRAY_PHASES, Phase.WRONG, Phase.OVER), Happening.COWS_TOLD, Goto.STAY),
    (_COW_PHASES, Happening.COWS_HOME, Goto.REST),
    ((*_TRAY_PHASES, Phase.OVER), Happening.COWS_HOME, Goto.STAY),
    ((Phase.WRONG,), Happening.DICE_LOOKED_AT, Goto.STAY),
    ((Phase.WRONG,), Happening.DICE_CORRECTED, Phase.ROLLED),
    ((*_ACTIVE, Phase.OVER), Happening.TAKEN_BACK, Goto.REST),
    (_ACTIVE, Happening.CORRECTED, Goto.REST),
    (_ACTIVE, Happening.PAUSED, Phase.PAUSED),
    ((Phase.PAUSED,), Happening.RESUMED, Goto.REST),
    (_ACTIVE, Happening.DEVICE_LOST, Goto.REST),
    ((Phase.PAUSED, Phase.OVER), Happening.DEVICE_LOST, Goto.STAY),
    (_ALL, Happening.DEVICE_BACK, Goto.STAY),
    (_ALL, Happening.NOT_NOW, Goto.STAY),
    ((*_ACTIVE, Phase.OVER), Happening.GAME_ENDED, Phase.OVER),
    (_ALL, Happening.GAME_STARTED, Phase.OPENING),
)

TABLE: dict[tuple[Phase, Happening], Phase | Goto] = {
    (phase, happening): to for phases, happening, to in ROWS for phase in phases
}

# What was told before no longer holds once one of these happened.
SILENCING = frozenset(
    {
        Happening.DICE_ROLLING,
        Happening.DICE_TAKEN_UP,
        Happening.DICE_AS_BEFORE,
        Happening.OPENING_THROWN,
        Happening.ROLL_READ,
        Happening.COW_ON_THE_WAY,
        Happening.PULL_STANDS,
        Happening.COWS_WRONG,
        Happening.COWS_HOME,
        Happening.RESUMED,
        Happening.DEVICE_BACK,
    }
)

SOUNDS: dict[Happening, Sound] = {
    Happening.ROLL_READ: Sound.READ,
    Happening.OPENING_THROWN: Sound.READ,
    Happening.PULL_MADE: Sound.ACCEPTED,
    Happening.PULL_CHANGED: Sound.ACCEPTED,
    Happening.TURN_FORFEITED: Sound.FORFEIT,
    Happening.DICE_REFUSED: Sound.REFUSED,
    Happening.DICE_TOUCHED: Sound.REFUSED,
    Happening.COWS_TOLD: Sound.WRONG,
    Happening.GAME_ENDED: Sound.WIN,
}


def resting_phase(game: Game) -> Phase:
    """The phase a game rests in while nobody moves dice or cows."""
    if game.stage is Stage.OPENING:
        return Phase.OPENING
    if game.stage is Stage.OVER:
        return Phase.OVER
    return Phase.ROLLED if game.roll else Phase.TO_ROLL


def next_phase(phase: Phase, happening: Happening, game: Game) -> Phase:
    """Where `happening` leads from `phase`; `game` is the one after the happening's entries.

    Raises:
        StateError: the table has no such row: a bug.
    """
    to = TABLE.get((phase, happening))
    match to:
        case None:
            raise StateError(f"'{happening}' can't happen while the turn is '{phase}'")
        case Goto.STAY:
            return phase
        case Goto.REST:
            return resting_phase(game)
        case Phase():
            return to
