"""The coach: one sentence with two numbers about a throw, and what the best keep is aimed at.

Rules of this file: every number is the one `advise` gives, or worked out exactly by the same odds; nothing is said that
wasn't computed. The first number of a keep is a chance of the dice, the others are chances to win.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from controller.advice.advise import THROW_INDEX, Advice, KeepWorth, PullWorth, prospect_of
from controller.advice.coach_aim import Aim, aim_of
from controller.advice.coach_words import (
    basis_words,
    cells_words,
    cow_words,
    faces_words,
    percent_words,
    say,
    win_words,
)
from controller.advice.multisets import counts_of, tables
from controller.advice.pull_table import pull_table
from controller.advice.value import value_for
from controller.advice.worth import ToWin, Value
from controller.games.cosmic_cows import Beam, apply_pull, find_pull, outcome

EVEN = 1e-6  # worths come from single precision: what differs by less is the same, and then a cow in the hand is better


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why the best is the best.

    Attributes:
        sentence: one line of at most 160 signs.
        aim: what the best keep is for; None where a pull is best, or nothing is left.
    """

    sentence: str
    aim: Aim | None


def advised(advice: Advice) -> KeepWorth | PullWorth | None:
    """The best keep or pull; the pull where rolling on gains nothing that can be told. None: only the forfeit."""
    pull = advice.pulls[0] if advice.pulls else None
    if pull is not None and (not advice.keeps or pull.win >= advice.keeps[0].win - EVEN):
        return pull
    return advice.best


def explain(advice: Advice, value: Value | None = None) -> Explanation:
    """The sentence for this advice; `value` where the advice was given by another than the shipped one.

    Raises:
        WeightsError: the file of weights can't be used.
    """
    match advised(advice):
        case KeepWorth() as keep:
            aim = _aim(advice, keep, value)
            return Explanation(_keep_sentence(advice, keep, aim), aim)
        case PullWorth() as pull:
            return Explanation(_pull_sentence(advice, pull), None)
        case None:
            return Explanation(say("forfeit", win=win_words(advice.win), basis=basis_words(advice.basis)), None)


def _aim(advice: Advice, keep: KeepWorth, value: Value | None) -> Aim:
    question = advice.question
    table = pull_table(question.rules)
    measure = ToWin(value or value_for(question.rules))
    seen = prospect_of(question.position, measure, table, question.rolls)
    throw, row = THROW_INDEX[question.dice.faces], tables().keeps.index(counts_of(keep.faces))
    return aim_of(seen, table, throw, row, question.left)


def _keep_sentence(advice: Advice, keep: KeepWorth, aim: Aim) -> str:
    other = max(_alternatives(advice, keep), key=lambda option: option.win)
    return say(
        "keep" if keep.faces else "keep.none",
        faces=faces_words(keep.faces),
        chance=percent_words(aim.chance),
        aim=_aim_words(aim, advice),
        win=win_words(keep.win),
        other=_other_words(other),
        rest=win_words(other.win),
        basis=basis_words(advice.basis),
    )


def _alternatives(advice: Advice, keep: KeepWorth) -> Iterator[KeepWorth | PullWorth]:
    """What a player might do instead: pull now, roll all, or keep something quite different."""
    yield from advice.pulls[:1]
    for other in advice.keeps:
        is_variation = _holds(other.faces, keep.faces) or _holds(keep.faces, other.faces)
        if other is not keep and (not is_variation or not other.faces or not keep.faces):
            yield other


def _holds(some: tuple[int, ...], others: tuple[int, ...]) -> bool:
    return all(some.count(face) >= others.count(face) for face in others)


def _pull_sentence(advice: Advice, pull: PullWorth) -> str:
    if _wins(advice, pull):
        return say("pull.wins", pull=pull.name)
    words = {"pull": pull.name, "win": win_words(pull.win), "basis": basis_words(advice.basis)}
    if advice.keeps:
        keep = advice.keeps[0]
        other = say("other.best keep", faces=faces_words(keep.faces)) if keep.faces else say("other.none")
        return say("pull", other=other, rest=win_words(keep.win), **words)
    if len(advice.pulls) > 1:
        return say("pull.last", other=advice.pulls[1].name, rest=win_words(advice.pulls[1].win), **words)
    is_forced = advice.question.rules.super_forced and pull.name == Beam.SUPER.value
    return say("pull.forced" if is_forced else "pull.only", **words)


def _wins(advice: Advice, pull: PullWorth) -> bool:
    question = advice.question
    found = find_pull(question.position, question.dice, pull.name, question.rules)
    return outcome(apply_pull(question.position, found, question.rules), question.rules) is not None


def _other_words(other: KeepWorth | PullWorth) -> str:
    if isinstance(other, PullWorth):
        return say("other.pull", pull=other.name)
    return say("other.keep", faces=faces_words(other.faces)) if other.faces else say("other.none")


def _aim_words(aim: Aim, advice: Advice) -> str:
    if aim.wins:
        return say("aim.win")
    if aim.is_anything:
        return say("aim.better", pull=advice.pulls[0].name) if advice.pulls else say("aim.any")
    if aim.pattern:
        return say(f"aim.{aim.pattern}")
    if aim.beams == (Beam.SUPER,):
        return say("aim.super")
    if len(aim.beams) == 2:
        return say("aim.both", one=cow_words(aim.beams[0]), other=cow_words(aim.beams[1]))
    message = "aim.cells or more" if aim.is_or_more else "aim.cells"
    return say(message, cow=cow_words(aim.beams[0]), cells=cells_words(aim.cells))
