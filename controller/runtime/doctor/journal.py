"""Whether the journal can be written, and whether what it holds is sound."""

from __future__ import annotations

import os
from pathlib import Path

from controller.errors import JournalError
from controller.journal.store import Journal
from controller.runtime.doctor.check import Check, Verdict
from controller.runtime.doctor.machine import nearest_folder

_RIGHTS = "Give this user the right to write there, or set journal.path to another file."


def journal_check(path: Path) -> Check:
    """Look at the journal as a reader, which disturbs no service that writes it."""
    if not path.exists():
        return _not_yet(path)
    try:
        with Journal(path, read_only=True) as journal:
            is_sound, games = journal.is_sound(), journal.games()
    except JournalError as error:
        what, _, mend = str(error).partition("; ")
        return _wrong(f"{what[:1].upper()}{what[1:]}.", f"{mend[:1].upper()}{mend[1:]}.")
    if not is_sound:
        return _wrong(f"The journal {path} is damaged.", f"Move it away (mv {path} {path}.damaged) and start anew.")
    hurt = [game.id for game in games if game.note]
    if hurt:
        mend = f"The table plays on from its last whole step; save what is left: cowboard export {hurt[-1]}."
        return _wrong(f"The journal {path} holds damaged games: {', '.join(hurt)}.", mend)
    if not os.access(path, os.W_OK) or not os.access(path.parent, os.W_OK):
        return _wrong(f"The journal {path} can't be written by this user.", _RIGHTS)
    count = "1 game" if len(games) == 1 else f"{len(games)} games"
    return Check("journal", Verdict.OK, f"{path} is sound and holds {count}.")


def _not_yet(path: Path) -> Check:
    folder = nearest_folder(path)
    if not os.access(folder, os.W_OK | os.X_OK) or (path.parent != folder and path.parent.exists()):
        return _wrong(f"The journal {path} can't be made in {folder}.", _RIGHTS)
    return Check("journal", Verdict.OK, f"None yet; it will be made at {path}.")


def _wrong(sentence: str, mend: str) -> Check:
    return Check("journal", Verdict.WRONG, sentence, mend)
