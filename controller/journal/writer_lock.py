"""The one writer of a journal: a lock file beside it that the system lets go of when its holder dies."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from controller.journal.faults import from_system, journal_fault


class WriterLock:
    """Held from construction to `release`; a second one on the same journal is refused by name.

    Raises:
        JournalError: another process holds it, or the file can't be made.
    """

    def __init__(self, journal: Path) -> None:
        path = journal.with_name(f"{journal.name}.lock")
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise from_system(path, error) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = _holder(self._file)
            os.close(self._file)
            mend = "stop it first, or give this one another file with --journal"
            raise journal_fault(journal, f"{holder} already writes it", mend) from error
        # Only said to whoever is refused; the lock itself is the system's and outlives no process.
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Let go; harmless when done twice."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _holder(file: int) -> str:
    pid = os.pread(file, 20, 0).decode("ascii", "replace").strip()
    if not pid.isdigit():
        return "another service"
    try:
        name = Path("/proc", pid, "comm").read_text("utf-8", "replace").strip()
    except OSError:
        return f"another service (process {pid})"
    return f"another service (process {pid}, {name})"
