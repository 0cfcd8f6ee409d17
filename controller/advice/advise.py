"""Advice for one throw: what every keep and every pull is worth, and which is best."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from controller.advice.multisets import Floats, faces_of, tables
from controller.advice.pull_table import Flags, Places, PullTable, pull_table
from controller.advice.question import Question
from controller.advice.rolls import HARDLY
from controller.advice.value import Basis, basis_for, value_for
from controller.advice.worth import Measure, Prospect, ToWin, prospect
from controller.games.cosmic_cows import ALL_DICE, BEAMS, DEFAULT_RULES, Position, Rules, outcome

THROW_INDEX = {dice.faces: index for index, dice in enumerate(ALL_DICE)}


@dataclass(frozen=True, slots=True)
class KeepWorth:
    """Keep these faces (ascending) and roll the others: the chance to win, and to end the turn with no option."""

    faces: tuple[int, ...]
    win: float
    forfeit: float


@dataclass(frozen=True, slots=True)
class PullWorth:
    """Make this pull now: the chance to win."""

    name: str
    win: float


@dataclass(frozen=True, slots=True)
class Advice:
    """What a throw is worth to the mover.

    Attributes:
        win: the chance to win from here with the best play.
        keeps: best first; none after the last roll.
        pulls: best first; none where the dice pull nothing.
        best: the best of all of them; None where only the forfeit is left.
        improve: the chance that rolling on in the best way ends with more than the best pull on the table.
        basis: what the chances rest on.
    """

    question: Question
    win: float
    keeps: tuple[KeepWorth, ...]
    pulls: tuple[PullWorth, ...]
    best: KeepWorth | PullWorth | None
    improve: float
    basis: Basis


def advise(question: Question) -> Advice:
    """The worth of everything a player can do with this throw.

    Raises:
        WeightsError: the file of weights can't be used.
    """
    rules, left = question.rules, question.left
    table = pull_table(rules)
    seen = prospect_of(question.position, ToWin(value_for(rules)), table, question.rolls)
    throw = THROW_INDEX[question.dice.faces]
    pulls, keeps = _pulls(seen, table, throw), _keeps(seen, throw, left)
    win = float(seen.turn.throws[left][throw, 0])
    improve = _improve(seen, throw, left)
    return Advice(question, win, keeps, pulls, _best(pulls, keeps), improve, basis_for(rules))


def win_chance(position: Position, rules: Rules = DEFAULT_RULES, turn_count: int = 1) -> float:
    """The chance of the mover to win before the first roll of the turn, by one turn looked ahead; 0 or 1 when over."""
    ended = outcome(position, rules)
    if ended is not None:
        return float(ended.side is position.mover)
    seen = prospect_of(position, ToWin(value_for(rules)), pull_table(rules), rules.rolls_in_turn(turn_count))
    return float(seen.turn.start[0])


def prospect_of(position: Position, measure: Measure, table: PullTable, rolls: int) -> Prospect:
    """The prospect of one position, seen from its mover."""
    places, locked = mover_places(position)
    return prospect(places, table, measure, rolls, locked)


def mover_places(position: Position) -> tuple[Places, Flags | None]:
    """(1, 9) places seen from the mover, and which cows are locked in (None: none)."""
    places = np.array([position.places], np.int8) * np.int8(position.mover.sign)
    locked = np.array([[beam in position.locked for beam in BEAMS]]) if position.locked else None
    return places, locked


def claims_of_throw(seen: Prospect, table: PullTable, throw: int) -> tuple[int, ...]:
    """The claims that are pulls of this throw at the first position, in the engine's order."""
    is_pull = seen.followed.is_pull[0]
    claims = [int(claim) for claim in table.of_throw[throw] if claim < len(is_pull) and is_pull[claim]]
    claims = list(dict.fromkeys(claims))
    is_forced = table.rules.super_forced and throw in table.five_alike and is_pull[table.super_claim]
    return (table.super_claim,) if is_forced else tuple(claims)


def _pulls(seen: Prospect, table: PullTable, throw: int) -> tuple[PullWorth, ...]:
    worths = seen.claims[0]
    claims = claims_of_throw(seen, table, throw)
    pulls = [PullWorth(table.names[claim], float(worths[claim])) for claim in claims]
    return tuple(sorted(pulls, key=lambda pull: -pull.win))


def _keeps(seen: Prospect, throw: int, left: int) -> tuple[KeepWorth, ...]:
    if not left:
        return ()
    rows = tables().keeps_of_throw[throw, : tables().keep_counts[throw]]
    worths = seen.turn.keeps[left][rows, 0]
    forfeits = _nothing(seen, left)[rows]
    keeps = [
        KeepWorth(faces_of(tables().keeps[row]), float(worth), float(forfeit))
        for row, worth, forfeit in zip(rows, worths, forfeits, strict=True)
    ]
    return tuple(sorted(keeps, key=lambda keep: (-keep.win, len(keep.faces), keep.faces)))


def _nothing(seen: Prospect, left: int) -> Floats:
    """(210,) the chance to end the turn with no option after each keep, with this many rolls left."""
    return _followed_through(seen, left, np.isneginf(seen.stop[:, 0]).astype(float))


def _improve(seen: Prospect, throw: int, left: int) -> float:
    """The chance that the best keep ends in a throw worth more than this one used at once."""
    if not left:
        return 0.0
    now = seen.stop[throw, 0]
    more = (seen.stop[:, 0] > now + HARDLY).astype(float)
    rows = tables().keeps_of_throw[throw]
    best = rows[seen.turn.keeps[left][rows, 0].argmax()]
    return float(_followed_through(seen, left, more)[best])


def _followed_through(seen: Prospect, left: int, at_end: Floats) -> Floats:
    """(210,) what a quantity of the final throw comes to for each keep when all later rolls are played well."""
    becomes = tables().becomes
    expected: Floats = becomes @ at_end
    for rolls in range(1, left):
        keeps = seen.turn.keeps[rolls][:, 0][tables().keeps_of_throw]
        best = tables().keeps_of_throw[np.arange(len(keeps)), keeps.argmax(axis=1)]
        stays = seen.stop[:, 0] >= keeps.max(axis=1) - HARDLY
        expected = becomes @ np.where(stays, at_end, expected[best])
    return expected


def _best(pulls: tuple[PullWorth, ...], keeps: tuple[KeepWorth, ...]) -> KeepWorth | PullWorth | None:
    """A pull where it is as good as any keep: a cow in the hand."""
    if pulls and (not keeps or pulls[0].win >= keeps[0].win - HARDLY):
        return pulls[0]
    return keeps[0] if keeps else None
