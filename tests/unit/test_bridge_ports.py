"""Ports: why one wouldn't open, and which one has the board."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_bridge.connection import Connection
from firmware_bridge.errors import PortBusyError, PortDeniedError, PortError, PortLostError, PortMissingError
from firmware_bridge.link_events import Role
from firmware_bridge.ports import PortFinder, candidates
from firmware_bridge.refusals import explain_refusal, holder_of
from firmware_bridge.transport import SerialTransport, Transport
from tests.support.link_pair import a_hello


class Wire:
    """A transport whose other side is a board, something else, or nothing; each read answers what was written."""

    def __init__(self, path: str, answer: Callable[[bytes], bytes]) -> None:
        self.path, self.answer = path, answer
        self.pending = b""
        self.is_closed = False

    def name(self) -> str:
        return self.path

    def read(self, timeout_s: float | None) -> bytes:
        data, self.pending = self.pending, b""
        return data

    def write(self, data: bytes) -> None:
        self.pending += self.answer(data)

    def wake(self) -> None:
        self.pending += b""

    def close(self) -> None:
        self.is_closed = True


def a_board() -> Callable[[bytes], bytes]:
    board = Connection(Role.BOARD, hello=a_hello())

    def answer(data: bytes) -> bytes:
        board.receive(data, 1.0)
        return board.data_to_send(1.0)

    return answer


class Bus:
    """Ports by path, each with what answers there, or the error an open meets."""

    def __init__(self, ports: dict[str, Callable[[bytes], bytes] | PortError]) -> None:
        self.ports = ports
        self.opened: list[Wire] = []

    def open(self, path: str) -> Transport:
        there = self.ports[path]
        if isinstance(there, PortError):
            raise there
        self.opened.append(Wire(path, there))
        return self.opened[-1]

    def finder(self) -> PortFinder:
        ticks = iter(range(10_000))
        return PortFinder(lambda: tuple(self.ports), self.open, now=lambda: next(ticks) / 10)


def gone(data: bytes) -> bytes:
    raise PortLostError("/dev/b", "went away", "plug it in")


def test_the_port_that_says_hello_is_taken_and_the_others_are_closed_again() -> None:
    bus = Bus({"/dev/a": lambda data: b"", "/dev/b": gone, "/dev/c": lambda data: data, "/dev/d": a_board()})
    transport = bus.finder().open(threading.Event())
    assert transport.name() == "/dev/d"
    assert [wire.is_closed for wire in bus.opened] == [True, True, True, False]


def test_the_port_of_last_time_is_asked_first() -> None:
    bus = Bus({"/dev/a": lambda data: b"", "/dev/b": a_board()})
    finder = bus.finder()
    finder.open(threading.Event())
    bus.opened.clear()
    finder.open(threading.Event())
    assert [wire.path for wire in bus.opened] == ["/dev/b"]


def test_a_search_that_shall_stop_stops() -> None:
    stopping = threading.Event()
    stopping.set()
    bus = Bus({"/dev/a": a_board(), "/dev/b": a_board()})
    with pytest.raises(PortMissingError):
        bus.finder().open(stopping)
    assert all(wire.is_closed for wire in bus.opened)


def test_no_board_anywhere_tells_why_each_port_was_refused() -> None:
    busy = PortBusyError("/dev/b", "another program has the board: cat (process 7)", "stop it")
    bus = Bus({"/dev/a": lambda data: b"", "/dev/b": busy})
    with pytest.raises(PortMissingError) as missing:
        bus.finder().open(threading.Event())
    assert "/dev/a: no board answers there" in str(missing.value)
    assert "/dev/b: another program has the board: cat (process 7)" in str(missing.value)


def test_the_only_ports_own_trouble_is_told_as_it_is() -> None:
    denied = PortDeniedError("/dev/a", "this user may not open it", "join the group")
    with pytest.raises(PortDeniedError, match="join the group"):
        Bus({"/dev/a": denied}).finder().open(threading.Event())


def test_no_usb_port_at_all_is_told_with_the_mend() -> None:
    with pytest.raises(PortMissingError, match="no USB serial port; plug the board in"):
        Bus({}).finder().open(threading.Event())


def test_candidates_are_device_paths() -> None:
    assert all(path.startswith("/dev/") for path in candidates())


def test_a_missing_port_is_told_as_missing() -> None:
    with pytest.raises(PortMissingError, match="/dev/no-such-board: there is no such port"):
        SerialTransport("/dev/no-such-board")


def test_a_port_this_user_may_not_open_is_told_with_the_group_to_join(tmp_path: Path) -> None:
    port = tmp_path / "port"
    port.touch()
    error = explain_refusal(str(port), PermissionError(errno.EACCES, "Permission denied"))
    assert isinstance(error, PortDeniedError)
    assert "usermod -aG" in error.mend


def test_a_busy_port_is_told_with_the_program_that_has_it(tmp_path: Path) -> None:
    port, proc = tmp_path / "port", tmp_path / "proc"
    port.touch()
    for number, name, target in (("41", "sh", "/dev/null"), ("42", "screen", str(port))):
        (proc / number / "fd").mkdir(parents=True)
        (proc / number / "comm").write_text(f"{name}\n")
        (proc / number / "fd" / "3").symlink_to(target)
    (proc / str(os.getpid())).mkdir()
    assert holder_of(str(port), proc) == "screen (process 42)"
    assert holder_of(str(tmp_path / "other"), proc) is None
    error = explain_refusal(str(port), OSError(errno.EBUSY, "Device or resource busy"))
    assert isinstance(error, PortBusyError)
    assert error.reason.startswith("another program has the board")


def test_any_other_trouble_is_told_as_the_system_told_it(tmp_path: Path) -> None:
    port = tmp_path / "port"
    port.touch()
    error = explain_refusal(str(port), OSError(errno.EIO, "Input/output error"))
    assert type(error) is PortError
    assert "Input/output error" in str(error)
    with pytest.raises(PortError):
        SerialTransport(str(port))  # a plain file is no serial port
