"""The emulator's control socket from Python: one line out, one line of JSON back (`hardware/emulator/README.md`)."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from firmware_bridge.errors import AddressError, PortLostError

ANSWER_LIMIT_S = 10.0  # the emulator looks every 0.1 ms of its own time; a machine may be busy for seconds
GONE_MEND = "start it again; its last words stand in the log"


class Control:
    """A connection to a running emulator; any thread, one order at a time.

    Raises:
        PortLostError: nobody listens at that socket.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(ANSWER_LIMIT_S)
        try:
            self._socket.connect(str(path))
        except OSError as error:
            self._socket.close()
            raise PortLostError(str(path), "no emulator listens there", GONE_MEND) from error
        self._lines = self._socket.makefile("rb")

    def order(self, *words: object) -> dict[str, Any]:
        """Give one order and return the members of its answer.

        Raises:
            AddressError: the emulator refuses it; tells what it accepts.
            PortLostError: the emulator is gone or doesn't answer.
        """
        line = " ".join(str(word) for word in words)
        try:
            with self._lock:
                self._socket.sendall(f"{line}\n".encode())
                answer = self._lines.readline()
        except (OSError, ValueError) as error:  # ValueError: closed meanwhile
            raise PortLostError(str(self._path), "the emulator doesn't answer", GONE_MEND) from error
        if not answer.endswith(b"\n"):
            raise PortLostError(str(self._path), "the emulator has ended", GONE_MEND)
        members: dict[str, Any] = json.loads(answer)
        if not members.pop("ok"):
            raise AddressError("emulator", line, members["error"])
        return members

    def stats(self) -> Mapping[str, Mapping[str, Any]]:
        """All counts, grouped: `chip`, `line`, `leds`, `chain`, `pace`."""
        return self.order("stats")

    def close(self) -> None:
        """Let go of the socket; harmless when done already."""
        with contextlib.suppress(OSError):
            self._lines.close()
        self._socket.close()
