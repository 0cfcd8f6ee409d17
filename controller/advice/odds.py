"""How likely each combination is within so many rolls when a player plays for it alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from controller.advice.rolls import solve
from controller.games.cosmic_cows import ALL_DICE, DEFAULT_RULES, Kind, Rules
from controller.games.cosmic_cows.pulls import Claim, claims_of


@dataclass(frozen=True, slots=True)
class PatternOdds:
    """One combination.

    Attributes:
        name: the kind, as in pull names; for chance with the cells that it pulls, `chance 3`.
        probability: of having one, of whichever faces.
        named: of having the one of given faces, `pair 4` say; None where the name has no faces.
    """

    name: str
    probability: float
    named: float | None


def pattern_odds(rolls: int, rules: Rules = DEFAULT_RULES) -> tuple[PatternOdds, ...]:
    """Every combination that these rules know, in the order of Kind; the bands of chance by their cells.

    Args:
        rolls: 1 to 3, all dice on the first, any of them on the others.
    """
    claims = [claims_of(dice, rules) for dice in ALL_DICE]
    kinds = sorted({_kind_name(claim) for row in claims for claim in row}, key=_in_order)
    found = []
    for name in kinds:
        wanted = [[claim for claim in row if _kind_name(claim) == name] for row in claims]
        pulls = sorted({claim.unhindered.name for row in wanted for claim in row})
        named = None
        if len(pulls) > 1:  # all faces are alike, so the first stands for each
            named = _probability([any(claim.unhindered.name == pulls[0] for claim in row) for row in wanted], rolls)
        found.append(PatternOdds(name, _probability([bool(row) for row in wanted], rolls), named))
    return tuple(found)


def _probability(has_it: list[bool], rolls: int) -> float:
    """How likely one of these throws is reached within the rolls."""
    worth = np.array(has_it, float)[:, None]
    return float(solve(worth, worth, rolls).start[0])


def _kind_name(claim: Claim) -> str:
    return f"{claim.kind.value} {claim.wants[0][1]}" if claim.kind is Kind.CHANCE else claim.kind.value


def _in_order(name: str) -> tuple[int, int]:
    kinds = [kind.value for kind in Kind]
    if name in kinds:
        return kinds.index(name), 0
    return kinds.index(Kind.CHANCE.value), int(name.rsplit(" ", 1)[1])
