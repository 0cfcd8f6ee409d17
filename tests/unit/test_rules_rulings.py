"""The table of combinations and the eleven rulings of the rules file, a law a test."""

from __future__ import annotations

import pytest

from controller.errors import InputError, StateError
from controller.games.cosmic_cows import (
    ALL_DICE,
    BEAMS,
    Beam,
    Pull,
    Side,
    apply_pull,
    cows_home,
    find_pull,
    format_dice,
    is_forced,
    is_forfeit,
    legal_pulls,
    outcome,
    parse_dice,
    parse_rules,
    start_position,
    starter,
)
from tests.support.rules_words import after, cows, moved, names

COMBINATIONS = [
    # dice, pull, cows it moves from the centre
    ("11246", "pair 1", {"1": 2}),
    ("33346", "triple 3", {"3": 3}),
    ("66662", "four 6", {"6": 4}),
    ("22554", "two pair 2 5", {"2": 2, "5": 2}),
    ("44422", "full house 4 2", {"2": 2, "4": 3}),
    ("22244", "full house 2 4", {"2": 3, "4": 2}),
    ("55555", "super", {"super": 1}),
    ("12346", "small straight", {"straights": 3}),
    ("23456", "large straight", {"straights": 4}),
    ("12345", "large straight", {"straights": 4}),
    ("12223", "chance", {"chance": 3}),  # total 10
    ("11244", "chance", {"chance": 3}),  # total 12
    ("45554", "chance", {"chance": 3}),  # total 23
    ("45556", "chance", {"chance": 3}),  # total 25
    ("11124", "chance", {"chance": 4}),  # total 9
    ("11122", "chance", {"chance": 4}),  # total 7
    ("55556", "chance", {"chance": 4}),  # total 26
    ("66665", "chance", {"chance": 4}),  # total 29
]


@pytest.mark.parametrize(("dice", "name", "expected"), COMBINATIONS)
def test_each_combination_pulls_its_cows_as_the_table_says(dice: str, name: str, expected: dict[str, int]) -> None:
    assert moved(cows(), dice, name) == expected


@pytest.mark.parametrize("dice", ["11335", "12226", "13366", "44446"])
def test_totals_from_13_to_22_pull_no_chance_cow(dice: str) -> None:
    assert 13 <= parse_dice(dice).total <= 22
    assert "chance" not in names(cows(), dice)


def test_cows_go_towards_the_roller() -> None:
    assert after("0,0,0,0,0,0,0,0,0 w", "33346", "triple 3") == "0,0,0,3,0,0,0,0,0 b"
    assert after("0,0,0,0,0,0,0,0,0 b", "33346", "triple 3") == "0,0,0,-3,0,0,0,0,0 w"


def test_the_super_cow_goes_from_the_far_zone_to_the_centre_and_from_there_home() -> None:
    assert after("0,0,0,0,-1,0,0,0,0 w", "55555", "super") == "0,0,0,0,0,0,0,0,0 b"
    assert after("0,0,0,0,0,0,0,0,0 w", "55555", "super") == "0,0,0,0,1,0,0,0,0 b"
    assert after("0,0,0,0,1,0,0,0,0 b", "55555", "super") == "0,0,0,0,0,0,0,0,0 w"


def test_only_two_pairs_and_full_houses_move_two_cows() -> None:
    for dice in ALL_DICE:
        for pull in legal_pulls(cows(), dice):
            assert (len(pull.cows) == 2) == pull.name.startswith(("two pair", "full house"))


def test_combinations_are_not_added_up() -> None:
    assert names(cows(), "12343") == ["pair 3", "small straight"]


def test_a_pull_past_the_end_stops_on_the_last_cell() -> None:
    assert moved(cows(three=6), "33334", "four 3") == {"3": 2}
    assert after(cows(three=6), "33334", "four 3") == "0,0,0,8,0,0,0,0,0 b"


def test_any_cow_is_pulled_also_one_inside_a_win_zone() -> None:
    assert after("0,0,0,7,0,0,0,0,0 b", "33346", "pair 3") == "0,0,0,5,0,0,0,0,0 w"


# Ruling 1: any combination that the five dice contain.
@pytest.mark.parametrize(
    ("dice", "expected"),
    [
        ("33346", ["pair 3", "triple 3"]),
        ("44445", ["pair 4", "triple 4", "four 4"]),
        ("33366", ["pair 3", "pair 6", "triple 3", "two pair 3 6", "full house 3 6"]),
        ("22556", ["pair 2", "pair 5", "two pair 2 5"]),
        ("12345", ["small straight", "large straight"]),
    ],
)
def test_ruling_1_dice_may_be_used_as_anything_they_contain(dice: str, expected: list[str]) -> None:
    assert [name for name in names(cows(), dice) if name != "chance"] == expected


# Ruling 2: five of a kind and the super cow.
@pytest.mark.parametrize("place", [0, -1])
def test_ruling_2_five_alike_allow_nothing_but_the_super_cow_while_it_can_move(place: int) -> None:
    position = cows(super_=place)

    assert names(position, "66666") == ["super"]
    assert is_forced(position, parse_dice("66666"))


def test_ruling_2_with_the_super_cow_home_five_alike_are_five_n_or_any_part_chance_included() -> None:
    position = cows(super_=1)

    assert names(position, "66666") == ["pair 6", "triple 6", "four 6", "five 6", "chance"]
    assert moved(position, "66666", "five 6") == {"6": 5}
    assert moved(position, "66666", "chance") == {"chance": 4}
    assert not is_forced(position, parse_dice("66666"))


def test_ruling_2_home_means_the_rollers_own_zone() -> None:
    assert names(cows(Side.BLACK, super_=1), "66666") == ["super"]
    assert "five 6" in names(cows(Side.BLACK, super_=-1), "66666")


def test_ruling_2_forces_nothing_without_five_alike() -> None:
    assert not is_forced(cows(), parse_dice("66665"))


# Ruling 3: a combination that moves no cow isn't an option.
def test_ruling_3_a_cow_on_the_rollers_last_cell_gives_no_option() -> None:
    assert names(cows(three=8), "33346") == []
    assert names(cows(straights=8), "12345") == []
    assert names(cows(chance=8), "11124") == ["pair 1", "triple 1"]
    assert names(cows(three=-8), "33346") == ["pair 3", "triple 3"]


def test_ruling_3_two_pairs_with_one_cow_stuck_move_the_other() -> None:
    assert moved(cows(two=8), "22556", "two pair 2 5") == {"5": 2}
    assert moved(cows(five=8), "22556", "two pair 2 5") == {"2": 2}


def test_ruling_3_a_full_house_with_one_cow_stuck_moves_the_other() -> None:
    assert moved(cows(four=8), "44422", "full house 4 2") == {"2": 2}
    assert moved(cows(two=8), "44422", "full house 4 2") == {"4": 3}


def test_ruling_3_two_pairs_with_both_cows_stuck_are_no_option() -> None:
    assert names(cows(two=8, five=8), "22556") == []


# Ruling 4: an option must be taken; only without one is the roll forfeit.
def test_ruling_4_dice_are_forfeit_only_when_nothing_moves() -> None:
    assert is_forfeit(cows(), parse_dice("12356"))
    assert not is_forfeit(cows(), parse_dice("12343"))
    assert is_forfeit(cows(three=8), parse_dice("33346"))


# Ruling 5: the third cow home wins whichever of the two is moved first.
def test_ruling_5_a_two_cow_pull_that_brings_the_third_cow_home_wins() -> None:
    position = cows(one=6, two=7, three=4, five=1)
    for dice, name in (("33556", "two pair 3 5"), ("55533", "full house 5 3")):
        won = outcome(apply_pull(position, find_pull(position, parse_dice(dice), name)))

        assert won is not None
        assert won.side is Side.WHITE


# Ruling 6: only the roller can win in a turn.
def test_ruling_6_no_pull_brings_a_cow_into_the_opponents_zone() -> None:
    position = cows(one=-5, two=-4, three=-6, five=-7, six=5, chance=-5, straights=-5)
    before = set(cows_home(position, Side.BLACK))
    for dice in ALL_DICE:
        for pull in legal_pulls(position, dice):
            assert set(cows_home(apply_pull(position, pull), Side.BLACK)) <= before


# Ruling 7: the opening.
def test_ruling_7_the_higher_die_starts_and_ties_throw_again() -> None:
    assert starter([5], [2]) is Side.WHITE
    assert starter([1], [2]) is Side.BLACK
    assert starter([4], [4]) is None


@pytest.mark.parametrize(("white", "black"), [([], [1]), ([7], [1]), ([1], [1, 2, 3, 4, 5]), ([True], [2])])
def test_ruling_7_an_opening_throw_is_one_die_each(white: list[int], black: list[int]) -> None:
    with pytest.raises(InputError, match="opening throw"):
        starter(white, black)


def test_ruling_7_the_starters_first_turn_has_all_three_rolls() -> None:
    rules = parse_rules({})

    assert [rules.rolls_in_turn(turn) for turn in (0, 1, 2)] == [3, 3, 3]


# Ruling 8: teams change nothing but who rolls: sides alternate.
def test_ruling_8_sides_alternate_after_every_pull() -> None:
    position = start_position(Side.WHITE)
    for mover in (Side.WHITE, Side.BLACK, Side.WHITE):
        assert position.mover is mover
        position = apply_pull(position, find_pull(position, parse_dice("33346"), "pair 3"))


# Ruling 9: what isn't a combination, and what is one in spite of it.
def test_ruling_9_four_alike_are_not_two_pairs() -> None:
    assert names(cows(), "44446") == ["pair 4", "triple 4", "four 4"]


def test_ruling_9_five_alike_are_neither_full_house_nor_two_pairs() -> None:
    for face in "123456":
        listed = names(cows(super_=1), face * 5)
        assert not [name for name in listed if name.startswith(("two pair", "full house"))]


@pytest.mark.parametrize("dice", ["12344", "11234", "23345", "34566", "13456", "12346"])
def test_ruling_9_four_consecutive_faces_are_a_small_straight_whatever_the_fifth(dice: str) -> None:
    listed = names(cows(), dice)

    assert "small straight" in listed
    assert "large straight" not in listed


@pytest.mark.parametrize("dice", ["12356", "12456", "11235", "12345"[:4] + "4"])
def test_ruling_9_a_large_straight_takes_five_consecutive_faces(dice: str) -> None:
    assert "large straight" not in names(cows(), dice)


def test_ruling_9_chance_counts_all_five_dice_whatever_they_form() -> None:
    assert "chance" in names(cows(), "11222")
    assert "chance" in names(cows(super_=1), "11111")
    assert names(cows(), "66655") == [
        "pair 5",
        "pair 6",
        "triple 6",
        "two pair 5 6",
        "full house 6 5",
        "chance",
    ]


# Ruling 10: any five readable dice count.
def test_ruling_10_dice_have_faces_and_no_colour() -> None:
    assert parse_dice("65432") == parse_dice("23456")
    assert set(parse_dice("65432").__slots__) == {"faces", "total", "counts"}


# Ruling 11: what offers nothing on a free board.
@pytest.mark.parametrize("super_place", [-1, 0, 1])
def test_ruling_11_only_12356_and_12456_offer_nothing_where_every_cow_can_move(super_place: int) -> None:
    position = cows(super_=super_place)

    nothing = [format_dice(dice) for dice in ALL_DICE if not legal_pulls(position, dice)]

    assert nothing == ["12356", "12456"]


def test_known_value_240_of_7776_first_throws_offer_nothing() -> None:
    position = start_position(Side.WHITE)

    assert sum(dice.weight for dice in ALL_DICE) == 7776
    assert sum(dice.weight for dice in ALL_DICE if is_forfeit(position, dice)) == 240


def test_nothing_is_pulled_forced_or_forfeit_once_the_game_is_over() -> None:
    for mover in Side:
        position = cows(mover, one=6, two=7, three=8)
        for dice in ALL_DICE:
            assert legal_pulls(position, dice) == ()
            assert not is_forced(position, dice)
            assert not is_forfeit(position, dice)


def test_find_pull_names_what_the_dice_do_allow() -> None:
    with pytest.raises(InputError, match=r"'pair 4'.*accepted: pair 3, small straight"):
        find_pull(cows(), parse_dice("12343"), "pair 4")
    with pytest.raises(InputError, match="pull no cow"):
        find_pull(cows(), parse_dice("12356"), "pair 4")


@pytest.mark.parametrize(
    "pull", [Pull("pair 3", ((Beam.THREE, 2),)), Pull("super", ((Beam.SUPER, 1),))], ids=lambda pull: pull.name
)
def test_a_pull_made_for_another_position_is_a_bug_of_ours(pull: Pull) -> None:
    with pytest.raises(StateError, match=pull.name):
        apply_pull(cows(three=7, super_=1), pull)


def test_board_order_is_chance_1_2_3_super_4_5_6_straights() -> None:
    assert " ".join(BEAMS) == "chance 1 2 3 super 4 5 6 straights"
