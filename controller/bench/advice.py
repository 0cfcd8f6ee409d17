"""`advise`, `games`: how long one full advice takes, and how many whole games a minute the players play."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from controller.advice.advise import advise
from controller.advice.arena import play_games
from controller.advice.players import measure_of
from controller.advice.question import Question
from controller.bench.figure import Baseline, Figure, Run, Target, median, percentile
from controller.games.cosmic_cows import (
    ALL_DICE,
    BEAMS,
    DEFAULT_RULES,
    Position,
    Side,
    last_place,
    legal_pulls,
    outcome,
)

QUESTIONS = 300
GAMES = 1_000
TARGET_MS = 2.0
TARGET_GAMES = 300.0


def questions(count: int, seed: int) -> list[Question]:
    """So many throws at random positions where nobody has won."""
    rng = np.random.default_rng(seed)
    asked: list[Question] = []
    while len(asked) < count:
        places = tuple(int(rng.integers(-last_place(beam), last_place(beam) + 1)) for beam in BEAMS)
        position = Position(places, Side.WHITE if rng.random() < 0.5 else Side.BLACK)
        if outcome(position) is None:
            dice = ALL_DICE[int(rng.integers(len(ALL_DICE)))]
            asked.append(Question(position, dice, int(rng.integers(1, 4))))
    return asked


def advise_figures(run: Run) -> Iterator[Figure]:
    """The figure `advise`: every keep and every pull of a throw, with the learned value."""
    asked = questions(run.count(QUESTIONS, 20), seed=4)
    advise(asked[0])  # brings the weights and tables in, once in the life of a service
    took = [1000 * run.time(lambda one=one: advise(one)) for one in asked]  # type: ignore[misc]
    plain = [1000 * run.time(lambda one=one: _all_pulls(one)) for one in asked[: len(asked) // 4]]  # type: ignore[misc]
    yield Figure(
        "advise",
        "One full advice: the chance to win of every keep and every pull, and to end with nothing; the median.",
        "ms",
        median(took),
        Baseline("the rules engine asked for the pulls of all 252 throws", median(plain)),
        Target(TARGET_MS),
        (f"{len(took)} throws at random positions, 95 % within {percentile(took, 95):.2g} ms",),
    )


def games_figures(run: Run) -> Iterator[Figure]:
    """The figure `games`: whole games of best against itself, all their rolls thrown."""
    games, best, greedy = run.count(GAMES, 20), measure_of("best", DEFAULT_RULES), measure_of("greedy", DEFAULT_RULES)
    took = run.time(lambda: play_games(best, best, games, np.random.default_rng(5), DEFAULT_RULES))
    plain = run.time(lambda: play_games(greedy, greedy, games, np.random.default_rng(5), DEFAULT_RULES))
    yield Figure(
        "games",
        "Whole games a minute that best plays against itself, side by side.",
        "/min",
        60 * games / took,
        Baseline("greedy against itself", 60 * games / plain),
        Target(TARGET_GAMES, is_least=True),
        (f"{games} games in {took:.1f} s",),
    )


def _all_pulls(question: Question) -> int:
    return sum(len(legal_pulls(question.position, dice)) for dice in ALL_DICE)
