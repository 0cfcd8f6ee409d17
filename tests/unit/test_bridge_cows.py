"""Cows and hands of a virtual board: which switches the magnets close."""

from __future__ import annotations

import pytest

from firmware_bridge.errors import AddressError
from firmware_bridge.geometry import BEAMS, cell_number
from firmware_bridge.virtual.cows import CowState, CowWorld

CENTRES = frozenset(cell_number(beam, 0) for beam in BEAMS)


def test_nine_cows_begin_in_the_centres() -> None:
    world = CowWorld()
    assert world.occupied(0.0) == CENTRES
    assert [cow.cow for cow in world.cows(0.0)] == list(BEAMS)


def test_a_slid_cow_fires_each_cell_on_its_way_with_gaps_between() -> None:
    world = CowWorld()
    world.slide("3", 3, 0.9, at=10.0)
    seen: list[int | None] = []
    for step in range(101):
        on_beam = [c for c in world.occupied(10.0 + step / 100) if c not in CENTRES - {cell_number("3", 0)}]
        here = on_beam[0] if on_beam else None
        if not seen or seen[-1] != here:
            seen.append(here)
    cells = [cell_number("3", place) for place in range(4)]
    assert seen == [cells[0], None, cells[1], None, cells[2], None, cells[3]]
    assert not world.is_moving(10.91)


def test_a_slide_can_be_turned_back_midway() -> None:
    world = CowWorld()
    world.slide("3", 4, 1.0, at=0.0)
    world.slide("3", 0, 1.0, at=0.5)
    assert world.cows(0.5)[3].place == pytest.approx(2.0)
    assert world.occupied(2.0) == CENTRES


def test_a_lifted_cow_closes_no_switch_until_it_is_put_anywhere() -> None:
    world = CowWorld()
    world.lift("super")
    assert world.occupied(0.0) == CENTRES - {cell_number("super", 0)}
    assert world.cows(0.0)[4].state is CowState.LIFTED
    world.put("super", "4", -2, at=0.0)
    assert world.occupied(0.0) == CENTRES - {cell_number("super", 0)} | {cell_number("4", -2)}


def test_a_toppled_cow_closes_no_switch_until_it_is_set_up() -> None:
    world = CowWorld()
    world.knock("6", at=0.0)
    assert cell_number("6", 0) not in world.occupied(0.0)
    assert world.cows(0.0)[7].state is CowState.TOPPLED
    with pytest.raises(AddressError, match="stands on the board"):
        world.slide("6", 2, 0.5, at=1.0)
    world.put("6", "6", 0, at=1.0)
    assert world.occupied(1.0) == CENTRES


def test_setting_up_puts_every_cow_home() -> None:
    world = CowWorld()
    world.lift("1")
    world.put("2", "5", 4, at=0.0)
    world.set_up({"1": -3})
    assert world.occupied(0.0) == CENTRES - {cell_number("1", 0)} | {cell_number("1", -3)}


def test_what_hands_cannot_do_is_refused_and_changes_nothing() -> None:
    world = CowWorld()
    with pytest.raises(AddressError, match="-8 to 8"):
        world.slide("chance", 9, 0.1, at=0.0)
    with pytest.raises(AddressError, match="cow 2 on it"):
        world.put("1", "2", 0, at=0.0)
    with pytest.raises(AddressError, match="straights"):
        world.lift("7")
    with pytest.raises(AddressError, match="place on beam super"):
        world.set_up({"super": 4})
    world.lift("1")
    with pytest.raises(AddressError, match="lifted"):
        world.slide("1", 2, 0.1, at=0.0)
    with pytest.raises(AddressError, match="lifted"):
        world.knock("1", at=0.0)
    assert world.occupied(0.0) == CENTRES - {cell_number("1", 0)}
