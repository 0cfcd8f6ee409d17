"""Waitress around the page: a thread for every watcher and some for the rest, the next free port, a clean stop.

How it works: the socket is bound here, so that a taken port is known before anything starts. One thread turns
waitress's loop until `stop`; streams are told to end, the worker threads are joined, then the sockets close.
"""

from __future__ import annotations

import errno
import logging
import socket
import threading
from typing import Any

from flask import Flask
from waitress import wasyncore  # type: ignore[import-untyped]  # waitress ships no types
from waitress.server import create_server  # type: ignore[import-untyped]

from web.app import WATCHERS
from web.bodies import BODY_LIMIT_BYTES
from web.errors import HostError, PortDeniedError, PortTakenError
from web.stream import Watchers

SPARE_THREADS = 16  # for everything that isn't a stream; measured: 4 in all leave every request waiting (style 6)
PORTS_TRIED = 10
STOP_S = 5.0
GONE_AFTER_MS = 30_000  # a phone out of reach acknowledges nothing: the kernel gives up on it after this
UNSENT_LIMIT_BYTES = 256 * 1024  # of one watcher; some dozen states, then its stream waits

log = logging.getLogger(__name__)


class PageServer:
    """Serves the page until stopped. `start` and `stop` from one thread; the rest from any."""

    def __init__(self, app: Flask, host: str, port: int, watchers: int) -> None:
        self._app = app
        self._host = host
        self._wanted_port = port
        self._thread_count = watchers + SPARE_THREADS
        self._map: dict[int, Any] = {}
        self._server: Any = None
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()

    @property
    def address(self) -> tuple[str, int]:
        """Host and port that are served now; (host, 0) before `start`."""
        return (self._host, 0 if self._server is None else int(self._server.effective_port))

    @property
    def wanted_port(self) -> int:
        """The port that was asked for; another than in `address` when it was taken."""
        return self._wanted_port

    def start(self) -> tuple[str, int]:
        """Bind and serve; the answer is the address got, its port the next free one when the wanted one is taken.

        Raises:
            PortTakenError: none of the `PORTS_TRIED` ports is free.
            HostError: the host is no address of this machine.
            PortDeniedError: the port needs more rights.
        """
        listening = bind_next_free(self._host, self._wanted_port)
        self._server = create_server(
            self._app,
            map=self._map,
            sockets=[listening],
            threads=self._thread_count,
            connection_limit=self._thread_count + 100,  # browsers hold up to six connections each
            channel_request_lookahead=1,  # waitress then reads while a stream runs, and sees who left
            outbuf_high_watermark=UNSENT_LIMIT_BYTES,
            max_request_body_size=4 * BODY_LIMIT_BYTES,
            max_request_header_size=32 * 1024,
            channel_timeout=60,
            asyncore_use_poll=True,  # select knows no descriptor above 1023
            ident="cowboard",
            expose_tracebacks=False,
            log_socket_errors=False,  # a watcher that leaves is daily life, not a line in the log
        )
        self._server.adj.socket_options = _socket_options()  # waitress takes these by attribute only
        self._thread = threading.Thread(target=self._turn, name="page", daemon=True)
        self._thread.start()
        return self.address

    def stop(self) -> None:
        """End the streams, let running requests finish (at most `STOP_S` seconds), close every socket."""
        if self._thread is None:
            return
        watchers = self._app.extensions.get(WATCHERS)
        if isinstance(watchers, Watchers):
            watchers.close()
        self._server.task_dispatcher.shutdown(timeout=STOP_S)
        self._stopping.set()
        self._server.pull_trigger()
        self._thread.join(STOP_S)
        self._thread = None
        wasyncore.close_all(self._map, ignore_all=True)

    def _turn(self) -> None:
        while not self._stopping.is_set():
            wasyncore.loop(timeout=1.0, use_poll=True, map=self._map, count=1)


def bind_next_free(host: str, port: int) -> socket.socket:
    """A socket bound to this port, or to the next free of `PORTS_TRIED`; port 0 lets the system choose.

    Raises:
        PortTakenError: all of them are taken.
        HostError: the host is no address of this machine.
        PortDeniedError: the port needs more rights.
    """
    family = _family(host)
    ports = range(port, min(port + PORTS_TRIED, 65536) if port else 1)
    for candidate in ports:
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, candidate))
            listening.listen(128)  # two sockets may be bound to one port; only one of them can listen
        except OSError as error:
            listening.close()
            if error.errno in (errno.EACCES, errno.EPERM):
                raise PortDeniedError(candidate) from error
            if error.errno != errno.EADDRINUSE:
                raise HostError(host, error.strerror or str(error)) from error
            continue
        if candidate != port:
            log.warning("port %d is taken; serving on %d", port, candidate)
        return listening
    raise PortTakenError(host, ports)


def _family(host: str) -> socket.AddressFamily:
    """Whether this host is one of IPv4 or IPv6; raises HostError."""
    try:
        return socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0][0]
    except OSError as error:
        raise HostError(host, error.strerror or str(error)) from error
    except UnicodeError as error:  # a part of the name that is empty or too long
        raise HostError(host, "no host has such a name") from error


def _socket_options() -> list[tuple[int, int, int]]:
    options = [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1), (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)]
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        options.append((socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_AFTER_MS))
    return options
