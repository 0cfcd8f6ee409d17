"""The advice is exact: its pulls are the engine's, its odds those of plain recursion over the dice."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.advice.advise import THROW_INDEX, advise, claims_of_throw, mover_places, win_chance
from controller.advice.choose import KeepChoice, PullChoice, choose
from controller.advice.multisets import counts_of, faces_of, tables
from controller.advice.players import LEVELS, measure_of
from controller.advice.pull_table import pull_table
from controller.advice.question import Question
from controller.advice.rolls import solve
from controller.advice.worth import prospect
from controller.games.cosmic_cows import (
    ALL_DICE,
    BEAMS,
    DEFAULT_RULES,
    Beam,
    Dice,
    Position,
    Rules,
    Side,
    apply_pull,
    last_place,
    legal_pulls,
    outcome,
    parse_position,
    parse_rules,
)

HOUSE_RULES = tuple(
    parse_rules(mapping)
    for mapping in (
        {},
        {"lock_in": True},
        {"subset_pulls": False},
        {"super_forced": False},
        {"beam_length": 11, "win_zone": 2},
        {"beam_length": 33, "cows_to_win": 5},
        {"chance": {"5-30": 2}, "straights": [8, 1]},
        {"chance": {}, "lock_in": True, "super_forced": False, "subset_pulls": False},
    )
)


@st.composite
def positions(draw: st.DrawFn, rules: Rules = DEFAULT_RULES) -> Position:
    """A game that goes on; cows on their last cell are locked in or not where that is played."""
    places = [draw(st.integers(-last_place(beam, rules), last_place(beam, rules))) for beam in BEAMS]
    at_end = [
        beam
        for beam, place in zip(BEAMS, places, strict=True)
        if abs(place) == last_place(beam, rules) and beam is not Beam.SUPER
    ]
    locked = frozenset(draw(st.sets(st.sampled_from(at_end)))) if rules.lock_in and at_end else frozenset()
    position = Position(tuple(places), draw(st.sampled_from(Side)), locked)
    return position if outcome(position, rules) is None else Position((0,) * len(BEAMS), position.mover)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_the_table_of_pulls_is_the_engines(data: st.DataObject) -> None:
    rules = data.draw(st.sampled_from(HOUSE_RULES))
    position = data.draw(positions(rules))
    places, locked = mover_places(position)
    table = pull_table(rules)
    seen = prospect(places, table, measure_of("greedy", rules), locked=locked)
    sign = position.mover.sign
    for dice in data.draw(st.lists(st.sampled_from(ALL_DICE), min_size=20, max_size=20)):
        expected = {pull.name: apply_pull(position, pull, rules).places for pull in legal_pulls(position, dice, rules)}

        claims = claims_of_throw(seen, table, THROW_INDEX[dice.faces])

        found = {
            table.names[claim]: tuple(sign * int(place) for place in seen.followed.places[0, claim]) for claim in claims
        }
        assert found == expected


def test_odds_are_those_of_plain_recursion() -> None:
    rng = np.random.default_rng(6)
    worths = rng.random(len(ALL_DICE))
    worths[rng.random(len(ALL_DICE)) < 0.2] = -np.inf
    nothing = 0.1
    turn = solve(worths[:, None], np.where(np.isneginf(worths), nothing, worths)[:, None], 3)

    @cache
    def of_throw(faces: tuple[int, ...], left: int) -> float:
        now = worths[THROW_INDEX[faces]]
        if not left:
            return nothing if np.isneginf(now) else float(now)
        kept = {
            tuple(face for face, stays in zip(faces, mask, strict=True) if stays) for mask in product((0, 1), repeat=5)
        }
        return max(float(now), *(of_keep(keep, left) for keep in kept if len(keep) < 5))

    @cache
    def of_keep(keep: tuple[int, ...], left: int) -> float:
        rolls = list(product(range(1, 7), repeat=5 - len(keep)))
        return sum(of_throw(tuple(sorted(keep + roll)), left - 1) for roll in rolls) / len(rolls)

    for index in (0, 17, 100, 251):
        assert turn.throws[2][index, 0] == pytest.approx(of_throw(ALL_DICE[index].faces, 2), abs=1e-12)
    assert turn.keeps[2][0, 0] == pytest.approx(of_keep((), 2), abs=1e-12)
    assert turn.start[0] == pytest.approx(of_keep((), 3), abs=1e-12)


def test_every_keep_becomes_some_throw_for_certain() -> None:
    assert tables().becomes.sum(axis=1) == pytest.approx(1, abs=1e-12)
    assert tables().throw_weights.sum() == pytest.approx(1, abs=1e-12)
    assert tables().throw_weights == pytest.approx([dice.weight / 6**5 for dice in ALL_DICE], abs=1e-15)


@given(positions(), st.sampled_from(ALL_DICE), st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_advice_keeps_the_laws_of_chances(position: Position, dice: Dice, roll: int) -> None:
    advice = advise(Question(position, dice, roll))

    chances = [chance for keep in advice.keeps for chance in (keep.win, keep.forfeit)]
    chances += [pull.win for pull in advice.pulls] + [advice.win, advice.improve]
    assert all(-1e-6 <= chance <= 1 + 1e-6 for chance in chances)
    assert [pull.name for pull in advice.pulls] == sorted(
        (pull.name for pull in legal_pulls(position, dice)), key=[pull.name for pull in advice.pulls].index
    )
    if advice.keeps or advice.pulls:
        best = max([keep.win for keep in advice.keeps] + [pull.win for pull in advice.pulls])
        assert advice.win == pytest.approx(best, abs=1e-6)
    if roll < 3:
        assert len(advice.keeps) == np.prod([count + 1 for count in counts_of(dice.faces)]) - 1


@given(positions(), st.sampled_from(ALL_DICE), st.integers(1, 3))
@settings(max_examples=40, deadline=None)
def test_the_other_seat_is_worth_the_same(position: Position, dice: Dice, roll: int) -> None:
    assert advise(Question(position, dice, roll)).win == advise(Question(position.mirrored(), dice, roll)).win


@given(positions(), st.sampled_from(ALL_DICE))
@settings(max_examples=40, deadline=None)
def test_a_throw_with_more_rolls_to_come_is_never_worth_less(position: Position, dice: Dice) -> None:
    first, second, third = (advise(Question(position, dice, roll)).win for roll in (1, 2, 3))

    assert first >= second - 1e-6
    assert second >= third - 1e-6


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_every_level_does_what_it_may_and_the_same_again(data: st.DataObject) -> None:
    rules = data.draw(st.sampled_from(HOUSE_RULES))
    question = Question(
        data.draw(positions(rules)), data.draw(st.sampled_from(ALL_DICE)), data.draw(st.integers(1, 3)), rules
    )
    level, seed = data.draw(st.sampled_from(LEVELS)), data.draw(st.integers(0, 999_999_999))

    choice = choose(level, question, seed)

    assert choice == choose(level, question, seed)
    names = [pull.name for pull in legal_pulls(question.position, question.dice, rules)]
    match choice:
        case PullChoice():
            assert choice.name in names
        case KeepChoice():
            assert question.left > 0
            assert len(choice.faces) < 5
            assert all(a <= b for a, b in zip(counts_of(choice.faces), counts_of(question.dice.faces), strict=True))
        case None:
            assert question.left == 0
            assert names == []


def test_who_is_one_pair_from_home_is_ahead() -> None:
    ahead = win_chance(parse_position("0,6,6,5,0,0,0,0,0 w"))
    behind = win_chance(parse_position("0,6,6,5,0,0,0,0,0 b"))

    assert ahead > 0.9
    assert behind < 0.4


def test_a_won_game_is_certain() -> None:
    assert win_chance(parse_position("8,8,8,0,0,0,0,0,0 b")) == 0.0


@pytest.mark.parametrize("counts", [(0,) * 6, (5, 0, 0, 0, 0, 0), (1, 1, 1, 1, 1, 0)])
def test_counts_and_faces_say_the_same(counts: tuple[int, ...]) -> None:
    assert counts_of(faces_of(counts)) == counts
