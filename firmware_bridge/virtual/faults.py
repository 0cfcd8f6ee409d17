"""Faults a virtual board can be told to have, by name: `weak:4`, `corrupt:5`, `reboot`, `none`.

No clock and no shared randomness: what a fault does follows from the seed, the time given and the bytes seen.
Sensor faults change what the switches say, line faults what the bytes are; the rest (`reboot`, `brown-out`,
`unplug`) happens once and is carried out by whoever holds the board.
"""

from __future__ import annotations

import zlib
from collections.abc import Set
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from firmware_bridge.errors import AddressError
from firmware_bridge.geometry import CELL_COUNT, BeamCell, CellNumber, cell_at, cell_number

WEAK_SLOT_S = 0.06  # how long a weak magnet holds or misses before it may turn over
WEAK_SHARE = 0.6
CHATTER_SLOT_S = 0.008
CHATTER_SHARE = 0.5
GHOST_PERIOD_S = 6.0
GHOST_SHARE = 0.7  # a ghost comes and goes, slowly
UNPLUGGED_S = 1


class Takes(StrEnum):
    """What stands after a fault's name."""

    NOTHING = "nothing"
    CELL = "a cell"
    PERCENT = "percent"
    SECONDS = "seconds"


@dataclass(frozen=True, slots=True)
class FaultKind:
    """One fault of the catalogue."""

    name: str
    takes: Takes
    does: str
    is_lasting: bool = True


CATALOGUE: tuple[FaultKind, ...] = (
    FaultKind("silent", Takes.NOTHING, "neither hears nor answers"),
    FaultKind("drop", Takes.PERCENT, "loses that share of all bytes, both ways"),
    FaultKind("corrupt", Takes.PERCENT, "damages that share of all bytes, both ways"),
    FaultKind("weak", Takes.CELL, "the magnet over this cell is weak: it flickers while a cow stands there"),
    FaultKind("ghost", Takes.CELL, "this cell reads occupied from time to time with nothing on it"),
    FaultKind("stuck", Takes.CELL, "this cell always reads occupied"),
    FaultKind("chatter", Takes.CELL, "this cell's switch turns over every few milliseconds"),
    FaultKind("reboot", Takes.NOTHING, "the controller restarts", is_lasting=False),
    FaultKind("brown-out", Takes.NOTHING, "the supply sags and the controller restarts", is_lasting=False),
    FaultKind("unplug", Takes.SECONDS, "the port vanishes and comes back under another name", is_lasting=False),
)
"""Every fault, and `none`, which ends all lasting ones."""

CLEAR = "none"


@dataclass(frozen=True, slots=True)
class BoardFaultOrder:
    """A fault as ordered; `argument` is a cell number, per cent or seconds, as its kind takes."""

    name: str
    argument: int | None = None

    def __str__(self) -> str:
        return self.name if self.argument is None else f"{self.name}:{self.argument}"


def accepted_faults() -> str:
    """All faults with what they take, for messages."""
    forms = {Takes.CELL: ":CELL", Takes.PERCENT: ":PERCENT", Takes.SECONDS: "[:SECONDS]", Takes.NOTHING: ""}
    return ", ".join([kind.name + forms[kind.takes] for kind in CATALOGUE] + [CLEAR])


def parse_fault(text: str) -> BoardFaultOrder:
    """A fault from its text form; a cell may be a number or beam and place (`weak:chance:-3`).

    Raises:
        AddressError: no such fault, or not the argument it takes; names what is accepted.
    """
    name, _, argument = text.partition(":")
    if name == CLEAR and not argument:
        return BoardFaultOrder(CLEAR)
    kind = _kind(name)
    if kind is None:
        raise AddressError("fault", text, accepted_faults())
    match kind.takes:
        case Takes.NOTHING if not argument:
            return BoardFaultOrder(name)
        case Takes.CELL:
            return BoardFaultOrder(name, _parse_cell(text, argument))
        case Takes.PERCENT:
            return BoardFaultOrder(name, _parse_whole(text, argument, 100))
        case Takes.SECONDS:
            return BoardFaultOrder(name, _parse_whole(text, argument or str(UNPLUGGED_S), 3600))
        case _:
            raise AddressError("fault", text, f"{name} without an argument")


def _kind(name: str) -> FaultKind | None:
    return next((kind for kind in CATALOGUE if kind.name == name), None)


def _parse_whole(text: str, argument: str, most: int) -> int:
    if not (argument.isascii() and argument.isdigit() and int(argument) <= most):
        raise AddressError("fault", text, f"a whole number 0 to {most} after the colon")
    return int(argument)


def _parse_cell(text: str, argument: str) -> CellNumber:
    if argument.isascii() and argument.isdigit() and int(argument) < CELL_COUNT:
        return CellNumber(int(argument))
    beam, _, place = argument.rpartition(":")
    try:
        return cell_number(beam, int(place))
    except (AddressError, ValueError) as error:
        accepted = f"a cell number 0 to {CELL_COUNT - 1}, or BEAM:PLACE like {BeamCell('chance', -3)}"
        raise AddressError("fault", text, accepted) from error


class FaultSet:
    """The lasting faults a board has now, and what they do to scans and bytes."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._random = Random(seed)
        self._faults: dict[str, BoardFaultOrder] = {}

    def bring(self, fault: BoardFaultOrder) -> None:
        """Add a lasting fault (in place of one with the same name and cell); `none` ends all."""
        if fault.name == CLEAR:
            self._faults.clear()
            return
        kind = _kind(fault.name)
        if kind is not None and kind.is_lasting:
            self._faults[str(fault) if kind.takes is Takes.CELL else fault.name] = fault

    def names(self) -> tuple[str, ...]:
        """The lasting faults in their text form."""
        return tuple(str(fault) for fault in self._faults.values())

    @property
    def is_restless(self) -> bool:
        """Whether the switches may turn over with no hand moving."""
        return any(fault.name in ("weak", "ghost", "chatter") for fault in self._faults.values())

    def sensed(self, occupied: Set[CellNumber], at: float) -> frozenset[CellNumber]:
        """What the switches say where these cells are really occupied."""
        cells = set(occupied)
        for fault in self._faults.values():
            if fault.argument is None or _takes(fault) is not Takes.CELL:
                continue
            cell = CellNumber(fault.argument)
            says = self._switch_says(fault.name, cell, cell in occupied, at)
            (cells.add if says else cells.discard)(cell)
        return frozenset(cells)

    def carried(self, data: bytes) -> bytes:
        """What arrives of bytes that cross the line, in either direction."""
        if "silent" in self._faults:
            return b""
        dropped, damaged = self._percent("drop"), self._percent("corrupt")
        if not dropped and not damaged:
            return data
        arrived = bytearray()
        for byte in data:
            if self._random.random() * 100 < dropped:
                continue
            if self._random.random() * 100 < damaged:
                byte ^= self._random.randrange(1, 256)
            arrived.append(byte)
        return bytes(arrived)

    def _switch_says(self, name: str, cell: CellNumber, is_occupied: bool, at: float) -> bool:
        match name:
            case "stuck":
                return True
            case "ghost":
                return is_occupied or at % GHOST_PERIOD_S < GHOST_SHARE * GHOST_PERIOD_S
            case "weak":
                return is_occupied and self._chance(cell, int(at / WEAK_SLOT_S)) < WEAK_SHARE
            case _:
                return self._chance(cell, int(at / CHATTER_SLOT_S)) < CHATTER_SHARE

    def _chance(self, cell: CellNumber, slot: int) -> float:
        """A number 0..1 that looks random but belongs to seed, cell and moment."""
        return zlib.crc32(f"{self._seed}:{cell_at(cell)}:{slot}".encode()) / 0xFFFFFFFF

    def _percent(self, name: str) -> int:
        fault = self._faults.get(name)
        return fault.argument or 0 if fault else 0


def _takes(fault: BoardFaultOrder) -> Takes:
    kind = _kind(fault.name)
    return kind.takes if kind else Takes.NOTHING
