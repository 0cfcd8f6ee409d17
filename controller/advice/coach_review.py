"""A game looked back on: who was how likely to win before each turn, and what the players' decisions cost.

Rules of this file: pure. Only decisions are judged, never the dice: a decision costs what its player's chance to win
fell short of the best that could be done with the same dice. What nobody told isn't held against anybody: a keep that
the table didn't see is taken to be the best one that the next throw leaves possible.

How it works: one prospect of the position before a turn holds everything, the chance before the first roll and the
worth of every keep and pull of all its rolls. So a turn costs as much as one piece of advice, once; a table judges
each turn as it ends and puts the review together from what it has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from controller.advice.advise import THROW_INDEX, claims_of_throw, prospect_of
from controller.advice.coach import EVEN
from controller.advice.coach_words import faces_words, say, win_words
from controller.advice.multisets import faces_of, tables
from controller.advice.pull_table import PullTable, pull_table
from controller.advice.value import value_for
from controller.advice.worth import Prospect, ToWin, Value
from controller.games.cosmic_cows import Dice, Position, Rules, Side, outcome

MOST_TOLD = 3
LEAST_TOLD = 0.005  # half a point in a hundred: less is below what the numbers show


class PlayedTurn(Protocol):
    """A finished turn, as a table or a record has it."""

    @property
    def before(self) -> Position:
        """The position, its mover the one who played the turn."""

    @property
    def throws(self) -> tuple[Dice, ...]:
        """The rolls, oldest first."""

    @property
    def keeps(self) -> tuple[tuple[int, ...] | None, ...]:
        """What stayed for each roll but the first, ascending; None where nobody told."""

    @property
    def pull(self) -> str | None:
        """The pull; None for a forfeit."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision that cost something.

    Attributes:
        turn: counted from 1.
        roll: after which roll it was taken.
        win: the mover's chance to win with what was done.
        best_win: with the best that could have been done.
        best_keep, best_pull: that best, one of the two.
        sentence: both in words, without the player's name.
    """

    turn: int
    roll: int
    mover: Side
    dice: Dice
    win: float
    best_win: float
    best_keep: tuple[int, ...] | None
    best_pull: str | None
    sentence: str

    @property
    def cost(self) -> float:
        """The chance to win that it gave away."""
        return self.best_win - self.win


@dataclass(frozen=True, slots=True)
class JudgedTurn:
    """White's chance to win before the turn's first roll, and the decisions of the turn that cost something."""

    white: float
    decisions: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class Review:
    """A whole game.

    Attributes:
        chances: White's chance to win before each turn, and at the end.
        dearest: the decisions that cost most, the dearest first; at most three.
    """

    chances: tuple[float, ...]
    dearest: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class _Seen:
    """One turn's prospect and what it is read with."""

    prospect: Prospect
    table: PullTable
    rolls: int


def review(turns: Sequence[PlayedTurn], end: Position, rules: Rules, value: Value | None = None) -> Review:
    """The review of these turns from the first of a game; `end` is the position after the last.

    Raises:
        WeightsError: the file of weights can't be used.
    """
    judged = [judge(turn, number, rules, value) for number, turn in enumerate(turns, start=1)]
    chances = (*(one.white for one in judged), white_chance(end, len(turns), rules, value))
    return Review(chances, dearest(judged))


def judge(turn: PlayedTurn, number: int, rules: Rules, value: Value | None = None) -> JudgedTurn:
    """One finished turn, the `number`th of its game counted from 1.

    Raises:
        WeightsError: the file of weights can't be used.
    """
    seen = _seen(turn.before, number - 1, rules, value)
    decisions = tuple(one for one in _decisions(turn, number, seen) if one.cost > EVEN)
    return JudgedTurn(_of_white(turn.before, float(seen.prospect.turn.start[0])), decisions)


def white_chance(position: Position, turn_count: int, rules: Rules, value: Value | None = None) -> float:
    """White's chance to win before the next turn's first roll; 0 or 1 once it is won."""
    ended = outcome(position, rules)
    if ended is not None:
        return float(ended.side is Side.WHITE)
    return _of_white(position, float(_seen(position, turn_count, rules, value).prospect.turn.start[0]))


def dearest(turns: Iterable[JudgedTurn]) -> tuple[Decision, ...]:
    """The decisions that cost most, the dearest first; of equals the earlier one first."""
    all_told = [one for turn in turns for one in turn.decisions if one.cost >= LEAST_TOLD]
    return tuple(sorted(all_told, key=lambda one: (-one.cost, one.turn, one.roll))[:MOST_TOLD])


def _seen(position: Position, turn_count: int, rules: Rules, value: Value | None) -> _Seen:
    table, rolls = pull_table(rules), rules.rolls_in_turn(turn_count)
    return _Seen(prospect_of(position, ToWin(value or value_for(rules)), table, rolls), table, rolls)


def _of_white(position: Position, movers: float) -> float:
    return movers if position.mover is Side.WHITE else 1 - movers


def _decisions(turn: PlayedTurn, number: int, seen: _Seen) -> Iterator[Decision]:
    """Each decision of the turn that can be judged; a correction may have left what no rule explains."""
    for roll, dice in enumerate(turn.throws, start=1):
        left = seen.rolls - roll
        if left < 0:
            return
        if roll < len(turn.throws):
            told = turn.keeps[roll - 1] if roll <= len(turn.keeps) else None
            done = _kept(seen, dice, turn.throws[roll], told, left)
        else:
            done = _pulled(seen, dice, turn.pull)
        if done is not None:
            win, did = done
            yield _decision(seen, turn, (number, roll), dice, (win, did))


def _kept(seen: _Seen, dice: Dice, after: Dice, told: tuple[int, ...] | None, left: int) -> tuple[float, str] | None:
    """What the keep was worth, and how it is told."""
    if not left:
        return None
    worths = seen.prospect.turn.keeps[left][:, 0]
    possible = {faces_of(tables().keeps[row]): float(worths[row]) for row in _rows(dice)}
    if told is not None:
        if told not in possible:
            return None
        words = say("done.keep", faces=faces_words(told)) if told else say("done.none")
        return possible[told], words
    fitting = [win for faces, win in possible.items() if not Counter(faces) - Counter(after.faces)]
    return max(fitting), say("done.some")


def _pulled(seen: _Seen, dice: Dice, pull: str | None) -> tuple[float, str] | None:
    if pull is None:
        return None
    throw = THROW_INDEX[dice.faces]
    for claim in claims_of_throw(seen.prospect, seen.table, throw):
        if seen.table.names[claim] == pull:
            return float(seen.prospect.claims[0, claim]), say("done.pull", pull=pull)
    return None


def _decision(seen: _Seen, turn: PlayedTurn, at: tuple[int, int], dice: Dice, done: tuple[float, str]) -> Decision:
    number, roll = at
    keep, pull, best_win = _best(seen, dice, seen.rolls - roll)
    win, did = done
    if pull is not None:
        better = say("done.pull", pull=pull)
    else:
        better = say("done.keep", faces=faces_words(keep)) if keep else say("done.none")
    sentence = say(
        "review",
        dice=faces_words(dice.faces),
        roll=roll,
        did=did,
        win=win_words(win),
        better=better,
        best=win_words(best_win),
    )
    return Decision(number, roll, turn.before.mover, dice, win, max(win, best_win), keep, pull, sentence)


def _best(seen: _Seen, dice: Dice, left: int) -> tuple[tuple[int, ...] | None, str | None, float]:
    """The best keep or the best pull of this throw, and its worth; neither where only a forfeit is left."""
    prospect, throw = seen.prospect, THROW_INDEX[dice.faces]
    claims = claims_of_throw(prospect, seen.table, throw)
    pull = max(claims, key=lambda claim: prospect.claims[0, claim], default=None)
    win = float("-inf") if pull is None else float(prospect.claims[0, pull])
    if left:
        worths = prospect.turn.keeps[left][:, 0]
        row = max(_rows(dice), key=lambda row: worths[row])
        if float(worths[row]) > win + EVEN:
            return faces_of(tables().keeps[row]), None, float(worths[row])
    return None, None if pull is None else seen.table.names[pull], win


def _rows(dice: Dice) -> Sequence[int]:
    """The numbers of the keeps this throw contains."""
    throw = THROW_INDEX[dice.faces]
    return [int(row) for row in tables().keeps_of_throw[throw, : tables().keep_counts[throw]]]
