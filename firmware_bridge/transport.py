"""Bytes to and from a board: over a serial port (pyserial), or over memory for tests. One Protocol of five
methods.

Rules of this file: pyserial is imported here and in `ports` only, and its errors end here: whoever uses a
transport meets `PortError` and its children, nothing else.
"""

from __future__ import annotations

import contextlib
import os
import select
import termios
import threading
from typing import Protocol

import serial

from firmware_bridge.errors import PortLostError
from firmware_bridge.refusals import explain_refusal

BAUD_HZ = 500_000  # exact at 16 MHz, and fast enough that a whole light plan takes 3 ms
WRITE_TIMEOUT_S = 0.5
READ_BYTES = 4096
LOST_MEND = "check the cable; the port is tried again by itself"


class Transport(Protocol):
    """An open way to a board. All methods but `wake` belong to one thread."""

    def name(self) -> str:
        """What a person would call it: `/dev/ttyUSB0`."""

    def read(self, timeout_s: float | None) -> bytes:
        """The bytes that are there; waits for some up to `timeout_s` (None: for ever), or until woken.

        Raises:
            PortLostError: the port went away.
        """

    def write(self, data: bytes) -> None:
        """Write all of it; raises PortLostError when the port is gone or takes nothing for half a second."""

    def wake(self) -> None:
        """Let a `read` that waits return now; from any thread, harmless after `close`."""

    def close(self) -> None:
        """Close; harmless when closed already."""


class Waker:
    """A pipe that ends a `select`; `wake` may come from any thread and after `close`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_open = True
        self._read_fd, self._write_fd = os.pipe()
        os.set_blocking(self._read_fd, False)
        os.set_blocking(self._write_fd, False)

    def fileno(self) -> int:
        """The end to wait on."""
        return self._read_fd

    def wake(self) -> None:
        """End the wait that goes on, or the next one."""
        with self._lock:
            if self._is_open:
                with contextlib.suppress(BlockingIOError):  # full of earlier wakes: good enough
                    os.write(self._write_fd, b"w")

    def drain(self) -> None:
        """Forget the wakes that came."""
        with contextlib.suppress(BlockingIOError):
            while os.read(self._read_fd, READ_BYTES):
                pass

    def close(self) -> None:
        """Give both ends back."""
        with self._lock:
            if self._is_open:
                self._is_open = False
                os.close(self._read_fd)
                os.close(self._write_fd)


class SerialTransport:
    """A serial port, opened for us alone.

    Opening may reset the board (DTR), so every opening begins with a hello. HUPCL is cleared, so that closing
    doesn't reset it once more.

    Raises:
        PortMissingError, PortDeniedError, PortBusyError, PortError: it can't be opened; says why and the
        mend.
    """

    def __init__(self, path: str, baud_hz: int = BAUD_HZ) -> None:
        self._path = path
        try:
            self._serial = serial.Serial(path, baud_hz, timeout=0, write_timeout=WRITE_TIMEOUT_S, exclusive=True)
        except (OSError, ValueError) as error:  # SerialException is an OSError
            raise explain_refusal(path, error) from error
        try:
            _keep_up_on_close(self._serial.fileno())
        except (OSError, termios.error) as error:
            self._serial.close()
            raise PortLostError(path, "went away while it was opened", LOST_MEND) from error
        self._waker = Waker()

    def name(self) -> str:
        """The device path."""
        return self._path

    def read(self, timeout_s: float | None) -> bytes:
        """See `Transport.read`."""
        try:
            port_fd, waker_fd = self._serial.fileno(), self._waker.fileno()
            ready, _, _ = select.select([port_fd, waker_fd], [], [], timeout_s)
            if waker_fd in ready:
                self._waker.drain()
            if port_fd not in ready:
                return b""
            data: bytes = self._serial.read(READ_BYTES)
        except (OSError, ValueError, TypeError, termios.error) as error:
            # pyserial meets a vanished port with any of these, depending on where it stood
            raise PortLostError(self._path, "went away", LOST_MEND) from error
        return data

    def write(self, data: bytes) -> None:
        """See `Transport.write`."""
        try:
            if data:
                self._serial.write(data)
        except serial.SerialTimeoutException as error:
            raise PortLostError(self._path, f"took no bytes for {WRITE_TIMEOUT_S} s", LOST_MEND) from error
        except (OSError, ValueError, TypeError, termios.error) as error:
            raise PortLostError(self._path, "went away", LOST_MEND) from error

    def wake(self) -> None:
        """See `Transport.wake`."""
        self._waker.wake()

    def close(self) -> None:
        """See `Transport.close`."""
        self._waker.close()
        with contextlib.suppress(OSError, termios.error):
            self._serial.close()


def _keep_up_on_close(fd: int) -> None:
    """Clear HUPCL: else the last close drops DTR, which is wired to the board's reset."""
    attributes = termios.tcgetattr(fd)
    attributes[2] &= ~termios.HUPCL
    termios.tcsetattr(fd, termios.TCSANOW, attributes)


class MemoryTransport:
    """One end of a pair in memory; both ends may be used from different threads."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._arrived = threading.Condition()
        self._incoming = bytearray()
        self._is_woken = False
        self._is_closed = False
        self._other: MemoryTransport = self

    def name(self) -> str:
        """The label given."""
        return self._label

    def read(self, timeout_s: float | None) -> bytes:
        """See `Transport.read`."""
        with self._arrived:
            self._arrived.wait_for(lambda: self._incoming or self._is_woken or self._is_closed, timeout_s)
            self._is_woken = False
            data = bytes(self._incoming)
            self._incoming.clear()
            if self._is_closed and not data:
                raise PortLostError(self._label, "went away (the other end closed)", LOST_MEND)
        return data

    def write(self, data: bytes) -> None:
        """See `Transport.write`."""
        with self._other._arrived:
            if self._other._is_closed:
                raise PortLostError(self._label, "went away (the other end closed)", LOST_MEND)
            self._other._incoming += data
            self._other._arrived.notify_all()

    def wake(self) -> None:
        """See `Transport.wake`."""
        with self._arrived:
            self._is_woken = True
            self._arrived.notify_all()

    def close(self) -> None:
        """Close both ends."""
        for end in (self, self._other):
            with end._arrived:
                end._is_closed = True
                end._arrived.notify_all()


def memory_pair() -> tuple[MemoryTransport, MemoryTransport]:
    """Two ends joined in memory: host's and board's."""
    host, board = MemoryTransport("memory:host"), MemoryTransport("memory:board")
    host._other, board._other = board, host
    return host, board
