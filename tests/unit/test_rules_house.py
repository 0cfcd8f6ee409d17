"""Every house rule a table can set: what it changes, and its JSON form."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import pytest

from controller.errors import InputError
from controller.games.cosmic_cows import (
    DEFAULT_RULES,
    Cell,
    Opening,
    OutcomeReason,
    Rules,
    Side,
    Status,
    apply_pull,
    cells,
    cows_home,
    find_pull,
    format_rules,
    is_forced,
    is_forfeit,
    last_place,
    outcome,
    parse_dice,
    parse_position,
    parse_rules,
    starter,
    status,
    turn_limit_outcome,
)
from controller.games.cosmic_cows.beams import Beam
from tests.support.rules_words import after, cows, moved, names

LOCK = Rules(lock_in=True)
WHOLE = Rules(subset_pulls=False)
AT_WILL = Rules(super_forced=False)


def winner(position_text: str, rules: Rules) -> Side | None:
    won = outcome(parse_position(position_text, rules), rules)
    return won.side if won else None


# cows_to_win
@pytest.mark.parametrize(("wanted", "white_wins"), [(2, True), (3, True), (4, False), (5, False)])
def test_cows_to_win_says_how_many_cows_end_the_game(wanted: int, white_wins: bool) -> None:
    won = winner("0,6,7,8,0,0,0,0,0 b", Rules(cows_to_win=wanted))

    assert won is (Side.WHITE if white_wins else None)


# beam_length
@pytest.mark.parametrize(("length", "last", "count"), [(17, 8, 139), (13, 6, 107), (11, 5, 91)])
def test_beam_length_sets_the_cells_and_where_pulls_stop(length: int, last: int, count: int) -> None:
    rules = Rules(beam_length=length)

    assert len(cells(rules)) == count
    assert last_place(Beam.CHANCE, rules) == last
    assert last_place(Beam.SUPER, rules) == 1
    assert moved(cows(three=last - 1), "33334", "four 3", rules) == {"3": 1}
    assert names(cows(three=last), "33346", rules) == []


def test_beam_length_moves_the_win_zones_with_the_ends() -> None:
    rules = Rules(beam_length=13)

    assert cows_home(cows(one=4, two=3, three=6), Side.WHITE, rules) == (Beam.ONE, Beam.THREE)


# win_zone
@pytest.mark.parametrize(
    ("size", "home"), [(1, ["4"]), (2, ["3", "4"]), (3, ["2", "3", "4"]), (4, ["1", "2", "3", "4"])]
)
def test_win_zone_says_how_many_last_cells_count(size: int, home: list[str]) -> None:
    position = cows(one=5, two=6, three=7, four=8)

    assert [beam.value for beam in cows_home(position, Side.WHITE, Rules(win_zone=size))] == home


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_win_zone_leaves_the_super_beams_zone_at_one_cell(size: int) -> None:
    assert cows_home(cows(super_=1), Side.WHITE, Rules(win_zone=size)) == (Beam.SUPER,)
    assert cows_home(cows(super_=-1), Side.BLACK, Rules(win_zone=size)) == (Beam.SUPER,)


def test_a_win_zone_up_to_the_cell_beside_the_centre_counts_the_super_cow_once() -> None:
    rules = Rules(beam_length=9, win_zone=4, cows_to_win=2)

    assert winner("0,0,0,0,1,0,0,0,0 b", rules) is None
    assert winner("0,1,0,0,1,0,0,0,0 b", rules) is Side.WHITE


# super_forced
def test_super_forced_off_lets_five_alike_be_any_part_but_not_five_n() -> None:
    assert names(cows(), "66666", AT_WILL) == ["pair 6", "triple 6", "four 6", "chance", "super"]
    assert not is_forced(cows(), parse_dice("66666"), AT_WILL)


def test_super_forced_off_changes_nothing_with_the_super_cow_home() -> None:
    assert names(cows(super_=1), "66666", AT_WILL) == names(cows(super_=1), "66666")


# subset_pulls
@pytest.mark.parametrize(
    ("dice", "expected"),
    [
        ("33346", ["triple 3"]),
        ("44445", ["four 4"]),
        ("33366", ["full house 3 6"]),
        ("22556", ["two pair 2 5"]),
        ("12345", ["large straight"]),
        ("12343", ["pair 3", "small straight"]),  # neither is part of the other
        ("11222", ["full house 2 1", "chance"]),  # chance counts always
        ("66666", ["super"]),
        ("11246", ["pair 1"]),
    ],
)
def test_subset_pulls_off_counts_dice_for_all_they_show(dice: str, expected: list[str]) -> None:
    assert names(cows(), dice, WHOLE) == expected


def test_subset_pulls_off_with_the_super_cow_home_leaves_five_n_and_chance() -> None:
    assert names(cows(super_=1), "66666", WHOLE) == ["five 6", "chance"]


def test_subset_pulls_off_and_super_at_will_leave_super_and_chance() -> None:
    rules = Rules(subset_pulls=False, super_forced=False)

    assert names(cows(), "66666", rules) == ["chance", "super"]


def test_subset_pulls_off_still_moves_the_free_cow_of_two() -> None:
    assert moved(cows(three=8), "33366", "full house 3 6", WHOLE) == {"6": 2}
    assert names(cows(three=8), "33346", WHOLE) == []
    assert is_forfeit(cows(three=8), parse_dice("33346"), WHOLE)


# chance
def test_chance_bands_say_which_totals_pull_how_far() -> None:
    rules = parse_rules({"chance": {"5-15": 2, "20-20": 7}})

    assert moved(cows(), "12336", "chance", rules) == {"chance": 2}  # total 15
    assert moved(cows(), "24455", "chance", rules) == {"chance": 7}  # total 20
    assert "chance" not in names(cows(), "24456", rules)  # total 21


def test_chance_without_bands_pulls_nothing() -> None:
    assert "chance" not in names(cows(), "11111", parse_rules({"chance": {}, "super_forced": False}))


# straights
def test_straights_sets_the_steps_of_small_and_large() -> None:
    rules = parse_rules({"straights": [2, 5]})

    assert moved(cows(), "12345", "small straight", rules) == {"straights": 2}
    assert moved(cows(), "12345", "large straight", rules) == {"straights": 5}


# rolls, first_turn_rolls
def test_rolls_sets_the_rolls_of_every_turn() -> None:
    assert [Rules(rolls=2).rolls_in_turn(turn) for turn in (0, 1, 7)] == [2, 2, 2]


def test_first_turn_rolls_softens_only_the_starters_first_turn() -> None:
    assert [Rules(first_turn_rolls=1).rolls_in_turn(turn) for turn in (0, 1, 2)] == [1, 3, 3]


# opening
def test_opening_with_all_five_dice_compares_totals() -> None:
    rules = parse_rules({"opening": "all five"})

    assert starter([1, 1, 1, 1, 6], [2, 2, 2, 2, 1], rules) is Side.WHITE
    assert starter([1, 1, 1, 1, 1], [2, 2, 2, 2, 1], rules) is Side.BLACK
    assert starter([1, 1, 1, 1, 5], [2, 2, 2, 2, 1], rules) is None
    with pytest.raises(InputError, match="5 of the faces"):
        starter([6], [1], rules)


# lock_in
def test_lock_in_locks_a_cow_carried_at_least_one_cell_past_the_last() -> None:
    assert after("0,0,0,7,0,0,0,0,0 w", "33346", "pair 3", LOCK) == "0,0,0,8L,0,0,0,0,0 b"
    assert after("0,0,0,-7,0,0,0,0,0 b", "33346", "pair 3", LOCK) == "0,0,0,-8L,0,0,0,0,0 w"


def test_lock_in_spares_a_cow_that_comes_exactly_to_the_last_cell() -> None:
    assert after("0,0,0,6,0,0,0,0,0 w", "33346", "pair 3", LOCK) == "0,0,0,8,0,0,0,0,0 b"


def test_lock_in_counts_as_an_option_though_the_cow_does_not_move() -> None:
    position = cows(three=8)

    assert names(position, "33346", LOCK) == ["pair 3", "triple 3"]
    assert moved(position, "33346", "pair 3", LOCK) == {"3": 0}
    assert after(position, "33346", "pair 3", LOCK) == "0,0,0,8L,0,0,0,0,0 b"
    assert not is_forfeit(position, parse_dice("33346"), LOCK)


def test_lock_in_lets_neither_side_pull_a_locked_cow() -> None:
    for mover in Side:
        position = cows(mover, locked="3", three=8)

        assert names(position, "33346", LOCK) == []
        assert is_forfeit(position, parse_dice("33346"), LOCK)
        assert moved(position, "33366", "full house 3 6", LOCK) == {"6": 2}


def test_lock_in_counts_a_locked_cow_as_home() -> None:
    assert cows_home(cows(locked="3", three=8), Side.WHITE, LOCK) == (Beam.THREE,)
    assert winner("0,8L,8L,8L,0,0,0,0,0 b", LOCK) is Side.WHITE


def test_lock_in_can_lock_one_cow_and_move_the_other() -> None:
    position = cows(three=8, six=2)

    assert moved(position, "33366", "full house 3 6", LOCK) == {"3": 0, "6": 2}
    assert after(position, "33366", "full house 3 6", LOCK) == "0,0,0,8L,0,0,0,4,0 b"


def test_lock_in_looks_at_each_cow_of_a_two_cow_pull_alone() -> None:
    position = cows(three=5, six=7)  # the triple brings cow 3 exactly home, the pair carries cow 6 one cell too far

    assert after(position, "33366", "full house 3 6", LOCK) == "0,0,0,8,0,0,0,8L,0 b"


def test_lock_in_depends_on_the_dice_where_two_pulls_of_one_name_move_as_far() -> None:
    position = "5,0,0,0,0,0,0,0,0 w"

    assert after(position, "12223", "chance", LOCK) == "8,0,0,0,0,0,0,0,0 b"  # 3 cells, exactly
    assert after(position, "11124", "chance", LOCK) == "8L,0,0,0,0,0,0,0,0 b"  # 4 cells, one too many


def test_lock_in_works_on_the_chance_and_straights_beams() -> None:
    assert after(cows(straights=6), "12346", "small straight", LOCK) == "0,0,0,0,0,0,0,0,8L b"


def test_lock_in_never_locks_the_super_cow() -> None:
    assert after(cows(), "66666", "super", LOCK) == "0,0,0,0,1,0,0,0,0 b"
    assert "super" not in names(cows(super_=1), "66666", LOCK)
    assert after("0,0,0,0,1,0,0,0,0 b", "66666", "super", LOCK) == "0,0,0,0,0,0,0,0,0 w"


def test_lock_in_off_locks_nothing() -> None:
    assert after("0,0,0,7,0,0,0,0,0 w", "33346", "pair 3") == "0,0,0,8,0,0,0,0,0 b"


def test_lock_in_stays_for_good_while_others_move() -> None:
    position = cows(locked="3", three=8)
    moved_on = apply_pull(position, find_pull(position, parse_dice("66612"), "triple 6", LOCK), LOCK)

    assert moved_on.locked == {Beam.THREE}
    assert status(moved_on, LOCK) is Status.SOUND


# turn_limit
@pytest.mark.parametrize(
    ("position", "side", "reason"),
    [
        ("0,6,6,-8,0,0,0,0,-5 w", Side.WHITE, OutcomeReason.MOST_COWS),
        ("0,6,-6,-8,0,5,5,5,5 w", Side.BLACK, OutcomeReason.MOST_COWS),
        ("0,6,-6,1,0,0,0,0,0 b", Side.WHITE, OutcomeReason.SUM_OF_PLACES),
        ("0,6,-7,0,0,0,0,0,0 b", Side.BLACK, OutcomeReason.SUM_OF_PLACES),
        ("0,6,-6,0,0,0,0,0,0 w", None, OutcomeReason.DRAW),
        ("0,6,6,6,0,0,0,0,0 b", Side.WHITE, OutcomeReason.COWS_HOME),
    ],
)
def test_turn_limit_decides_by_cows_then_places_then_draws(
    position: str, side: Side | None, reason: OutcomeReason
) -> None:
    end = turn_limit_outcome(parse_position(position), 40, Rules(turn_limit=40))

    assert end is not None
    assert (end.side, end.reason) == (side, reason)


def test_turn_limit_waits_for_its_last_turn() -> None:
    position = cows(one=6)

    assert turn_limit_outcome(position, 39, Rules(turn_limit=40)) is None
    assert turn_limit_outcome(position, 40, Rules(turn_limit=40)) is not None
    assert turn_limit_outcome(position, 10_000, DEFAULT_RULES) is None


# The JSON form.
def test_rules_format_lists_every_house_rule_in_the_order_of_the_rules_file() -> None:
    assert list(format_rules(DEFAULT_RULES)) == [field.name for field in fields(Rules)]
    assert json.dumps(format_rules(DEFAULT_RULES)) == (
        '{"cows_to_win": 3, "beam_length": 17, "win_zone": 3, "super_forced": true, "subset_pulls": true,'
        ' "chance": {"5-9": 4, "10-12": 3, "23-25": 3, "26-30": 4}, "straights": [3, 4], "rolls": 3,'
        ' "first_turn_rolls": 3, "opening": "one die", "lock_in": false, "turn_limit": null}'
    )


def test_rules_that_set_nothing_are_those_of_the_printed_game() -> None:
    assert parse_rules({}) == DEFAULT_RULES == Rules()
    assert DEFAULT_RULES.opening is Opening.ONE_DIE


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        ({"cows_to_wim": 2}, "cows_to_wim.*the nearest is cows_to_win"),
        ({"rols": 2}, "the nearest is rolls"),
        ({"cows_to_win": 0}, "rules.cows_to_win: 0 .*1 to 9"),
        ({"cows_to_win": "3"}, "rules.cows_to_win: '3'"),
        ({"cows_to_win": True}, "rules.cows_to_win: True"),
        ({"cows_to_win": 3.0}, "rules.cows_to_win: 3.0"),
        ({"cows_to_win": 10**400}, "rules.cows_to_win: 1000"),
        ({"beam_length": 16}, "rules.beam_length: 16 .*odd"),
        ({"beam_length": 7}, "rules.beam_length"),
        ({"beam_length": 35}, "rules.beam_length"),
        ({"win_zone": 5}, "rules.win_zone"),
        ({"super_forced": 1}, "rules.super_forced: 1 .*true or false"),
        ({"subset_pulls": None}, "rules.subset_pulls"),
        ({"chance": [[5, 9, 4]]}, "rules.chance"),
        ({"chance": {"9-5": 4}}, "rules.chance: '9-5'"),
        ({"chance": {"4-9": 4}}, "rules.chance: '4-9'"),
        ({"chance": {"26-31": 4}}, "rules.chance: '26-31'"),
        ({"chance": {"5": 4}}, "rules.chance: '5'"),
        ({"chance": {"05-9": 4}}, "rules.chance: '05-9'"),
        ({"chance": {"٥-9": 4}}, "rules.chance"),
        ({"chance": {7: 4}}, "rules.chance: 7"),
        ({"chance": {"5-9": 0}}, "rules.chance.5-9: 0"),
        ({"chance": {"5-9": 4, "9-12": 3}}, "rules.chance: '9-12' .*overlap"),
        ({"straights": 3}, "rules.straights"),
        ({"straights": [3]}, "rules.straights"),
        ({"straights": [3, "4"]}, "rules.straights: '4'"),
        ({"straights": [0, 4]}, "rules.straights: 0"),
        ({"rolls": 4}, "rules.rolls: 4 .*1 to 3"),
        ({"first_turn_rolls": 0}, "rules.first_turn_rolls"),
        ({"opening": "two dice"}, "rules.opening: 'two dice' .*one die or all five"),
        ({"opening": ["one die"]}, "rules.opening"),
        ({"lock_in": "on"}, "rules.lock_in"),
        ({"turn_limit": 0}, "rules.turn_limit: 0"),
        ({"turn_limit": "off"}, "rules.turn_limit: 'off'"),
        ({"turn_limit": False}, "rules.turn_limit: False"),
        ([("rolls", 2)], "rules: .*an object"),
        (None, "rules: None"),
    ],
)
def test_unusable_rules_are_refused_by_name(mapping: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_rules(mapping)


@pytest.mark.parametrize(
    "mapping",
    [
        {"cows_to_win": 5, "beam_length": 11, "win_zone": 4},
        {"super_forced": False, "subset_pulls": False, "lock_in": True},
        {"chance": {"5-5": 8, "6-30": 1}, "straights": [1, 16]},
        {"chance": {}},
        {"rolls": 2, "first_turn_rolls": 1, "opening": "all five", "turn_limit": 60},
    ],
)
def test_rules_read_back_from_their_own_json_are_the_same(mapping: dict[str, Any]) -> None:
    rules = parse_rules(mapping)
    formatted = format_rules(rules)

    assert parse_rules(json.loads(json.dumps(formatted))) == rules
    assert {key: formatted[key] for key in mapping} == mapping


@pytest.mark.parametrize(
    ("key", "low", "high"),
    [
        ("cows_to_win", 1, 9),
        ("beam_length", 9, 33),
        ("win_zone", 1, 4),
        ("rolls", 1, 3),
        ("first_turn_rolls", 1, 3),
        ("turn_limit", 1, 10_000),
    ],
)
def test_numbers_are_accepted_up_to_their_limits_and_no_further(key: str, low: int, high: int) -> None:
    step = 2 if key == "beam_length" else 1
    for value in (low, high):
        assert format_rules(parse_rules({key: value}))[key] == value
    for value in (low - step, high + step):
        with pytest.raises(InputError, match=rf"^rules.{key}: {value} "):
            parse_rules({key: value})


@pytest.mark.parametrize("cell_count", [1, 32])
def test_steps_are_accepted_up_to_the_longest_beams_length(cell_count: int) -> None:
    beyond = 0 if cell_count == 1 else 33

    parse_rules({"straights": [cell_count, cell_count], "chance": {"5-30": cell_count}})

    for mapping in ({"straights": [beyond, 3]}, {"straights": [3, beyond]}, {"chance": {"5-30": beyond}}):
        with pytest.raises(InputError, match="1 to 32"):
            parse_rules(mapping)


def test_chance_bands_given_in_any_order_are_the_same_rules() -> None:
    assert parse_rules({"chance": {"26-30": 4, "5-9": 4}}) == parse_rules({"chance": {"5-9": 4, "26-30": 4}})


def test_rules_are_values() -> None:
    assert hash(parse_rules({"rolls": 2})) == hash(Rules(rolls=2))
    assert Cell(Beam.THREE, 2) in {Cell(Beam.THREE, 2)}
