"""The journal as the table loop writes it: each step with its time since the game's start."""

from __future__ import annotations

from datetime import UTC, datetime

from controller import __version__
from controller.games.cosmic_cows import Rules
from controller.journal.record import Header
from controller.journal.store import Journal
from controller.runtime.clock import Clock
from controller.table.entries import Entry
from controller.table.seats import PERSONS, Seats
from controller.table.words import Names

# A Pi without a battery clock starts in the past (field report 34): before this the wall clock isn't set.
CLOCK_IS_SET_AFTER = datetime(2026, 1, 1, tzinfo=UTC)


class Book:
    """Writes games to a journal. Used from the table thread only."""

    def __init__(self, journal: Journal, clock: Clock, firmware: str = "") -> None:
        self._journal, self._clock, self._firmware = journal, clock, firmware
        self._started_at = clock.monotonic()

    def take_up(self, at_ms: int) -> None:
        """Go on with a game whose last step was `at_ms` after its start."""
        self._started_at = self._clock.monotonic() - at_ms / 1000

    def start_game(self, rules: Rules, names: Names, seats: Seats = PERSONS) -> str:
        """Open a new game and return its id; raises JournalError."""
        self._started_at = self._clock.monotonic()
        header = Header(
            rules=rules,
            white=names.white,
            black=names.black,
            seats=seats,
            start=self._wall(),
            program=__version__,
            firmware=self._firmware or None,
        )
        return self._journal.start_game(header)

    def write(self, game_id: str, entries: tuple[Entry, ...]) -> None:
        """Commit one accepted step; raises JournalError."""
        at_ms = round((self._clock.monotonic() - self._started_at) * 1000)
        self._journal.append(game_id, entries, at_ms, self._wall())

    def _wall(self) -> datetime | None:
        now = self._clock.wall()
        return now if now >= CLOCK_IS_SET_AFTER else None
