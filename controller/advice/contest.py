"""A contest of two levels over many games, sides alternating who moves first, and how sure its shares are."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from controller.advice.arena import Played, play_games
from controller.advice.one_game import Player
from controller.advice.players import measure_of
from controller.errors import InputError
from controller.games.cosmic_cows import DEFAULT_RULES, Rules, Side

MOST_GAMES = 1_000_000
Z_95 = 1.959964  # standard deviations on either side of the middle that hold 95 %


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many games."""

    count: int
    total: int

    @property
    def value(self) -> float | None:
        """The share itself; None of no games."""
        return self.count / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share lies with 95 % (Wilson): lower and upper end; 0 and 1 of no games."""
        if not self.total:
            return 0.0, 1.0
        share, square = self.count / self.total, Z_95 * Z_95 / self.total
        middle = (share + square / 2) / (1 + square)
        reach = sqrt(share * (1 - share) * square + square * square / 4) / (1 + square)
        return max(0.0, middle - reach), min(1.0, middle + reach)


@dataclass(frozen=True, slots=True, eq=False)
class Contest:
    """What came of a contest. White moves first in the games of `white_first`, Black in those of `black_first`."""

    white_first: Played
    black_first: Played

    @property
    def games(self) -> int:
        """Games that came to an end."""
        return len(self.turns)

    @property
    def unfinished(self) -> int:
        """Games that were stopped because they never ended."""
        return self.white_first.unfinished + self.black_first.unfinished

    @property
    def draws(self) -> int:
        """Games without a winner, by the house rule `turn_limit`."""
        return int(self.white_first.drawn.sum() + self.black_first.drawn.sum())

    @property
    def turns(self) -> npt.NDArray[np.int64]:
        """The length of each finished game in turns of both sides together."""
        return np.concatenate([self.white_first.turns, self.black_first.turns])

    @property
    def first_mover(self) -> Share:
        """The wins of whoever moved first."""
        return Share(int(self.white_first.first_won.sum() + self.black_first.first_won.sum()), self.games)

    def wins_moving_first(self, side: Side) -> Share:
        """This side's wins in the games in which it moved first."""
        played = self.white_first if side is Side.WHITE else self.black_first
        return Share(int(played.first_won.sum()), len(played.turns))

    def wins_moving_second(self, side: Side) -> Share:
        """This side's wins in the games in which it moved second."""
        played = self.black_first if side is Side.WHITE else self.white_first
        return Share(int((~played.first_won & ~played.drawn).sum()), len(played.turns))

    def wins(self, side: Side) -> Share:
        """All of this side's wins."""
        first, second = self.wins_moving_first(side), self.wins_moving_second(side)
        return Share(first.count + second.count, self.games)


def contest(white: Player, black: Player, games: int, seed: int, rules: Rules = DEFAULT_RULES) -> Contest:
    """This many games; of an odd number White moves first in one more. One seed, one contest.

    Raises:
        InputError: no such level, seed or number of games.
        WeightsError: the file of weights can't be used.
    """
    if type(games) is not int or not 1 <= games <= MOST_GAMES:
        raise InputError("games", games, f"a whole number from 1 to {MOST_GAMES}")
    whites, blacks = (measure_of(player.level, rules, player.seed) for player in (white, black))
    rng = np.random.default_rng(seed)
    half = (games + 1) // 2
    return Contest(play_games(whites, blacks, half, rng, rules), play_games(blacks, whites, games - half, rng, rules))
