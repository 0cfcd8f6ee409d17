"""The link as timelines: hello, resends, silence, reboot, versions, gaps; time moves only when the test says so."""

from __future__ import annotations

import pytest

from firmware_bridge.connection import Connection
from firmware_bridge.delivery import Timing
from firmware_bridge.errors import LocalProtocolError
from firmware_bridge.link_events import (
    ChangesMissed,
    LinkPhase,
    Loss,
    MessageRefused,
    MessageTaken,
    PeerArrived,
    PeerLost,
    PeerRefused,
    Role,
)
from firmware_bridge.messages import (
    MAJOR,
    Ack,
    Button,
    ButtonPressed,
    CellChange,
    CellsChanged,
    HelloRequest,
    LightsShow,
    Message,
    Ping,
    Refusal,
    Snapshot,
    SnapshotRequest,
    decode_payload,
    encode_payload,
    row_of,
)
from firmware_bridge.packets import PacketBuffer, encode_packet
from tests.support.link_pair import Channel, Pair, a_hello

TIMING = Timing()


def packet(message: Message, sequence: int = 0) -> bytes:
    return encode_packet(row_of(type(message)).number, sequence, encode_payload(message))


def opened(data: bytes) -> list[tuple[int, Message]]:
    return [(p.sequence, decode_payload(p.number, p.payload)) for p in PacketBuffer().receive(data)]


def losing(count: int) -> Channel:
    left = [count]

    def carry(data: bytes) -> bytes:
        if data and left[0]:
            left[0] -= 1
            return b""
        return data

    return carry


def ready_pair() -> Pair:
    pair = Pair()
    pair.settle()
    pair.board.send(Snapshot(0, 0, frozenset()), pair.at)
    pair.settle()
    pair.host_events.clear()
    pair.board_events.clear()
    return pair


def test_a_session_begins_with_hello_and_a_snapshot_is_asked_for_at_once() -> None:
    pair = Pair()
    pair.settle()
    assert pair.is_ready()
    assert isinstance(pair.host_events[0], PeerArrived)
    assert pair.board_got() == [SnapshotRequest()]
    assert pair.host.peer == a_hello(session=1)


def test_a_board_without_sensors_is_not_asked_for_a_snapshot() -> None:
    pair = Pair()
    pair.board = Connection(Role.BOARD, hello=a_hello(capabilities=frozenset({"lights"})))
    pair.settle()
    assert pair.is_ready()
    assert pair.board_got() == []


def test_hello_is_asked_for_again_until_it_comes() -> None:
    pair = Pair(to_board=lambda data: b"")
    pair.run(1.0)
    assert pair.host.phase is LinkPhase.GREETING
    pair.to_board = lambda data: data
    pair.run(TIMING.greet_most_s)
    assert pair.is_ready()


def test_the_same_hello_request_twice_does_not_break_the_session() -> None:
    pair = ready_pair()
    pair.board.receive(packet(HelloRequest(MAJOR, 0, 1)), pair.at)
    pair.host.send(LightsShow(9), pair.at)
    pair.run(0.3)
    assert pair.board_got() == [LightsShow(9)]
    assert not [event for event in pair.host_events if isinstance(event, PeerLost)]


def test_a_lost_packet_is_sent_again_after_the_time_out_and_delivered_once() -> None:
    pair = ready_pair()
    pair.to_board = losing(2)
    pair.host.send(LightsShow(9), pair.at)
    pair.settle()
    assert pair.board_got() == []
    pair.run(1.0)
    assert pair.board_got() == [LightsShow(9)]
    assert pair.host.stats.resends == 2


def test_a_lost_acknowledgement_makes_a_duplicate_that_is_answered_but_not_delivered() -> None:
    pair = ready_pair()
    pair.to_host = losing(1)
    pair.host.send(LightsShow(9), pair.at)
    pair.run(1.0)
    assert pair.board_got() == [LightsShow(9)]
    assert pair.board.stats.duplicates == 1
    assert MessageTaken(LightsShow(9)) in pair.host_events


def test_only_one_message_is_under_way_at_a_time() -> None:
    pair = ready_pair()
    for level in range(3):
        pair.host.send(LightsShow(level), pair.at)
    assert [message for _, message in opened(pair.host.data_to_send(pair.at))] == [LightsShow(0)]
    assert pair.host.data_to_send(pair.at) == b""
    assert not pair.host.is_idle


def test_sequence_numbers_wrap_after_256_messages() -> None:
    pair = ready_pair()
    for level in range(600):
        pair.host.send(LightsShow(level % 256), pair.at)
        pair.settle()
    assert len(pair.board_got()) == 600
    assert pair.host.stats.resends == 0


def test_the_time_out_adapts_to_a_slow_line_and_does_not_fall_under_its_least() -> None:
    pair = ready_pair()
    for level in range(20):
        pair.host.send(LightsShow(level), pair.at)
        out = pair.host.data_to_send(pair.at)
        pair.at += 0.06
        pair.board.receive(out, pair.at)
        pair.host.receive(pair.board.data_to_send(pair.at), pair.at)
    pair.host.send(LightsShow(99), pair.at)
    pair.host.data_to_send(pair.at)
    deadline = pair.host.deadline()
    assert deadline is not None
    assert pair.at + TIMING.resend_least_s <= deadline <= pair.at + TIMING.resend_most_s
    assert deadline > pair.at + 0.06
    assert pair.host.stats.latency_p95_s == pytest.approx(0.06)


def test_an_idle_host_asks_for_a_sign_of_life_once_a_second() -> None:
    pair = ready_pair()
    sent: list[Message] = []

    def watch(data: bytes) -> bytes:
        sent.extend(message for _, message in opened(data))
        return data

    pair.to_board = watch
    pair.run(5.5)
    assert sent.count(Ping()) == 5
    assert pair.is_ready()


def test_a_board_that_falls_silent_is_lost_after_the_limit_and_found_when_it_speaks_again() -> None:
    pair = ready_pair()
    pair.to_host = lambda data: b""
    pair.run(TIMING.ping_s + TIMING.silence_s - 0.1)
    assert pair.host_events == []
    pair.run(0.2)
    assert pair.host_events == [PeerLost(Loss.SILENT)]
    pair.to_host = lambda data: data
    pair.run(0.5)
    assert isinstance(pair.host_events[1], PeerArrived)


def test_a_board_that_only_damages_what_it_says_is_not_silent_but_broken_in_the_end() -> None:
    pair = ready_pair()
    pair.to_host = lambda data: data[:-1] + b"\x07\0" if data else data
    pair.host.send(LightsShow(1), pair.at)
    pair.run(TIMING.silence_s + 1.0)
    assert pair.host_events == []
    assert pair.host.is_noisy
    pair.run(3 * TIMING.silence_s)
    assert PeerLost(Loss.BROKEN) in pair.host_events


def test_a_board_without_a_host_notices_after_five_seconds() -> None:
    pair = ready_pair()
    pair.to_board = lambda data: b""
    pair.run(TIMING.board_silence_s + 0.1)
    assert pair.board_events == [PeerLost(Loss.SILENT)]
    assert pair.board.phase is LinkPhase.GREETING


def test_a_rebooted_board_tells_so_itself() -> None:
    pair = ready_pair()
    pair.reboot(boot=8)
    pair.settle()
    assert pair.host_events[0] == PeerLost(Loss.REBOOTED)
    assert isinstance(pair.host_events[1], PeerArrived)
    assert pair.board_got() == [SnapshotRequest()]


def test_a_reboot_whose_hello_was_lost_is_noticed_at_the_next_message() -> None:
    pair = ready_pair()
    pair.reboot(boot=8)
    pair.board.data_to_send(pair.at)  # the boot hello falls on the floor
    pair.host.send(LightsShow(1), pair.at)
    pair.settle()
    assert pair.host_events[0] == PeerLost(Loss.REBOOTED)
    assert pair.is_ready()


def test_a_reboot_between_request_and_answer_gives_one_clean_session() -> None:
    pair = Pair()
    request = pair.host.data_to_send(pair.at)
    pair.board.receive(request, pair.at)
    first_answer = pair.board.data_to_send(pair.at)
    pair.reboot(boot=9)
    pair.host_events += pair.host.receive(first_answer, pair.at)
    pair.run(0.5)
    assert pair.is_ready()
    assert pair.host.peer is not None
    assert pair.host.peer.boot == 9


def test_a_new_host_on_the_same_board_begins_a_session_of_its_own() -> None:
    pair = ready_pair()
    pair.board.send(ButtonPressed(Button.DONE, 5), pair.at)
    pair.host = Connection(Role.HOST, session=4711)
    pair.run(0.5)
    assert pair.is_ready()
    assert pair.host_got() == []  # what was meant for the old host isn't delivered to the new one


def test_an_old_sessions_hello_and_messages_are_ignored_while_greeting() -> None:
    host = Connection(Role.HOST, session=30)
    host.data_to_send(1.0)
    old = packet(a_hello(session=29)) + packet(ButtonPressed(Button.DONE, 5)) + packet(Ack())
    assert host.receive(old, 1.0) == ()
    assert host.phase is LinkPhase.GREETING


@pytest.mark.parametrize(("major", "is_old"), [(MAJOR - 1, True), (MAJOR + 1, False)])
def test_another_major_version_is_refused_saying_which_side_is_old(major: int, is_old: bool) -> None:
    host = Connection(Role.HOST, session=30)
    host.data_to_send(1.0)
    (event,) = host.receive(packet(a_hello(major=major, session=30)), 1.0)
    assert isinstance(event, PeerRefused)
    assert event.is_board_old is is_old
    assert host.phase is LinkPhase.REFUSED
    assert host.room == 0


def test_a_refused_board_that_was_flashed_is_taken() -> None:
    host = Connection(Role.HOST, session=30)
    host.data_to_send(1.0)
    host.receive(packet(a_hello(major=MAJOR + 1, session=30)), 1.0)
    host.receive(packet(a_hello(boot=8, session=0)), 2.0)
    ((_, request),) = opened(host.data_to_send(2.0))
    assert isinstance(request, HelloRequest)
    (event,) = host.receive(packet(a_hello(boot=8, session=request.session)), 2.0)
    assert isinstance(event, PeerArrived)


def test_a_refused_board_is_asked_on_slowly_and_told_of_once() -> None:
    host = Connection(Role.HOST, session=30)
    host.data_to_send(1.0)
    refused = packet(a_hello(major=MAJOR + 1, session=30))
    assert len(host.receive(refused, 1.0)) == 1
    assert host.data_to_send(1.0 + TIMING.ping_s - 0.01) == b""
    assert host.deadline() == pytest.approx(1.0 + TIMING.ping_s)
    assert host.data_to_send(1.0 + TIMING.ping_s)
    assert host.receive(refused, 2.1) == ()
    (event,) = host.receive(packet(a_hello(boot=8, session=30)), 2.2)
    assert isinstance(event, PeerArrived)
    assert host.phase is LinkPhase.READY


def test_another_minor_version_is_taken() -> None:
    host = Connection(Role.HOST, session=30)
    host.data_to_send(1.0)
    (event,) = host.receive(packet(a_hello(minor=7, session=30)) + b"", 1.0)
    assert isinstance(event, PeerArrived)


def test_a_board_answers_a_host_of_another_major_with_its_own_version_only() -> None:
    board = Connection(Role.BOARD, hello=a_hello())
    board.data_to_send(1.0)
    assert board.receive(packet(HelloRequest(MAJOR + 1, 0, 5)), 1.0) == ()
    ((_, hello),) = opened(board.data_to_send(1.0))
    assert hello == a_hello(session=5)
    assert board.phase is LinkPhase.GREETING


def test_an_unknown_message_is_refused_once_and_the_next_one_taken() -> None:
    pair = ready_pair()
    unknown = encode_packet(0xEE, 1, b"new")
    pair.board.receive(unknown + unknown, pair.at)
    answers = opened(pair.board.data_to_send(pair.at))
    assert [str(message) for _, message in answers] == ["Nack(refusal=<Refusal.UNKNOWN_MESSAGE: 2>)"] * 2
    pair.board_events += pair.board.receive(packet(LightsShow(3), 2), pair.at)
    assert pair.board_got() == [LightsShow(3)]


def test_a_refused_message_is_told_to_the_sender() -> None:
    pair = ready_pair()
    pair.host.send(LightsShow(1), pair.at)
    ((sequence, _),) = opened(pair.host.data_to_send(pair.at))
    nack = encode_packet(0x04, sequence, bytes((Refusal.NOT_POSSIBLE,)))
    assert pair.host.receive(nack, pair.at) == (MessageRefused(LightsShow(1), Refusal.NOT_POSSIBLE),)
    assert pair.host.is_idle


def test_a_packet_out_of_sequence_sets_the_session_up_anew() -> None:
    pair = ready_pair()
    pair.host_events += pair.host.receive(packet(ButtonPressed(Button.DONE, 1), 77), pair.at)
    assert pair.host_events == [PeerLost(Loss.BROKEN)]
    pair.run(0.3)
    assert pair.is_ready()
    pair.host_events.clear()
    pair.board.receive(packet(LightsShow(1), 77), pair.at)
    pair.run(0.3)
    assert pair.host_events[0] == PeerLost(Loss.BROKEN)
    assert pair.is_ready()


def test_a_gap_in_the_boards_change_numbers_makes_the_host_ask_for_the_whole() -> None:
    pair = ready_pair()
    change = (CellChange(3, True, 0),)
    pair.board.send(CellsChanged(5, 0, change), pair.at)
    pair.settle()
    assert pair.board_got() == []
    pair.board.send(CellsChanged(9, 4, change), pair.at)
    pair.settle()
    assert pair.board_got() == [SnapshotRequest()]
    assert ChangesMissed(3) in pair.host_events


def test_sending_out_of_turn_is_our_own_bug() -> None:
    host = Connection(Role.HOST, session=1)
    with pytest.raises(LocalProtocolError, match="before the hello"):
        host.send(LightsShow(1), 0.0)
    pair = ready_pair()
    with pytest.raises(LocalProtocolError, match="not the host's to send"):
        pair.host.send(ButtonPressed(Button.DONE, 1), pair.at)
    with pytest.raises(LocalProtocolError, match="not the board's to send"):
        pair.board.send(LightsShow(1), pair.at)
    with pytest.raises(LocalProtocolError, match="not the host's to send"):
        pair.host.send(HelloRequest(1, 0, 1), pair.at)
    for level in range(pair.host.room):
        pair.host.send(LightsShow(level), pair.at)
    with pytest.raises(LocalProtocolError, match="wait already"):
        pair.host.send(LightsShow(1), pair.at)


def test_a_board_must_bring_a_hello_and_a_host_must_not() -> None:
    with pytest.raises(LocalProtocolError):
        Connection(Role.BOARD)
    with pytest.raises(LocalProtocolError):
        Connection(Role.HOST, hello=a_hello())


def test_an_idle_link_has_nothing_to_send_and_nothing_to_do_before_its_deadline() -> None:
    pair = ready_pair()
    deadline = pair.host.deadline()
    assert deadline is not None
    assert deadline > pair.at
    assert pair.host.data_to_send(deadline - 0.001) == b""
    assert pair.host.receive(b"", deadline - 0.001) == ()
