"""The virtual board over a real pseudo-terminal: pyserial on the slave side, threads on both, no shortcut."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from firmware_bridge.board import Board, open_board
from firmware_bridge.errors import AddressError, LocalProtocolError, PortBusyError, PortLostError
from firmware_bridge.events import (
    BoardArrived,
    BoardEvent,
    BoardFault,
    BoardLost,
    ButtonPressed,
    CellsSeen,
    KnobTurned,
)
from firmware_bridge.geometry import BEAMS, CELL_COUNT, cell_number
from firmware_bridge.lights import DARK_PLAN, Colour, Light, LightPlan, Motion
from firmware_bridge.link import Link, LinkStage
from firmware_bridge.ports import PortFinder
from firmware_bridge.transport import SerialTransport
from firmware_bridge.virtual.board import VirtualBoard
from firmware_bridge.virtual.cows import CowState

HOME = frozenset(cell_number(beam, 0) for beam in BEAMS)
BLUE: LightPlan = (Light(Colour.BLUE, Motion.BREATHE),) * CELL_COUNT
WAIT_S = 5.0


class Watcher:
    """Collects a board's events and waits for what a test expects."""

    def __init__(self) -> None:
        self.events: list[BoardEvent] = []
        self._news = threading.Condition()

    def post(self, event: BoardEvent) -> None:
        with self._news:
            self.events.append(event)
            self._news.notify_all()

    def until(self, is_there: Callable[[list[BoardEvent]], bool]) -> None:
        with self._news:
            assert self._news.wait_for(lambda: is_there(self.events), WAIT_S), self.events[-6:]

    def scan(self) -> frozenset[int] | None:
        scans = [event.occupied for event in self.events if isinstance(event, CellsSeen)]
        return scans[-1] if scans else None

    def until_scan(self, occupied: frozenset[int]) -> None:
        self.until(lambda events: self.scan() == occupied)

    def until_arrivals(self, count: int) -> None:
        self.until(lambda events: sum(isinstance(event, BoardArrived) for event in events) == count)


def hold(is_so: Callable[[], bool]) -> None:
    """Wait until something without an event of its own is so."""
    tick = threading.Event()
    end = time.monotonic() + WAIT_S
    while not is_so():
        assert time.monotonic() < end
        tick.wait(0.005)


class Set:
    """A started board, its virtual side and its watcher."""

    def __init__(self, url: str) -> None:
        self.board: Board = open_board(url)
        assert self.board.virtual is not None
        self.virtual: VirtualBoard = self.board.virtual
        self.watcher = Watcher()
        self.board.start(self.watcher.post)
        self.watcher.until_arrivals(1)

    def until_shown(self, plan: LightPlan) -> None:
        hold(lambda: self.virtual.lights() == plan)


@pytest.fixture
def magnet() -> Iterator[Set]:
    made = Set("virtual://magnet?seed=3")
    try:
        made.watcher.until_scan(HOME)
        yield made
    finally:
        made.board.stop()


def test_a_board_is_found_through_the_port_with_cows_and_capabilities(magnet: Set) -> None:
    arrived = magnet.watcher.events[0]
    assert isinstance(arrived, BoardArrived)
    assert (arrived.variant, arrived.serial) == ("magnet", "VB-3")
    assert magnet.board.state.stage is LinkStage.READY
    assert magnet.board.state.port == magnet.virtual.port
    assert magnet.board.state.hello is not None


def test_light_plans_arrive_and_the_newest_wins(magnet: Set) -> None:
    for turn in range(200):
        magnet.board.show((Light(Colour.RED),) * (turn % 139) + BLUE[turn % 139 :])
    magnet.board.show(BLUE)
    magnet.until_shown(BLUE)
    assert 0 < magnet.virtual.level() <= 255


def test_hands_are_seen_slide_lift_put_knock_and_set_up(magnet: Set) -> None:
    virtual, watcher = magnet.virtual, magnet.watcher
    virtual.slide("chance", 2, 1.2)  # long enough for a busy machine to see the cell on the way
    slid = HOME - {cell_number("chance", 0)} | {cell_number("chance", 2)}
    watcher.until_scan(slid)
    scans = [event.occupied for event in watcher.events if isinstance(event, CellsSeen)]
    assert any(cell_number("chance", 1) in scan for scan in scans)
    virtual.lift("chance")
    watcher.until_scan(HOME - {cell_number("chance", 0)})
    virtual.put("chance", "1", 5)
    watcher.until_scan(HOME - {cell_number("chance", 0)} | {cell_number("1", 5)})
    virtual.knock("chance")
    watcher.until_scan(HOME - {cell_number("chance", 0)})
    assert virtual.cows()[0].state is CowState.TOPPLED
    virtual.set_up()
    watcher.until_scan(HOME)
    virtual.set_up({"super": 1})
    watcher.until_scan(HOME - {cell_number("super", 0)} | {cell_number("super", 1)})


def test_buttons_knob_and_buzzer_work(magnet: Set) -> None:
    magnet.virtual.press("done")
    magnet.virtual.turn(-2)
    magnet.watcher.until(lambda events: ButtonPressed("done") in events and KnobTurned(-2) in events)
    magnet.board.buzz("win")
    hold(lambda: magnet.virtual.sounds() == ("win",))


def test_unplugged_and_plugged_in_elsewhere_the_cows_and_lights_are_there_at_once(magnet: Set) -> None:
    magnet.board.show(BLUE)
    magnet.until_shown(BLUE)
    before = magnet.virtual.port
    magnet.virtual.fault("unplug:0")
    magnet.watcher.until(lambda events: any(isinstance(event, BoardLost) for event in events))
    magnet.virtual.lift("3")
    magnet.watcher.until_scan(HOME - {cell_number("3", 0)})
    arrival = max(n for n, event in enumerate(magnet.watcher.events) if isinstance(event, BoardArrived))
    assert isinstance(magnet.watcher.events[arrival + 1], CellsSeen)
    assert magnet.virtual.port != before
    magnet.until_shown(BLUE)


def test_while_unplugged_the_loss_is_told_once_and_none_plugs_it_in_again(magnet: Set) -> None:
    magnet.virtual.fault("unplug:3600")
    magnet.watcher.until(lambda events: isinstance(events[-1], BoardLost) and "unplugged" in events[-1].reason)
    told = len(magnet.watcher.events)
    assert magnet.board.state.stage is LinkStage.SEARCHING
    assert magnet.virtual.lights() == DARK_PLAN
    magnet.virtual.fault("none")
    magnet.watcher.until_arrivals(2)
    assert isinstance(magnet.watcher.events[told], BoardArrived)
    assert magnet.board.state.reason is None


@pytest.mark.parametrize("fault", ["reboot", "brown-out"])
def test_a_restart_gives_everything_back(magnet: Set, fault: str) -> None:
    magnet.board.show(BLUE)
    magnet.until_shown(BLUE)
    magnet.virtual.fault(fault)
    magnet.watcher.until_arrivals(2)
    magnet.until_shown(BLUE)
    magnet.watcher.until(lambda events: isinstance(events[-1], CellsSeen))
    assert magnet.watcher.scan() == HOME
    assert (BoardFault("brown-out", None) in magnet.watcher.events) == (fault == "brown-out")


@pytest.mark.parametrize("fault", ["corrupt:2", "drop:2"])
def test_a_bad_line_loses_nothing(magnet: Set, fault: str) -> None:
    magnet.virtual.fault(fault)
    magnet.board.show(BLUE)
    magnet.virtual.slide("6", -2, 0.1)
    magnet.watcher.until_scan(HOME - {cell_number("6", 0)} | {cell_number("6", -2)})
    magnet.until_shown(BLUE)
    magnet.virtual.fault("none")
    assert magnet.virtual.faults() == ()


def test_a_chattering_switch_is_reported_and_over_when_mended(magnet: Set) -> None:
    magnet.virtual.fault("chatter:21")
    magnet.watcher.until(lambda events: BoardFault("chatter", 21) in events)
    magnet.virtual.fault("none")
    magnet.watcher.until(lambda events: BoardFault("chatter", 21, is_over=True) in events)


def test_a_silent_spell_shorter_than_the_limit_costs_nothing(magnet: Set) -> None:
    magnet.virtual.fault("silent")
    magnet.virtual.lift("2")
    magnet.board.show(BLUE)
    assert magnet.virtual.faults() == ("silent",)
    magnet.virtual.fault("none")
    magnet.watcher.until_scan(HOME - {cell_number("2", 0)})
    magnet.until_shown(BLUE)
    assert not [event for event in magnet.watcher.events if isinstance(event, BoardLost)]


def test_an_led_board_shows_the_cows_as_lights() -> None:
    led = Set("virtual://led")
    try:
        led.board.show(BLUE)
        led.until_shown(BLUE)
        assert led.watcher.scan() is None
        with pytest.raises(AddressError):
            led.virtual.lift("1")
    finally:
        led.board.stop()


def test_stopping_joins_all_threads_within_a_second_and_starting_again_works() -> None:
    made = Set("virtual://magnet")
    began = time.monotonic()
    made.board.stop()
    made.board.stop()
    assert time.monotonic() - began < 1.0
    assert not {thread.name for thread in threading.enumerate()} & {"board", "virtual-board"}
    assert made.board.state.stage is LinkStage.STOPPED
    made.board.start(made.watcher.post)
    with pytest.raises(LocalProtocolError):
        made.board.start(made.watcher.post)
    made.watcher.until_arrivals(2)
    made.board.stop()


def test_a_board_that_is_stopped_and_dropped_leaves_no_open_files() -> None:
    made = Set("virtual://magnet")
    made.board.stop()
    before = set(os.listdir("/proc/self/fd"))  # noqa: PTH208  # names only
    for _ in range(3):
        again = Set("virtual://magnet")
        again.virtual.fault("unplug:0")
        again.watcher.until_arrivals(2)
        again.board.stop()
    assert len(set(os.listdir("/proc/self/fd"))) <= len(before)  # noqa: PTH208  # names only


def test_a_port_another_program_has_is_told_with_its_name(magnet: Set) -> None:
    with pytest.raises(PortBusyError, match="another program has the board"):
        SerialTransport(magnet.virtual.port)


def test_a_foreign_programs_name_is_told() -> None:
    virtual = VirtualBoard()
    virtual.start()
    script = (
        "import fcntl, sys; port = open(sys.argv[1], 'rb+', buffering=0);"
        "fcntl.flock(port, fcntl.LOCK_EX); print('has it', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", script, virtual.port]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        try:
            assert other.stdout is not None
            assert other.stdout.readline() == b"has it\n"
            with pytest.raises(PortBusyError, match=f"python.* \\(process {other.pid}\\)"):
                SerialTransport(virtual.port)
        finally:
            assert other.stdin is not None
            other.stdin.close()
            other.wait(WAIT_S)
            virtual.stop()


def test_a_board_is_found_among_ports_by_its_hello_alone() -> None:
    virtual = VirtualBoard()
    virtual.start()
    master, slave = os.openpty()
    try:
        finder = PortFinder(lambda: (os.ttyname(slave), virtual.port), now=_hasty_clock())
        transport = finder.open(threading.Event())
        assert transport.name() == virtual.port
        transport.close()
    finally:
        virtual.stop()
        os.close(master)
        os.close(slave)


def _hasty_clock() -> Callable[[], float]:
    """A clock that runs ten times too fast, so that a port on which nothing answers costs 0.3 s."""
    began = time.monotonic()
    return lambda: began + 10 * (time.monotonic() - began)


def test_a_vanished_port_is_an_error_of_ours_for_read_and_write() -> None:
    master, slave = os.openpty()
    transport = SerialTransport(os.ttyname(slave))
    transport.write(b"moo")
    assert os.read(master, 9) == b"moo"
    os.close(master)
    with pytest.raises(PortLostError, match="went away"):
        transport.read(1.0)
    with pytest.raises(PortLostError):
        transport.write(b"moo")
    transport.close()
    transport.close()
    transport.wake()
    with pytest.raises(PortLostError):
        transport.read(0.0)
    os.close(slave)


def test_a_port_that_takes_no_bytes_is_lost_after_half_a_second() -> None:
    master, slave = os.openpty()
    transport = SerialTransport(os.ttyname(slave))
    try:
        with pytest.raises(PortLostError, match="took no bytes"):
            transport.write(bytes(200_000))
    finally:
        transport.close()
        os.close(master)
        os.close(slave)


def test_waking_ends_a_read_that_waits_for_ever() -> None:
    master, slave = os.openpty()
    transport = SerialTransport(os.ttyname(slave))
    try:
        for _ in range(3):
            transport.wake()
        assert transport.read(None) == b""
        threading.Timer(0.02, transport.wake).start()
        assert transport.read(None) == b""
    finally:
        transport.close()
        os.close(master)
        os.close(slave)


def test_an_idle_link_and_board_sleep() -> None:
    made = Set("virtual://magnet")
    try:
        made.watcher.until_scan(HOME)
        before = time.process_time()
        threading.Event().wait(0.5)
        assert time.process_time() - before < 0.05
    finally:
        made.board.stop()


def test_a_link_that_finds_no_port_says_why_once_and_stops_at_once() -> None:
    watcher = Watcher()
    link = Link(lambda stopping: SerialTransport("/dev/no-such-board"))
    link.start(watcher.post)
    watcher.until(lambda events: bool(events))
    link.show(DARK_PLAN)
    assert watcher.events == [
        BoardLost("/dev/no-such-board: there is no such port; plug the board in, or name another port")
    ]
    began = time.monotonic()
    link.stop()
    assert time.monotonic() - began < 0.5
