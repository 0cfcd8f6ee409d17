"""Whether the value means what it says: of positions given 70 %, seven in ten must be won.

How it works: fresh games are played by "best" against itself. Every position at the start of a turn is put in one of
ten bins by the chance that the value gives its mover; then it is counted who won. Positions of one game hang together,
so the interval comes from drawing whole games again and again (bootstrap), not from counting positions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from controller.advice.arena import AT_ONCE, turns_of_all
from controller.advice.multisets import Floats
from controller.advice.value import value_for
from controller.advice.worth import ToWin, Value
from controller.games.cosmic_cows import DEFAULT_RULES

BINS = 10
DRAWS = 400


@dataclass(frozen=True, slots=True)
class Bin:
    """Positions whose mover was given `low` to `low` + 0.1.

    `said` is the mean chance given, `won` the share that was won; `least` and `most` hold `won - said` in 95 of 100.
    """

    low: float
    positions: int
    said: float
    won: float
    least: float
    most: float

    @property
    def error(self) -> float:
        """How far the value was off, as a share."""
        return self.won - self.said


@dataclass(frozen=True, slots=True)
class Calibration:
    """The ten bins; and what the games say of the start: the first mover's share of wins."""

    games: int
    first_mover_wins: float
    bins: tuple[Bin, ...]


def calibrate(games: int, rng: np.random.Generator, value: Value | None = None) -> Calibration:
    """Play so many games under the printed rules and compare what was said with what came."""
    value = value_for(DEFAULT_RULES) if value is None else value
    said: Floats = np.zeros((games, BINS))
    won: Floats = np.zeros((games, BINS))
    counts = np.zeros((games, BINS), np.int64)
    first_wins = 0
    for begin in range(0, games, AT_ONCE):
        part = slice(begin, min(games, begin + AT_ONCE))
        first_wins += _watch(value, said[part], won[part], counts[part], rng)
    return Calibration(games, first_wins / games, _bins(said, won, counts, rng))


def _watch(value: Value, said: Floats, won: Floats, counts: npt.NDArray[np.int64], rng: np.random.Generator) -> int:
    """Play a part of the games; fills the sums of each game and bin, and returns how many the first mover won."""
    games = len(said)
    first_won = np.zeros(games, bool)
    seen: list[tuple[int, npt.NDArray[np.int64], Floats]] = []
    measure = ToWin(value)
    for turn in turns_of_all(measure, measure, games, rng, DEFAULT_RULES):
        seen.append((turn.number, turn.games, value.wins(turn.places)))
        first_won[turn.games[turn.won]] = turn.number % 2 == 0
    for number, going, chances in seen:
        bins = np.minimum((chances * BINS).astype(int), BINS - 1)
        np.add.at(said, (going, bins), chances)
        np.add.at(won, (going, bins), first_won[going] == (number % 2 == 0))
        np.add.at(counts, (going, bins), 1)
    return int(first_won.sum())


def _bins(said: Floats, won: Floats, counts: npt.NDArray[np.int64], rng: np.random.Generator) -> tuple[Bin, ...]:
    off, games = won - said, len(said)
    draws = np.zeros((DRAWS, BINS))
    for number in range(DRAWS):
        times = np.bincount(rng.integers(0, games, games), minlength=games)
        draws[number] = (times @ off) / np.maximum(times @ counts, 1)
    least, most = np.quantile(draws, (0.025, 0.975), axis=0)
    totals = np.maximum(counts.sum(axis=0), 1)
    return tuple(
        Bin(
            number / BINS,
            int(counts[:, number].sum()),
            float(said[:, number].sum() / totals[number]),
            float(won[:, number].sum() / totals[number]),
            float(least[number]),
            float(most[number]),
        )
        for number in range(BINS)
    )
