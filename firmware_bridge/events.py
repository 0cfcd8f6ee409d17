"""What the board thread tells the rest of the program, frozen; posted in the order things happened on the
board."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BoardArrived:
    """A board said hello and is ready; its lights are being sent and a snapshot asked for.

    `capabilities` holds names out of `sensors`, `lights`, `button`, `knob`, `buzzer`, `supply-sense`.
    """

    variant: str
    capabilities: frozenset[str]
    serial: str
    firmware: str


@dataclass(frozen=True, slots=True)
class BoardLost:
    """The board doesn't answer any more, or never did; `reason` is a sentence with the mend."""

    reason: str


@dataclass(frozen=True, slots=True)
class CellsSeen:
    """The debounced occupancy: the cell numbers (0..138) on which a magnet stands, and the board's own time
    of it."""

    occupied: frozenset[int]
    board_ms: int


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """A button on the board: `done`, `undo` or `new-game`."""

    name: str


@dataclass(frozen=True, slots=True)
class KnobTurned:
    """The board's knob was turned; positive steps are clockwise."""

    steps: int


@dataclass(frozen=True, slots=True)
class BoardFault:
    """The board reports a fault of its own: `stuck`, `chatter`, `ghost`, `brown-out`; `is_over` when it has
    passed."""

    name: str
    cell: int | None
    is_over: bool = False


BoardEvent = BoardArrived | BoardLost | CellsSeen | ButtonPressed | KnobTurned | BoardFault
