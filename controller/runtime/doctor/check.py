"""One thing that the doctor looked at: what it found in a sentence, and the mend where something is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from controller.runtime.clock import Clock


class Verdict(StrEnum):
    """How it stands: a thing that this machine simply hasn't is `not here`, which is no fault."""

    OK = "ok"
    WRONG = "wrong"
    UNKNOWN = "unknown"
    NOT_HERE = "not here"


@dataclass(frozen=True, slots=True)
class Check:
    """One finding; `mend` is what to do, empty where nothing need be done."""

    name: str
    verdict: Verdict
    sentence: str
    mend: str = ""

    def public(self) -> dict[str, Any]:
        """The JSON form; controller/schemas/doctor.json describes it."""
        return {
            "name": self.name,
            "verdict": self.verdict.value,
            "sentence": self.sentence,
            "mend": self.mend or None,
        }


@dataclass(frozen=True, slots=True)
class Told:
    """What a program said, and how it ended."""

    status: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class World:
    """What the doctor may look at: the files below `root`, programs through `ask`, the time.

    `ask` gives None where there is no such program or it doesn't end; `wait` lets so many seconds pass.
    """

    clock: Clock
    ask: Callable[[tuple[str, ...]], Told | None]
    wait: Callable[[float], object]
    root: Path = Path("/")

    def text(self, path: str) -> str | None:
        """The text of a file below the root, without zero bytes and blanks at its end; None if it can't be read."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip("\0 \n")
        except OSError:
            return None

    def bytes_of(self, path: str) -> bytes | None:
        """The bytes of a file below the root; None if it can't be read."""
        try:
            return (self.root / path).read_bytes()
        except OSError:
            return None
