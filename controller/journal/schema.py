"""The tables of a journal file, its version, and what keeps it append-only.

How it works: triggers refuse every UPDATE and DELETE and every row that isn't the next one, so that not even a shell on
the file changes what was written (a REPLACE is refused as out of order). `step` counts the transactions of a game: the
entries of one step are on disk all together, and a step with one damaged entry is damaged as a whole.
"""

from __future__ import annotations

import sqlite3

APPLICATION_ID = 0x434F5742  # "COWB": tells our file from any other SQLite file
VERSION = 1

_TABLES = (
    """CREATE TABLE games (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        header TEXT NOT NULL,
        crc32 INTEGER NOT NULL
    )""",
    """CREATE TABLE entries (
        game INTEGER NOT NULL REFERENCES games (number),
        seq INTEGER NOT NULL,
        step INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        wall TEXT,
        entry TEXT NOT NULL,
        crc32 INTEGER NOT NULL,
        PRIMARY KEY (game, seq)
    ) WITHOUT ROWID""",
)
_GUARDS = (
    ("games", "UPDATE", ""),
    ("games", "DELETE", ""),
    ("entries", "UPDATE", ""),
    ("entries", "DELETE", ""),
    ("games", "INSERT", "WHEN NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM games)"),
    (
        "entries",
        "INSERT",
        "WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM entries WHERE game = NEW.game)",
    ),
)


def create(connection: sqlite3.Connection) -> None:
    """Lay the tables out in an empty file, all or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    for table in _TABLES:
        connection.execute(table)
    for table, deed, when in _GUARDS:
        connection.execute(
            f"CREATE TRIGGER {table}_{deed.lower()} BEFORE {deed} ON {table} {when}"
            " BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END"
        )
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def version_of(connection: sqlite3.Connection) -> int | None:
    """The journal's version; 0 for an empty file, None for another program's file."""
    application: int = connection.execute("PRAGMA application_id").fetchone()[0]
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    tables: int = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if application == APPLICATION_ID:
        return version
    return 0 if application == version == tables == 0 else None
