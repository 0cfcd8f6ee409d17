"""The virtual tray: where dice are after each command, chance that is fair, and nothing told but by pictures."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter

import numpy as np
import pytest

from tests.support.trays import HandClock
from vision.errors import CameraGoneError, FaultNameError
from vision.reading import read
from vision.sources.virtual import FAULTS, TrayDie, VirtualSource, VirtualTray
from vision.tumble import ROLL_S


def tray(seed: int = 1) -> VirtualTray:
    return VirtualTray(HandClock(0.0), random.Random(seed))


def values(of: VirtualTray, at_s: float = 50.0, expect: int | None = None) -> tuple[int, ...]:
    return read(of.image(at_s, 1), expect).values


def test_dice_roll_for_their_time_and_then_lie() -> None:
    table = tray()
    table.throw((1, 2, 3, 4, 5), at_s=10.0)
    assert table.is_rolling(10.0)
    assert table.is_rolling(10.0 + ROLL_S - 0.01)
    assert not table.is_rolling(10.0 + ROLL_S)
    assert values(table) == (1, 2, 3, 4, 5)


def test_kept_dice_stay_where_they_are_with_their_face() -> None:
    table = tray()
    table.throw((1, 2, 3, 4, 5), at_s=0.0)
    before = table.dice()
    table.throw((6, 6, 6), keep=frozenset({1, 3}), at_s=5.0)
    after = table.dice()
    assert (after[1], after[3]) == (before[1], before[3])
    assert all(after[number] != before[number] for number in (0, 2, 4))
    assert values(table) == (2, 4, 6, 6, 6)


def test_dice_in_the_rail_stay_and_can_be_picked_up_again() -> None:
    table = tray()
    table.throw((1, 3, 4, 5, 6), at_s=0.0)
    table.put_in_rail(2)
    assert table.dice()[2].in_rail
    assert table.dice()[2].y > 0.8
    table.throw((2, 3, 5, 5), at_s=5.0)
    assert values(table) == (2, 3, 4, 5, 5)
    table.pick_up((2,))
    assert not table.dice()[2].in_rail
    table.throw((6,), keep=frozenset({0, 1, 3, 4}), at_s=15.0)
    assert values(table) == (2, 3, 5, 5, 6)


def test_picked_up_dice_are_not_in_the_picture() -> None:
    table = tray()
    table.throw((1, 3, 4, 5, 6), at_s=0.0)
    table.pick_up(frozenset({0, 4}))
    assert values(table) == (3, 4, 5)
    assert [die.in_hand for die in table.dice()] == [True, False, False, False, True]


def test_a_nudged_die_lies_elsewhere_with_its_face() -> None:
    table = tray()
    table.throw((1, 3, 4, 5, 6), at_s=0.0)
    before = table.dice()[1]
    table.nudge(1)
    assert table.dice()[1] != before
    assert values(table) == (1, 3, 4, 5, 6)


def test_a_cleared_tray_is_empty() -> None:
    table = tray()
    table.throw(at_s=0.0)
    table.clear()
    assert table.dice() == ()
    assert read(table.image(5.0, 1), None).dice == ()


def test_resting_dice_never_overlap() -> None:
    for seed in range(30):
        table = tray(seed)
        table.throw(at_s=0.0)
        places = [np.array([die.x * 240, die.y * 180]) for die in table.dice()]
        gaps = [np.hypot(*(a - b)) for number, a in enumerate(places) for b in places[:number]]
        assert min(gaps) > 16 * np.sqrt(2)


def test_the_generator_is_fair() -> None:
    table = tray(7)
    counted: Counter[int] = Counter()
    for number in range(1200):
        table.throw(at_s=float(number))
        counted.update(die.rest.value for die in table._dice)
    # 6,000 throws: five standard deviations of a fair face's count are 144.
    assert all(abs(counted[face] - 1000) < 144 for face in range(1, 7))


def test_the_page_learns_no_face() -> None:
    assert "value" not in {field.name for field in dataclasses.fields(TrayDie)}


@pytest.mark.parametrize("name", ["cocked", "touching", "stacked", "off tray", "sixth"])
def test_a_fault_asked_for_on_an_empty_tray_comes_with_the_next_throw_only(name: str) -> None:
    table = tray(3)
    table.fault(name)
    table.throw((1, 3, 4, 5, 6), at_s=0.0)
    assert not read(table.image(9.0, 1)).is_sure
    assert name not in table.faults


def test_none_ends_every_fault() -> None:
    for name in FAULTS:
        table = tray(3)
        table.throw((1, 3, 4, 5, 6), at_s=0.0)
        table.fault(name)
        table.fault("none")
        assert table.faults == frozenset()
        assert values(table, expect=5) == (1, 3, 4, 5, 6), name


def test_an_unknown_fault_names_the_known_ones() -> None:
    with pytest.raises(FaultNameError, match=r"earthquake.*cocked"):
        tray().fault("earthquake")


@pytest.mark.parametrize("faces", [(1, 2, 3), (1, 2, 3, 4, 7), (0, 1, 1, 1, 1), (1,) * 6])
def test_faces_that_no_throw_can_show_are_refused_and_nothing_moves(faces: tuple[int, ...]) -> None:
    table = tray()
    table.throw((1, 2, 3, 4, 5), at_s=0.0)
    before = table.dice()
    with pytest.raises(ValueError, match="values"):
        table.throw(faces, at_s=5.0)
    assert table.dice() == before


def test_a_die_that_is_not_there_is_refused() -> None:
    with pytest.raises(IndexError, match="die: 3"):
        tray().nudge(3)


def test_pictures_come_at_the_cameras_pace_and_differ_by_noise() -> None:
    clock = HandClock(0.0)
    source = VirtualSource(VirtualTray(clock), clock, pace_hz=10)
    source.open()
    clock.now_s = 1.0
    first = source.newest(0.0)
    assert first is not None
    assert source.newest(1.0) is None
    clock.now_s = 1.11
    second = source.newest(1.0)
    assert second is not None
    assert not np.array_equal(first[0], second[0])
    assert np.abs(first[0].astype(int) - second[0].astype(int)).mean() < 5


def test_a_gone_camera_raises_with_the_mend() -> None:
    clock = HandClock(0.0)
    table = VirtualTray(clock)
    source = VirtualSource(table, clock)
    table.fault("gone")
    with pytest.raises(CameraGoneError, match="none"):
        source.open()
