"""How players, beams, cows, cells and pulls are told: the parts that sentences are made of.

Rules of this file: pure; every text comes from `phrases` through `say`. A place is told as players see it ("2 towards
White", "in the centre"), a cow by its beam.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from controller.errors import InputError, StateError
from controller.games.cosmic_cows import Beam, Cell, Pull, Rules, Side, last_place
from controller.table.phrases import ENGLISH


@dataclass(frozen=True, slots=True)
class Names:
    """What the players are called."""

    white: str = "White"
    black: str = "Black"

    def of(self, side: Side) -> str:
        """The name of one side."""
        return self.white if side is Side.WHITE else self.black


def say(message_id: str, **words: object) -> str:
    """The message of this id with its placeholders filled.

    Raises:
        StateError: no such message, or a placeholder without a word: a bug of ours.
    """
    try:
        return ENGLISH[message_id].format_map(words)
    except KeyError as error:
        raise StateError(f"message {message_id!r} lacks {error}; words given: {', '.join(words) or 'none'}") from error


def place_words(cell: Cell, rules: Rules, names: Names) -> str:
    """A place as players see it, so that "stands …" and "belongs …" can go before it."""
    if cell.place == 0:
        return say("place.centre")
    name = names.of(Side.WHITE if cell.place > 0 else Side.BLACK)
    if abs(cell.place) == last_place(cell.beam, rules):
        return say("place.last", name=name)
    return say("place.towards", count=abs(cell.place), name=name)


def cell_words(text: str, rules: Rules, names: Names) -> str:
    """A cell told by its text as players see it; a text that is no cell stays as it is."""
    try:
        cell = Cell.parse(text, rules)
    except InputError:
        return text
    return f"{place_words(cell, rules, names)}, {beam_words(cell.beam)}"


def option_words(pulls: Sequence[Pull]) -> str:
    """All that these pulls do, the pulls of one cow told together; at most a cow or two, both, and chance."""
    singles: dict[Beam, list[int]] = {}
    doubles: dict[tuple[Beam, ...], Pull] = {}
    for pull in pulls:
        beams = tuple(beam for beam, _ in pull.cows)
        if len(beams) == 1:
            singles.setdefault(beams[0], []).append(pull.cows[0][1])
        else:
            doubles[beams] = pull
    if len(pulls) == 1 and doubles:
        return join_words("and", [_option(beam, [spaces]) for beam, spaces in pulls[0].cows])
    paired = {beam for beams in doubles for beam in beams}
    first = [beam for beam in singles if beam in paired]
    options = [_option(beam, sorted(set(singles[beam]))) for beam in first]
    for beams in doubles:
        is_plain = set(beams) <= set(first)
        options.append(
            say("option.both")
            if is_plain
            else say("option.both of", first=beam_words(beams[0]), second=beam_words(beams[1]))
        )
    options += [_option(beam, sorted(set(spaces))) for beam, spaces in singles.items() if beam not in paired]
    return join_words("or", options)


def _option(beam: Beam, spaces: Sequence[int]) -> str:
    if beam is Beam.SUPER:
        return say("option.super")
    if spaces == [0]:
        return say("option.lock", cow=cow_words(beam))
    cells = join_words("or", [number_word(count) for count in spaces if count])
    counted = say("cells.one" if spaces == [1] else "cells.many", count=cells)
    return say("option.number" if beam.value.isdigit() else "option.name", beam=beam.value, cells=counted)


def cow_words(beam: Beam) -> str:
    """A cow, told by its beam."""
    return say("cow.number" if beam.value.isdigit() else "cow.name", beam=beam.value)


def beam_words(beam: Beam) -> str:
    """A beam as players call it."""
    return say("beam.number" if beam.value.isdigit() else "beam.name", beam=beam.value)


def join_words(word: str, parts: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    if len(parts) < 2:
        return "".join(parts)
    return say(word, first=", ".join(parts[:-1]), last=parts[-1])


def number_word(count: int) -> str:
    """Small counts as words; a referee doesn't say digits."""
    message = f"number.{count}"
    return say(message) if message in ENGLISH else str(count)


def capital(text: str) -> str:
    """The text with a capital first, as a sentence begins."""
    return text[:1].upper() + text[1:]
