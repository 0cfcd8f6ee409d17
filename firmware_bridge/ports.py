"""Which port has our board: never by its name, always by asking for a hello.

A bridge chip's name and number change from plug to plug, and many have none of their own. So every USB
serial port is asked; one that doesn't answer in our words is closed again and left alone.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

from serial.tools import list_ports

from firmware_bridge.connection import Connection
from firmware_bridge.errors import PortError, PortLostError, PortMissingError
from firmware_bridge.link_events import LinkPhase, Role
from firmware_bridge.transport import SerialTransport, Transport

HELLO_WAIT_S = 3.0  # a Nano that was reset by the opening spends up to 1.6 s in its boot loader
STEP_S = 0.2  # how quickly a search notices that it shall stop
NO_BOARD_MEND = "plug the board in; every USB serial port is asked again by itself"


def candidates() -> tuple[str, ...]:
    """Serial ports that hang on USB, in the system's order."""
    return tuple(sorted(port.device for port in list_ports.comports() if port.vid is not None))


def says_hello(transport: Transport, stopping: threading.Event, now: Callable[[], float] = time.monotonic) -> bool:
    """Whether a board answers on this open transport; blocks up to `HELLO_WAIT_S`.

    A board of another major version counts: it is ours, and the link will say what is wrong with it.

    Raises:
        PortLostError: the port went away meanwhile.
    """
    connection = Connection(Role.HOST, session=int.from_bytes(os.urandom(2), "big"))
    end = now() + HELLO_WAIT_S
    while now() < end and not stopping.is_set():
        transport.write(connection.data_to_send(now()))
        wait_s = max(0.0, (connection.deadline() or 0.0) - now())
        connection.receive(transport.read(min(wait_s, STEP_S)), now())
        if connection.phase is not LinkPhase.GREETING:
            return True
    return False


class PortFinder:
    """Opens the port that has a board on it, the one of last time first."""

    def __init__(
        self,
        list_candidates: Callable[[], tuple[str, ...]] = candidates,
        open_port: Callable[[str], Transport] = SerialTransport,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._list_candidates = list_candidates
        self._open_port = open_port
        self._now = now
        self._last: str | None = None

    def open(self, stopping: threading.Event) -> Transport:
        """An open transport on which a board said hello; it will be greeted again by whoever uses it.

        Raises:
            PortMissingError: no port has one; tells for each candidate why it was refused.
            PortError: the only candidate can't be opened; tells why.
        """
        ports = self._list_candidates()
        refusals: list[PortError] = []
        for path in sorted(ports, key=lambda port: port != self._last):
            try:
                transport = self._open_port(path)
            except PortError as error:
                refusals.append(error)
                continue
            try:
                is_ours = says_hello(transport, stopping, self._now)
            except PortLostError as error:
                transport.close()
                refusals.append(error)
                continue
            if is_ours:
                self._last = path
                return transport
            transport.close()
            refusals.append(PortMissingError(path, "no board answers there", NO_BOARD_MEND))
        if len(refusals) == 1:
            raise refusals[0]
        told = "; ".join(f"{refusal.port}: {refusal.reason}" for refusal in refusals)
        raise PortMissingError("serial://auto", told or "there is no USB serial port", NO_BOARD_MEND)
