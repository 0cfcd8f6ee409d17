"""The kinds of field a message can have on the wire: each packs, unpacks, prints and names itself for the
docs.

Numbers go low byte first. A field that can't be packed is our own bug (`LocalProtocolError`); one that
can't be unpacked is the other side's (`BadMessageError`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Any, get_type_hints

from firmware_bridge.errors import AddressError, BadMessageError, LocalProtocolError
from firmware_bridge.geometry import CELL_COUNT
from firmware_bridge.lights import Light

NO_CELL = 0xFF
CELL_BITS_BYTES = (CELL_COUNT + 7) // 8


class Wire(ABC):
    """One kind of field; `name` is what docs and C header call it."""

    name: str

    @abstractmethod
    def pack(self, value: Any) -> bytes:
        """The value's bytes; raises LocalProtocolError for a value that doesn't fit."""

    @abstractmethod
    def unpack(self, data: bytes, start: int) -> tuple[Any, int]:
        """The value that begins at `start` and where the next field begins; raises BadMessageError."""

    def show(self, value: Any) -> str:
        """The value for `name key=value` printing, without blanks."""
        return str(value)


def take(data: bytes, start: int, size: int) -> bytes:
    """`size` bytes from `start`; raises BadMessageError where the payload is too short."""
    piece = data[start : start + size]
    if len(piece) < size:
        raise BadMessageError(f"a payload of {len(data)} bytes", f"{start + size} bytes or more")
    return piece


@dataclass(frozen=True)
class Whole(Wire):
    """A whole number of `size` bytes, with a highest value and a sign where wanted."""

    name: str
    size: int
    is_signed: bool = False
    highest: int | None = None

    def pack(self, value: Any) -> bytes:
        try:
            packed = int(value).to_bytes(self.size, "little", signed=self.is_signed)
        except OverflowError as error:
            raise LocalProtocolError(f"{value} doesn't fit {self.name}") from error
        if self.highest is not None and value > self.highest:
            raise LocalProtocolError(f"{value} doesn't fit {self.name}: at most {self.highest}")
        return packed

    def unpack(self, data: bytes, start: int) -> tuple[int, int]:
        piece = take(data, start, self.size)
        value = int.from_bytes(piece, "little", signed=self.is_signed)
        if self.highest is not None and value > self.highest:
            raise BadMessageError(f"{value}", f"{self.name}, 0 to {self.highest}")
        return value, start + self.size


@dataclass(frozen=True)
class Switch(Wire):
    """A byte that is 0 or 1."""

    name: str = "flag"

    def pack(self, value: Any) -> bytes:
        return b"\x01" if value else b"\x00"

    def unpack(self, data: bytes, start: int) -> tuple[bool, int]:
        value = take(data, start, 1)[0]
        if value > 1:
            raise BadMessageError(f"{value}", "a flag, 0 or 1")
        return bool(value), start + 1

    def show(self, value: Any) -> str:
        return "yes" if value else "no"


@dataclass(frozen=True)
class Choice(Wire):
    """One of a closed set, a byte; a number a newer peer may add becomes `otherwise` where that is given."""

    name: str
    choices: type[IntEnum]
    otherwise: IntEnum | None = None

    def pack(self, value: Any) -> bytes:
        return bytes((self.choices(value),))

    def unpack(self, data: bytes, start: int) -> tuple[IntEnum, int]:
        value = take(data, start, 1)[0]
        if value in self.choices.__members__.values():
            return self.choices(value), start + 1
        if self.otherwise is None:
            raise BadMessageError(f"{value}", f"{self.name}: {', '.join(map(self.show, self.choices))}")
        return self.otherwise, start + 1

    def show(self, value: Any) -> str:
        return str(self.choices(value).name).lower().replace("_", "-")


@dataclass(frozen=True)
class Names(Wire):
    """A set of names as bits of a u16, lowest first; bits a newer peer may add are left out."""

    name: str
    names: tuple[str, ...]

    def pack(self, value: Any) -> bytes:
        unknown = set(value) - set(self.names)
        if unknown:
            raise LocalProtocolError(f"{sorted(unknown)} not in {self.name}: {', '.join(self.names)}")
        return sum(1 << bit for bit, name in enumerate(self.names) if name in value).to_bytes(2, "little")

    def unpack(self, data: bytes, start: int) -> tuple[frozenset[str], int]:
        bits = int.from_bytes(take(data, start, 2), "little")
        return frozenset(name for bit, name in enumerate(self.names) if bits >> bit & 1), start + 2

    def show(self, value: Any) -> str:
        return ",".join(name for name in self.names if name in value) or "none"


@dataclass(frozen=True)
class Text(Wire):
    """Printable ASCII without blanks, a length byte first."""

    name: str
    longest: int

    def pack(self, value: Any) -> bytes:
        if len(value) > self.longest or not self._is_plain(value):
            raise LocalProtocolError(f"{value!r} doesn't fit {self.name}: at most {self.longest} ASCII signs")
        return bytes((len(value),)) + str(value).encode("ascii")

    def unpack(self, data: bytes, start: int) -> tuple[str, int]:
        length = take(data, start, 1)[0]
        raw = take(data, start + 1, length)
        text = raw.decode("latin-1")
        if length > self.longest or not self._is_plain(text):
            raise BadMessageError(repr(raw), f"{self.name}: at most {self.longest} printable ASCII signs")
        return text, start + 1 + length

    @staticmethod
    def _is_plain(text: str) -> bool:
        return text.isascii() and text.isprintable() and " " not in text


@dataclass(frozen=True)
class MaybeCell(Wire):
    """A cell number, or 255 for none."""

    name: str = "cell or 255"

    def pack(self, value: Any) -> bytes:
        return bytes((NO_CELL,)) if value is None else CELL.pack(value)

    def unpack(self, data: bytes, start: int) -> tuple[int | None, int]:
        if take(data, start, 1)[0] == NO_CELL:
            return None, start + 1
        return CELL.unpack(data, start)

    def show(self, value: Any) -> str:
        return "none" if value is None else str(value)


@dataclass(frozen=True)
class CellBits(Wire):
    """A set of cells as 139 bits in 18 bytes: cell n is bit n % 8 of byte n // 8; the last five bits are
    zero."""

    name: str = "cell bits"

    def pack(self, value: Any) -> bytes:
        bits = 0
        for cell in value:
            CELL.pack(cell)
            bits |= 1 << cell
        return bits.to_bytes(CELL_BITS_BYTES, "little")

    def unpack(self, data: bytes, start: int) -> tuple[frozenset[int], int]:
        bits = int.from_bytes(take(data, start, CELL_BITS_BYTES), "little")
        if bits >> CELL_COUNT:
            raise BadMessageError(f"bits beyond cell {CELL_COUNT - 1}", "zero bits there")
        return frozenset(cell for cell in range(CELL_COUNT) if bits >> cell & 1), start + CELL_BITS_BYTES

    def show(self, value: Any) -> str:
        return ",".join(str(cell) for cell in sorted(value)) or "none"


@dataclass(frozen=True)
class LightByte(Wire):
    """A light: colour number in the high half, motion number in the low half."""

    name: str = "light"

    def pack(self, value: Any) -> bytes:
        return bytes((value.number,))

    def unpack(self, data: bytes, start: int) -> tuple[Light, int]:
        try:
            return Light.from_number(take(data, start, 1)[0]), start + 1
        except AddressError as error:
            raise BadMessageError(f"light {error.seen}", error.accepted) from error


@dataclass(frozen=True)
class ListOf(Wire):
    """Several of one kind, a count byte first."""

    item: Wire
    most: int

    @property
    def name(self) -> str:  # type: ignore[override]  # derived from the item, never assigned
        """For the docs: `list of CELL`."""
        return f"list of {self.item.name}"

    def pack(self, value: Any) -> bytes:
        if len(value) > self.most:
            raise LocalProtocolError(f"{len(value)} items; a {self.name} holds at most {self.most}")
        return bytes((len(value),)) + b"".join(self.item.pack(item) for item in value)

    def unpack(self, data: bytes, start: int) -> tuple[tuple[Any, ...], int]:
        count = take(data, start, 1)[0]
        if count > self.most:
            raise BadMessageError(f"{count} items", f"a {self.name} of at most {self.most}")
        values, at = [], start + 1
        for _ in range(count):
            value, at = self.item.unpack(data, at)
            values.append(value)
        return tuple(values), at

    def show(self, value: Any) -> str:
        return ",".join(self.item.show(item) for item in value) or "none"


@dataclass(frozen=True)
class Record(Wire):
    """A small dataclass whose fields follow each other."""

    kind: type

    @property
    def name(self) -> str:  # type: ignore[override]  # derived from the fields, never assigned
        """For the docs: `(cell, is_on, after_ms)`."""
        return "(" + ", ".join(f"{name} {wire.name}" for name, wire, _ in wire_fields(self.kind)) + ")"

    def pack(self, value: Any) -> bytes:
        return pack_fields(value)

    def unpack(self, data: bytes, start: int) -> tuple[Any, int]:
        return unpack_fields(self.kind, data, start)

    def show(self, value: Any) -> str:
        return ":".join(wire.show(getattr(value, name)) for name, wire, _ in wire_fields(self.kind))


_FIELDS: dict[type, tuple[tuple[str, Wire, str], ...]] = {}  # worked out once a class


def wire_fields(kind: type) -> tuple[tuple[str, Wire, str], ...]:
    """Name, wire kind and meaning of each field of a message or record class, in wire order."""
    if kind not in _FIELDS:
        hints = get_type_hints(kind, include_extras=True)
        _FIELDS[kind] = tuple((field.name, *hints[field.name].__metadata__) for field in fields(kind))
    return _FIELDS[kind]


def pack_fields(value: Any) -> bytes:
    """All fields of a message or record, one after the other."""
    return b"".join(wire.pack(getattr(value, name)) for name, wire, _ in wire_fields(type(value)))


def unpack_fields(kind: type, data: bytes, start: int = 0) -> tuple[Any, int]:
    """A message or record of this class, and where the next field begins; raises BadMessageError."""
    values, at = {}, start
    for name, wire, _ in wire_fields(kind):
        values[name], at = wire.unpack(data, at)
    return kind(**values), at


U8 = Whole("u8", 1)
U16 = Whole("u16", 2)
U32 = Whole("u32", 4)
I8 = Whole("i8", 1, is_signed=True)
CELL = Whole("cell", 1, highest=CELL_COUNT - 1)
FLAG = Switch()
MAYBE_CELL = MaybeCell()
CELL_BITS = CellBits()
LIGHT = LightByte()
