"""The event stream: newest first, nothing piles up, places are counted, everyone leaves at the end."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from controller.runtime.ports import Snapshot
from tests.support import fake_table
from tests.support.fake_table import FakeTable
from web.app import WATCHERS, create_app
from web.errors import RefusedError
from web.stream import TICK_S, Watchers, events, format_event


class Script(FakeTable):
    """A table whose `wait_newer` plays a list of deeds, one a call, and never waits."""

    def __init__(self, deeds: list[Callable[[], object]]) -> None:
        super().__init__()
        self.deeds_due = deeds
        self.waits: list[tuple[int, float]] = []

    def wait_newer(self, version: int, timeout_s: float) -> Snapshot | None:
        self.waits.append((version, timeout_s))
        self.deeds_due.pop(0)()
        newest = self.snapshot()
        return newest if newest.version > version else None


def told(table: Script, *, heartbeat_s: float = 15.0, now: Callable[[], float] = lambda: 0.0) -> list[str]:
    return list(events(table, lambda: not table.deeds_due, heartbeat_s=heartbeat_s, now=now))


def ids(lines: list[str]) -> list[int]:
    return [int(line.partition("id: ")[2].partition("\n")[0]) for line in lines]


def test_the_newest_state_comes_first_with_its_version_as_id() -> None:
    table = Script([])
    table.show(fake_table.rolled())
    (first,) = told(table)
    assert first.startswith("retry: ")
    assert ids([first]) == [2]
    data = first.partition("data: ")[2].removesuffix("\n\n")
    assert json.loads(data) == json.loads(table.snapshot().body)


def test_a_slow_watcher_gets_the_newest_and_misses_those_between() -> None:
    table = Script([])

    def three_at_once() -> None:
        for _ in range(3):
            table.show(fake_table.rolled())

    table.deeds_due = [three_at_once, lambda: table.show(fake_table.won())]
    assert ids(told(table)) == [1, 4, 5]


def test_a_comment_comes_when_nothing_was_said_for_a_heartbeat() -> None:
    times = iter([0.0, 14.9, 15.0, 15.0, 29.9, 30.0, 30.0])
    table = Script([lambda: None] * 4)
    assert told(table, now=lambda: next(times))[1:] == [": still here\n\n"] * 2


def test_news_puts_the_heartbeat_off() -> None:
    times = iter([0.0, 10.0, 24.9, 25.0, 25.0])
    table = Script([])
    table.deeds_due = [lambda: table.show(fake_table.rolled()), lambda: None, lambda: None]
    lines = told(table, now=lambda: next(times))
    assert [line.startswith("id: 2") for line in lines[1:]] == [True, False]


def test_a_stop_is_seen_within_a_tick() -> None:
    table = Script([lambda: None])
    told(table)
    assert table.waits == [(1, TICK_S)]
    assert TICK_S <= 1.0


def test_a_body_of_several_lines_stays_one_event() -> None:
    assert format_event(Snapshot(7, '{\n"a": 1}')) == 'id: 7\ndata: {\ndata: "a": 1}\n\n'


def test_a_line_separator_inside_a_name_stays_inside() -> None:
    assert format_event(Snapshot(7, '{"name": "A\u2028B"}')) == 'id: 7\ndata: {"name": "A\u2028B"}\n\n'


def test_places_are_counted_and_given_back_once() -> None:
    watchers = Watchers(2)
    leave = watchers.enter()
    watchers.enter()
    with pytest.raises(RefusedError, match="All 2 live places"):
        watchers.enter()
    leave()
    leave()
    assert watchers.count == 1
    watchers.enter()
    assert watchers.count == 2


def test_after_the_close_no_one_enters() -> None:
    watchers = Watchers(2)
    watchers.close()
    with pytest.raises(RefusedError, match="stopping"):
        watchers.enter()


def test_a_stream_holds_a_place_until_it_is_closed() -> None:
    app = create_app(FakeTable(), watcher_limit=1)
    watchers: Watchers = app.extensions[WATCHERS]
    client = app.test_client()
    answer = client.get("/api/events", buffered=False)
    assert answer.mimetype == "text/event-stream"
    assert answer.headers["X-Accel-Buffering"] == "no"
    assert answer.headers["Cache-Control"] == "no-store"
    assert watchers.count == 1
    full = client.get("/api/events")
    assert (full.status_code, full.headers["Retry-After"]) == (503, "5")
    assert "All 1 live places" in full.get_json()["sentence"]
    answer.close()
    assert watchers.count == 0


def test_asking_for_the_head_of_the_stream_takes_no_place() -> None:
    app = create_app(FakeTable(), watcher_limit=1)
    assert app.test_client().head("/api/events").status_code == 200
    assert app.extensions[WATCHERS].count == 0


def test_the_limit_of_one_table_is_its_own() -> None:
    one, other = create_app(FakeTable(), watcher_limit=1), create_app(FakeTable(), watcher_limit=1)
    one.extensions[WATCHERS].enter()
    assert other.extensions[WATCHERS].count == 0
