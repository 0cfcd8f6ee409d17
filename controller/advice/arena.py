"""Computer players against each other, many games at once: who wins how often, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from controller.advice.many_games import best_claims, roll_turns
from controller.advice.pull_table import Places, pull_table
from controller.advice.worth import Measure, prospect
from controller.games.cosmic_cows import BEAMS, Rules

MOST_TURNS = 2000  # a game that two odd players never end is called a draw
AT_ONCE = 1024


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """Games played to their end: for each whether its first mover won, and its turns; `unfinished` were stopped."""

    first_won: npt.NDArray[np.bool_]
    turns: npt.NDArray[np.int64]
    unfinished: int


def play_games(first: Measure, second: Measure, games: int, rng: np.random.Generator, rules: Rules) -> Played:
    """This many games, `first` always moving first."""
    first_won, turns = np.zeros(games, bool), np.zeros(games, np.int64)
    is_open = np.zeros(games, bool)
    for begin in range(0, games, AT_ONCE):
        part = slice(begin, min(games, begin + AT_ONCE))
        first_won[part], turns[part], is_open[part] = _play_part(first, second, part.stop - begin, rng, rules)
    return Played(first_won[~is_open], turns[~is_open], int(is_open.sum()))


def _play_part(
    first: Measure, second: Measure, games: int, rng: np.random.Generator, rules: Rules
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    table = pull_table(rules)
    places: Places = np.zeros((games, len(BEAMS)), np.int8)
    going = np.arange(games)
    first_won, turns = np.zeros(games, bool), np.zeros(games, np.int64)
    for turn in range(MOST_TURNS):
        measure = second if turn % 2 else first
        seen = prospect(places, table, measure, rules.rolls_in_turn(turn))
        claims = best_claims(seen, roll_turns(rng, seen), table)
        rows = np.arange(len(going))
        pulled = claims >= 0
        after = places.copy()
        after[pulled] = seen.followed.places[rows[pulled], claims[pulled]]
        won = np.zeros(len(going), bool)
        won[pulled] = seen.followed.has_won[rows[pulled], claims[pulled]]
        first_won[going[won]] = turn % 2 == 0
        turns[going] += 1
        going, places = going[~won], -after[~won]
        if not len(going):
            break
    is_open = np.zeros(games, bool)
    is_open[going] = True
    return first_won, turns, is_open
