"""`strength`, `calibration`: how well the best computer player plays, and whether its chances mean what they say."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from controller.advice.arena import play_games
from controller.advice.calibration import BINS, Bin, calibrate
from controller.advice.players import measure_of
from controller.advice.value import value_for
from controller.bench.figure import Baseline, Figure, Run, Target
from controller.games.cosmic_cows import BEAMS, DEFAULT_RULES
from vision.evaluate import wilson

GAMES = 2_000
FRESH_GAMES = 20_000
TARGET_WINS = 88.0
TARGET_POINTS = 2.0
FEWEST = 200  # positions; a bin with fewer says nothing in either direction


def strength_figures(run: Run) -> Iterator[Figure]:
    """The figure `strength`: games of best against greedy, each side first in half of them."""
    half, rng = run.count(GAMES, 20) // 2, np.random.default_rng(2)
    share, count = _wins("best", "greedy", half, rng)
    base, _ = _wins("keen", "greedy", half, rng)
    low, high = wilson(count, 2 * half)
    yield Figure(
        "strength",
        "Games that the player best wins against greedy, each moving first in half of them.",
        "%",
        100 * share,
        Baseline("the player keen against greedy", 100 * base),
        Target(TARGET_WINS, is_least=True),
        (f"{count} of {2 * half} games, {100 * low:.1f} to {100 * high:.1f} % (95 % interval)",),
    )


def calibration_figures(run: Run) -> Iterator[Figure]:
    """The figures `calibration` and `calibration start`, from fresh games of best against itself."""
    games = run.count(FRESH_GAMES, 64)
    found = calibrate(games, np.random.default_rng(3))
    bins = [one for one in found.bins if one.positions >= FEWEST]
    worst = max(abs(one.error) for one in bins)
    plain = _brier_of_half(bins)
    yield Figure(
        "calibration",
        f"The most by which a predicted chance misses what came, over {BINS} bins of {games} fresh games of best "
        "against itself.",
        "points",
        100 * worst,
        Baseline("always saying one in two", 100 * plain),
        Target(TARGET_POINTS),
        tuple(map(_bin_words, bins)),
    )
    said = float(value_for(DEFAULT_RULES).wins(np.zeros((1, len(BEAMS)), np.int8))[0])
    reach = 1.96 * math.sqrt(found.first_mover_wins * (1 - found.first_mover_wins) / games)
    yield Figure(
        "calibration start",
        "Games of best against itself that the first mover wins.",
        "%",
        100 * found.first_mover_wins,
        Baseline("what the value says of the start", 100 * said),
        None,
        (f"of {games} games, ± {100 * reach:.1f} points (95 % interval)",),
    )


def _wins(one: str, other: str, half: int, rng: np.random.Generator) -> tuple[float, int]:
    """The share and the number of games that `one` wins, out of twice `half`."""
    mine, theirs = measure_of(one, DEFAULT_RULES), measure_of(other, DEFAULT_RULES)
    first = play_games(mine, theirs, half, rng, DEFAULT_RULES).first_won.sum()
    second = half - play_games(theirs, mine, half, rng, DEFAULT_RULES).first_won.sum()
    count = int(first + second)
    return count / (2 * half), count


def _brier_of_half(bins: list[Bin]) -> float:
    """How far "one in two" is off in the bin that it fits worst."""
    return max(abs(one.won - 0.5) for one in bins)


def _bin_words(one: Bin) -> str:
    return (
        f"{one.low:.1f} to {one.low + 1 / BINS:.1f}: said {100 * one.said:.1f} %, won {100 * one.won:.1f} %, off by "
        f"{100 * one.error:+.1f} ({100 * one.least:+.1f} to {100 * one.most:+.1f}) points in {one.positions} positions"
    )
