"""Exact odds over the rolls of one turn: what is the best a player can do from each throw, and how.

How it works: backwards. After the last roll a throw is worth what its best pull is worth, or the forfeit. One roll
earlier it is worth its best pull or its best keep, whichever is more; a keep is worth the average of the throws that it
becomes. All throws and keeps at once, for any number of positions side by side: axis 0 is the throw or the keep, axis
1 the position.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from controller.advice.multisets import Floats, tables

HARDLY = 1e-6  # worths this near are the same: what is left is rounding in single precision


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """What the throws and keeps of one turn are worth, for P positions side by side.

    `throws[n]` is (252, P): a throw with n more rolls to come, played on in the best way. `keeps[n]` is (210, P): a
    keep when n rolls are left (n = 1 or 2; the first entry is empty).
    """

    throws: tuple[Floats, ...]
    keeps: tuple[Floats, ...]

    @property
    def start(self) -> Floats:
        """(P,) the turn before its first roll."""
        return np.asarray(tables().throw_weights.astype(self.throws[-1].dtype) @ self.throws[-1])


def solve(stop: Floats, final: Floats, rolls: int) -> Turn:
    """The whole turn backwards.

    Args:
        stop: (252, P) what a throw is worth used at once; -inf where it pulls nothing.
        final: (252, P) what it is worth after the last roll: as `stop`, with the forfeit where it pulls nothing.
        rolls: 1 to 3, how many rolls the turn has.
    """
    throws, keeps = [final], [np.empty((0, final.shape[1]), final.dtype)]
    for _ in range(rolls - 1):
        keeps.append(_becomes(final.dtype) @ throws[-1])
        throws.append(np.maximum(stop, best_keep_worth(keeps[-1])))
    return Turn(tuple(throws), tuple(keeps))


def best_keep_worth(keep_worths: Floats) -> Floats:
    """(252, P): what the best keep of each throw is worth, from (210, P)."""
    columns = tables().keeps_of_throw.T
    best: Floats = keep_worths[columns[0]]
    for column in columns[1:]:
        np.maximum(best, keep_worths[column], out=best)
    return best


@lru_cache(maxsize=2)
def _becomes(dtype: np.dtype[np.floating]) -> Floats:
    becomes: Floats = np.asarray(tables().becomes, dtype)
    return becomes
