"""A made-up machine for the doctor, and how its findings are checked."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema

from controller.runtime.clock import ManualClock
from controller.runtime.doctor.check import Check, Told, Verdict, World

SCHEMA = json.loads((Path(__file__).parents[2] / "controller/schemas/doctor.json").read_text("utf-8"))


def world(root: Path = Path("/"), answer: Told | None = None, clock: ManualClock | None = None) -> World:
    """A machine whose files lie below a folder, whose programs give one answer, and whose time passes by waiting."""
    passing = clock or ManualClock()
    return World(passing, lambda words: answer, passing.advance, root)


def files(root: Path, **content: str | bytes) -> Path:
    """Files below a root; a double underscore in a name is a slash."""
    for name, text in content.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


def said(check: Check, verdict: Verdict, *words: str) -> None:
    """The verdict, and words of sentence and mend; what is wrong always has a mend."""
    jsonschema.validate(check.public(), SCHEMA)
    assert check.verdict is verdict, check
    for word in words:
        assert word in f"{check.sentence} {check.mend}", check
    assert check.sentence.endswith(".")
    assert check.mend or check.verdict is not Verdict.WRONG
