"""What a keep is aimed at: how the turn ends when it is played on in the best way, and which pull that is mostly for.

How it works: the keep becomes throws with known chances; each throw is stopped at or kept from in the best way; so
every final throw, and with it every pull made at the end, has an exact chance. Worked the same way as the worths
themselves, only forwards. The aim is then the group of pulls that carries most of what rolling on gains: "beam 4,
three cells or more", "a full house", "a win". A group that holds a pull no better than the best one on the table is no
aim: to get what lies there already nobody rolls. Where no group carries half of the gain, the aim is everything that
beats the best pull on the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from controller.advice.multisets import Floats, Indices, tables
from controller.advice.pull_table import Flags, Places, PullTable
from controller.advice.rolls import HARDLY
from controller.advice.worth import Prospect
from controller.games.cosmic_cows import BEAMS, Beam

ENOUGH = 0.5  # of the whole gain: less than half of it is no aim
SIDE_LINE = 0.25  # of the whole gain: a beam that carries less isn't aimed at
PATTERNS = ("full house", "two pair")


@dataclass(frozen=True, slots=True)
class Aim:
    """What a keep is for.

    Attributes:
        chance: exact probability that the turn ends with one of these pulls when all later rolls are played well.
        beams: the beams aimed at, in board order.
        wins: the pulls win the game.
        cells: with one beam the fewest cells its cow goes; 0 where the aim isn't told by cells.
        is_or_more: some of the pulls go further than `cells`.
        pattern: "full house" or "two pair" where the aim is one of these, whatever the faces.
        is_anything: everything better than the best pull on the table (any pull, where there is none).
    """

    chance: float
    beams: tuple[Beam, ...]
    wins: bool = False
    cells: int = 0
    is_or_more: bool = False
    pattern: str = ""
    is_anything: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Ends:
    """How a turn ends: for each claim its chance, its gain over using the dice now, and the cells it moves (C, 9)."""

    chances: Floats
    gains: Floats
    moved: Places
    has_won: Flags
    names: tuple[str, ...]

    def score(self, group: Flags) -> float:
        return float(self.chances[group] @ self.gains[group])

    def chance(self, group: Flags) -> float:
        return float(self.chances[group].sum())


def final_throws(seen: Prospect, keep: int, left: int) -> Floats:
    """(252,) how likely each throw is the turn's last, after this keep (a row of `tables().keeps`) is rolled from.

    Args:
        seen: one position.
        keep: the number of the keep.
        left: rolls still to come, 1 or 2.
    """
    becomes = tables().becomes
    reached: Floats = becomes[keep]
    ended = np.zeros_like(reached)
    for rolls in range(left - 1, 0, -1):
        worths = seen.turn.keeps[rolls][:, 0][tables().keeps_of_throw]
        best = tables().keeps_of_throw[np.arange(len(worths)), worths.argmax(axis=1)]
        stays = seen.stop[:, 0] >= worths.max(axis=1) - HARDLY
        ended = ended + np.where(stays, reached, 0)
        reached = np.bincount(best[~stays], reached[~stays], len(becomes)) @ becomes
    return np.asarray(ended + reached)


def best_claim_of_throws(seen: Prospect, table: PullTable) -> Indices:
    """(252,) the claim of most worth of each throw at one position; C, one past the last, where it pulls nothing."""
    worths = np.append(seen.claims[0], -np.inf)
    columns = table.of_throw
    best = columns[np.arange(len(columns)), worths[columns].argmax(axis=1)]
    if table.rules.super_forced and seen.followed.is_pull[0, table.super_claim]:
        best[table.five_alike] = table.super_claim
    return np.where(np.isneginf(worths[best]), len(worths) - 1, best)


def aim_of(seen: Prospect, table: PullTable, throw: int, keep: int, left: int) -> Aim:
    """What keeping this and rolling on is for, with this throw on the table."""
    ends = _ends(seen, table, throw, final_throws(seen, keep, left))
    gaining = (ends.gains > HARDLY) & (ends.chances > 0)
    whole = ends.score(gaining)
    best, best_rank = None, (0.0, 0.0)
    for aim, group in _groups(ends):
        if not gaining[group].all():
            continue
        rank = (round(ends.score(group), 12), -ends.chance(group))
        if best is None or rank > best_rank:
            best, best_rank = aim, rank
    if best is not None and best_rank[0] >= ENOUGH * whole:
        return best
    return Aim(ends.chance(gaining), _beams_of(ends, gaining, SIDE_LINE), is_anything=True)


def _ends(seen: Prospect, table: PullTable, throw: int, final: Floats) -> _Ends:
    claims = len(table.wants)
    chances = np.bincount(best_claim_of_throws(seen, table), final, claims + 1)[:claims].astype(float)
    now = seen.stop[throw, 0]
    if np.isneginf(now):
        now = seen.turn.throws[0][throw, 0]  # as after a last roll: the forfeit
    is_pull = seen.followed.is_pull[0]
    gains = np.where(is_pull, np.where(is_pull, seen.claims[0], 0) - now, 0)
    moved = seen.followed.places[0] - seen.places[0]
    return _Ends(chances, gains, moved, seen.followed.has_won[0] & is_pull, table.names)


def _groups(ends: _Ends) -> Iterator[tuple[Aim, Flags]]:
    """The groups of pulls that a player can be said to play for, the plainest first."""
    can = ends.chances > 0
    if (ends.has_won & can).any():
        group = ends.has_won & can
        yield Aim(ends.chance(group), _beams_of(ends, group, 0.5), wins=True), group
    for number, beam in enumerate(BEAMS):
        cells = ends.moved[:, number]
        for least in sorted(set(cells[can & (cells > 0)].tolist())):
            group = can & (cells >= least)
            is_or_more = bool((cells[group] > least).any())
            yield Aim(ends.chance(group), (beam,), cells=int(least), is_or_more=is_or_more), group
    for pattern in PATTERNS:
        group = can & np.array([name.startswith(pattern) for name in ends.names])
        if group.any():
            yield Aim(ends.chance(group), _beams_of(ends, group, SIDE_LINE), pattern=pattern), group
    for one, other in combinations(range(len(BEAMS)), 2):
        group = can & (ends.moved[:, one] > 0) & (ends.moved[:, other] > 0)
        if group.any():
            yield Aim(ends.chance(group), (BEAMS[one], BEAMS[other])), group


def _beams_of(ends: _Ends, group: Flags, share: float) -> tuple[Beam, ...]:
    """The beams whose cows carry at least this share of the group's gain; the one that carries most at any rate."""
    gains = np.where(group, ends.chances * np.maximum(ends.gains, 0), 0)
    by_beam = gains @ (ends.moved > 0)
    if not by_beam.any():
        return ()
    least = min(share * gains.sum(), by_beam.max())
    return tuple(beam for beam, carried in zip(BEAMS, by_beam, strict=True) if carried > 0 and carried >= least)
