"""The messages for looking after a board: its stored settings and orders, its diagnostics, its switches' quality.

They came with protocol 1.1; a board that answers them says so with the capability `settings`. `messages.py` gives them
their numbers. What is stored takes effect by a restart that the board makes by itself after the acknowledgement.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated

from firmware_bridge.wire import CELL, CELL_BITS, FLAG, U8, U16, U32, Choice, ListOf, Text

MOST_ORDER_NUMBERS = 32  # in one message: the board's memory for an answer is 48 bytes
MOST_QUALITY_CELLS = 28


class Order(IntEnum):
    """The two orders a board can store: which number belongs to each cell."""

    LEDS = 1
    SENSORS = 2


@dataclass(frozen=True, slots=True)
class SettingsRequest:
    """Asks for the stored settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings the board works with."""

    variant: Annotated[str, Text("text", 12), "board variant, as in boards/NAME.toml"]
    is_confirmed: Annotated[bool, FLAG, "whether it was stored; else it is what the firmware was built for"]
    supply_ma: Annotated[int, U16, "what the supply was said to give"]
    serial: Annotated[str, Text("text", 16), "serial number of the board"]
    has_led_order: Annotated[bool, FLAG, "whether a learned LED order is stored; else the variant's holds"]
    has_sensor_order: Annotated[bool, FLAG, "whether a learned sensor order is stored; else the variant's holds"]
    good_copies: Annotated[int, U8, "how many of the two stored copies are whole"]


@dataclass(frozen=True, slots=True)
class SettingsWrite:
    """Stores variant, supply and serial number; confirms the variant. The board restarts after it."""

    variant: Annotated[str, Text("text", 12), "a variant the firmware knows; else it is not possible"]
    supply_ma: Annotated[int, U16, "what the supply gives: 500 to 20000; else it is not possible"]
    serial: Annotated[str, Text("text", 16), "serial number of the board"]


@dataclass(frozen=True, slots=True)
class OrderRequest:
    """Asks for a part of an order."""

    order: Annotated[Order, Choice("order", Order), "which"]
    first: Annotated[int, CELL, "the first cell"]


@dataclass(frozen=True, slots=True)
class OrderPart:
    """A part of the order the board works with: the LED or input of neighbouring cells."""

    order: Annotated[Order, Choice("order", Order), "which"]
    first: Annotated[int, CELL, "the first cell"]
    numbers: Annotated[tuple[int, ...], ListOf(U8, MOST_ORDER_NUMBERS), "LED or input of each cell from there on"]


@dataclass(frozen=True, slots=True)
class OrderWrite:
    """Puts a part of a new order aside; nothing changes before `order_commit`."""

    order: Annotated[Order, Choice("order", Order), "which"]
    first: Annotated[int, CELL, "the first cell"]
    numbers: Annotated[tuple[int, ...], ListOf(U8, MOST_ORDER_NUMBERS), "LED or input of each cell from there on"]


@dataclass(frozen=True, slots=True)
class OrderCommit:
    """Stores the order put aside, if it gives each cell a number of its own. The board restarts after it."""

    order: Annotated[Order, Choice("order", Order), "which"]
    is_default: Annotated[bool, FLAG, "whether to forget the learned order instead: the variant's holds again"]


@dataclass(frozen=True, slots=True)
class Restart:
    """Restarts the board."""


@dataclass(frozen=True, slots=True)
class DiagnosticsRequest:
    """Asks how the board is doing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostics:
    """How the board is doing; counts since its start, each ends at its highest value."""

    board_ms: Annotated[int, U32, "board time"]
    stack_free: Annotated[int, U16, "bytes of memory no stack has ever reached"]
    packets_good: Annotated[int, U16, "packets that came in whole"]
    packets_dropped: Annotated[int, U16, "packets dropped, whatever the reason"]
    resends: Annotated[int, U16, "packets sent again"]
    overruns: Annotated[int, U16, "times the serial receiver lost a byte because nobody fetched it"]
    framing_errors: Annotated[int, U16, "bytes without a stop bit: another speed, or noise"]
    memory_full: Annotated[int, U16, "bytes dropped because too many waited"]
    changes_dropped: Annotated[int, U16, "cell changes dropped because too many waited"]
    pictures_s: Annotated[int, U8, "pictures shown in the last whole second"]
    scans_s: Annotated[int, U16, "scans of the switches in the last whole second"]
    picture_us: Annotated[int, U16, "how long clocking out the last picture took"]
    lights_ma: Annotated[int, U16, "the most the shown picture draws"]
    budget_ma: Annotated[int, U16, "the most any picture may draw"]
    supply_percent: Annotated[int, U8, "supply voltage against that at the start; 0: not measured"]


@dataclass(frozen=True, slots=True)
class QualityRequest:
    """Asks how steadily the switches work, from one cell on."""

    first: Annotated[int, CELL, "the first cell"]


@dataclass(frozen=True, slots=True)
class CellQuality:
    """How steadily the switches work: flickers are edges that came to nothing, since the start."""

    first: Annotated[int, CELL, "the first cell"]
    flickers: Annotated[tuple[int, ...], ListOf(U8, MOST_QUALITY_CELLS), "of each cell from there on, at most 255"]
    chattering: Annotated[frozenset[int], CELL_BITS, "the cells that chatter now"]
