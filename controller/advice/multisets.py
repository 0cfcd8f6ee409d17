"""Dice as multisets in numpy: the 252 throws, the 210 keeps, and how likely each keep becomes each throw.

How it works: a throw is a row of six counts (how many dice show 1, 2 … 6). A keep is a throw with one to five dice
taken out to be re-rolled, so it holds none to four dice. Re-rolling k dice gives each of the multisets of k dice with
its multinomial weight; added to what was kept, that is a throw again. All of it is one matrix of 210 × 252.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import factorial, prod

import numpy as np
import numpy.typing as npt

from controller.games.cosmic_cows.dice import ALL_DICE, DICE_COUNT, FACES

Counts = tuple[int, ...]
Floats = npt.NDArray[np.floating]
Indices = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """Everything about five dice that no position changes; arrays are read-only.

    Attributes:
        throws: six counts for each of the 252 throws, in the order of ALL_DICE.
        throw_weights: (252,) the probability of each throw of five dice.
        keeps: six counts for each of the 210 keeps, the fewest dice first.
        becomes: (210, 252) the probability that a keep becomes a throw when the other dice are rolled.
        keeps_of_throw: (252, 31) for each throw the keeps it contains, ascending; the last repeated fills up a row.
        keep_counts: (252,) how many different keeps each throw contains.
    """

    throws: tuple[Counts, ...]
    throw_weights: Floats
    keeps: tuple[Counts, ...]
    becomes: Floats
    keeps_of_throw: Indices
    keep_counts: Indices


@lru_cache(maxsize=1)
def tables() -> Tables:
    """The tables, made when first asked for."""
    throws = tuple(dice.counts[1:] for dice in ALL_DICE)
    keeps = tuple(counts for size in range(DICE_COUNT) for counts in multisets(size))
    throw_index = {counts: index for index, counts in enumerate(throws)}
    keep_index = {counts: index for index, counts in enumerate(keeps)}
    becomes = np.zeros((len(keeps), len(throws)))
    for row, kept in enumerate(keeps):
        for rolled in multisets(DICE_COUNT - sum(kept)):
            whole = tuple(a + b for a, b in zip(kept, rolled, strict=True))
            becomes[row, throw_index[whole]] = weight(rolled)
    contained = [_keeps_in(counts, keep_index) for counts in throws]
    widest = max(map(len, contained))
    padded = np.array([(*row, *(row[-1:] * (widest - len(row)))) for row in contained])
    weights = np.array([weight(counts) for counts in throws])
    keep_counts = np.array([len(row) for row in contained])
    for array in (weights, becomes, padded, keep_counts):
        array.setflags(write=False)
    return Tables(throws, weights, keeps, becomes, padded, keep_counts)


def multisets(size: int) -> tuple[Counts, ...]:
    """All multisets of this many dice as six counts each."""
    return tuple(counts_of(faces) for faces in combinations_with_replacement(FACES, size))


def counts_of(faces: Sequence[int]) -> Counts:
    """Six counts of these faces."""
    return tuple(list(faces).count(face) for face in FACES)


def faces_of(counts: Sequence[int]) -> tuple[int, ...]:
    """The faces of six counts, ascending."""
    return tuple(face for face, count in zip(FACES, counts, strict=True) for _ in range(count))


def weight(counts: Sequence[int]) -> float:
    """The probability that this many dice, thrown together, show exactly these counts."""
    size = sum(counts)
    ways: int = factorial(size) // prod(factorial(count) for count in counts)
    return ways / float(len(FACES) ** size)


def _keeps_in(counts: Counts, keep_index: dict[Counts, int]) -> tuple[int, ...]:
    inside = product(*(range(count + 1) for count in counts))
    return tuple(sorted(keep_index[kept] for kept in inside if kept in keep_index))
