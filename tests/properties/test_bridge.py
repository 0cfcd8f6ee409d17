"""Laws of the board link that hold for every byte stream, message, plan and noise."""

from __future__ import annotations

import contextlib
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.connection import Connection
from firmware_bridge.delivery import Timing
from firmware_bridge.errors import BadMessageError, UnknownMessageError
from firmware_bridge.host import HostSide
from firmware_bridge.lights import DARK_PLAN, LightPlan
from firmware_bridge.link_events import ChangesMissed, PeerLost, Role
from firmware_bridge.messages import (
    TABLE,
    Button,
    ButtonPressed,
    CellChange,
    CellsChanged,
    KnobTurned,
    LightsShow,
    Message,
    Sender,
    Snapshot,
    decode_payload,
    encode_payload,
    format_message,
    row_of,
)
from firmware_bridge.packets import MAX_STUFFED_BYTES, Packet, PacketBuffer, encode_packet
from firmware_bridge.patches import CALM_BYTES, NOISY_BYTES, apply_patch, patches
from firmware_bridge.power import DARK_BOARD_MA, level_for, lights_budget_ma, plan_ma
from tests.support.bridge_messages import cells, messages, plans
from tests.support.link_pair import Channel, Pair, a_hello

bodies = st.tuples(st.integers(0, 255), st.integers(0, 255), st.binary(max_size=190))
streams = st.one_of(
    st.binary(max_size=600),
    st.lists(
        st.one_of(
            st.builds(lambda body: encode_packet(*body), bodies),
            st.builds(
                lambda message, sequence: encode_packet(
                    row_of(type(message)).number, sequence, encode_payload(message)
                ),
                messages,
                st.integers(0, 3),
            ),
            st.binary(max_size=20),
        ),
        max_size=8,
    ).map(b"".join),
)


def pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return [data[start:end] for start, end in pairwise(edges)]


@given(bodies)
def test_a_packet_comes_back_as_it_was(body: tuple[int, int, bytes]) -> None:
    encoded = encode_packet(*body)
    assert encoded.count(0) == 1
    assert encoded.endswith(b"\0")
    assert len(encoded) <= MAX_STUFFED_BYTES + 1
    assert PacketBuffer().receive(encoded) == (Packet(*body),)


@given(streams, st.lists(st.integers(0, 10_000), max_size=8))
def test_a_stream_split_anywhere_gives_the_same_packets(data: bytes, cuts: list[int]) -> None:
    whole, split = PacketBuffer(), PacketBuffer()
    expected = whole.receive(data)
    assert tuple(packet for piece in pieces(data, cuts) for packet in split.receive(piece)) == expected
    assert split.counts == whole.counts


@given(bodies, st.integers(0, 10_000), st.integers(1, 255))
def test_one_damaged_byte_never_gives_a_wrong_packet(body: tuple[int, int, bytes], where: int, how: int) -> None:
    encoded = bytearray(encode_packet(*body))
    encoded[where % len(encoded)] ^= how
    buffer = PacketBuffer()
    for packet in buffer.receive(bytes(encoded) + b"\0"):
        assert packet == Packet(*body)  # only its closing zero was hit


@given(messages)
def test_every_message_comes_back_as_it_was_and_prints_on_one_line(message: Message) -> None:
    payload = encode_payload(message)
    assert decode_payload(row_of(type(message)).number, payload) == message
    shown = format_message(message)
    assert shown.split(" ")[0] == row_of(type(message)).name
    assert all("=" in part for part in shown.split(" ")[1:])
    assert "\n" not in shown


@given(messages, st.binary(max_size=20))
def test_a_newer_peers_further_fields_are_left_alone(message: Message, further: bytes) -> None:
    assert decode_payload(row_of(type(message)).number, encode_payload(message) + further) == message


@given(st.integers(0, 255), st.binary(max_size=190))
def test_any_payload_is_a_message_or_a_named_error(number: int, payload: bytes) -> None:
    if number not in {row.number for row in TABLE}:
        with pytest.raises(UnknownMessageError, match=f"message number {number}"):
            decode_payload(number, payload)
        return
    with contextlib.suppress(BadMessageError):
        assert row_of(type(decode_payload(number, payload))).number == number


@given(st.lists(streams, max_size=6), st.sampled_from(Role))
def test_no_byte_stream_makes_a_connection_raise(chunks: list[bytes], role: Role) -> None:
    hello = a_hello() if role is Role.BOARD else None
    connection = Connection(role, hello=hello)
    at = 10.0
    for chunk in chunks:
        connection.receive(chunk, at)
        connection.data_to_send(at)
        connection.deadline()
        at += 0.7


@given(st.lists(streams, max_size=6))
def test_no_byte_stream_makes_the_host_side_raise_even_in_a_session(chunks: list[bytes]) -> None:
    host = HostSide(session=1)
    host.show(DARK_PLAN)
    host.data_to_send(10.0)
    host.receive(encode_packet(2, 0, encode_payload(a_hello(session=1))), 10.0)
    assert host.is_usable
    at = 10.0
    for chunk in chunks:
        host.receive(chunk, at)
        host.data_to_send(at)
        at += 0.3


@given(streams, st.integers(0, 255))
def test_a_board_answers_the_next_good_hello_request_after_any_bytes(data: bytes, boot: int) -> None:
    pair = Pair()
    pair.board = Connection(Role.BOARD, hello=a_hello(boot))
    pair.board.receive(data, pair.at)
    pair.run(12.0)
    assert pair.is_ready()


def channel(seed: int, drop_percent: int, damage_percent: int) -> Channel:
    chance = Random(seed)

    def carry(data: bytes) -> bytes:
        carried = bytearray()
        for byte in data:
            if chance.random() * 100 < drop_percent:
                continue
            hit = chance.random() * 100 < damage_percent
            carried.append(byte ^ chance.randrange(1, 256) if hit else byte)
        return bytes(carried)

    return carry


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1_000_000), st.integers(0, 4), st.integers(0, 4))
def test_a_lossy_damaging_line_delivers_everything_exactly_once_in_order(seed: int, drop: int, damage: int) -> None:
    timing = Timing(silence_s=1000.0, board_silence_s=1000.0)
    pair = Pair(channel(seed, drop, damage), channel(seed + 1, drop, damage), timing)
    for _ in range(600):
        if pair.is_ready():
            break
        pair.run(0.1)
    assert pair.is_ready()
    pair.host_events.clear()
    pair.board_events.clear()
    sent_down: list[Message] = [LightsShow(level) for level in range(12)]
    sent_up: list[Message] = [KnobTurned(steps, steps + 50) for steps in range(-6, 6)]
    for down, up in zip(sent_down, sent_up, strict=True):
        pair.host.send(down, pair.at)
        pair.board.send(up, pair.at)
    for _ in range(3000):
        if pair.host.is_idle and pair.board.is_idle:
            break
        pair.run(0.1)
    assert [message for message in pair.board_got() if isinstance(message, LightsShow)] == sent_down
    assert pair.host_got() == sent_up
    assert not [event for event in pair.host_events if isinstance(event, PeerLost)]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 40), min_size=1, max_size=4), st.integers(0, 30))
def test_a_board_that_reboots_at_any_byte_is_found_again(cuts: list[int], sends: int) -> None:
    pair = Pair()
    pair.run(0.5)
    for boot, cut in enumerate(cuts, start=20):
        for press in range(sends % 5):
            pair.board.send(ButtonPressed(Button.DONE, press), pair.at)
        half = pair.board.data_to_send(pair.at)[:cut]  # the reset comes in the middle of a packet
        pair.host_events += pair.host.receive(half, pair.at)
        pair.reboot(boot)
        pair.run(1.5)
        assert pair.is_ready()
        assert pair.host.peer is not None
        assert pair.host.peer.boot == boot


@given(st.lists(st.tuples(cells, st.booleans()), min_size=1, max_size=6), st.integers(0, 0xFFFF))
def test_changes_in_a_row_leave_no_gap_even_where_their_numbers_wrap(
    changes: list[tuple[int, bool]], first: int
) -> None:
    pair = Pair()
    pair.run(0.2)
    pair.board.send(Snapshot(0, first, frozenset()), pair.at)
    for offset, (cell, is_on) in enumerate(changes):
        number = (first + offset) % 65536
        pair.board.send(CellsChanged(5, number, (CellChange(cell, is_on, 0),)), pair.at)
    pair.run(0.2)
    assert len(pair.host_got()) == 1 + len(changes)
    assert not [event for event in pair.host_events if isinstance(event, ChangesMissed)]


@given(plans | st.just(DARK_PLAN), plans, st.integers(0, 255), st.sampled_from([NOISY_BYTES, CALM_BYTES, 190]))
def test_patches_turn_any_plan_into_any_other_within_the_length_given(
    before: LightPlan, after: LightPlan, level: int, most_bytes: int
) -> None:
    bank = before
    sent = patches(before, after, level, most_bytes)
    for message in sent:
        assert len(encode_payload(message)) <= most_bytes
        bank = apply_patch(bank, message)
    assert bank == after
    assert [isinstance(message, LightsShow) or message.show for message in sent] == [False] * (len(sent) - 1) + [True]


@given(plans, plans, st.integers(0, 255))
def test_a_plan_for_a_board_nothing_is_known_of_is_told_whole(
    whatever: LightPlan, after: LightPlan, level: int
) -> None:
    bank = whatever
    for message in patches(None, after, level):
        bank = apply_patch(bank, message)
    assert bank == after


@given(plans, st.integers(0, 20_000), st.integers(0, 1000))
def test_no_plan_draws_more_than_the_supply_gives_to_the_lights(
    plan: LightPlan, supply_ma: int, reserve_ma: int
) -> None:
    level = level_for(plan, supply_ma, reserve_ma)
    assert 0 <= level <= 255
    budget_ma = lights_budget_ma(supply_ma, reserve_ma)
    assert plan_ma(plan, level) <= max(budget_ma, DARK_BOARD_MA) + 1e-9
    assert budget_ma <= supply_ma


@given(plans, st.integers(1000, 20_000))
def test_a_plan_is_dimmed_no_further_than_it_must(plan: LightPlan, supply_ma: int) -> None:
    level = level_for(plan, supply_ma, 150)
    assert level == 255 or plan_ma(plan, level + 1) > lights_budget_ma(supply_ma, 150)


@given(messages)
def test_our_own_kind_of_message_coming_back_changes_nothing(message: Message) -> None:
    pair = Pair()
    pair.run(0.2)
    row = row_of(type(message))
    if row.sender is Sender.HOST:
        assert pair.host.receive(encode_packet(row.number, 99, encode_payload(message)), pair.at) == ()
        assert pair.is_ready()
    if row.sender is Sender.BOARD:
        assert pair.board.receive(encode_packet(row.number, 99, encode_payload(message)), pair.at) == ()
        assert pair.is_ready()
