"""What a computer player does with a throw."""

from __future__ import annotations

from dataclasses import dataclass

from controller.advice.advise import THROW_INDEX, claims_of_throw, prospect_of
from controller.advice.multisets import faces_of, tables
from controller.advice.players import measure_of
from controller.advice.pull_table import pull_table
from controller.advice.question import Question
from controller.advice.rolls import HARDLY


@dataclass(frozen=True, slots=True)
class KeepChoice:
    """Roll again and keep these faces, ascending."""

    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PullChoice:
    """Make the pull of this name."""

    name: str


def choose(level: str, question: Question, seed: int = 0) -> KeepChoice | PullChoice | None:
    """What a player of this level does; None where only the forfeit is left. One question and seed, one answer.

    Raises:
        InputError: no such level.
        WeightsError: the file of weights can't be used.
    """
    table = pull_table(question.rules)
    seen = prospect_of(question.position, measure_of(level, question.rules, seed), table, question.rolls)
    throw = THROW_INDEX[question.dice.faces]
    claims = claims_of_throw(seen, table, throw)
    pull = max(claims, key=lambda claim: seen.claims[0, claim], default=None)
    if question.left:
        rows = tables().keeps_of_throw[throw]
        worths = seen.turn.keeps[question.left][rows, 0]
        best = int(worths.argmax())
        if pull is None or worths[best] > seen.claims[0, pull] + HARDLY:
            return KeepChoice(faces_of(tables().keeps[rows[best]]))
    return None if pull is None else PullChoice(table.names[pull])
