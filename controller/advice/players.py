"""Computer players by level. Every level sees the same dice as everybody and plans over all its rolls exactly; what
sets them apart is what they play for.

gentle: to move cows its way, led by whims of its own: of two cells more or less it often takes the less.
greedy: its own advance minus the other's, nothing else: every cell its way counts the same.
keen: to win, by the learned value, but with an eye less sure than the best one's.
best: to win, by the learned value.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from hashlib import blake2b

import numpy as np

from controller.advice.multisets import Floats
from controller.advice.pull_table import Followed, Places
from controller.advice.value import value_for
from controller.advice.worth import Measure, ToWin
from controller.errors import InputError
from controller.games.cosmic_cows import Rules

LEVELS = ("gentle", "greedy", "keen", "best")
SEEDS = 2**64  # so many, from 0

GENTLE_WHIM = 1.5  # cells: the deviation of what a gentle player likes or dislikes about each pull
KEEN_DOUBT = 0.12  # in log-odds: how far a keen player's eye is off
SUPER_CELLS = 3.0  # what a step of the super cow counts for one who counts cells; gives the known lengths of games


@dataclass(frozen=True, slots=True)
class Advance:
    """Cells that all cows together move towards the mover: own advance and the other's loss."""

    def of(self, followed: Followed, places: Places) -> tuple[Floats, Floats]:
        """Cells gained by each claim; a win is worth more than any."""
        moved = (followed.places.astype(np.float64) - places[:, None]) @ _CELLS_A_STEP
        return np.where(followed.has_won, _WIN, moved), np.zeros(len(places))


@dataclass(frozen=True, slots=True)
class Whim:
    """Another measure, blurred: each claim at each position is liked a little more or less, by the seed.

    In log-odds where `is_chance` says that the measure gives chances. The same position and seed are always blurred
    alike, so a turn is planned once and a table that restarts plays on the same.
    """

    measure: Measure
    deviation: float
    seed: int
    is_chance: bool = False

    def of(self, followed: Followed, places: Places) -> tuple[Floats, Floats]:
        """As the blurred measure, a win left clear."""
        worths, forfeit = self.measure.of(followed, places)
        noise = np.stack([_noise(self.seed, place, worths.shape[1]) for place in places]) * self.deviation
        if self.is_chance:
            chances = np.clip(worths, 1e-9, 1 - 1e-9)
            blurred = 1 / (1 + (1 - chances) / chances * np.exp(-noise))
        else:
            blurred = worths + noise
        return np.where(followed.has_won, worths, blurred), forfeit


_WIN = 1000.0
_CELLS_A_STEP = np.ones(9)
_CELLS_A_STEP[4] = SUPER_CELLS


def measure_of(level: str, rules: Rules, seed: int = 0) -> Measure:
    """What a player of this level goes by.

    Raises:
        InputError: no such level or seed.
        WeightsError: the file of weights can't be used.
    """
    if type(seed) is not int or not 0 <= seed < SEEDS:
        raise InputError("seed", seed, f"a whole number from 0 to {SEEDS - 1}")
    match level:
        case "gentle":
            return Whim(Advance(), GENTLE_WHIM, seed)
        case "greedy":
            return Advance()
        case "keen":
            return Whim(ToWin(value_for(rules)), KEEN_DOUBT, seed, is_chance=True)
        case "best":
            return ToWin(value_for(rules))
        case _:
            near = get_close_matches(str(level)[:40], LEVELS, n=1, cutoff=0.0)[0]
            raise InputError("level", level, f"{', '.join(LEVELS)}; the nearest is {near}")


def _noise(seed: int, places: np.ndarray, count: int) -> Floats:
    digest = blake2b(places.astype(np.int8).tobytes(), digest_size=8, salt=seed.to_bytes(16, "little")).digest()
    generator = np.random.default_rng(int.from_bytes(digest, "little"))
    return generator.standard_normal(count)
