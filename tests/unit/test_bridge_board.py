"""Boards by address: what is accepted, and what is said of anything else."""

from __future__ import annotations

import threading

import pytest

from firmware_bridge.board import open_board
from firmware_bridge.errors import AddressError, PortMissingError
from firmware_bridge.lights import DARK_PLAN
from firmware_bridge.link import LinkStage
from firmware_bridge.virtual.board import VirtualBoard


def test_a_virtual_board_takes_seed_and_faults_from_its_address() -> None:
    board = open_board("virtual://magnet?seed=3&fault=weak:4&fault=corrupt:5")
    assert board.virtual is not None
    assert board.virtual.variant == "magnet"
    assert board.virtual.faults() == ("weak:4", "corrupt:5")
    assert board.url.startswith("virtual://")


@pytest.mark.parametrize("url", ["serial://auto", "serial:///dev/ttyUSB0", "/dev/ttyUSB0"])
def test_a_real_board_has_no_virtual_one_behind_it(url: str) -> None:
    assert open_board(url).virtual is None


@pytest.mark.parametrize(
    ("url", "accepted"),
    [
        ("virtual://wood", "virtual://led, virtual://magnet"),
        ("virtual://magnet?speed=3", "seed=N"),
        ("virtual://magnet?seed=x", "seed=N"),
        ("virtual://magnet?fault=flood", "brown-out"),
        ("http://board", "serial://auto"),
        ("serial://ttyUSB0", "serial://auto"),
        ("serial://auto?x=1", "serial://auto"),
        ("", "virtual://led"),
        ("ttyUSB0", "/dev/NAME"),
    ],
)
def test_any_other_address_is_refused_with_what_is_accepted(url: str, accepted: str) -> None:
    with pytest.raises(AddressError) as refused:
        open_board(url)
    assert accepted in str(refused.value)


def test_making_a_board_opens_and_starts_nothing() -> None:
    threads = threading.active_count()
    board = open_board("virtual://magnet")
    assert threading.active_count() == threads
    assert board.state.stage is LinkStage.STOPPED
    assert board.virtual is not None
    with pytest.raises(PortMissingError, match="unplugged"):
        _ = board.virtual.port
    board.stop()


def test_a_plan_or_sound_that_is_none_is_refused_at_once_even_when_stopped() -> None:
    board = open_board("virtual://led")
    board.show(DARK_PLAN)
    board.buzz("win")
    with pytest.raises(AddressError, match="139"):
        board.show(DARK_PLAN[:5])
    with pytest.raises(AddressError, match="accepted, wrong"):
        board.buzz("moo")


def test_hands_on_an_led_board_and_unknown_buttons_are_refused() -> None:
    board = VirtualBoard("led")
    assert board.cows() == ()
    with pytest.raises(AddressError, match="magnet board"):
        board.lift("1")
    with pytest.raises(AddressError, match="done, undo, new-game"):
        board.press("any key")
