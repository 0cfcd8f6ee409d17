"""The message table: its numbers, its agreement with itself, and values that don't fit."""

from __future__ import annotations

import pytest

from firmware_bridge import messages
from firmware_bridge.errors import BadMessageError, LocalProtocolError, UnknownMessageError
from firmware_bridge.geometry import CELL_COUNT
from firmware_bridge.lights import DARK
from firmware_bridge.messages import (
    TABLE,
    BootReason,
    Buzz,
    FaultSeen,
    Hello,
    HelloRequest,
    KnobTurned,
    LightRun,
    LightsRuns,
    Nack,
    Snapshot,
    Sound,
    decode_payload,
    encode_payload,
    format_message,
    row_of,
)
from firmware_bridge.packets import MAX_PAYLOAD_BYTES
from firmware_bridge.wire import wire_fields
from tests.support.link_pair import a_hello


def test_numbers_and_names_are_each_used_once_and_every_message_is_in_the_table() -> None:
    assert len({row.number for row in TABLE}) == len({row.name for row in TABLE}) == len(TABLE)
    assert {row.kind for row in TABLE} == set(messages.Message.__args__)


def test_every_message_and_field_says_what_it_is_for() -> None:
    for row in TABLE:
        assert row.kind.__doc__
        assert all(meaning for _, _, meaning in wire_fields(row.kind))


def test_printing_is_name_and_key_value_pairs() -> None:
    assert format_message(HelloRequest(1, 0, 513)) == "hello_request major=1 minor=0 session=513"
    assert format_message(FaultSeen(messages.Fault.BROWN_OUT, None, False, 9)) == (
        "fault_seen fault=brown-out cell=none is_over=no board_ms=9"
    )
    assert format_message(LightsRuns(True, 255, (LightRun(3, 2, DARK),))) == (
        "lights_runs show=yes level=255 runs=3:2:dark/steady"
    )
    assert format_message(Snapshot(5, 1, frozenset({8, 3}))) == "snapshot board_ms=5 next_event=1 occupied=3,8"
    assert "capabilities=sensors,lights,buzzer " in format_message(a_hello())


def test_a_hello_survives_a_boot_reason_and_capabilities_of_a_newer_board() -> None:
    payload = bytearray(encode_payload(a_hello()))
    payload[6] = 200  # boot reason
    capabilities_at = 7 + 1 + len("magnet")
    payload[capabilities_at + 1] |= 0x80
    hello = decode_payload(2, bytes(payload))
    assert isinstance(hello, Hello)
    assert hello.boot_reason is BootReason.UNKNOWN
    assert hello.capabilities == a_hello().capabilities


@pytest.mark.parametrize(
    ("kind", "payload", "expected"),
    [
        (HelloRequest, b"\x01\x00", "bytes or more"),
        (Nack, b"\x00", "refusal"),
        (Buzz, b"\x63", "win"),
        (Snapshot, bytes(6) + b"\xff" * 18, "zero bits"),
        (FaultSeen, b"\x01\xc8\x00" + bytes(4), "cell, 0 to 138"),
        (FaultSeen, b"\x01\x05\x02" + bytes(4), "a flag"),
        (LightsRuns, b"\x01\xff\x01\x00\x01\xff", "colour 0..9"),
        (LightsRuns, b"\x01\xff\xff", "at most 56"),
        (Hello, b"\x01\x00\x00\x00\x01\x00\x01\x03a b" + bytes(20), "printable ASCII"),
    ],
)
def test_a_payload_that_is_not_the_message_says_what_was_expected(kind: type, payload: bytes, expected: str) -> None:
    with pytest.raises(BadMessageError, match=expected):
        decode_payload(row_of(kind).number, payload)


def test_an_unknown_number_is_told_from_a_bad_payload() -> None:
    with pytest.raises(UnknownMessageError, match="message number 238"):
        decode_payload(0xEE, b"")


@pytest.mark.parametrize(
    "message",
    [
        HelloRequest(256, 0, 1),
        HelloRequest(1, 0, -1),
        KnobTurned(128, 0),
        Snapshot(0, 0, frozenset({CELL_COUNT})),
        LightsRuns(True, 255, (LightRun(0, 1, DARK),) * 57),
        a_hello(variant="a variant with blanks"),
        a_hello(serial="x" * 17),
        a_hello(capabilities=frozenset({"wings"})),
    ],
)
def test_a_value_that_does_not_fit_its_field_is_our_own_bug(message: messages.Message) -> None:
    with pytest.raises(LocalProtocolError):
        encode_payload(message)


def test_something_that_is_no_message_is_our_own_bug() -> None:
    with pytest.raises(LocalProtocolError, match="int is not in the message table"):
        row_of(int)


def test_the_longest_hello_fits_a_packet() -> None:
    longest = a_hello(variant="v" * 12, serial="s" * 16, build="b" * 24)
    assert len(encode_payload(longest)) < MAX_PAYLOAD_BYTES


def test_every_sound_the_table_asks_for_has_a_number() -> None:
    assert {sound.name.lower() for sound in Sound} >= {"read", "accepted", "wrong", "refused", "forfeit", "win"}
