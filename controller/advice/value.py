"""The worth of a position: how likely the player to move wins. Learned by self-play, see docs/advice.md.

Two nets are shipped. `cells` was learned for the printed game and knows every cell. `race` was learned on boards and
numbers of cows of all kinds and knows only how far each side has to go: what house rules change the race get that one,
and an answer that says so. Pulls, rolls, forced and forbidden uses of the dice are never learned: they are worked out
exactly under whatever rules are played.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from controller.advice.features import CELL_INPUTS, CELLS, RACE, RACE_INPUTS, cell_features, race_features
from controller.advice.multisets import Floats
from controller.advice.net import Net, load_net
from controller.advice.pull_table import Places
from controller.games.cosmic_cows import DEFAULT_RULES, Rules

WEIGHTS = Path(__file__).parent / "weights"

# House rules under which the same cells are worth much the same; the dice's side of them is exact anyway.
_ALIKE = ("super_forced", "subset_pulls", "chance", "straights", "rolls", "first_turn_rolls", "opening", "turn_limit")


class Basis(StrEnum):
    """What a value was learned for."""

    LEARNED = "learned"  # for exactly these rules
    NEAR = "near"  # for the printed game, from which these rules differ in the dice only
    RACE = "race"  # for the race in general: other boards, other numbers of cows, cows locked in


@dataclass(frozen=True, slots=True)
class CellValue:
    """The printed game, cell by cell."""

    net: Net

    def wins(self, places: Places) -> Floats:
        """(N,) chances of the player to move, from (N, 9) places seen from that player."""
        return self.net.chances(cell_features(places))


@dataclass(frozen=True, slots=True)
class RaceValue:
    """Any board: how far each side has to go."""

    net: Net
    rules: Rules

    def wins(self, places: Places) -> Floats:
        """(N,) chances of the player to move, from (N, 9) places seen from that player."""
        return self.net.chances(race_features(places, self.rules))


def basis_for(rules: Rules) -> Basis:
    """What the value under these rules rests on."""
    default = DEFAULT_RULES
    if (rules.cows_to_win, rules.beam_length, rules.win_zone, rules.lock_in) != (
        default.cows_to_win,
        default.beam_length,
        default.win_zone,
        default.lock_in,
    ):
        return Basis.RACE
    is_same = all(getattr(rules, name) == getattr(default, name) for name in _ALIKE if name != "opening")
    return Basis.LEARNED if is_same else Basis.NEAR


@lru_cache(maxsize=8)
def value_for(rules: Rules, weights: Path = WEIGHTS) -> CellValue | RaceValue:
    """The value for these rules.

    Raises:
        WeightsError: the file of weights is missing or isn't one of this version.
    """
    if basis_for(rules) is Basis.RACE:
        return RaceValue(load_net(weights / "race.npz", RACE, RACE_INPUTS), rules)
    return CellValue(load_net(weights / "cells.npz", CELLS, CELL_INPUTS))
