"""Two engines written apart must agree: the product's, and the plain one of tests/support."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from controller.games.cosmic_cows import (
    ALL_DICE,
    BEAMS,
    Beam,
    Dice,
    Position,
    Rules,
    Side,
    apply_pull,
    is_forced,
    is_forfeit,
    legal_pulls,
    outcome,
    parse_rules,
)
from tests.support.plain_rules import PlainRules, home_count, is_over, listed_order, plain_pulls

HOUSES: dict[str, tuple[Rules, PlainRules]] = {
    "printed game": (Rules(), PlainRules()),
    "two cows win": (Rules(cows_to_win=2), PlainRules(cows_to_win=2)),
    "five cows win": (Rules(cows_to_win=5), PlainRules(cows_to_win=5)),
    "beams of 13": (Rules(beam_length=13), PlainRules(last=6)),
    "beams of 11, zone of 4": (Rules(beam_length=11, win_zone=4), PlainRules(last=5, win_zone=4)),
    "zone of 1": (Rules(win_zone=1), PlainRules(win_zone=1)),
    "super at will": (Rules(super_forced=False), PlainRules(super_forced=False)),
    "no parts of combinations": (Rules(subset_pulls=False), PlainRules(subset_pulls=False)),
    "neither forced nor parts": (
        Rules(super_forced=False, subset_pulls=False),
        PlainRules(super_forced=False, subset_pulls=False),
    ),
    "other steps": (
        parse_rules({"straights": [2, 5], "chance": {"5-12": 4, "13-14": 3}}),
        PlainRules(small=2, large=5, chance_four=set(range(5, 13)), chance_three={13, 14}),
    ),
    "lock in": (Rules(lock_in=True), PlainRules(lock_in=True)),
    "lock in, no parts, four win": (
        Rules(lock_in=True, subset_pulls=False, cows_to_win=4),
        PlainRules(lock_in=True, subset_pulls=False, cows_to_win=4),
    ),
}


def random_positions(rules: Rules, seed: int, count: int) -> Iterator[Position]:
    """Positions of every kind: crowded at the ends, anywhere, near the centre; some are over already."""
    source = random.Random(seed)
    last = rules.last
    for _ in range(count):
        spread = source.choice((last, last, 3, rules.zone_start))
        places = [source.randint(-spread, spread) for _ in BEAMS]
        if source.random() < 0.5:
            for which in source.sample(range(9), 3):
                places[which] = source.choice((-last, last, last - 1, 1 - last))
        places[4] = source.choice((-1, 0, 1))
        locked = frozenset(
            beam
            for beam, place in zip(BEAMS, places, strict=True)
            if rules.lock_in and beam is not Beam.SUPER and abs(place) == last and source.random() < 0.5
        )
        yield Position(tuple(places), source.choice(tuple(Side)), locked)


def assert_agree(position: Position, dice: Dice, rules: Rules, plain: PlainRules) -> None:
    pulls = legal_pulls(position, dice, rules)
    after = {pull.name: apply_pull(position, pull, rules) for pull in pulls}
    seen = {
        pull.name: (
            {beam.value: spaces for beam, spaces in pull.cows},
            list(after[pull.name].places),
            {beam.value for beam in after[pull.name].locked},
        )
        for pull in pulls
    }
    locked = {beam.value for beam in position.locked}
    letter, places = position.mover.letter, list(position.places)
    expected = plain_pulls(places, letter, list(dice.faces), plain, locked)

    assert seen == {name: (pull.steps, pull.places, pull.locked) for name, pull in expected.items()}
    assert [pull.name for pull in pulls] == sorted(expected, key=listed_order)
    assert is_forfeit(position, dice, rules) == (not expected and not is_over(places, plain))
    assert is_forced(position, dice, rules) == (plain.super_forced and "super" in expected)
    assert all(after[pull.name].mover is position.mover.other for pull in pulls)


@pytest.mark.parametrize("house", HOUSES)
def test_both_engines_find_the_same_pulls_for_random_positions_and_throws(house: str) -> None:
    rules, plain = HOUSES[house]
    source = random.Random(house)
    for position in random_positions(rules, seed=len(house), count=600):
        faces = tuple(source.randint(1, 6) for _ in range(5))
        assert_agree(position, Dice(faces), rules, plain)


@pytest.mark.parametrize("house", HOUSES)
def test_both_engines_find_the_same_pulls_for_all_throws_of_some_positions(house: str) -> None:
    rules, plain = HOUSES[house]
    for position in random_positions(rules, seed=4, count=4):
        for dice in ALL_DICE:
            assert_agree(position, dice, rules, plain)


@pytest.mark.parametrize("house", HOUSES)
def test_both_engines_see_the_same_winner(house: str) -> None:
    rules, plain = HOUSES[house]
    for position in random_positions(rules, seed=9, count=300):
        homes = {side: home_count(list(position.places), side.letter, plain) for side in Side}
        winners = {side for side in Side if homes[side] >= plain.cows_to_win}
        won = outcome(position, rules)

        assert (won is None) == (not winners)
        assert won is None or won.side in winners
