"""Packets: framing, check value, and what becomes of bytes that are none."""

from __future__ import annotations

import pytest

from firmware_bridge.errors import LocalProtocolError
from firmware_bridge.packets import (
    MAX_PAYLOAD_BYTES,
    MAX_STUFFED_BYTES,
    Packet,
    PacketBuffer,
    crc16,
    encode_packet,
)

GOOD = encode_packet(5, 7, b"\x00moo\x00")


def test_the_crc_has_its_catalogue_check_value() -> None:
    assert crc16(b"123456789") == 0x29B1
    assert crc16(b"") == 0xFFFF


def test_a_packet_on_the_wire_is_what_the_protocol_document_says() -> None:
    crc = crc16(b"\x05\x07")
    assert encode_packet(5, 7) == bytes((5, 5, 7, crc & 0xFF, crc >> 8, 0))


def test_a_packet_may_come_byte_by_byte() -> None:
    buffer = PacketBuffer()
    got = [packet for byte in GOOD for packet in buffer.receive(bytes((byte,)))]
    assert got == [Packet(5, 7, b"\x00moo\x00")]


@pytest.mark.parametrize(
    ("stream", "kind"),
    [
        (b"\x05\x01\x00", "unstuffed"),
        (b"\x02\x01\x00", "short"),
        (b"\x01" * (MAX_STUFFED_BYTES + 1) + b"\x00", "long"),
        (GOOD[:5] + bytes((GOOD[5] ^ 1,)) + GOOD[6:], "damaged"),
    ],
)
def test_each_kind_of_bad_packet_is_counted_and_the_next_good_one_is_taken(stream: bytes, kind: str) -> None:
    buffer = PacketBuffer()
    assert buffer.receive(stream + GOOD) == (Packet(5, 7, b"\x00moo\x00"),)
    assert getattr(buffer.counts, kind) == 1
    assert (buffer.counts.dropped, buffer.counts.good) == (1, 1)
    assert f"{kind}=1" in str(buffer.counts)


def test_zeros_in_a_row_clear_the_line_and_count_as_nothing() -> None:
    buffer = PacketBuffer()
    assert buffer.receive(b"\0\0\0" + GOOD + b"\0") == (Packet(5, 7, b"\x00moo\x00"),)
    assert buffer.counts.dropped == 0


def test_an_endless_stream_without_a_zero_takes_no_more_memory_than_a_packet() -> None:
    buffer = PacketBuffer()
    for _ in range(100):
        assert buffer.receive(b"\xff" * 10_000) == ()
    assert len(buffer._partial) <= MAX_STUFFED_BYTES
    assert buffer.receive(b"\0" + GOOD) == (Packet(5, 7, b"\x00moo\x00"),)
    assert buffer.counts.long == 1


def test_the_longest_payload_fits_and_one_more_byte_is_our_own_bug() -> None:
    longest = bytes(MAX_PAYLOAD_BYTES)
    assert PacketBuffer().receive(encode_packet(1, 2, longest)) == (Packet(1, 2, longest),)
    with pytest.raises(LocalProtocolError, match="at most"):
        encode_packet(1, 2, longest + b"x")
    with pytest.raises(LocalProtocolError, match="byte"):
        encode_packet(256, 2)
