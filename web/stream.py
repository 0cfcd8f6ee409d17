"""Server-sent events: the newest state to every watcher, a sign of life, an end when they go or the table stops.

Rules of this file: a watcher has no queue. It remembers the version it was given last and asks the table for anything
newer, so a slow phone gets the newest state and misses the ones between (field report 36).

How it works: each stream holds one server thread. It sleeps in `wait_newer` for at most `TICK_S`, so that a stop or a
client that left is noticed within that time; every `heartbeat_s` without news a comment line keeps proxies and
phones from thinking the line dead.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator

from flask import Blueprint, Response, current_app, request

from controller.runtime.ports import Snapshot, TablePort
from web.errors import RefusedError

TICK_S = 0.5  # how late a stop is seen; 200 watchers then wake 400 times a second, under 1 % of a core
RETRY_MS = 1500  # how soon a browser comes back after a lost stream
_LINE_END = re.compile("\r\n|\r|\n")
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # nginx would else hold events back


class Watchers:
    """Counts the open streams against their limit and ends them all at stop; every method from any thread."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._count = 0
        self._lock = threading.Lock()
        self._closed = threading.Event()

    @property
    def count(self) -> int:
        """How many streams are open now."""
        return self._count

    @property
    def is_closed(self) -> bool:
        """Whether the page stops: every stream ends at its next tick."""
        return self._closed.is_set()

    def enter(self) -> Callable[[], None]:
        """Take a place; the answer gives it back, however often it is called.

        Raises:
            RefusedError: 503, all places are taken or the page stops.
        """
        with self._lock:
            if self.is_closed:
                raise RefusedError(503, "The table is stopping; this page comes back when it does.")
            if self._count >= self.limit:
                full = f"All {self.limit} live places are taken; ask /api/state every few seconds instead."
                raise RefusedError(503, full)
            self._count += 1
        has_left = threading.Event()

        def leave() -> None:
            with self._lock:
                if not has_left.is_set():
                    has_left.set()
                    self._count -= 1

        return leave

    def close(self) -> None:
        """End every stream and take no new one."""
        self._closed.set()


def format_event(snapshot: Snapshot) -> str:
    """One event: its id is the version, its data the whole state.

    >>> format_event(Snapshot(3, "{}"))
    'id: 3\\ndata: {}\\n\\n'
    """
    lines = _LINE_END.split(snapshot.body)  # not splitlines: it knows line ends that may stand inside JSON strings
    data = "".join(f"data: {line}\n" for line in lines)
    return f"id: {snapshot.version}\n{data}\n"


def events(
    port: TablePort,
    is_over: Callable[[], bool],
    *,
    heartbeat_s: float,
    now: Callable[[], float] = time.monotonic,
) -> Iterator[str]:
    """The newest state at once, then each newer one as it comes, until `is_over`; `now` gives seconds."""
    snapshot = port.snapshot()
    yield f"retry: {RETRY_MS}\n{format_event(snapshot)}"
    said_at = now()
    while not is_over():
        newer = port.wait_newer(snapshot.version, TICK_S)
        if newer is not None:
            snapshot = newer
            yield format_event(snapshot)
            said_at = now()
        elif now() - said_at >= heartbeat_s:
            yield ": still here\n\n"
            said_at = now()


def stream_pages(port: TablePort, watchers: Watchers, heartbeat_s: float) -> Blueprint:
    """`GET /api/events`."""
    pages = Blueprint("stream", __name__)

    @pages.get("/api/events")
    def stream() -> Response:
        if request.method == "HEAD":  # a head has no body to wait for
            return current_app.response_class(mimetype="text/event-stream", headers=HEADERS)
        leave = watchers.enter()
        is_gone: Callable[[], bool] = request.environ.get("waitress.client_disconnected", _never)
        told = events(port, lambda: watchers.is_closed or is_gone(), heartbeat_s=heartbeat_s)
        answer = current_app.response_class(told, mimetype="text/event-stream", headers=HEADERS)
        answer.call_on_close(leave)
        return answer

    return pages


def _never() -> bool:
    return False
