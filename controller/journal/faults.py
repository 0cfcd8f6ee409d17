"""What can be wrong with the journal's file, each in one line with its mend."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from controller.errors import JournalError

# The first part of SQLite's own error name → what is wrong, what to do.
_FAULTS = {
    "SQLITE_FULL": ("the disk is full", "free some space, or set journal.path to another disk"),
    "SQLITE_READONLY": ("it can't be written", "give this user the right to write the file and its folder"),
    "SQLITE_CANTOPEN": ("it can't be opened", "check that folder and file exist and that this user may write both"),
    "SQLITE_NOTADB": ("it isn't a journal", "set journal.path to another file, or move this one away"),
    "SQLITE_CORRUPT": ("its pages are damaged", "move it away (mv FILE FILE.damaged) and start again with a new one"),
    "SQLITE_BUSY": ("another program is writing it", "end that program, then try again"),
    "SQLITE_LOCKED": ("another program is writing it", "end that program, then try again"),
    "SQLITE_IOERR": (
        "the disk doesn't answer as it should",
        "check the card or disk; copy the file away while you can",
    ),
    "SQLITE_PERM": ("access is denied", "give this user the right to write the file and its folder"),
    "SQLITE_AUTH": ("access is denied", "give this user the right to write the file and its folder"),
}

# The second where SQLite's own message quotes damaged text that can't be shown.
SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError)


def journal_fault(path: Path, what: str, mend: str) -> JournalError:
    """The error in one line: which journal, what was seen, what to do."""
    return JournalError(f"journal {path}: {what}; {mend}")


def from_sqlite(path: Path, error: sqlite3.Error | UnicodeDecodeError) -> JournalError:
    """SQLite's error in our words; its own stand in brackets."""
    if isinstance(error, UnicodeDecodeError):
        return journal_fault(path, *_FAULTS["SQLITE_CORRUPT"])
    name = getattr(error, "sqlite_errorname", None) or ""
    for start, (what, mend) in _FAULTS.items():
        if name.startswith(start):
            return journal_fault(path, f"{what} ({error})", mend)
    return journal_fault(
        path, f"SQLite says: {error}", "check the file and its folder, or move it away and start again"
    )


def from_system(path: Path, error: OSError) -> JournalError:
    """The system's error in our words."""
    return journal_fault(
        path, f"{error.strerror or error}", "check that its folder exists and that this user may write it"
    )
