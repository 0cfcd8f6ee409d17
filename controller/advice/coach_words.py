"""Every text of the coach, by message id, and the numbers in them.

Rules of this file: pure; another language is another table with the same ids and placeholders. A chance of the dice is
told in per cent, a chance to win as a share of one, so that the two are never taken for each other; neither is ever
rounded to certain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from controller.advice.value import Basis
from controller.games.cosmic_cows import Beam

ENGLISH: Mapping[str, str] = {
    # the sentence about a throw
    "keep": "Keep {faces}: {chance} {aim}, wins {win}; {other} {rest}{basis}.",
    "keep.none": "Roll all again: {chance} {aim}, wins {win}; {other} {rest}{basis}.",
    "pull": "Pull {pull} now: wins {win}; {other} {rest}{basis}.",
    "pull.last": "Pull {pull}: wins {win}; the next best, {other}, {rest}{basis}.",
    "pull.only": "Pull {pull}: the only pull, wins {win}{basis}.",
    "pull.forced": "Pull {pull}: five alike must, wins {win}{basis}.",
    "pull.wins": "Pull {pull} now: it wins the game.",
    "forfeit": "Nothing to pull: the turn is forfeit, wins {win}{basis}.",
    # what else could be done
    "other.none": "rolling all again",
    "other.keep": "keeping {faces}",
    "other.best keep": "the best keep ({faces})",
    "other.pull": "pulling {pull} now",
    # what a keep is aimed at
    "aim.win": "to win at once",
    "aim.super": "to pull the super cow",
    "aim.cells": "to pull {cow} {cells}",
    "aim.cells or more": "to pull {cow} {cells} or more",
    "aim.both": "to pull {one} and {other}",
    "aim.full house": "to pull a full house",
    "aim.two pair": "to pull two pairs",
    "aim.better": "to beat {pull}",
    "aim.any": "to pull a cow",
    "cow.number": "beam {beam}",
    "cow.name": "the {beam} cow",
    "cells.1": "one cell",
    "cells.2": "two cells",
    "cells.3": "three cells",
    "cells.4": "four cells",
    "cells.5": "five cells",
    "cells": "{count} cells",
    # where the win chances come from, when not learned for just these rules
    "basis.near": " (house rules: as learned for the printed ones)",
    "basis.race": " (house rules: by the race alone)",
    # the review
    "review": "With {dice} on roll {roll}, {did} was worth {win}; {better} {best}.",
    "done.none": "rolling all again",
    "done.keep": "keeping {faces}",
    "done.some": "rolling on",
    "done.pull": "pulling {pull}",
}


def say(message_id: str, **words: object) -> str:
    """The message with its placeholders filled."""
    return ENGLISH[message_id].format_map(words)


def win_words(win: float) -> str:
    """A chance to win with two digits; only a win itself is 1.00."""
    if 0 < win < 0.005:
        return "under 0.01"
    if 0.995 <= win < 1:
        return "over 0.99"
    return f"{win:.2f}"


def percent_words(chance: float) -> str:
    """A chance of the dice in whole per cent."""
    if 0 < chance < 0.005:
        return "under 1 %"
    if 0.995 <= chance < 1 - 1e-9:
        return "over 99 %"
    return f"{100 * chance:.0f} %"


def faces_words(faces: Sequence[int]) -> str:
    """Faces as they are told: 4 4."""
    return " ".join(map(str, faces))


def cow_words(beam: Beam) -> str:
    """A cow by its beam."""
    return say("cow.number" if beam.value.isdigit() else "cow.name", beam=beam.value)


def cells_words(count: int) -> str:
    """How far, in words."""
    message = f"cells.{count}"
    return say(message if message in ENGLISH else "cells", count=count)


def basis_words(basis: Basis) -> str:
    """Where the chances come from; empty where they were learned for these very rules."""
    return "" if basis is Basis.LEARNED else say(f"basis.{basis.value}")
