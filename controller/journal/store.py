"""The journal: every game of the table in one append-only SQLite file.

Rules of this file: one transaction an accepted step, on disk (WAL, full sync) when `append` returns; nothing is ever
changed or removed. One process writes, any number read. Used by one thread at a time.

How it works: a row holds one entry as JSON and a checksum over the row, so that a damaged row is known and the game
stands as it was after the last whole step. Wall times are beside the point for order; they are kept where the clock
was set, and a game whose start lacks one gets it from the first step that has.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Self
from urllib.parse import quote

from controller.errors import InputError, JournalError
from controller.journal import rows, schema
from controller.journal.faults import SQLITE_ERRORS, from_sqlite, from_system, journal_fault
from controller.journal.header import Header
from controller.journal.record import Line, Record, new_game
from controller.journal.rows import KeptGame, Step
from controller.journal.writer_lock import WriterLock
from controller.table.entries import Ended, Entry
from controller.table.game import fold_all

BUSY_S = 1.0  # how long another program's transaction is waited for; the table stands still meanwhile


@dataclass(frozen=True, slots=True)
class GameSummary:
    """One game of the journal. `turns` are finished ones; `result` is None while the game goes on."""

    id: str
    start: datetime | None
    white: str | None
    black: str | None
    turns: int
    result: Ended | None
    note: str | None = None


class HeaderDamagedError(JournalError):
    """A game whose first row is damaged."""


class Journal:
    """A journal that is open, for writing or (`read_only`) for reading beside the service that writes it.

    Raises:
        JournalError: missing or not a journal, no right or no room, written by a newer version, or in the hands of
            another service; the same from every method where the disk fails.
    """

    def __init__(self, path: Path | str, *, read_only: bool = False) -> None:
        self.path = Path(path)
        self._lock: WriterLock | None = None
        if self.path.is_dir():
            raise journal_fault(self.path, "it is a folder", "name a file in it")
        if read_only:
            self._connection = _open_to_read(self.path)
            self._check_version(schema.VERSION)
            return
        _make_folder(self.path)
        self._lock = WriterLock(self.path)
        try:
            self._connection = _open_to_write(self.path)
            self._check_version(0)
        except BaseException:
            self._lock.release()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and let another writer have it."""
        self._connection.close()
        if self._lock is not None:
            self._lock.release()

    def start_game(self, header: Header) -> str:
        """Write a new game down and return the id it is given: its day and its number, `20261201-7`."""
        with self._transaction():
            return self._insert_game(header)

    def append(self, game_id: str, entries: Sequence[Entry], at_ms: int, wall: datetime | None) -> None:
        """Write one step's entries, all or none; on disk when this returns.

        Args:
            at_ms: since the game's start; never lower than the step before, a lower one is written as that.
            wall: None while the clock isn't set.
        """
        if entries:
            with self._transaction():
                self._insert_step(self._number(game_id), Step(at_ms, wall, tuple(entries)))

    def copy_game(self, game: KeptGame) -> str:
        """Write a damaged game's whole steps down again as a new game, which can go on; returns its id."""
        with self._transaction():
            new_id = self._insert_game(game.header)
            number = self._number(new_id)
            for step in game.steps:
                self._insert_step(number, step)
            return new_id

    def load(self, game_id: str) -> KeptGame:
        """The game of this id step by step, up to the last whole one; `note` says what is damaged.

        Raises:
            InputError: no such game.
            HeaderDamagedError: nobody knows by which rules it was played.
        """
        with self._reading():
            number = self._number(game_id)
            row = self._connection.execute("SELECT number, id, header, crc32 FROM games WHERE number = ?", (number,))
            header = rows.parse_game_row(row.fetchone())
            if header is None:
                raise HeaderDamagedError(
                    f"journal {self.path}: the header of game {game_id} is damaged; play a new one"
                )
            return rows.kept_game(game_id, header, self._connection.execute(rows.SELECT_ENTRIES, (number,)))

    def read(self, game_id: str) -> Record:
        """The record of this game; `cut` where its end is damaged."""
        game = self.load(game_id)
        lines = tuple(Line(step.at_ms, entry) for step in game.steps for entry in step.entries)
        return Record(game.header, lines, cut=game.note is not None)

    def ids(self) -> tuple[str, ...]:
        """The ids of all games, oldest first."""
        with self._reading():
            return tuple(str(row[0]) for row in self._connection.execute("SELECT id FROM games ORDER BY number"))

    def latest(self) -> Record | None:
        """The record of the newest game; None where there is none yet."""
        ids = self.ids()
        return self.read(ids[-1]) if ids else None

    def games(self) -> tuple[GameSummary, ...]:
        """Every game in short, oldest first. Folds each one: 5 ms for a game of 150 turns."""
        return tuple(self._summary(game_id) for game_id in self.ids())

    def is_sound(self) -> bool:
        """Whether SQLite finds the whole file in order."""
        with self._reading():
            found: str = self._connection.execute("PRAGMA integrity_check").fetchone()[0]
            return found == "ok"

    def _summary(self, game_id: str) -> GameSummary:
        try:
            game = self.load(game_id)
        except HeaderDamagedError as error:
            return GameSummary(game_id, None, None, None, 0, None, str(error))
        header, note = game.header, game.note
        played = new_game(header)
        for step in game.steps:
            try:
                played = fold_all(played, step.entries)
            except InputError as error:
                note = f"doesn't go by the rules from {step.at_ms} ms on ({error})"
                break
        return GameSummary(game_id, header.start, header.white, header.black, len(played.turns), played.ended, note)

    def _number(self, game_id: str) -> int:
        found = self._connection.execute("SELECT number FROM games WHERE id = ?", (game_id,)).fetchone()
        if found is None:
            newest = self._connection.execute("SELECT id FROM games ORDER BY number DESC LIMIT 3")
            names = ", ".join(str(row[0]) for row in newest) or "none yet"
            raise InputError("game", game_id, f"the id of a game in {self.path}; the newest: {names}")
        number: int = found[0]
        return number

    def _insert_game(self, header: Header) -> str:
        number: int = self._connection.execute("SELECT coalesce(max(number), 0) + 1 FROM games").fetchone()[0]
        row = rows.game_row(number, header)
        self._connection.execute("INSERT INTO games (number, id, header, crc32) VALUES (?, ?, ?, ?)", row)
        return row[1]

    def _insert_step(self, number: int, step: Step) -> None:
        last = self._connection.execute(rows.SELECT_LAST, (number,)).fetchone()
        self._connection.executemany(rows.INSERT_ENTRY, rows.entry_rows(number, last or (0, 0, 0), step))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            yield
            self._connection.execute("COMMIT")
        except SQLITE_ERRORS as error:
            raise from_sqlite(self.path, error) from error
        finally:
            self._roll_back()

    def _roll_back(self) -> None:
        """After a failure only: a full disk may have ended the transaction already."""
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except SQLITE_ERRORS as error:
            raise from_sqlite(self.path, error) from error

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except SQLITE_ERRORS as error:
            raise from_sqlite(self.path, error) from error

    def _check_version(self, oldest: int) -> None:
        try:
            self._prepare(oldest)
        except SQLITE_ERRORS as error:
            self._connection.close()
            raise from_sqlite(self.path, error) from error
        except BaseException:
            self._connection.close()
            raise

    def _prepare(self, oldest: int) -> None:
        version = schema.version_of(self._connection)
        if version is None or version < oldest:
            raise journal_fault(self.path, "it isn't a journal of this program", "name another file")
        if version > schema.VERSION:
            seen = f"a newer program wrote it (form {version}, this one knows up to {schema.VERSION})"
            raise journal_fault(self.path, seen, "update this program, or name another file")
        if self._lock is None:
            return
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute("PRAGMA foreign_keys = ON")
        if version == 0:
            schema.create(self._connection)
            _sync_folder(self.path.parent)


def _open_to_write(path: Path) -> sqlite3.Connection:
    try:
        # The table thread uses what the starting thread opened; there is never more than one at a time.
        connection = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
    except SQLITE_ERRORS as error:
        raise from_sqlite(path, error) from error
    connection.text_factory = _text
    return connection


def _open_to_read(path: Path) -> sqlite3.Connection:
    if not path.exists():
        raise journal_fault(path, "there is none yet", "play a game first, or name one with --journal")
    url = f"file:{quote(str(path.absolute()))}?mode=ro"
    if not path.with_name(f"{path.name}-wal").exists() and not os.access(path.parent, os.W_OK):
        url += "&immutable=1"  # nobody writes it, and a reader can't make the WAL's files here
    try:
        connection = sqlite3.connect(url, timeout=BUSY_S, isolation_level=None, check_same_thread=False, uri=True)
    except SQLITE_ERRORS as error:
        raise from_sqlite(path, error) from error
    connection.text_factory = _text
    return connection


def _text(raw: bytes) -> str:
    """Bytes that are no UTF-8 any more are a damaged row's, which its checksum tells; they must not fail the rest."""
    return raw.decode("utf-8", "replace")


def _make_folder(path: Path) -> None:
    """Make the journal's folder, and make sure that a power cut leaves it there."""
    missing = [folder for folder in path.absolute().parents if not folder.exists()]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for folder in missing:
            _sync_folder(folder.parent)
    except OSError as error:
        raise from_system(path, error) from error


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
