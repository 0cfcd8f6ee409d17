"""Computer players against each other, many games at once: who wins how often, and how long it takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from controller.advice.many_games import best_claims, roll_turns
from controller.advice.pull_table import Flags, Places, PullTable, cows_home, pull_table
from controller.advice.worth import Measure, prospect
from controller.games.cosmic_cows import BEAMS, Rules

MOST_TURNS = 2000  # a game that two odd players never end is called off
AT_ONCE = 1024


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """Games played to their end; arrays have an entry for each of those.

    Attributes:
        first_won: whether its first mover won.
        drawn: whether nobody did, which only the house rule `turn_limit` can bring.
        turns: how many turns it had, of both sides together, forfeits included.
        unfinished: how many more games were called off.
    """

    first_won: Flags
    drawn: Flags
    turns: npt.NDArray[np.int64]
    unfinished: int


class TurnOfAll(NamedTuple):
    """One turn of all games that still go on.

    Attributes:
        number: turns finished before it.
        games: (G,) the numbers of these games.
        places: (G, 9) where their cows stood before it, seen from the mover.
        won: (G,) in which the mover has won by it.
        lost: (G,) in which the mover has lost by it: the house rule `turn_limit` ended the game.
        drawn: (G,) in which that rule ended the game without a winner.
    """

    number: int
    games: npt.NDArray[np.int64]
    places: Places
    won: Flags
    lost: Flags
    drawn: Flags


class Cows(NamedTuple):
    """Where the cows of many games stand, (G, 9) seen from the mover, and which are locked in (None: not played)."""

    places: Places
    locked: Flags | None


def play_games(first: Measure, second: Measure, games: int, rng: np.random.Generator, rules: Rules) -> Played:
    """This many games, `first` always moving first."""
    first_won, drawn, turns = np.zeros(games, bool), np.zeros(games, bool), np.zeros(games, np.int64)
    is_open = np.ones(games, bool)
    for begin in range(0, games, AT_ONCE):
        for turn in turns_of_all(first, second, min(AT_ONCE, games - begin), rng, rules):
            ended = begin + turn.games[turn.won | turn.lost | turn.drawn]
            first_won[begin + turn.games[turn.lost if turn.number % 2 else turn.won]] = True
            drawn[begin + turn.games[turn.drawn]] = True
            turns[ended] = turn.number + 1
            is_open[ended] = False
    return Played(first_won[~is_open], drawn[~is_open], turns[~is_open], int(is_open.sum()))


def turns_of_all(
    first: Measure, second: Measure, games: int, rng: np.random.Generator, rules: Rules
) -> Iterator[TurnOfAll]:
    """Play this many games side by side, a turn of all of them at a time, until the last has ended."""
    table = pull_table(rules)
    locked = np.zeros((games, len(BEAMS)), bool) if rules.lock_in else None
    cows = Cows(np.zeros((games, len(BEAMS)), np.int8), locked)
    going = np.arange(games)
    for number in range(MOST_TURNS):
        after, won = _play_turn(second if number % 2 else first, table, cows, number, rng)
        lost, drawn = np.zeros(len(going), bool), np.zeros(len(going), bool)
        if rules.turn_limit is not None and number + 1 >= rules.turn_limit:
            lead = _lead(after.places, rules)
            lost, drawn = ~won & (lead < 0), ~won & (lead == 0)
            won |= lead > 0
        yield TurnOfAll(number, going, cows.places, won, lost, drawn)
        goes_on = ~(won | lost | drawn)
        going = going[goes_on]
        cows = Cows(-after.places[goes_on], None if after.locked is None else after.locked[goes_on])
        if not len(going):
            return


def _play_turn(
    measure: Measure, table: PullTable, cows: Cows, number: int, rng: np.random.Generator
) -> tuple[Cows, Flags]:
    """The cows after one turn in every game, still seen from the mover; and in which the mover has won by cows home."""
    seen = prospect(cows.places, table, measure, table.rules.rolls_in_turn(number), cows.locked)
    claims = best_claims(seen, roll_turns(rng, seen), table)
    rows = np.flatnonzero(claims >= 0)
    places, won = cows.places.copy(), np.zeros(len(claims), bool)
    places[rows] = seen.followed.places[rows, claims[rows]]
    won[rows] = seen.followed.has_won[rows, claims[rows]]
    locked = None if cows.locked is None else cows.locked.copy()
    if locked is not None:
        locked[rows] = table.locks(cows.places[rows], claims[rows], locked[rows])
    return Cows(places, locked), won


def _lead(places: Places, rules: Rules) -> npt.NDArray[np.int64]:
    """(G,) by how much the player from whom the places are seen leads at the turn limit: cows home, then places."""
    cows = cows_home(places, rules) - cows_home(-places, rules)
    return np.where(cows != 0, cows, places.sum(axis=1, dtype=np.int64))
