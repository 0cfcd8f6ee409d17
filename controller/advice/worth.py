"""One turn's worth at many positions: pulls valued, then the rolls worked backwards; the heart of the advice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from controller.advice.multisets import Floats
from controller.advice.pull_table import Flags, Followed, Places, PullTable
from controller.advice.rolls import Turn, solve


class Value(Protocol):
    """How likely the player to move wins, in positions where nobody has won yet."""

    def wins(self, places: Places) -> Floats:
        """(N,) chances between 0 and 1 for (N, 9) places seen from the player to move."""


class Measure(Protocol):
    """What a player goes by: the more, the better."""

    def of(self, followed: Followed, places: Places) -> tuple[Floats, Floats]:
        """(P, C) what each claim is worth, whether it is a pull or not; and (P,) what forfeiting the turn is worth."""


@dataclass(frozen=True, slots=True)
class ToWin:
    """The measure of a player who wants to win: the chance to, as a value says it."""

    value: Value

    def of(self, followed: Followed, places: Places) -> tuple[Floats, Floats]:
        """Chances to win after each claim and after a forfeit."""
        count, claims, _ = followed.places.shape
        worth_asking = followed.is_pull & ~followed.has_won
        asked = np.concatenate([-followed.places[worth_asking], -places])
        answers = 1 - self.value.wins(asked)
        worths = np.zeros((count, claims), answers.dtype)
        worths[worth_asking] = answers[: len(answers) - count]
        worths[followed.has_won] = 1
        return worths, answers[len(answers) - count :]


@dataclass(frozen=True, slots=True, eq=False)
class Prospect:
    """P positions at the start of a turn, with everything the turn can bring.

    Attributes:
        claims: (P, C) what each claim is worth; -inf where it is no pull.
        stop: (252, P) what each throw is worth used at once; -inf where it pulls nothing.
        turn: the rolls worked backwards.
    """

    places: Places
    followed: Followed
    claims: Floats
    stop: Floats
    turn: Turn


def prospect(
    places: Places, table: PullTable, measure: Measure, rolls: int = 3, locked: Flags | None = None
) -> Prospect:
    """Everything these positions can bring in one turn of this many rolls, to a player who goes by this measure."""
    followed = table.follow(places, locked)
    worths, forfeit = measure.of(followed, places)
    claims = np.where(followed.is_pull, worths, np.array(-np.inf, worths.dtype))
    stop = table.worth_of_throws(claims, places)
    final = np.where(np.isneginf(stop), forfeit, stop)
    return Prospect(places, followed, claims, stop, solve(stop, final, rolls))
