"""One game between computer players, turn by turn through `choose` and the rules engine: what a table would see.

How it works: the dice come from the same two draws as the arena's, so with one seed a game here and an arena of one
game are the same game, throw by throw. A test holds the two to each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from controller.advice.arena import MOST_TURNS
from controller.advice.choose import KeepChoice, PullChoice, choose
from controller.advice.many_games import roll_again, throw_many
from controller.advice.multisets import counts_of, tables
from controller.advice.question import Question
from controller.games.cosmic_cows import (
    ALL_DICE,
    Dice,
    Position,
    Rules,
    Side,
    apply_pull,
    find_pull,
    outcome,
    start_position,
    turn_limit_outcome,
)


@dataclass(frozen=True, slots=True)
class Player:
    """A computer player: its level, and the seed of its whims."""

    level: str
    seed: int = 0


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn as it was played: the rolls, what was kept between them (one fewer), and the pull (None: forfeit)."""

    mover: Side
    throws: tuple[Dice, ...]
    keeps: tuple[tuple[int, ...], ...]
    pull: str | None
    after: Position


def play_one(
    players: Mapping[Side, Player], starter: Side, seed: int | Sequence[int], rules: Rules
) -> Iterator[PlayedTurn]:
    """The turns of one game up to its end; at most MOST_TURNS of them. The seed is that of the dice.

    Raises:
        InputError: no such level or seed.
        WeightsError: the file of weights can't be used.
    """
    position, rng = start_position(starter), np.random.default_rng(seed)
    for turn_count in range(MOST_TURNS):
        turn = _play_turn(position, players[position.mover], rng, (rules, turn_count))
        yield turn
        position = turn.after
        if outcome(position, rules) is not None or turn_limit_outcome(position, turn_count + 1, rules) is not None:
            return


def _play_turn(position: Position, player: Player, rng: np.random.Generator, at: tuple[Rules, int]) -> PlayedTurn:
    rules, turn_count = at
    throws = [ALL_DICE[int(throw_many(rng, 1)[0])]]
    keeps: list[tuple[int, ...]] = []
    while True:
        question = Question(position, throws[-1], len(throws), rules, turn_count)
        match choose(player.level, question, player.seed):
            case KeepChoice(faces):
                keeps.append(faces)
                throws.append(ALL_DICE[int(roll_again(rng, np.array([_keep_row(faces)]))[0])])
            case PullChoice(name):
                after = apply_pull(position, find_pull(position, throws[-1], name, rules), rules)
                return PlayedTurn(position.mover, tuple(throws), tuple(keeps), name, after)
            case None:
                after = position.with_mover(position.mover.other)
                return PlayedTurn(position.mover, tuple(throws), tuple(keeps), None, after)


def _keep_row(faces: tuple[int, ...]) -> int:
    return tables().keeps.index(counts_of(faces))
