"""The message table: every message of the wire protocol once. Packing, printing, docs and golden bytes come
from it.

A message is a frozen dataclass; each field is annotated with its Python type, its kind on the wire and its
meaning. `TABLE` gives each class its number, its sender and whether it must be acknowledged. To add a
message: write the class, give it a row with a number never used before, and raise `MINOR`. To add a field
to an old one: append it and raise `MINOR`; a decoder leaves surplus bytes of a newer peer alone. Anything
else raises `MAJOR`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Annotated, Any, NamedTuple

from firmware_bridge.errors import LocalProtocolError, UnknownMessageError
from firmware_bridge.geometry import CELL_COUNT
from firmware_bridge.lights import Light
from firmware_bridge.upkeep import (
    CellQuality,
    Diagnostics,
    DiagnosticsRequest,
    OrderCommit,
    OrderPart,
    OrderRequest,
    OrderWrite,
    QualityRequest,
    Restart,
    Settings,
    SettingsRequest,
    SettingsWrite,
)
from firmware_bridge.wire import (
    CELL,
    CELL_BITS,
    FLAG,
    I8,
    LIGHT,
    MAYBE_CELL,
    U8,
    U16,
    U32,
    Choice,
    ListOf,
    Names,
    Record,
    Text,
    Whole,
    pack_fields,
    unpack_fields,
    wire_fields,
)

MAJOR = 1
MINOR = 1
CAPABILITIES = ("sensors", "lights", "button", "knob", "buzzer", "supply-sense", "settings", "unconfirmed")
MOST_CHANGES = 6  # in one message: short packets get through where every twentieth byte is damaged
MOST_RUNS = 56  # longer lists of runs are longer than the raw plan


class BootReason(IntEnum):
    """Why the board started."""

    UNKNOWN = 0
    POWER = 1
    RESET = 2
    WATCHDOG = 3
    BROWN_OUT = 4
    REQUEST = 5


class Refusal(IntEnum):
    """Why a message wasn't taken."""

    NO_SESSION = 1
    UNKNOWN_MESSAGE = 2
    BAD_PAYLOAD = 3
    OUT_OF_SEQUENCE = 4
    NOT_POSSIBLE = 5


class Button(IntEnum):
    """The buttons a board can have."""

    DONE = 1
    UNDO = 2
    NEW_GAME = 3


class Fault(IntEnum):
    """What a board can find wrong with itself."""

    STUCK = 1
    CHATTER = 2
    GHOST = 3
    BROWN_OUT = 4
    SUPPLY_LOW = 5


class Sound(IntEnum):
    """What the buzzer can say, each in its own rhythm."""

    READ = 1
    ACCEPTED = 2
    WRONG = 3
    REFUSED = 4
    FORFEIT = 5
    WIN = 6


@dataclass(frozen=True, slots=True)
class HelloRequest:
    """Asks the board to say hello and to begin a session; a session number it has already is only answered
    again."""

    major: Annotated[int, U8, "protocol version of the host"]
    minor: Annotated[int, U8, "protocol version of the host"]
    session: Annotated[int, U16, "chosen by the host, new for each session, never 0"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hello:
    """Says what the board is; sent once at boot with session 0, and in answer to every hello request."""

    major: Annotated[int, U8, "protocol version of the board"] = MAJOR
    minor: Annotated[int, U8, "protocol version of the board"] = MINOR
    session: Annotated[int, U16, "the session this answers; 0: none yet, the board has just started"] = 0
    boot: Annotated[int, U16, "differs after every start of the board"]
    boot_reason: Annotated[BootReason, Choice("boot reason", BootReason, BootReason.UNKNOWN), "why it started"]
    variant: Annotated[str, Text("text", 12), "board variant, as in boards/NAME.toml"]
    capabilities: Annotated[frozenset[str], Names("capability bits", CAPABILITIES), "what this board can do"]
    cell_count: Annotated[int, U8, "cells of this board"] = CELL_COUNT
    supply_ma: Annotated[int, U16, "what the supply was said to give"]
    serial: Annotated[str, Text("text", 16), "serial number of the board"]
    build: Annotated[str, Text("text", 24), "firmware name, version and build"]


@dataclass(frozen=True, slots=True)
class Ack:
    """Takes the message with this packet's sequence number; sent after what it asked for is done."""


@dataclass(frozen=True, slots=True)
class Nack:
    """Refuses the message with this packet's sequence number."""

    refusal: Annotated[Refusal, Choice("refusal", Refusal), "why"]


@dataclass(frozen=True, slots=True)
class Ping:
    """Asks for nothing but its acknowledgement: keeps the session alive and measures the link."""


@dataclass(frozen=True, slots=True)
class SnapshotRequest:
    """Asks for the whole occupancy."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole debounced occupancy."""

    board_ms: Annotated[int, U32, "board time"]
    next_event: Annotated[int, U16, "number the next change event will have"]
    occupied: Annotated[frozenset[int], CELL_BITS, "the occupied cells"]


@dataclass(frozen=True, slots=True)
class CellChange:
    """One cell that turned on or off."""

    cell: Annotated[int, CELL, "which cell"]
    is_on: Annotated[bool, FLAG, "whether it is occupied now"]
    after_ms: Annotated[int, U16, "time since the message's board_ms"]


@dataclass(frozen=True, slots=True)
class CellsChanged:
    """Cells that turned on or off, in the order in which they did."""

    board_ms: Annotated[int, U32, "board time of the first change"]
    first_event: Annotated[int, U16, "number of the first change; counts on by one a change, modulo 65536"]
    changes: Annotated[tuple[CellChange, ...], ListOf(Record(CellChange), MOST_CHANGES), "the changes"]


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """Somebody pressed a button on the board."""

    button: Annotated[Button, Choice("button", Button), "which"]
    board_ms: Annotated[int, U32, "board time"]


@dataclass(frozen=True, slots=True)
class KnobTurned:
    """Somebody turned the board's knob."""

    steps: Annotated[int, I8, "clockwise is positive"]
    board_ms: Annotated[int, U32, "board time"]


@dataclass(frozen=True, slots=True)
class FaultSeen:
    """The board found something wrong with itself, or finds it right again."""

    fault: Annotated[Fault, Choice("fault", Fault), "what"]
    cell: Annotated[int | None, MAYBE_CELL, "where"]
    is_over: Annotated[bool, FLAG, "whether it has passed"]
    board_ms: Annotated[int, U32, "board time"]


@dataclass(frozen=True, slots=True)
class PaletteColour:
    """One colour's red, green and blue."""

    colour: Annotated[int, Whole("colour number", 1, highest=15), "its number in a light"]
    red: Annotated[int, U8, "0..255"]
    green: Annotated[int, U8, "0..255"]
    blue: Annotated[int, U8, "0..255"]


@dataclass(frozen=True, slots=True)
class Palette:
    """What the colour numbers look like from now on."""

    colours: Annotated[tuple[PaletteColour, ...], ListOf(Record(PaletteColour), 16), "the colours"]


@dataclass(frozen=True, slots=True)
class LightRun:
    """Neighbouring cells with one light."""

    first: Annotated[int, CELL, "the run's first cell"]
    count: Annotated[int, Whole("u8", 1, highest=CELL_COUNT), "its cells"]
    light: Annotated[Light, LIGHT, "their light"]


@dataclass(frozen=True, slots=True)
class LightGroup:
    """Scattered cells with one light."""

    light: Annotated[Light, LIGHT, "their light"]
    cells: Annotated[tuple[int, ...], ListOf(CELL, CELL_COUNT), "the cells"]


@dataclass(frozen=True, slots=True)
class LightsAll:
    """Puts lights of neighbouring cells, one by one, on the hidden bank."""

    show: Annotated[bool, FLAG, "whether to show the hidden bank at once"]
    level: Annotated[int, U8, "brightness of the whole plan when shown, 255 is full"]
    first: Annotated[int, CELL, "the first cell"]
    lights: Annotated[tuple[Light, ...], ListOf(LIGHT, CELL_COUNT), "the lights from there on"]


@dataclass(frozen=True, slots=True)
class LightsRuns:
    """Puts runs of lights on the hidden bank."""

    show: Annotated[bool, FLAG, "whether to show the hidden bank at once"]
    level: Annotated[int, U8, "brightness of the whole plan when shown, 255 is full"]
    runs: Annotated[tuple[LightRun, ...], ListOf(Record(LightRun), MOST_RUNS), "the runs"]


@dataclass(frozen=True, slots=True)
class LightsGroups:
    """Puts groups of lights on the hidden bank."""

    show: Annotated[bool, FLAG, "whether to show the hidden bank at once"]
    level: Annotated[int, U8, "brightness of the whole plan when shown, 255 is full"]
    groups: Annotated[tuple[LightGroup, ...], ListOf(Record(LightGroup), CELL_COUNT), "the groups"]


@dataclass(frozen=True, slots=True)
class LightsShow:
    """Shows the hidden bank from the next picture on, all cells at once; the hidden bank keeps its
    content."""

    level: Annotated[int, U8, "brightness of the whole plan, 255 is full"]


@dataclass(frozen=True, slots=True)
class Buzz:
    """Sounds the buzzer."""

    sound: Annotated[Sound, Choice("sound", Sound), "which"]


Message = (
    HelloRequest
    | Hello
    | Ack
    | Nack
    | Ping
    | SnapshotRequest
    | Snapshot
    | CellsChanged
    | ButtonPressed
    | KnobTurned
    | FaultSeen
    | Palette
    | LightsAll
    | LightsRuns
    | LightsGroups
    | LightsShow
    | Buzz
    | SettingsRequest
    | Settings
    | SettingsWrite
    | OrderRequest
    | OrderPart
    | OrderWrite
    | OrderCommit
    | Restart
    | DiagnosticsRequest
    | Diagnostics
    | QualityRequest
    | CellQuality
)


class Sender(Enum):
    """Which side sends a message."""

    HOST = "host"
    BOARD = "board"
    BOTH = "both"


class Row(NamedTuple):
    """One message of the table; `is_reliable` means numbered, acknowledged and resent until acknowledged."""

    number: int
    kind: type
    sender: Sender
    is_reliable: bool

    @property
    def name(self) -> str:
        """The message's name in print: `cells_changed`."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", self.kind.__name__).lower()


TABLE: tuple[Row, ...] = (
    Row(0x01, HelloRequest, Sender.HOST, False),
    Row(0x02, Hello, Sender.BOARD, False),
    Row(0x03, Ack, Sender.BOTH, False),
    Row(0x04, Nack, Sender.BOTH, False),
    Row(0x05, Ping, Sender.BOTH, True),
    Row(0x10, SnapshotRequest, Sender.HOST, True),
    Row(0x11, Snapshot, Sender.BOARD, True),
    Row(0x12, CellsChanged, Sender.BOARD, True),
    Row(0x13, ButtonPressed, Sender.BOARD, True),
    Row(0x14, KnobTurned, Sender.BOARD, True),
    Row(0x15, FaultSeen, Sender.BOARD, True),
    Row(0x20, Palette, Sender.HOST, True),
    Row(0x21, LightsAll, Sender.HOST, True),
    Row(0x22, LightsRuns, Sender.HOST, True),
    Row(0x23, LightsGroups, Sender.HOST, True),
    Row(0x24, LightsShow, Sender.HOST, True),
    Row(0x28, Buzz, Sender.HOST, True),
    Row(0x30, SettingsRequest, Sender.HOST, True),
    Row(0x31, Settings, Sender.BOARD, True),
    Row(0x32, SettingsWrite, Sender.HOST, True),
    Row(0x33, OrderRequest, Sender.HOST, True),
    Row(0x34, OrderPart, Sender.BOARD, True),
    Row(0x35, OrderWrite, Sender.HOST, True),
    Row(0x36, OrderCommit, Sender.HOST, True),
    Row(0x37, Restart, Sender.HOST, True),
    Row(0x38, DiagnosticsRequest, Sender.HOST, True),
    Row(0x39, Diagnostics, Sender.BOARD, True),
    Row(0x3A, QualityRequest, Sender.HOST, True),
    Row(0x3B, CellQuality, Sender.BOARD, True),
)


_BY_KIND = {row.kind: row for row in TABLE}
_BY_NUMBER = {row.number: row for row in TABLE}


def row_of(kind: type) -> Row:
    """The table's row of a message class; raises LocalProtocolError for any other class."""
    if kind not in _BY_KIND:
        raise LocalProtocolError(f"{kind.__name__} is not in the message table")
    return _BY_KIND[kind]


def row_numbered(number: int) -> Row:
    """The table's row of a message number; raises UnknownMessageError."""
    if number not in _BY_NUMBER:
        raise UnknownMessageError(f"message number {number}", f"a number of protocol {MAJOR}.{MINOR}")
    return _BY_NUMBER[number]


def encode_payload(message: Message) -> bytes:
    """A message's payload; raises LocalProtocolError where a value doesn't fit its field."""
    return pack_fields(message)


def decode_payload(number: int, payload: bytes) -> Message:
    """The message of a packet.

    Raises:
        UnknownMessageError: the number isn't in the table.
        BadMessageError: the payload isn't that message.
    """
    message: Message
    message, _ = unpack_fields(row_numbered(number).kind, payload)
    return message


def format_message(message: Message) -> str:
    """The message in words.

    >>> format_message(Nack(Refusal.NO_SESSION))
    'nack refusal=no-session'
    """
    shown: list[Any] = [row_of(type(message)).name]
    shown += [f"{name}={wire.show(getattr(message, name))}" for name, wire, _ in wire_fields(type(message))]
    return " ".join(shown)
