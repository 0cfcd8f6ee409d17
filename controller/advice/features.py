"""What a value net sees of a position: places seen from the player to move, as numbers.

`cells` is for the printed game: which cell each cow stands on, one input a cell, and how many cows each side has home.
`race` is for any board: how far each side's best cows have to go.
"""

from __future__ import annotations

import numpy as np

from controller.advice.multisets import Floats
from controller.advice.pull_table import SUPER, Places, cows_home
from controller.games.cosmic_cows import BEAMS, DEFAULT_RULES, Rules

CELLS = "cells"
RACE = "race"
RACE_INPUTS = 10
SUPER_WAY = 12.0  # cells of a long beam that a step of the super cow is worth: it needs five alike, one turn in 22
_LAST = DEFAULT_RULES.last
_CELL_COUNT = (len(BEAMS) - 1) * (2 * _LAST + 1) + 3
_HOME = DEFAULT_RULES.cows_to_win
CELL_INPUTS = _CELL_COUNT + _HOME * _HOME


def _first_inputs() -> np.ndarray:
    """For each beam the input of its cow standing in the centre."""
    firsts, first = [], 0
    for beam in range(len(BEAMS)):
        last = 1 if beam == SUPER else _LAST
        firsts.append(first + last)
        first += 2 * last + 1
    return np.array(firsts)


_CENTRES = _first_inputs()


def cell_features(places: Places) -> Floats:
    """(N, 148): 139 cells and nine pairs of how many cows each side has home, from (N, 9) of unfinished games."""
    inputs = np.zeros((len(places), CELL_INPUTS), np.float32)
    rows = np.arange(len(places))
    inputs[rows[:, None], _CENTRES + places] = 1
    mine, theirs = cows_home(places, DEFAULT_RULES), cows_home(-places, DEFAULT_RULES)
    most = _HOME - 1
    inputs[rows, _CELL_COUNT + _HOME * np.minimum(mine, most) + np.minimum(theirs, most)] = 1
    return inputs


def race_features(places: Places, rules: Rules) -> Floats:
    """(N, 10): for each side how far its best cows have to go, and what the board asks; for any house rules."""
    needed = min(rules.cows_to_win, len(BEAMS))
    scale = np.array([needed / 3, rules.zone_start / 6], np.float32)
    sides = [_race(seen, needed, rules) for seen in (places, -places)]
    return np.concatenate([*sides, np.tile(scale, (len(places), 1))], axis=1).astype(np.float32)


def _race(places: Places, needed: int, rules: Rules) -> Floats:
    """(N, 4): all the way that is left, cows still missing, the nearest of them, the farthest of those needed."""
    way = np.maximum(rules.zone_start - places.astype(np.float32), 0)
    way[:, SUPER] = (1 - places[:, SUPER]) * SUPER_WAY
    best = np.sort(way, axis=1)[:, :needed] / rules.zone_start
    missing = np.count_nonzero(best > 0, axis=1)
    nearest = np.where(best > 0, best, np.inf).min(axis=1)
    return np.stack([best.sum(axis=1) / needed, missing / needed, np.minimum(nearest, 9), best[:, -1]], axis=1)
