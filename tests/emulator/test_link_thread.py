"""The board thread over memory: what it does with boards that refuse, ports that lead nowhere, and its own bugs."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from firmware_bridge.errors import PortLostError
from firmware_bridge.events import BoardArrived, BoardEvent, BoardLost, CellsSeen
from firmware_bridge.geometry import BEAMS, CELL_COUNT, cell_number, load_board
from firmware_bridge.lights import Colour, Light
from firmware_bridge.link import Link, LinkStage
from firmware_bridge.messages import encode_payload
from firmware_bridge.packets import PacketBuffer, encode_packet
from firmware_bridge.transport import MemoryTransport, Transport, memory_pair
from firmware_bridge.virtual.mcu import Mcu
from tests.support.link_pair import a_hello

HOME = frozenset(cell_number(beam, 0) for beam in BEAMS)
WAIT_S = 5.0


class Workshop:
    """Gives out memory transports and runs what stands at their other end."""

    def __init__(self) -> None:
        self.events: list[BoardEvent] = []
        self.news = threading.Condition()
        self.ends: list[MemoryTransport] = []
        self.mcu: Mcu | None = None

    def post(self, event: BoardEvent) -> None:
        with self.news:
            self.events.append(event)
            self.news.notify_all()

    def until(self, kind: type[BoardEvent], count: int = 1) -> None:
        def is_there() -> bool:
            return sum(isinstance(event, kind) for event in self.events) >= count

        with self.news:
            assert self.news.wait_for(is_there, WAIT_S), self.events

    def open_dead(self, stopping: threading.Event) -> Transport:
        """A port with nothing behind it."""
        host, board = memory_pair()
        self.ends.append(board)
        return host

    def open_board(self, stopping: threading.Event) -> Transport:
        """A port with a magnet board behind it."""
        host, board = memory_pair()
        self.ends.append(board)
        self.mcu = Mcu(load_board("magnet"), "T-1", time.monotonic(), boot=len(self.ends))
        threading.Thread(target=self.serve, args=(board, self.mcu), daemon=True).start()
        return host

    @staticmethod
    def serve(end: MemoryTransport, mcu: Mcu) -> None:
        try:
            while True:
                at = time.monotonic()
                mcu.scan(HOME, at)
                end.write(mcu.data_to_send(at))
                deadline = mcu.deadline(at)
                data = end.read(None if deadline is None else max(0.0, deadline - at))
                mcu.receive(data, time.monotonic())
        except PortLostError:
            return


@contextmanager
def running(link: Link, workshop: Workshop) -> Iterator[Link]:
    link.start(workshop.post)
    try:
        yield link
    finally:
        link.stop()
        for end in workshop.ends:
            end.close()


def test_a_link_over_memory_finds_the_board_and_its_cows() -> None:
    shop = Workshop()
    with running(Link(shop.open_board), shop) as link:
        shop.until(CellsSeen)
        assert shop.events[-1] == CellsSeen(HOME, shop.events[-1].board_ms)  # type: ignore[union-attr]
        assert link.state.port == "memory:host"
        assert link.state.stats is None or link.state.stats.packets_dropped == 0


def test_a_plan_shown_before_the_start_is_on_the_board_when_it_arrives() -> None:
    shop = Workshop()
    plan = (Light(Colour.GREEN),) * CELL_COUNT
    link = Link(shop.open_board)
    link.show(plan)
    with running(link, shop):
        shop.until(CellsSeen)
        tick, end = threading.Event(), time.monotonic() + WAIT_S
        while shop.mcu is None or shop.mcu.shown != plan:
            assert time.monotonic() < end
            tick.wait(0.005)


def test_a_port_where_nobody_answers_is_closed_and_opened_again_and_told_once() -> None:
    shop = Workshop()
    with running(Link(shop.open_dead, greeting_limit_s=0.05), shop) as link:
        tick, end = threading.Event(), time.monotonic() + WAIT_S
        while len(shop.ends) < 3:
            assert time.monotonic() < end
            tick.wait(0.005)
        assert link.state.reason is not None
    assert [type(event) for event in shop.events] == [BoardLost]
    assert "no board answers" in shop.events[0].reason  # type: ignore[union-attr]


def test_a_lost_port_is_opened_again() -> None:
    shop = Workshop()
    with running(Link(shop.open_board), shop):
        shop.until(CellsSeen)
        shop.ends[0].close()
        shop.until(BoardLost)
        shop.until(BoardArrived, 2)
        shop.until(CellsSeen, 2)


def test_a_board_of_another_version_stays_refused_with_the_mend() -> None:
    shop = Workshop()
    with running(Link(shop.open_dead), shop) as link:
        tick, end = threading.Event(), time.monotonic() + WAIT_S
        while not shop.ends:
            assert time.monotonic() < end
            tick.wait(0.005)
        request = b""
        while request.count(0) < 2:
            request += shop.ends[0].read(WAIT_S)
        session = int.from_bytes(_payload(request)[2:4], "little")
        shop.ends[0].write(encode_packet(2, 0, encode_payload(a_hello(7, session=session, major=9))))
        shop.until(BoardLost)
        while link.state.stage is not LinkStage.REFUSED:
            assert time.monotonic() < end
            tick.wait(0.005)
        assert link.state.reason is not None
        assert "update this program" in link.state.reason


def _payload(request: bytes) -> bytes:
    return PacketBuffer().receive(request)[0].payload


def test_a_bug_in_the_receiver_of_events_does_not_end_the_link(caplog: pytest.LogCaptureFixture) -> None:
    shop = Workshop()
    calls: list[BoardEvent] = []

    def post(event: BoardEvent) -> None:
        calls.append(event)
        if len(calls) == 1:
            raise ValueError("the receiver's bug")
        shop.post(event)

    link = Link(shop.open_board)
    with caplog.at_level(logging.ERROR):
        link.start(post)
        try:
            shop.until(CellsSeen)
        finally:
            link.stop()
            for end in shop.ends:
                end.close()
    assert "the receiver's bug" in caplog.text


def test_a_memory_transport_is_lost_when_the_other_end_closes() -> None:
    host, board = memory_pair()
    board.write(b"last words")
    assert (host.name(), board.name()) == ("memory:host", "memory:board")
    host.wake()
    assert host.read(None) == b"last words"
    assert host.read(0.0) == b""
    board.close()
    with pytest.raises(PortLostError):
        host.read(None)
    with pytest.raises(PortLostError):
        host.write(b"moo")
