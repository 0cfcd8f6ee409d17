"""A game between computer players as a record, as the table itself would have written it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from random import Random

from controller.advice.one_game import PlayedTurn
from controller.games.cosmic_cows import Opening, Rules, Side, starter
from controller.journal.header import Header
from controller.journal.record import Line, Record, new_game
from controller.table.entries import Entry, Forfeit, Keep, OpeningThrow, PullMade, Throw
from controller.table.game import ending, fold_all

_TO_START = {Opening.ONE_DIE: 1, Opening.ALL_FIVE: 5}


def played_record(header: Header, first: Side, turns: Iterable[PlayedTurn]) -> Record:
    """The record of a game that `first` started; it ends as the rules say, or open where the turns stop before.

    Raises:
        InputError: the turns aren't a game by the rules.
    """
    entries: list[Entry] = [*opening_throws(first, header.rules), *chain.from_iterable(map(_entries, turns))]
    end = ending(fold_all(new_game(header), entries))
    if end is not None:
        entries.append(end)
    return Record(header, tuple(Line(0, entry) for entry in entries))


def opening_throws(first: Side, rules: Rules, seed: int = 0) -> tuple[OpeningThrow, ...]:
    """Throws by which this side starts: the first fair pair of throws that says so, since a contest sets who starts."""
    chance, count = Random(seed), _TO_START[rules.opening]
    while True:
        throws = {side: tuple(chance.randint(1, 6) for _ in range(count)) for side in Side}
        if starter(throws[Side.WHITE], throws[Side.BLACK], rules) is first:
            return tuple(OpeningThrow(side, faces) for side, faces in throws.items())


def _entries(turn: PlayedTurn) -> Iterator[Entry]:
    yield Throw(turn.throws[0])
    for kept, dice in zip(turn.keeps, turn.throws[1:], strict=True):
        yield Keep(kept)
        yield Throw(dice)
    yield Forfeit() if turn.pull is None else PullMade(turn.pull)
