"""What the table comes back to after a power cut: the newest game, folded to the turn it was in.

How it works: the steps of the newest game are folded one by one. Where its end is damaged or doesn't go by the rules,
the whole steps before that are written down again as a new game that can go on, since a journal is only added to; the
damaged one stays for whoever wants to look at it.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace

from controller.errors import InputError
from controller.journal.header import Header
from controller.journal.record import new_game
from controller.journal.rows import KeptGame
from controller.journal.store import HeaderDamagedError, Journal
from controller.table.game import Game, Stage, fold_all

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Recovered:
    """The game to go on with. `at_ms` is its last step's time since its start; `note` says what was damaged."""

    game_id: str
    header: Header
    game: Game
    note: str | None = None
    at_ms: int = 0


def recover(journal: Journal) -> Recovered | None:
    """The newest game if it isn't over; None where there is nothing to go on with.

    Raises:
        JournalError: the journal can't be read, or not written where a damaged game must go on.
    """
    ids = journal.ids()
    if not ids:
        return None
    try:
        kept = journal.load(ids[-1])
    except HeaderDamagedError as error:
        log.error("the newest game can't be taken up: %s", error)
        return None
    kept, game = _whole_part(kept)
    if game.stage is Stage.OVER:
        return None
    game_id = kept.id if kept.note is None else journal.copy_game(kept)
    at_ms = kept.steps[-1].at_ms if kept.steps else 0
    return Recovered(game_id, replace(kept.header, id=game_id), game, kept.note, at_ms)


def _whole_part(kept: KeptGame) -> tuple[KeptGame, Game]:
    """The steps that go by the rules, and the game they make."""
    game = new_game(kept.header)
    for count, step in enumerate(kept.steps):
        try:
            game = fold_all(game, step.entries)
        except InputError as error:
            note = f"game {kept.id} doesn't go by the rules from its step {count + 1} on ({error})"
            return replace(kept, steps=kept.steps[:count], note=note), game
    return kept, game
