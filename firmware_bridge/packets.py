"""Packets: what goes over the wire between two zero bytes, and a buffer that forgives anything it is fed.

A packet is a *body* (message number, sequence, payload) and its CRC, stuffed with COBS so that no byte of
it is zero, and one zero byte after it:

    COBS( number u8 | sequence u8 | payload 0..190 bytes | CRC u16, low byte first ) 00

The CRC is CRC-16/IBM-3740 (start 0xFFFF, polynomial 0x1021, check value 0x29B1) over number, sequence and
payload. Whatever isn't a whole packet is dropped and counted by kind; nothing a peer sends can raise or
fill the memory.
"""

from __future__ import annotations

import binascii
from dataclasses import dataclass, fields

from cobs import cobs  # type: ignore[import-untyped]  # the package ships no types

from firmware_bridge.errors import LocalProtocolError

MAX_BODY_BYTES = 192  # a whole raw light plan (139 + 5) fits; two such buffers fit an ATmega328P's 2 KB beside the rest
HEAD_BYTES = 2
CRC_BYTES = 2
MAX_PAYLOAD_BYTES = MAX_BODY_BYTES - HEAD_BYTES
MAX_STUFFED_BYTES = MAX_BODY_BYTES + CRC_BYTES + 1  # COBS adds one byte up to 254
CRC_START = 0xFFFF
DELIMITER = b"\x00"


@dataclass(frozen=True, slots=True)
class Packet:
    """A good packet, taken apart; what the payload means is the message table's business."""

    number: int
    sequence: int
    payload: bytes


@dataclass(slots=True)
class PacketCounts:
    """How many packets came in, and how many were dropped for which reason.

    `unstuffed` couldn't be COBS, `short` had no room for head and CRC, `long` was over the limit, `damaged`
    had a wrong CRC.
    """

    good: int = 0
    unstuffed: int = 0
    short: int = 0
    long: int = 0
    damaged: int = 0

    @property
    def dropped(self) -> int:
        """All packets that were dropped, whatever the reason."""
        return self.unstuffed + self.short + self.long + self.damaged

    def __str__(self) -> str:
        return " ".join(f"{field.name}={getattr(self, field.name)}" for field in fields(self))


def crc16(data: bytes) -> int:
    """CRC-16/IBM-3740.

    >>> hex(crc16(b"123456789"))
    '0x29b1'
    """
    return binascii.crc_hqx(data, CRC_START)


def encode_packet(number: int, sequence: int, payload: bytes = b"") -> bytes:
    """The bytes on the wire for one packet, its closing zero byte included.

    Raises:
        LocalProtocolError: the payload is over `MAX_PAYLOAD_BYTES`, or number or sequence is no byte.
    """
    if len(payload) > MAX_PAYLOAD_BYTES:
        raise LocalProtocolError(f"payload of {len(payload)} bytes; at most {MAX_PAYLOAD_BYTES} fit a packet")
    if not (0 <= number <= 0xFF and 0 <= sequence <= 0xFF):
        raise LocalProtocolError(f"message number {number} and sequence {sequence} must each fit a byte")
    body = bytes((number, sequence)) + payload
    stuffed: bytes = cobs.encode(body + crc16(body).to_bytes(CRC_BYTES, "little"))
    return stuffed + DELIMITER


class PacketBuffer:
    """Bytes in, good packets out; holds at most one packet's bytes."""

    def __init__(self) -> None:
        self.counts = PacketCounts()
        self._partial = bytearray()
        self._is_overlong = False

    def receive(self, data: bytes) -> tuple[Packet, ...]:
        """The packets that `data` completes, in order; never raises."""
        *complete, rest = data.split(DELIMITER)
        packets = []
        for piece in complete:
            self._collect(piece)
            packet = self._close()
            if packet is not None:
                packets.append(packet)
        self._collect(rest)
        return tuple(packets)

    def _collect(self, piece: bytes) -> None:
        room = MAX_STUFFED_BYTES - len(self._partial)
        self._partial += piece[:room]
        self._is_overlong = self._is_overlong or len(piece) > room

    def _close(self) -> Packet | None:
        stuffed, is_overlong = bytes(self._partial), self._is_overlong
        self._partial.clear()
        self._is_overlong = False
        if is_overlong:
            self.counts.long += 1
            return None
        return self._open(stuffed) if stuffed else None  # nothing between two zeros is how a sender clears the line

    def _open(self, stuffed: bytes) -> Packet | None:
        try:
            content = cobs.decode(stuffed)
        except cobs.DecodeError:
            self.counts.unstuffed += 1
            return None
        if len(content) < HEAD_BYTES + CRC_BYTES:
            self.counts.short += 1
            return None
        body = content[:-CRC_BYTES]
        if crc16(body) != int.from_bytes(content[-CRC_BYTES:], "little"):
            self.counts.damaged += 1
            return None
        self.counts.good += 1
        return Packet(body[0], body[1], body[HEAD_BYTES:])
