"""Text forms: each value has exactly one text, anything else is refused by name."""

from __future__ import annotations

from typing import Any

import pytest

from controller.errors import InputError
from controller.games.cosmic_cows import (
    ALL_DICE,
    Beam,
    Dice,
    Kind,
    Pattern,
    Rules,
    Side,
    format_dice,
    format_position,
    format_pull_name,
    parse_dice,
    parse_position,
    parse_pull_name,
    patterns,
)
from tests.support.rules_words import cows

LOCK = Rules(lock_in=True)


def test_a_position_is_nine_places_in_board_order_and_the_player_to_move() -> None:
    position = parse_position("0,0,2,0,-1,0,-3,0,8 w")

    assert position == cows(Side.WHITE, two=2, super_=-1, five=-3, straights=8)
    assert format_position(position) == "0,0,2,0,-1,0,-3,0,8 w"


def test_a_locked_cow_is_marked_with_l_behind_its_place() -> None:
    position = parse_position("0,0,2,-8L,-1,0,-3,0,8L b", LOCK)

    assert position.locked == {Beam.THREE, Beam.STRAIGHTS}
    assert format_position(position) == "0,0,2,-8L,-1,0,-3,0,8L b"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0,0,0,0,0,0,0,0,0",
        "0,0,0,0,0,0,0,0 w",
        "0,0,0,0,0,0,0,0,0,0 w",
        "0,0,0,0,0,0,0,0,0 W",
        "0,0,0,0,0,0,0,0,0 white",
        "0,0,0,0,0,0,0,0,0  w",
        " 0,0,0,0,0,0,0,0,0 w",
        "0,0,0,0,0,0,0,0,0 w\n",
        "0, 0,0,0,0,0,0,0,0 w",
        "+1,0,0,0,0,0,0,0,0 w",
        "-0,0,0,0,0,0,0,0,0 w",
        "01,0,0,0,0,0,0,0,0 w",
        "1.0,0,0,0,0,0,0,0,0 w",
        "١,0,0,0,0,0,0,0,0 w",
        "100,0,0,0,0,0,0,0,0 w",
        "8l,0,0,0,0,0,0,0,0 w",
        "9" * 5000,
        None,
        7,
        ["0"] * 9,
    ],
)
def test_what_is_no_position_is_refused(text: Any) -> None:
    with pytest.raises(InputError, match=r"^position: .*nine places in beam order"):
        parse_position(text, LOCK)


@pytest.mark.parametrize(
    ("text", "rules", "message"),
    [
        ("9,0,0,0,0,0,0,0,0 w", Rules(), "position: 9 .*-8 to 8 on beam chance"),
        ("0,0,0,0,0,0,0,0,-9 w", Rules(), "position: -9 .*-8 to 8 on beam straights"),
        ("0,0,0,0,2,0,0,0,0 w", Rules(), "position: 2 .*-1 to 1 on beam super"),
        ("0,0,0,0,-2,0,0,0,0 w", Rules(), "position: -2 .*-1 to 1 on beam super"),
        ("0,7,0,0,0,0,0,0,0 w", Rules(beam_length=13), "position: 7 .*-6 to 6 on beam 1"),
        ("0,8L,0,0,0,0,0,0,0 w", Rules(), "lock_in isn't played"),
        ("0,7L,0,0,0,0,0,0,0 w", LOCK, "on a last cell only"),
        ("0,0L,0,0,0,0,0,0,0 w", LOCK, "on a last cell only"),
        ("0,0,0,0,1L,0,0,0,0 w", LOCK, "super cow without a lock mark"),
    ],
)
def test_a_position_that_no_board_can_show_is_refused(text: str, rules: Rules, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_position(text, rules)


def test_longer_boards_have_places_of_their_own() -> None:
    text = "16,-16,0,0,0,0,0,0,0 w"

    assert format_position(parse_position(text, Rules(beam_length=33))) == text


def test_dice_are_five_digits_in_any_order() -> None:
    assert parse_dice("34312") == parse_dice("12334") == Dice((1, 2, 3, 3, 4))
    assert format_dice(parse_dice("34312")) == "12334"
    assert [parse_dice(format_dice(dice)) for dice in ALL_DICE] == list(ALL_DICE)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1234",
        "123456",
        "12347",
        "02345",
        "1 2 3 4 5",
        "1,2,3,4,5",
        "12345\n",
        "-1234",
        "１2345",
        12345,
        None,
        [1, 2, 3, 4, 5],
    ],
)
def test_what_is_no_dice_is_refused(text: Any) -> None:
    with pytest.raises(InputError, match=r"^dice: .*five digits from 1 to 6"):
        parse_dice(text)


def test_every_combination_of_every_throw_reads_back_from_its_name() -> None:
    found = {pattern for dice in ALL_DICE for pattern in patterns(dice)}

    assert len(found) == 4 * 6 + 15 + 30 + 4
    for pattern in found:
        assert parse_pull_name(format_pull_name(pattern)) == pattern


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("pair 3", Pattern(Kind.PAIR, (3,))),
        ("two pair 3 5", Pattern(Kind.TWO_PAIR, (3, 5))),
        ("full house 5 3", Pattern(Kind.FULL_HOUSE, (5, 3))),
        ("large straight", Pattern(Kind.LARGE_STRAIGHT)),
        ("super", Pattern(Kind.SUPER)),
    ],
)
def test_pull_names_are_those_of_the_interface(name: str, pattern: Pattern) -> None:
    assert parse_pull_name(name) == pattern
    assert pattern.name == name


@pytest.mark.parametrize(
    "name",
    ["", "pair", "pair 7", "pair 3 ", "Pair 3", "two pair 5 3", "two pair 3 3", "full house 3 3", "straight", None, 3],
)
def test_what_is_no_pull_name_is_refused(name: Any) -> None:
    with pytest.raises(InputError, match=r"^pull: .*two pair N M with N below M"):
        parse_pull_name(name)
