"""Who has won, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from controller.games.cosmic_cows.beams import Side
from controller.games.cosmic_cows.position import Position, cows_home, has_won
from controller.games.cosmic_cows.rules import DEFAULT_RULES, Rules


class OutcomeReason(StrEnum):
    """What decided a game."""

    COWS_HOME = "cows home"  # enough cows in the winner's zone
    MOST_COWS = "most cows at the turn limit"
    SUM_OF_PLACES = "sum of the places at the turn limit"
    DRAW = "draw at the turn limit"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The winner (None: a draw) and what decided it."""

    side: Side | None
    reason: OutcomeReason


def outcome(position: Position, rules: Rules = DEFAULT_RULES) -> Outcome | None:
    """Who has enough cows home; None while the game goes on.

    Should both have (no game leads there, see Status.BOTH_WON), the one who moved last is the winner.
    """
    for side in (position.mover.other, position.mover):
        if has_won(position, side, rules):
            return Outcome(side, OutcomeReason.COWS_HOME)
    return None


def turn_limit_outcome(position: Position, turn_count: int, rules: Rules = DEFAULT_RULES) -> Outcome | None:
    """The end by the house rule `turn_limit`; None while turns are left or the rule isn't played.

    Args:
        position: after the last of these turns.
        turn_count: turns finished by both sides together, forfeits included.
    """
    if rules.turn_limit is None or turn_count < rules.turn_limit:
        return None
    won = outcome(position, rules)
    if won is not None:
        return won
    cows = len(cows_home(position, Side.WHITE, rules)) - len(cows_home(position, Side.BLACK, rules))
    if cows:
        return Outcome(_leader(cows), OutcomeReason.MOST_COWS)
    places = sum(position.places)
    if places:
        return Outcome(_leader(places), OutcomeReason.SUM_OF_PLACES)
    return Outcome(None, OutcomeReason.DRAW)


def _leader(lead: int) -> Side:
    return Side.WHITE if lead > 0 else Side.BLACK
