"""Everything that can happen to the table, frozen, each with the monotonic time `at` in seconds.

Names are in the past tense. Camera, port and page threads make these; the table thread hands them to
`controller.table.machine.step` one at a time.
"""

from __future__ import annotations

from dataclasses import dataclass

from controller.games.cosmic_cows import Cell
from controller.table.commands import Command
from controller.table.hints import Hint, LookBack


@dataclass(frozen=True, slots=True)
class SeenDie:
    """One die lying in the tray as the camera saw it.

    `x`, `y` are its centre and `edge` its side, all as shares of the picture's width; `value` is None and
    `refusal` names the reason where the die can't be read for sure. `box` is x, y, width, height as shares of the
    picture's width and height, for the page.
    """

    value: int | None
    colour: str
    x: float
    y: float
    edge: float
    refusal: str | None = None
    box: tuple[float, float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class TrayRolling:
    """Something moves in the tray."""

    at: float


@dataclass(frozen=True, slots=True)
class TraySettled:
    """The tray lies still and was read; `refusals` is empty only when every die is sure and as many as wanted."""

    dice: tuple[SeenDie, ...]
    refusals: tuple[str, ...]
    at: float


@dataclass(frozen=True, slots=True)
class TrayLookedAt:
    """The answer to the effect `LookAtDiceAgain`."""

    dice: tuple[SeenDie, ...]
    refusals: tuple[str, ...]
    at: float


@dataclass(frozen=True, slots=True)
class CameraArrived:
    """A camera gives pictures."""

    name: str
    at: float


@dataclass(frozen=True, slots=True)
class CameraLost:
    """The camera gives no pictures any more, or never did."""

    reason: str
    at: float


@dataclass(frozen=True, slots=True)
class BoardArrived:
    """A board said hello; `can` holds `lights`, `sensors`, `button`, `knob` … as it told."""

    name: str
    can: frozenset[str]
    at: float


@dataclass(frozen=True, slots=True)
class BoardLost:
    """The board doesn't answer any more."""

    reason: str
    at: float


@dataclass(frozen=True, slots=True)
class BoardFaulted:
    """The board reports a fault of its own: stuck, chattering or ghost cell, brown-out …"""

    name: str
    cell: Cell | None
    at: float


@dataclass(frozen=True, slots=True)
class CowsSeen:
    """The debounced scan of the board: every cell a cow stands on."""

    occupied: frozenset[Cell]
    at: float


@dataclass(frozen=True, slots=True)
class CommandGiven:
    """A person pressed, turned or clicked something; `who` says where from."""

    command: Command
    who: str
    at: float


@dataclass(frozen=True, slots=True)
class AdviceGiven:
    """The coach has worked out what the throw on the table is worth."""

    hint: Hint
    at: float


@dataclass(frozen=True, slots=True)
class GameLookedBack:
    """The coach has looked back on the turns so far."""

    look_back: LookBack
    at: float


@dataclass(frozen=True, slots=True)
class TimePassed:
    """The deadline that the machine asked for has come, or passed."""

    at: float


Event = (
    TrayRolling
    | TraySettled
    | TrayLookedAt
    | CameraArrived
    | CameraLost
    | BoardArrived
    | BoardLost
    | BoardFaulted
    | CowsSeen
    | CommandGiven
    | AdviceGiven
    | GameLookedBack
    | TimePassed
)
