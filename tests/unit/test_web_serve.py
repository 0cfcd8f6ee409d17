"""The server: the next free port, many watchers beside quick answers, gone ones noticed, a clean and quick stop."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from tests.support import fake_table
from tests.support.fake_table import FakeTable
from web.app import WATCHERS, create_app
from web.errors import PortTakenError
from web.serve import PORTS_TRIED, PageServer, bind_next_free
from web.stream import TICK_S, Watchers

HERE = "127.0.0.1"
PATIENCE_S = 5.0


class Served:
    """A fake table behind a real server with real sockets."""

    def __init__(self, watcher_limit: int) -> None:
        self.table = FakeTable()
        self.app = create_app(self.table, watcher_limit=watcher_limit)
        self.watchers: Watchers = self.app.extensions[WATCHERS]
        self.server = PageServer(self.app, HERE, 0, watcher_limit)
        self.host, self.port = self.server.start()

    def get(self, path: str) -> tuple[int, bytes]:
        with closing(http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE_S)) as link:
            link.request("GET", path)
            answer = link.getresponse()
            return answer.status, answer.read()

    def watch(self) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        link = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE_S)
        link.request("GET", "/api/events")
        return link, link.getresponse()

    def wait_for(self, is_so: Callable[[], bool]) -> bool:
        """Whether it comes true in time; asks the server in between, which takes a moment each."""
        end = time.monotonic() + PATIENCE_S
        while not is_so() and time.monotonic() < end:
            self.table.wait_newer(10**9, 0.01)
        return is_so()


@pytest.fixture
def served() -> Iterator[Served]:
    served = Served(watcher_limit=8)
    yield served
    served.server.stop()


def read_event(answer: http.client.HTTPResponse) -> dict[str, object]:
    """The state in the next event."""
    while True:
        line = answer.readline()
        assert line, "the stream ended"
        if line.startswith(b"data: "):
            found: dict[str, object] = json.loads(line[6:])
            return found


def test_a_taken_port_gives_the_next_free_one_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    with bind_next_free(HERE, 0) as taken:
        port = taken.getsockname()[1]
        server = PageServer(create_app(FakeTable()), HERE, port, 1)
        host, got = server.start()
        try:
            assert (host, server.wanted_port) == (HERE, port)
            assert port < got < port + PORTS_TRIED
            assert f"port {port} is taken; serving on {got}" in caplog.text
        finally:
            server.stop()


def test_when_the_whole_row_is_taken_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with bind_next_free(HERE, 0) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr("web.serve.PORTS_TRIED", 1)
        with pytest.raises(PortTakenError, match=f"{port} to {port} on {HERE}") as caught:
            bind_next_free(HERE, port)
        assert isinstance(caught.value, OSError)


def test_an_address_of_another_machine_is_an_os_error() -> None:
    with pytest.raises(OSError, match="assign"):
        bind_next_free("192.0.2.1", 0)


def test_a_watcher_sees_each_newer_state(served: Served) -> None:
    link, answer = served.watch()
    with closing(link):
        assert read_event(answer)["version"] == 1
        served.table.show(fake_table.rolled())
        seen = read_event(answer)
        assert (seen["version"], seen["phase"]) == (2, "rolled")


def test_with_every_place_taken_other_requests_stay_quick(served: Served) -> None:
    links = [served.watch() for _ in range(8)]
    started = time.monotonic()
    assert served.get("/api/state")[0] == 200
    assert time.monotonic() - started < 1.0
    assert served.get("/api/events")[0] == 503
    for link, _ in links:
        link.close()


def test_a_watcher_that_left_is_noticed_without_waiting_for_news(served: Served) -> None:
    link, answer = served.watch()
    read_event(answer)
    assert served.watchers.count == 1
    answer.close()
    link.close()
    assert served.wait_for(lambda: served.watchers.count == 0)


def test_a_watcher_that_never_reads_costs_no_memory_and_no_one_else_anything(served: Served) -> None:
    with socket.create_connection((served.host, served.port)) as deaf:
        deaf.sendall(b"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert served.wait_for(lambda: served.watchers.count == 1)
        for _ in range(200):
            served.table.show(fake_table.rolled())
        assert served.get("/api/state")[0] == 200
    assert served.wait_for(lambda: served.watchers.count == 0)


def test_stop_ends_the_streams_quickly_and_leaves_no_thread() -> None:
    before = set(threading.enumerate())
    served = Served(watcher_limit=4)
    link, answer = served.watch()
    read_event(answer)
    started = time.monotonic()
    served.server.stop()
    assert time.monotonic() - started < 4 * TICK_S
    with closing(link):
        assert answer.read().strip() == b""
    assert served.wait_for(lambda: set(threading.enumerate()) <= before)
    with pytest.raises(OSError, match="refused"):
        socket.create_connection((served.host, served.port), timeout=1)


def test_stop_before_start_and_twice_is_harmless() -> None:
    server = PageServer(create_app(FakeTable()), HERE, 0, 1)
    server.stop()
    assert server.address == (HERE, 0)
    server.start()
    server.stop()
    server.stop()
