"""Settle over time: rows of (time, moves, reading) and what is told."""

from __future__ import annotations

import pytest

from tests.support.trays import die_at, reading_of
from vision.events import TrayEvent, TrayRolling, TraySettled
from vision.readings import Reading, Refusal
from vision.settle import MOST_TRIES, Observation, Settle, match_dice, settle, wants_reading

FIVE = reading_of(*(die_at(60.0 * number + 50, 100, number + 1) for number in range(5)))
FOUR = reading_of(*FIVE.dice[:4])
EMPTY = reading_of()


def play(rows: list[tuple[float, bool, Reading]], state: Settle | None = None) -> tuple[Settle, list[TrayEvent], int]:
    """Feed rows; the last state, all events, and how many pictures had to be read."""
    now = Settle() if state is None else state
    told: list[TrayEvent] = []
    read_count = 0
    for at_s, motion, reading in rows:
        wanted = wants_reading(now, motion, at_s)
        read_count += wanted
        now, events = settle(now, Observation(motion, reading if wanted else None), at_s)
        told += events
    return now, told, read_count


def still(start_s: float, pace_hz: float, seconds: float, reading: Reading) -> list[tuple[float, bool, Reading]]:
    count = int(seconds * pace_hz)
    return [(start_s + number / pace_hz, False, reading) for number in range(count)]


def rolling(start_s: float, pace_hz: float, seconds: float) -> list[tuple[float, bool, Reading]]:
    count = int(seconds * pace_hz)
    return [(start_s + number / pace_hz, True, EMPTY) for number in range(count)]


@pytest.mark.parametrize("pace_hz", [5, 10, 15, 25, 30, 60])
def test_a_throw_is_told_once_rolling_and_once_settled_at_any_pace(pace_hz: float) -> None:
    first, _, _ = play(still(0, pace_hz, 2, EMPTY))
    _, told, _ = play(rolling(2, pace_hz, 1) + still(3, pace_hz, 4, FIVE), first)
    assert [type(event) for event in told] == [TrayRolling, TraySettled]
    assert isinstance(told[1], TraySettled)
    assert told[1].reading == FIVE


@pytest.mark.parametrize(("pace_hz", "bar_s"), [(15, 0.4), (30, 0.4), (60, 0.4), (10, 0.5), (5, 0.8)])
def test_a_settled_throw_is_told_soon_after_the_last_motion(pace_hz: float, bar_s: float) -> None:
    first, _, _ = play(still(0, pace_hz, 2, EMPTY))
    rows = rolling(2, pace_hz, 1)
    _, told, _ = play(rows + still(rows[-1][0] + 1 / pace_hz, pace_hz, 2, FIVE), first)
    assert told[-1].at_s - rows[-1][0] <= bar_s


def test_a_still_table_is_read_three_times_and_no_more() -> None:
    _, _, read_count = play(still(0, 10, 60, FIVE))
    assert read_count == 3


def test_nothing_is_told_before_three_pictures_agree() -> None:
    _, told, _ = play([(0.0, False, FIVE), (0.1, False, FIVE)])
    assert told == []


def test_motion_between_the_readings_starts_the_count_anew() -> None:
    rows = [
        (0.0, True, EMPTY),
        (0.2, False, FIVE),
        (0.3, False, FIVE),
        (0.4, True, EMPTY),
        (0.6, False, FIVE),
        (0.7, False, FIVE),
    ]
    _, told, _ = play(rows)
    assert told == []


def test_a_reading_during_the_calm_is_not_wanted() -> None:
    state, _, _ = play([(1.0, True, EMPTY)])
    assert not wants_reading(state, motion=False, at_s=1.119)
    assert wants_reading(state, motion=False, at_s=1.12)


def test_pictures_out_of_order_are_passed_over() -> None:
    state, _, _ = play([(1.0, True, EMPTY), (1.2, False, FIVE)])
    same, told = settle(state, Observation(motion=True), 1.1)
    assert same == state
    assert told == ()
    assert not wants_reading(state, motion=False, at_s=1.2)


def test_dropped_pictures_only_make_it_later() -> None:
    first, _, _ = play(still(0, 10, 2, EMPTY))
    _, told, _ = play([(2.0, True, EMPTY), (9.0, False, FIVE), (9.1, False, FIVE), (15.0, False, FIVE)], first)
    assert [event.at_s for event in told] == [2.0, 15.0]


def test_a_die_taken_away_quietly_is_told_as_a_new_settled_tray() -> None:
    state, _, _ = play(still(0, 10, 2, FIVE))
    _, told, _ = play([(3.0, True, FOUR), *still(3.1, 10, 2, FOUR)], state)
    assert isinstance(told[-1], TraySettled)
    assert told[-1].reading == FOUR


def test_an_empty_tray_is_reported_too() -> None:
    _, told, _ = play(still(0, 10, 2, EMPTY))
    assert isinstance(told[-1], TraySettled)
    assert told[-1].reading.dice == ()


def test_readings_that_never_agree_end_in_a_refusal_never_in_a_value() -> None:
    other = reading_of(*FIVE.dice[:4], die_at(290, 100, 6))
    rows = [(number / 10, False, FIVE if number % 2 else other) for number in range(MOST_TRIES + 2)]
    _, told, _ = play(rows)
    assert len(told) == 1
    assert isinstance(told[0], TraySettled)
    assert not told[0].reading.is_sure
    assert Refusal.UNKNOWN_DIE in told[0].reading.refusals
    assert told[0].reading.values == (1, 2, 3, 4)


def test_a_refused_tray_is_reported_with_its_reason() -> None:
    cocked = reading_of(*FIVE.dice[:4], die_at(290, 100, 5, Refusal.COCKED))
    _, told, _ = play(still(0, 10, 2, cocked))
    assert isinstance(told[-1], TraySettled)
    assert told[-1].reading.refusals == (Refusal.COCKED,)


def test_kept_dice_are_those_with_place_and_face_as_before() -> None:
    after = reading_of(die_at(52, 101, 1), die_at(110, 100, 6), die_at(500, 300, 3))
    match = match_dice(FIVE, after)
    assert [(old.value, new.value) for old, new in match.kept] == [(1, 1)]
    assert [(old.value, new.value) for old, new in match.turned] == [(2, 6)]
    assert [die.value for die in match.new] == [3]
    assert [die.value for die in match.gone] == [3, 4, 5]


def test_an_unsure_die_is_never_a_kept_one() -> None:
    match = match_dice(reading_of(die_at(50, 50, 4)), reading_of(die_at(50, 50, 4, Refusal.GLARE)))
    assert match.kept == ()
    assert len(match.turned) == 1


def test_each_die_is_paired_once_and_with_the_nearest() -> None:
    match = match_dice(reading_of(die_at(50, 50, 4), die_at(62, 50, 4)), reading_of(die_at(61, 50, 4)))
    assert [old.centre[0] for old, _ in match.kept] == [62]
    assert [die.centre[0] for die in match.gone] == [50]
