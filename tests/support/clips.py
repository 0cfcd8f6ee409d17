"""The labelled clips beside the repository: whole turns on video."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.support.trays import shared_dice

CLIPS = ("turn41", "turn42")


def clip(name: str) -> Path:
    """The video; skips the test where the clips aren't there."""
    return shared_dice("clips") / f"{name}.avi"


def clip_label(name: str) -> dict[str, Any]:
    """What is known of a clip: `fps`, `frames` (a tag for each picture), `rolls`, `colour`."""
    label: dict[str, Any] = json.loads(clip(name).with_suffix(".json").read_text("utf-8"))
    return label


def clip_rolls(name: str) -> list[list[int]]:
    """The values of each roll of a clip, sorted, in order."""
    return [sorted(roll["values"]) for roll in clip_label(name)["rolls"]]
