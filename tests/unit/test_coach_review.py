"""A game looked back on: held to plain recursion over every roll, with a value that can be worked out by hand."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache

import pytest

from controller.advice.coach_review import LEAST_TOLD, JudgedTurn, dearest, judge, review, white_chance
from controller.games.cosmic_cows import (
    Dice,
    Position,
    Rules,
    Side,
    apply_pull,
    find_pull,
    legal_pulls,
    outcome,
    parse_dice,
    parse_position,
    start_position,
)
from tests.support.plain_values import Distance, distance_of

TWO_ROLLS = Rules(rolls=2)
MIDGAME = "-3,2,5,0,0,-2,1,-6,4 w"


@dataclass(frozen=True, slots=True)
class Played:
    """A turn as a table has it."""

    before: Position
    throws: tuple[Dice, ...]
    keeps: tuple[tuple[int, ...] | None, ...] = ()
    pull: str | None = None


def turn(position: str, throws: str, keeps: tuple[str | None, ...] = (), pull: str | None = None) -> Played:
    """`throws` are separated by a space."""
    told = tuple(None if keep is None else tuple(map(int, keep)) for keep in keeps)
    return Played(parse_position(position), tuple(map(parse_dice, throws.split())), told, pull)


def plain_worth(position: Position, pull: str | None, dice: Dice) -> float:
    """After this pull, or a forfeit."""
    if pull is None:
        after = position.with_mover(position.mover.other)
    else:
        after = apply_pull(position, find_pull(position, dice, pull, TWO_ROLLS), TWO_ROLLS)
        if outcome(after, TWO_ROLLS) is not None:
            return 1.0
    return 1 - distance_of(tuple(place * after.mover.sign for place in after.places))


@cache
def plain_last(position: Position, faces: tuple[int, ...]) -> float:
    dice = Dice(faces)
    pulls = [pull.name for pull in legal_pulls(position, dice, TWO_ROLLS)]
    return max((plain_worth(position, name, dice) for name in pulls), default=plain_worth(position, None, dice))


def plain_keep(position: Position, kept: tuple[int, ...]) -> float:
    count = 5 - len(kept)
    rolls = Counter(tuple(sorted((*kept, *rolled))) for rolled in itertools.product(range(1, 7), repeat=count))
    worth: float = sum(times * plain_last(position, faces) for faces, times in rolls.items()) / 6**count
    return worth


def keeps_of(dice: Dice) -> set[tuple[int, ...]]:
    return {kept for size in range(5) for kept in itertools.combinations(dice.faces, size)}


def plain_best_first(position: Position, dice: Dice) -> float:
    """The best of the first of two rolls."""
    pulls = [plain_worth(position, pull.name, dice) for pull in legal_pulls(position, dice, TWO_ROLLS)]
    return max([*pulls, *(plain_keep(position, kept) for kept in keeps_of(dice))])


@pytest.mark.parametrize(
    ("throws", "keeps", "pull"),
    [
        ("11346", (), "pair 1"),
        ("11346 11136", ("11",), "triple 1"),
        ("44612 34566", ("6",), "small straight"),
        ("12356 12456", ("1256",), None),
        ("33345 33356", ("",), "pair 3"),
    ],
)
def test_what_a_decision_cost_is_what_plain_play_would_have_kept(
    throws: str, keeps: tuple[str, ...], pull: str | None
) -> None:
    played = turn(MIDGAME, throws, keeps, pull)
    judged = judge(played, 2, TWO_ROLLS, Distance())
    costs = {one.roll: one.cost for one in judged.decisions}
    position, last = played.before, played.throws[-1]
    if pull is not None:
        best = plain_last(position, last.faces) if keeps else plain_best_first(position, last)
        done = plain_worth(position, pull, last)
        assert costs.get(len(played.throws), 0.0) == pytest.approx(best - done, abs=2e-6)
    if keeps:
        done = plain_keep(position, tuple(map(int, keeps[0])))
        assert costs.get(1, 0.0) == pytest.approx(plain_best_first(position, played.throws[0]) - done, abs=2e-6)


def test_the_chance_before_a_turn_is_the_mean_over_every_throw_of_two_rolls() -> None:
    position = parse_position(MIDGAME)
    throws = Counter(tuple(sorted(faces)) for faces in itertools.product(range(1, 7), repeat=5))
    judged = judge(Played(position, (Dice((1, 2, 3, 5, 6)),)), 2, TWO_ROLLS, Distance())
    keep = lru_cache(maxsize=None)(lambda kept: plain_keep(position, kept))

    def best(faces: tuple[int, ...]) -> float:
        dice = Dice(faces)
        pulls = [plain_worth(position, pull.name, dice) for pull in legal_pulls(position, dice, TWO_ROLLS)]
        return max([*pulls, *(keep(kept) for kept in keeps_of(dice))])

    mean = sum(times * best(faces) for faces, times in throws.items()) / 6**5
    assert judged.white == pytest.approx(mean, abs=1e-9)


def test_a_keep_nobody_told_is_the_best_one_that_the_next_throw_leaves_possible() -> None:
    """Not held against anybody: 4 4 was there before and after, so it may have been kept."""
    told = judge(turn(MIDGAME, "44612 34466", ("6",), "two pair 4 6"), 2, TWO_ROLLS, Distance())
    untold = judge(turn(MIDGAME, "44612 34466", (None,), "two pair 4 6"), 2, TWO_ROLLS, Distance())
    missing = judge(turn(MIDGAME, "44612 34466", (), "two pair 4 6"), 2, TWO_ROLLS, Distance())

    def first_cost(judged: JudgedTurn) -> float:
        return sum(one.cost for one in judged.decisions if one.roll == 1)

    assert first_cost(untold) == first_cost(missing) <= first_cost(told)


def test_dice_luck_costs_nothing() -> None:
    """Playing on in the best way costs nothing, however the dice fall."""
    position = parse_position(MIDGAME)
    first = parse_dice("44612")
    best = max(keeps_of(first), key=lambda kept: plain_keep(position, kept))
    for rest in ("11111", "22356", "65432"):
        after = "".join(map(str, sorted((*best, *map(int, rest[len(best) :])))))
        judged = judge(turn(MIDGAME, f"44612 {after}", ("".join(map(str, best)),)), 2, TWO_ROLLS, Distance())
        assert [one for one in judged.decisions if one.roll == 1] == []


def test_a_correction_that_leaves_nothing_to_explain_is_passed_over() -> None:
    odd = (
        turn(MIDGAME, "11346 11136", ("66",), "triple 1"),  # a keep the throw doesn't hold
        turn(MIDGAME, "11346 11136 11116", ("11", "111"), "four 1"),  # a roll too many
        turn(MIDGAME, "11346", (), "triple 6"),  # a pull the dice don't allow
    )
    for played in odd:
        judged = judge(played, 2, TWO_ROLLS, Distance())
        assert 0 <= judged.white <= 1
        assert all(one.cost < 1 for one in judged.decisions)


def test_a_sentence_tells_dice_roll_deed_and_both_numbers() -> None:
    judged = judge(turn(MIDGAME, "11346 11136", ("",), "pair 1"), 7, TWO_ROLLS, Distance())
    assert [(one.turn, one.roll, one.mover) for one in judged.decisions] == [(7, 1, Side.WHITE), (7, 2, Side.WHITE)]
    first, second = judged.decisions
    assert first.sentence.startswith("With 1 1 3 4 6 on roll 1, rolling all again was worth 0.")
    assert second.sentence.startswith("With 1 1 1 3 6 on roll 2, pulling pair 1 was worth 0.")
    assert second.best_pull == "chance" or second.best_pull == "triple 1"
    assert f"pulling {second.best_pull} {second.best_win:.2f}." in second.sentence


def test_only_the_three_dearest_are_told_the_dearest_first() -> None:
    turns = [turn(MIDGAME, "11346 11136", ("",), "pair 1")] * 4
    told = dearest(judge(one, number, TWO_ROLLS, Distance()) for number, one in enumerate(turns, 1))
    assert len(told) == 3
    assert [one.cost for one in told] == sorted((one.cost for one in told), reverse=True)
    assert [one.turn for one in told] == [1, 2, 3]


def test_what_costs_less_than_the_numbers_show_is_not_told() -> None:
    judged = judge(turn(MIDGAME, "11346", (), "pair 1"), 2, TWO_ROLLS, Distance())
    cheap = JudgedTurn(judged.white, tuple(one for one in judged.decisions if one.cost < LEAST_TOLD))
    assert dearest([cheap]) == ()


def test_a_review_has_a_chance_before_each_turn_and_at_the_end_from_whites_side() -> None:
    first = turn("0,0,0,0,0,0,0,0,0 w", "11346", (), "pair 1")
    second = turn("0,2,0,0,0,0,0,0,0 b", "22346", (), "pair 2")
    end = parse_position("0,2,-2,0,0,0,0,0,0 w")
    seen = review((first, second), end, Rules(), Distance())
    assert len(seen.chances) == 3
    assert seen.chances[1] == judge(second, 2, Rules(), Distance()).white
    movers = white_chance(end.mirrored(), 2, Rules(), Distance())
    assert seen.chances[2] == pytest.approx(1 - movers)


@pytest.mark.parametrize(("position", "white"), [("8,8,8,0,0,0,0,0,0 b", 1.0), ("-8,-8,-8,0,0,0,0,0,0 w", 0.0)])
def test_a_game_that_is_won_leaves_no_doubt(position: str, white: float) -> None:
    assert white_chance(parse_position(position), 9, Rules(), Distance()) == white


def test_a_first_turn_of_one_roll_is_judged_by_one() -> None:
    rules = Rules(first_turn_rolls=1)
    played = Played(start_position(Side.WHITE), (parse_dice("11346"),), (), "pair 1")
    assert all(one.best_keep is None for one in judge(played, 1, rules, Distance()).decisions)
    assert any(one.best_keep is not None for one in judge(played, 2, rules, Distance()).decisions)
