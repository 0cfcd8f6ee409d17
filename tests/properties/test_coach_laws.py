"""Laws of the coach: its numbers are those of the odds, its sentences are short and never empty, its aims exact."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.advice.advise import THROW_INDEX, Advice, KeepWorth, PullWorth, advise, prospect_of
from controller.advice.coach import EVEN, advised, explain
from controller.advice.coach_aim import Aim, aim_of, best_claim_of_throws, final_throws
from controller.advice.coach_words import percent_words, win_words
from controller.advice.multisets import counts_of, tables
from controller.advice.pull_table import pull_table
from controller.advice.question import Question
from controller.advice.worth import ToWin
from controller.games.cosmic_cows import (
    ALL_DICE,
    BEAMS,
    Beam,
    Dice,
    Position,
    Pull,
    Rules,
    Side,
    apply_pull,
    legal_pulls,
    outcome,
    start_position,
)
from tests.support.plain_values import Distance, distance_of

LONGEST = 160
RULES = (Rules(), Rules(super_forced=False), Rules(rolls=2), Rules(subset_pulls=False))


def somewhere(generator: random.Random, rules: Rules) -> Position:
    """Cows anywhere in a game that goes on."""
    while True:
        places = {
            beam: generator.choice((-1, 0, 0, 1)) if beam is Beam.SUPER else generator.randint(-8, 8) for beam in BEAMS
        }
        position = start_position(generator.choice(list(Side))).with_places(places)
        if outcome(position, rules) is None:
            return position


@st.composite
def questions(draw: st.DrawFn) -> Question:
    generator = random.Random(draw(st.integers(0, 2**32)))
    rules = draw(st.sampled_from(RULES))
    roll = draw(st.integers(1, rules.rolls_in_turn(1)))
    return Question(somewhere(generator, rules), draw(st.sampled_from(ALL_DICE)), roll, rules)


def check_sentence(advice: Advice) -> None:
    sentence = explain(advice).sentence
    assert 0 < len(sentence) <= LONGEST
    assert sentence.endswith(".")
    assert not set("\n{}") & set(sentence)
    assert "  " not in sentence
    assert "nan" not in sentence


@pytest.mark.parametrize("roll", [1, 2, 3])
def test_every_throw_has_a_sentence(roll: int) -> None:
    generator = random.Random(roll)
    for dice in ALL_DICE:
        check_sentence(advise(Question(somewhere(generator, Rules()), dice, roll)))


@settings(max_examples=60, deadline=None)
@given(questions())
def test_the_numbers_told_are_those_of_the_advice(question: Question) -> None:
    advice = advise(question)
    check_sentence(advice)
    told, best = explain(advice), advised(advice)
    if best is None:
        assert win_words(advice.win) in told.sentence
        return
    is_win = "it wins the game" in told.sentence
    assert is_win or f"wins {win_words(best.win)}" in told.sentence
    both: list[KeepWorth | PullWorth] = [*advice.pulls, *advice.keeps]
    others = {win_words(one.win) for one in both if one is not best}
    numbers = re.findall(r"(?:over |under )?\d\.\d\d", told.sentence)
    assert is_win or numbers[0] == win_words(best.win)
    assert set(numbers[1:]) <= others


@settings(max_examples=60, deadline=None)
@given(questions())
def test_what_is_advised_is_as_good_as_anything(question: Question) -> None:
    advice = advise(question)
    best = advised(advice)
    assert (best is None) == (advice.best is None)
    if best is not None:
        assert best.win >= advice.win - 2 * EVEN
    if isinstance(best, KeepWorth):
        assert all(best.win > pull.win for pull in advice.pulls)


@settings(max_examples=60, deadline=None)
@given(questions())
def test_an_aim_is_a_chance_no_larger_than_to_improve_and_names_beams(question: Question) -> None:
    """No part of what is better than the dice on the table can be likelier than all of it."""
    advice = advise(question)
    aim = explain(advice).aim
    assert (aim is None) == (not isinstance(advised(advice), KeepWorth))
    if aim is None:
        return
    assert 0 < aim.chance <= advice.improve + 1e-9
    assert set(aim.beams) <= set(BEAMS)
    assert percent_words(aim.chance) in explain(advice).sentence
    if aim.is_anything:
        assert aim.chance == pytest.approx(advice.improve, abs=1e-6)


@settings(max_examples=40, deadline=None)
@given(questions())
def test_final_throws_are_a_distribution_that_forfeits_as_the_advice_says(question: Question) -> None:
    """Worked forwards it comes to what `advise` works backwards."""
    advice = advise(question)
    table = pull_table(question.rules)
    seen = prospect_of(question.position, ToWin(Distance()), table, question.rolls)
    for keep in advice.keeps[:4]:
        final = final_throws(seen, tables().keeps.index(counts_of(keep.faces)), question.left)
        assert final.sum() == pytest.approx(1)
        assert (final >= 0).all()
        worth = final @ np.where(np.isneginf(seen.stop[:, 0]), seen.turn.throws[0][:, 0], seen.stop[:, 0])
        row = tables().keeps.index(counts_of(keep.faces))
        assert worth == pytest.approx(float(seen.turn.keeps[question.left][row, 0]))


# --- against plain play -----------------------------------------------------------------------------------------------


def worth_of_pull(position: Position, pull: Pull) -> float:
    after = apply_pull(position, pull, Rules())
    ended = outcome(after, Rules())
    if ended is not None:
        return 1.0
    return 1 - distance_of(tuple(place * after.mover.sign for place in after.places))


def plain_best_pull(position: Position, dice: Dice) -> Pull | None:
    return max(legal_pulls(position, dice), key=lambda pull: worth_of_pull(position, pull), default=None)


def is_meant(aim: Aim, pull: Pull, position: Position, better_than: float) -> bool:
    """Whether this pull is one of those the aim names, read from its words' meaning alone."""
    moved = dict(pull.cows)
    if aim.wins:
        return outcome(apply_pull(position, pull), Rules()) is not None
    if aim.is_anything:
        return worth_of_pull(position, pull) > better_than + 1e-9
    if aim.pattern:
        return pull.name.startswith(aim.pattern)
    if aim.cells:
        return moved.get(aim.beams[0], 0) >= aim.cells
    return all(moved.get(beam, 0) > 0 for beam in aim.beams)


@pytest.mark.parametrize("seed", range(12))
def test_the_chance_of_an_aim_is_the_share_of_rolls_that_end_so(seed: int) -> None:
    """With one roll to come: throw every roll of the dice that aren't kept, and make the best pull by plain rules."""
    generator = random.Random(seed)
    position, dice = somewhere(generator, Rules()), generator.choice(ALL_DICE)
    table = pull_table(Rules())
    seen = prospect_of(position, ToWin(Distance()), table, 3)
    throw = THROW_INDEX[dice.faces]
    row = int(generator.choice(tables().keeps_of_throw[throw]))
    kept = tuple(face for face, count in enumerate(tables().keeps[row], 1) for _ in range(count))
    aim = aim_of(seen, table, throw, row, 1)

    on_table = plain_best_pull(position, dice)
    forfeit = 1 - distance_of(tuple(-place * position.mover.sign for place in position.places))
    now = forfeit if on_table is None else worth_of_pull(position, on_table)
    best = lru_cache(maxsize=None)(lambda faces: plain_best_pull(position, Dice(faces)))
    rolls = Counter(tuple(sorted((*kept, *rolled))) for rolled in itertools.product(range(1, 7), repeat=5 - len(kept)))
    meant = sum(
        count
        for faces, count in rolls.items()
        if (pull := best(faces)) is not None and is_meant(aim, pull, position, now)
    )
    assert aim.chance == pytest.approx(meant / 6 ** (5 - len(kept)), abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_the_best_claim_of_every_throw_is_the_best_pull_by_plain_rules(seed: int) -> None:
    position = somewhere(random.Random(seed), Rules())
    table = pull_table(Rules())
    best = best_claim_of_throws(prospect_of(position, ToWin(Distance()), table, 3), table)
    for dice in ALL_DICE:
        pull, claim = plain_best_pull(position, dice), int(best[THROW_INDEX[dice.faces]])
        assert (None if claim == len(table.names) else table.names[claim]) == (None if pull is None else pull.name)


def test_a_keep_that_gains_nothing_that_can_be_told_gives_way_to_the_pull() -> None:
    advice = advise(Question(start_position(Side.WHITE), Dice((2, 3, 4, 5, 6)), 1))
    pull = advice.pulls[0]
    hair = KeepWorth((2, 3, 4, 5), pull.win + EVEN / 10, 0.0)
    assert advised(replaced(advice, hair)) == pull
    clear = KeepWorth((2, 3, 4, 5), pull.win + 10 * EVEN, 0.0)
    assert advised(replaced(advice, clear)) == clear


def replaced(advice: Advice, keep: KeepWorth) -> Advice:
    """The advice with this as its only keep, and the best."""
    pulls: tuple[PullWorth, ...] = advice.pulls
    return Advice(advice.question, keep.win, (keep,), pulls, keep, advice.improve, advice.basis)
