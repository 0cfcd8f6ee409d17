"""Computer players against each other, many games at once: who wins how often, and how long it takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from controller.advice.many_games import best_claims, roll_turns
from controller.advice.pull_table import Flags, Places, pull_table
from controller.advice.worth import Measure, prospect
from controller.games.cosmic_cows import BEAMS, Rules

MOST_TURNS = 2000  # a game that two odd players never end is called off
AT_ONCE = 1024


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """Games played to their end: for each whether its first mover won, and its turns; `unfinished` were called off."""

    first_won: npt.NDArray[np.bool_]
    turns: npt.NDArray[np.int64]
    unfinished: int


class TurnOfAll(NamedTuple):
    """One turn of all games that still go on: their numbers, where they stood before it, and which it won."""

    number: int
    games: npt.NDArray[np.int64]
    places: Places
    won: Flags


def play_games(first: Measure, second: Measure, games: int, rng: np.random.Generator, rules: Rules) -> Played:
    """This many games, `first` always moving first."""
    first_won, turns = np.zeros(games, bool), np.zeros(games, np.int64)
    is_open = np.ones(games, bool)
    for begin in range(0, games, AT_ONCE):
        for turn in turns_of_all(first, second, min(AT_ONCE, games - begin), rng, rules):
            ended = begin + turn.games[turn.won]
            first_won[ended] = turn.number % 2 == 0
            turns[ended] = turn.number + 1
            is_open[ended] = False
    return Played(first_won[~is_open], turns[~is_open], int(is_open.sum()))


def turns_of_all(
    first: Measure, second: Measure, games: int, rng: np.random.Generator, rules: Rules
) -> Iterator[TurnOfAll]:
    """Play this many games side by side, a turn of all of them at a time, until the last has ended."""
    table = pull_table(rules)
    places: Places = np.zeros((games, len(BEAMS)), np.int8)
    going = np.arange(games)
    for number in range(MOST_TURNS):
        seen = prospect(places, table, second if number % 2 else first, rules.rolls_in_turn(number))
        claims = best_claims(seen, roll_turns(rng, seen), table)
        rows = np.flatnonzero(claims >= 0)
        after, won = places.copy(), np.zeros(len(going), bool)
        after[rows] = seen.followed.places[rows, claims[rows]]
        won[rows] = seen.followed.has_won[rows, claims[rows]]
        yield TurnOfAll(number, going, places, won)
        going, places = going[~won], -after[~won]
        if not len(going):
            return
