"""What a computer player does with a throw."""

from __future__ import annotations

from dataclasses import dataclass

from controller.advice.advise import HARDLY, THROW_INDEX, check_question, claims_of_throw, prospect_of
from controller.advice.multisets import faces_of, tables
from controller.advice.players import measure_of
from controller.advice.pull_table import pull_table
from controller.games.cosmic_cows import DEFAULT_RULES, Dice, Position, Rules


@dataclass(frozen=True, slots=True)
class KeepChoice:
    """Roll again and keep these faces, ascending."""

    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PullChoice:
    """Make the pull of this name."""

    name: str


def choose(
    level: str,
    position: Position,
    dice: Dice,
    roll: int,
    rules: Rules = DEFAULT_RULES,
    rolls: int | None = None,
    seed: int = 0,
) -> KeepChoice | PullChoice | None:
    """What a player of this level does; None where only the forfeit is left. One question and seed, one answer.

    Args:
        roll: 1, 2 or 3, the roll that lies on the table.
        rolls: how many this turn has; None for what the rules say of a later turn than the first.

    Raises:
        InputError: no such level, a roll the turn hasn't, or a game that is over.
        WeightsError: the file of weights can't be used.
    """
    rolls = rules.rolls if rolls is None else rolls
    measure = measure_of(level, rules, seed)
    check_question(position, roll, rolls, rules)
    table = pull_table(rules)
    seen = prospect_of(position, measure, table, rolls)
    throw, left = THROW_INDEX[dice.faces], rolls - roll
    claims = claims_of_throw(seen, table, throw)
    pull = max(claims, key=lambda claim: seen.claims[0, claim], default=None)
    if left:
        rows = tables().keeps_of_throw[throw]
        worths = seen.turn.keeps[left][rows, 0]
        best = int(worths.argmax())
        if pull is None or worths[best] > seen.claims[0, pull] + HARDLY:
            return KeepChoice(faces_of(tables().keeps[rows[best]]))
    return None if pull is None else PullChoice(table.names[pull])
