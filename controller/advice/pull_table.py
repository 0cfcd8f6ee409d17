"""All pulls of all 252 throws over many positions at once: the rules of `pulls.py` laid out in numpy.

How it works: whatever the cows do, the dice can ask for some seventy different things (the *claims*: two cells of beam
3, three of beam 4 and two of beam 5 …). A position follows each claim as far as it can, so there are some seventy
positions after it, not one for each throw and pull; a throw then only picks among them. A property test holds this
file to `legal_pulls`.

Places are seen from the mover: nine numbers in beam order, positive towards the mover.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from controller.advice.multisets import Floats, Indices
from controller.games.cosmic_cows import ALL_DICE, BEAMS, Beam, Kind, Rules
from controller.games.cosmic_cows.pulls import claims_of

Places = npt.NDArray[np.int8]
Flags = npt.NDArray[np.bool_]

SUPER = BEAMS.index(Beam.SUPER)


class Followed(NamedTuple):
    """What became of each of C claims at each of P positions.

    Attributes:
        places: (P, C, 9) where the cows stand afterwards, still seen from the player who pulled.
        is_pull: (P, C) whether the claim does anything at all, and may be made here.
        has_won: (P, C) whether it brings the last cow home.
    """

    places: Places
    is_pull: Flags
    has_won: Flags


@dataclass(frozen=True, slots=True, eq=False)
class PullTable:
    """The claims under one set of house rules.

    Attributes:
        wants: (C, 9) cells asked of each beam.
        names: C names of pulls; two bands of chance have the same.
        of_throw: (252, W) the claims of each throw; rows are filled up with C, which stands for no claim.
        five_alike: the six throws of five alike.
        is_five: (C,) which claims are `five N`, allowed only with the super cow home.
        super_claim: the claim of the super cow.
    """

    rules: Rules
    wants: Places
    names: tuple[str, ...]
    of_throw: Indices
    five_alike: Indices
    is_five: Flags
    super_claim: int

    @property
    def limits(self) -> Places:
        """(9,) the mover's last cell on each beam."""
        limits = np.full(len(BEAMS), self.rules.last, np.int8)
        limits[SUPER] = 1
        return limits

    def follow(self, places: Places, locked: Flags | None = None) -> Followed:
        """Every claim at every position.

        Args:
            places: (P, 9) seen from the mover.
            locked: (P, 9) the cows locked in; None for none.
        """
        room = self.limits - places
        free = room if locked is None else np.where(locked, np.int8(0), room)
        moved = np.minimum(self.wants[None], free[:, None])
        is_pull = moved.any(axis=2)
        if self.rules.lock_in:
            held = np.zeros_like(places, bool) if locked is None else locked
            past = (self.wants[None] > room[:, None]) & ~held[:, None]
            past[:, :, SUPER] = False
            is_pull |= past.any(axis=2)
        is_pull &= ~self.is_five | (places[:, SUPER, None] == 1)
        after = places[:, None] + moved
        return Followed(after, is_pull, cows_home(after, self.rules) >= self.rules.cows_to_win)

    def locks(self, places: Places, claims: Indices, locked: Flags) -> Flags:
        """(P, 9) the cows locked in after one claim at each position: where `lock_in` is played, those it overshoots.

        Args:
            places: (P, 9) before the claim, seen from the mover.
            claims: (P,) one at each.
            locked: (P, 9) the cows locked in before.
        """
        if not self.rules.lock_in:
            return locked
        past = (self.wants[claims] > self.limits - places) & ~locked
        past[:, SUPER] = False
        freshly: Flags = locked | past
        return freshly

    def worth_of_throws(self, claim_worths: Floats, places: Places) -> Floats:
        """(252, P) what each throw is worth used at once; -inf where it pulls nothing.

        Args:
            claim_worths: (P, C) what each claim is worth, -inf where it is no pull.
            places: (P, 9), the positions.
        """
        worths = np.full((len(self.wants) + 1, len(places)), -np.inf, claim_worths.dtype)
        worths[:-1] = claim_worths.T
        columns = self.of_throw.T
        best: Floats = worths[columns[0]]
        for column in columns[1:]:
            np.maximum(best, worths[column], out=best)
        if self.rules.super_forced:
            away = places[:, SUPER] != 1
            best[self.five_alike] = np.where(away, worths[self.super_claim], best[self.five_alike])
        return best


def cows_home(places: Places, rules: Rules) -> npt.NDArray[np.int64]:
    """How many cows stand in the mover's win zone; the last axis of `places` holds the nine beams."""
    starts = np.full(len(BEAMS), rules.zone_start, np.int8)
    starts[SUPER] = 1
    counts: npt.NDArray[np.int64] = np.count_nonzero(places >= starts, axis=-1)
    return counts


@lru_cache(maxsize=8)
def pull_table(rules: Rules) -> PullTable:
    """The table under these rules, made when first asked for."""
    claims: dict[tuple[str, tuple[tuple[int, int], ...]], Kind] = {}
    for dice in ALL_DICE:
        claims.update({(claim.unhindered.name, claim.wants): claim.kind for claim in claims_of(dice, rules)})
    index = {key: number for number, key in enumerate(claims)}
    rows = [[index[claim.unhindered.name, claim.wants] for claim in claims_of(dice, rules)] for dice in ALL_DICE]
    widest = max(map(len, rows))
    wants = np.zeros((len(claims), len(BEAMS)), np.int8)
    for number, (_, wanted) in enumerate(claims):
        for beam, spaces in wanted:
            wants[number, beam] = spaces
    return PullTable(
        rules,
        wants,
        tuple(name for name, _ in claims),
        np.array([row + [len(claims)] * (widest - len(row)) for row in rows]),
        np.array([number for number, dice in enumerate(ALL_DICE) if max(dice.counts) == 5]),
        np.array([kind is Kind.FIVE for kind in claims.values()]),
        list(claims.values()).index(Kind.SUPER),
    )
