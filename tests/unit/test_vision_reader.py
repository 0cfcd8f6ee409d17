"""The camera thread's work, step by step, with a clock and a camera that only the test moves."""

from __future__ import annotations

import random
import threading

import pytest

from tests.support.trays import HandClock
from vision.cv import Image
from vision.errors import CameraGoneError
from vision.events import CameraBack, CameraGone, TrayEvent, TrayLookedAt, TrayRolling, TraySettled
from vision.reader import SILENT_S, CameraReader
from vision.sources.virtual import VirtualSource, VirtualTray

STEP_S = 0.1


class Table:
    """A virtual tray, its camera and a reader without a thread."""

    def __init__(self, expect: int | None = 5) -> None:
        self.clock = HandClock()
        self.tray = VirtualTray(self.clock, random.Random(4))
        self.told: list[TrayEvent] = []
        self.reader = CameraReader(VirtualSource(self.tray, self.clock, 10), self.told.append, self.clock, expect)

    def run(self, seconds: float) -> list[TrayEvent]:
        """Let time pass; what was told meanwhile."""
        before = len(self.told)
        for _ in range(round(seconds / STEP_S)):
            self.clock.now_s += STEP_S
            self.reader.step()
        return self.told[before:]


def names(events: list[TrayEvent]) -> list[str]:
    return [type(event).__name__ for event in events]


def test_a_throw_is_rolling_then_settled_with_its_values() -> None:
    table = Table()
    assert names(table.run(1)) == ["CameraBack", "TraySettled"]
    table.tray.throw((1, 3, 4, 5, 6))
    rolling, settled = table.run(2)
    assert isinstance(rolling, TrayRolling)
    assert isinstance(settled, TraySettled)
    assert settled.reading.is_sure
    assert settled.reading.values == (1, 3, 4, 5, 6)
    assert settled.at_s > rolling.at_s


def test_an_untouched_table_says_nothing_for_an_hour_of_pictures() -> None:
    table = Table()
    table.tray.throw((1, 2, 3, 4, 5))
    table.run(2)
    assert table.run(30) == []


def test_a_die_taken_away_and_a_die_turned_are_both_told() -> None:
    table = Table()
    table.tray.throw((1, 3, 4, 5, 6))
    table.run(2)
    table.tray.pick_up(frozenset({0}))
    told = table.run(2)
    assert isinstance(told[-1], TraySettled)
    assert told[-1].reading.values == (3, 4, 5, 6)
    table.tray.turn_die(2, 2)
    told = table.run(2)
    assert isinstance(told[-1], TraySettled)
    assert told[-1].reading.values == (2, 3, 5, 6)


def test_a_look_is_answered_from_pictures_after_the_question() -> None:
    table = Table()
    table.tray.throw((1, 3, 4, 5, 6))
    table.run(2)
    asked_s = table.clock.now_s
    table.reader.look_again()
    (looked,) = table.run(1)
    assert isinstance(looked, TrayLookedAt)
    assert looked.at_s > asked_s
    assert looked.reading.values == (1, 3, 4, 5, 6)
    assert table.run(1) == []


def test_a_look_asked_while_dice_roll_is_answered_when_they_lie() -> None:
    table = Table()
    table.run(1)
    table.tray.throw((2, 2, 4, 5, 6))
    table.reader.look_again()
    told = table.run(2)
    assert names(told) == ["TrayRolling", "TraySettled", "TrayLookedAt"]
    assert isinstance(told[-1], TrayLookedAt)
    assert told[-1].reading.values == (2, 2, 4, 5, 6)


def test_a_camera_that_goes_is_told_once_and_tried_for_ever() -> None:
    table = Table()
    table.run(1)
    table.tray.fault("gone")
    gone = table.run(200)
    assert names(gone) == ["CameraGone"]
    assert table.reader.picture() is None
    table.tray.fault("none")
    assert names(table.run(40)) == ["CameraBack", "TraySettled"]


def test_a_frozen_camera_is_told_after_its_silence() -> None:
    table = Table()
    table.run(1)
    table.tray.fault("frozen")
    assert table.run(SILENT_S - 2 * STEP_S) == []
    (gone,) = table.run(1)
    assert isinstance(gone, CameraGone)
    assert "no new picture" in gone.reason


def test_another_count_of_dice_is_read_anew() -> None:
    table = Table(expect=2)
    table.tray.throw((1, 6), count=2)
    first = table.run(2)[-1]
    assert isinstance(first, TraySettled)
    assert first.reading.is_sure
    table.reader.expect(5)
    (again,) = table.run(1)
    assert isinstance(again, TraySettled)
    assert not again.reading.is_sure
    assert again.reading.values == (1, 6)


def test_the_picture_is_a_jpeg_of_the_newest_image() -> None:
    table = Table()
    assert table.reader.picture() is None
    table.run(1)
    picture = table.reader.picture()
    assert picture is not None
    assert picture.startswith(b"\xff\xd8")


class Broken:
    """A camera that can't be opened until `is_mended`."""

    name = "broken"
    is_live = True

    def __init__(self) -> None:
        self.tries = 0
        self.closed = 0

    def open(self) -> None:
        self.tries += 1
        raise CameraGoneError("broken", "not there", "plug it in")

    def newest(self, after_s: float) -> tuple[Image, float] | None:
        raise AssertionError("asked for a picture without being opened")

    def close(self) -> None:
        self.closed += 1

    def describe(self) -> str:
        return "broken"


def test_the_pauses_between_tries_grow() -> None:
    clock, source, told = HandClock(), Broken(), list[TrayEvent]()
    reader = CameraReader(source, told.append, clock)
    for _ in range(600):
        clock.now_s += STEP_S
        reader.step()
    assert names(told) == ["CameraGone"]
    assert 5 <= source.tries <= 8


def test_the_thread_starts_posts_and_stops_cleanly() -> None:
    arrived = threading.Event()
    clock = HandClock()

    def post(event: TrayEvent) -> None:
        if isinstance(event, CameraBack):
            arrived.set()

    reader = CameraReader(VirtualSource(VirtualTray(clock), clock), post, clock)
    reader.start()
    assert arrived.wait(10)
    reader.stop()
    reader.stop()
    assert "camera" not in {thread.name for thread in threading.enumerate()}


@pytest.mark.parametrize("fault", ["cocked", "glare", "dark"])
def test_a_fault_is_told_as_refused_and_its_end_as_read(fault: str) -> None:
    table = Table()
    table.tray.throw((3, 3, 4, 5, 6))
    table.run(2)
    table.tray.fault(fault)
    told = table.run(2)
    assert isinstance(told[-1], TraySettled)
    assert not told[-1].reading.is_sure
    table.tray.fault("none")
    told = table.run(2)
    assert isinstance(told[-1], TraySettled)
    assert told[-1].reading.values == (3, 3, 4, 5, 6)
