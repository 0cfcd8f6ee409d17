"""Whole games between two greedy players last about as long as is known of them: median 28 turns.

A greedy player wins if it can; otherwise it wants its cows to gain as many cells as possible (which takes them from
the opponent as well), and keeps and stops by the exact expectation of that over the rolls that are left. The known
figure (a thousand games and more) has one game in twenty over 63 turns; sixty games show the
median within six or so.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from math import factorial, prod
from statistics import median

import numpy as np
from numpy.typing import NDArray

from controller.games.cosmic_cows import (
    ALL_DICE,
    Dice,
    Position,
    Pull,
    Side,
    apply_pull,
    legal_pulls,
    outcome,
    start_position,
)

GAMES = 60
WIN = 100.0  # more than any pull can gain
NOTHING = -1e9

Keep = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rolls:
    """Every keep, the chance of each dice after it (keeps × 252), and for each dice its keeps' indices, padded."""

    keeps: list[Keep]
    chances: NDArray[np.float64]
    keeps_of: NDArray[np.int64]


def all_rolls() -> Rolls:
    keeps = [keep for count in range(6) for keep in combinations_with_replacement(range(1, 7), count)]
    index = {keep: number for number, keep in enumerate(keeps)}
    chances = np.zeros((len(keeps), len(ALL_DICE)))
    for number, keep in enumerate(keeps):
        for which, dice in enumerate(ALL_DICE):
            chances[number, which] = chance_of(keep, dice)
    subsets = [{index[keep] for count in range(6) for keep in combinations(dice.faces, count)} for dice in ALL_DICE]
    padded = [sorted(each) + [min(each)] * (32 - len(each)) for each in subsets]
    return Rolls(keeps, chances, np.array(padded))


def chance_of(keep: Keep, dice: Dice) -> float:
    """The chance that these dice lie after keeping `keep` and rolling the others once."""
    missing = [dice.counts[face] - keep.count(face) for face in range(1, 7)]
    if min(missing) < 0:
        return 0.0
    free = 5 - len(keep)
    return factorial(free) / prod(map(factorial, missing)) / 6.0**free


def best_pulls(position: Position) -> tuple[NDArray[np.float64], list[Pull | None]]:
    """For each dice what the best pull gains (NOTHING without one), and that pull."""
    worth: dict[tuple[str, object], float] = {}
    gains = np.full(len(ALL_DICE), NOTHING)
    best: list[Pull | None] = [None] * len(ALL_DICE)
    for which, dice in enumerate(ALL_DICE):
        for pull in legal_pulls(position, dice):
            key = (pull.name, pull.cows)
            if key not in worth:
                has_won = outcome(apply_pull(position, pull)) is not None
                worth[key] = sum(spaces for _, spaces in pull.cows) + WIN * has_won
            if worth[key] > gains[which]:
                gains[which], best[which] = worth[key], pull
    return gains, best


def play_turn(position: Position, rolls: Rolls, source: random.Random) -> Position:
    gains, best = best_pulls(position)
    before_third = rolls.chances @ np.maximum(gains, 0.0)
    after_second = np.maximum(gains, before_third[rolls.keeps_of].max(axis=1))
    before_second = rolls.chances @ after_second
    lying: Keep = throw((), source)
    for worth in (before_second, before_third):
        which = ALL_DICE.index(Dice(lying))
        keep = max(rolls.keeps_of[which], key=lambda number: float(worth[number]))
        if gains[which] >= worth[keep] - 1e-9:
            break
        lying = throw(rolls.keeps[keep], source)
    pull = best[ALL_DICE.index(Dice(lying))]
    return apply_pull(position, pull) if pull else position.with_mover(position.mover.other)


def throw(keep: Keep, source: random.Random) -> Keep:
    return keep + tuple(source.randint(1, 6) for _ in range(5 - len(keep)))


def game_length(rolls: Rolls, seed: int) -> int:
    source = random.Random(seed)
    position = start_position(Side.WHITE)
    turn_count = 0
    while outcome(position) is None:
        position = play_turn(position, rolls, source)
        turn_count += 1
    return turn_count


def test_known_value_two_greedy_players_take_about_28_turns() -> None:
    rolls = all_rolls()

    lengths = sorted(game_length(rolls, seed) for seed in range(GAMES))

    assert 22 <= median(lengths) <= 35
    assert 40 <= lengths[GAMES * 19 // 20] <= 100
