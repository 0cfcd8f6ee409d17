"""Many games side by side: whole turns thrown and played for every game at once, for arenas and for learning."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from controller.advice.multisets import Floats, Indices, tables
from controller.advice.pull_table import PullTable
from controller.advice.rolls import HARDLY
from controller.advice.worth import Prospect


def throw_many(rng: np.random.Generator, count: int) -> Indices:
    """(count,) fair throws of five dice, as numbers of ALL_DICE."""
    return rng.choice(len(tables().throws), size=count, p=tables().throw_weights)


def roll_again(rng: np.random.Generator, keeps: Indices) -> Indices:
    """The throws these keeps become when the other dice are rolled fairly."""
    sums = _sums()[keeps]
    throws: Indices = (sums > rng.random(len(keeps))[:, None]).argmax(axis=1)
    return throws


def roll_turns(rng: np.random.Generator, seen: Prospect) -> Indices:
    """(P,) the final throws of turns whose rolls are all played for the most worth."""
    rolls = len(seen.turn.throws)
    throws = throw_many(rng, len(seen.places))
    games = np.arange(len(seen.places))
    for left in range(rolls - 1, 0, -1):
        options = seen.turn.keeps[left][tables().keeps_of_throw[throws], games[:, None]]
        best = options.argmax(axis=1)
        goes_on = options[games, best] > seen.stop[throws, games] + HARDLY  # a tie is a pull, as in `choose`
        again = roll_again(rng, tables().keeps_of_throw[throws[goes_on], best[goes_on]])
        throws[goes_on] = again
    return throws


def best_claims(seen: Prospect, throws: Indices, table: PullTable) -> Indices:
    """(P,) the claim of most worth that each final throw allows; -1 for a forfeit."""
    games = np.arange(len(throws))
    worths = np.concatenate([seen.claims, np.full((len(throws), 1), -np.inf, seen.claims.dtype)], axis=1)
    columns = table.of_throw[throws]
    options = worths[games[:, None], columns]
    best = columns[games, options.argmax(axis=1)]
    if table.rules.super_forced:
        forced = np.isin(throws, table.five_alike) & seen.followed.is_pull[:, table.super_claim]
        best = np.where(forced, table.super_claim, best)
    best = np.where(np.isneginf(worths[games, best]), -1, best)
    claims: Indices = best
    return claims


@lru_cache(maxsize=1)
def _sums() -> Floats:
    """(210, 252) how likely each keep becomes this throw or one before it."""
    sums: Floats = np.cumsum(tables().becomes, axis=1)
    sums[:, -1] = 1
    return sums
