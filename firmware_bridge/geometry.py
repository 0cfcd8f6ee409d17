"""The 139 cells of a board: their numbers, their beams and places, and the LED and input that belong to each.

Cells are numbered 0..138 beam by beam in board order (`BEAMS`); within a beam from Black's end to White's
end, so that a cell's *place* on its beam runs -8..8, on the super beam -1..1, and positive is towards
White. Only cell numbers travel on the wire: which LED and which input belong to a cell is the board's own
affair and comes from `boards/NAME.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, NewType

from firmware_bridge.errors import AddressError

CellNumber = NewType("CellNumber", int)
LedNumber = NewType("LedNumber", int)
SensorNumber = NewType("SensorNumber", int)

BEAMS: tuple[str, ...] = ("chance", "1", "2", "3", "super", "4", "5", "6", "straights")
"""The nine beams in board order, across the board."""

SUPER_BEAM = "super"
LONG_REACH = 8
SUPER_REACH = 1
CELL_COUNT = 139
COW_COUNT = len(BEAMS)
INPUTS_PER_CHIP = 8
VARIANTS: tuple[str, ...] = ("led", "magnet")


@dataclass(frozen=True, slots=True, order=True)
class BeamCell:
    """A cell as players name it: its beam and its place on it (positive towards White)."""

    beam: str
    place: int

    def __str__(self) -> str:
        return f"{self.beam}:{self.place:+d}" if self.place else f"{self.beam}:0"


def reach(beam: str) -> int:
    """How far a beam runs from its centre to either end: 8 cells, the super beam 1.

    Raises:
        AddressError: there is no such beam.
    """
    if beam not in BEAMS:
        raise AddressError("beam", beam, ", ".join(BEAMS))
    return SUPER_REACH if beam == SUPER_BEAM else LONG_REACH


_CELLS: tuple[BeamCell, ...] = tuple(
    BeamCell(beam, place) for beam in BEAMS for place in range(-reach(beam), reach(beam) + 1)
)
_NUMBERS: Mapping[BeamCell, CellNumber] = {cell: CellNumber(number) for number, cell in enumerate(_CELLS)}


def cell_number(beam: str, place: int) -> CellNumber:
    """The number of a beam's cell.

    >>> cell_number("chance", -8), cell_number("super", 0), cell_number("straights", 8)
    (0, 69, 138)

    Raises:
        AddressError: there is no such beam, or the beam has no such place.
    """
    end = reach(beam)
    if not -end <= place <= end:
        raise AddressError(f"place on beam {beam}", place, f"{-end} to {end}")
    return _NUMBERS[BeamCell(beam, place)]


def cell_at(number: int) -> BeamCell:
    """The beam and place of a cell number.

    >>> cell_at(69)
    BeamCell(beam='super', place=0)

    Raises:
        AddressError: the number isn't in 0..138.
    """
    if not 0 <= number < CELL_COUNT:
        raise AddressError("cell number", number, f"0 to {CELL_COUNT - 1}")
    return _CELLS[number]


def beam_cells(beam: str) -> tuple[CellNumber, ...]:
    """All cell numbers of a beam, from Black's end to White's end."""
    end = reach(beam)
    first = cell_number(beam, -end)
    return tuple(CellNumber(first + offset) for offset in range(2 * end + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardLayout:
    """What `boards/NAME.toml` says of one board variant.

    `leds` and `sensors` are indexed by cell number; `sensors` is empty on a board without any.
    """

    name: str
    title: str
    capabilities: frozenset[str]
    leds: tuple[LedNumber, ...]
    sensors: tuple[SensorNumber, ...]
    input_count: int
    supply_ma: int
    reserve_ma: int
    cell_pitch_mm: float
    beam_pitch_mm: float

    def led(self, cell: CellNumber) -> LedNumber:
        """The LED under a cell, counted from the strip's first."""
        return self.leds[cell]

    def cell_of_led(self, led: LedNumber) -> CellNumber:
        """The cell over an LED."""
        return CellNumber(self.leds.index(led))

    def sensor(self, cell: CellNumber) -> SensorNumber:
        """The input of the chain that belongs to a cell."""
        return self.sensors[cell]

    def cell_of_sensor(self, sensor: SensorNumber) -> CellNumber | None:
        """The cell of an input; None for one of the unused inputs."""
        return CellNumber(self.sensors.index(sensor)) if sensor in self.sensors else None

    def centre_mm(self, cell: CellNumber) -> tuple[float, float]:
        """Centre of a cell, for drawings: x across the beams from the chance beam, y from Black's end to
        White's.

        The origin is the centre of the chance beam's cell at Black's end.
        """
        at = cell_at(cell)
        return (BEAMS.index(at.beam) * self.beam_pitch_mm, (at.place + LONG_REACH) * self.cell_pitch_mm)


@cache
def load_board(name: str) -> BoardLayout:
    """The layout of a board variant.

    Raises:
        AddressError: there is no such variant, or its file doesn't give each cell an LED (and input) of its
        own.
    """
    if name not in VARIANTS:
        raise AddressError("board variant", name, ", ".join(VARIANTS))
    text = resources.files("firmware_bridge").joinpath("boards", f"{name}.toml").read_text(encoding="utf-8")
    return read_layout(tomllib.loads(text))


def read_layout(document: Mapping[str, Any]) -> BoardLayout:
    """A board file's content as a layout; the same errors as `load_board`."""
    name = str(document["name"])
    rows = {str(row["name"]): row for row in document["beam"]}
    if tuple(rows) != BEAMS:
        raise AddressError(f"boards/{name}.toml: beams", tuple(rows), ", ".join(BEAMS))
    inputs = document.get("inputs")
    leds = _order(rows, "led")
    sensors = _order(rows, "input") if inputs else ()
    input_count = INPUTS_PER_CHIP * int(inputs["chips"]) if inputs else 0
    _check_order(f"boards/{name}.toml: led_first", leds, int(document["leds"]["count"]))
    if inputs:
        _check_order(f"boards/{name}.toml: input_first", sensors, input_count)
        if set(inputs["unused"]) != set(range(input_count)) - set(sensors):
            raise AddressError(f"boards/{name}.toml: unused", inputs["unused"], "the inputs no beam uses")
    return BoardLayout(
        name=name,
        title=str(document["title"]),
        capabilities=frozenset(document["capabilities"]),
        leds=tuple(LedNumber(number) for number in leds),
        sensors=tuple(SensorNumber(number) for number in sensors),
        input_count=input_count,
        supply_ma=int(document["supply"]["default_ma"]),
        reserve_ma=int(document["supply"]["reserve_ma"]),
        cell_pitch_mm=float(document["layout"]["cell_pitch_mm"]),
        beam_pitch_mm=float(document["layout"]["beam_pitch_mm"]),
    )


def _order(rows: Mapping[str, Mapping[str, Any]], kind: str) -> tuple[int, ...]:
    order: list[int] = []
    for beam in BEAMS:
        row = rows[beam]
        run = range(row[f"{kind}_first"], row[f"{kind}_first"] + 2 * reach(beam) + 1)
        order.extend(run if row.get(f"{kind}_towards", "white") == "white" else reversed(run))
    return tuple(order)


def _check_order(field: str, order: tuple[int, ...], count: int) -> None:
    if len(set(order)) != CELL_COUNT or not all(0 <= number < count for number in order):
        raise AddressError(field, order, f"{CELL_COUNT} different numbers in 0..{count - 1}")
