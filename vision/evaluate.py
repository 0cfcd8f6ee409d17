"""Folders of labelled pictures → how many were read, refused and, worst, misread, for each source, with intervals.

A folder holds `labels.json`: a list of `{"file", "source"?, "dice": [{"value", "box", "cocked"?, "hidden"?}]}`.
Pictures with cocked or hidden dice should be refused; they are counted apart as the source "not flat".
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vision.files import load
from vision.reading import read
from vision.readings import DieSeen, Reading

NOT_FLAT = "not flat"


def wilson(count: int, total: int, z: float = 1.96) -> tuple[float, float]:
    """The 95 % interval of a share after Wilson, as (lower, upper); (0, 1) where nothing was counted."""
    if total == 0:
        return 0.0, 1.0
    share = count / total
    square = z * z / total
    middle = (share + square / 2) / (1 + square)
    reach = z * math.sqrt(share * (1 - share) / total + square / (4 * total)) / (1 + square)
    return max(0.0, middle - reach), min(1.0, middle + reach)


@dataclass(frozen=True, slots=True)
class Score:
    """What became of the pictures of one source.

    `wrong` pictures looked sure and weren't right; `wrong_dice` are sure dice with another value than the label at
    their place, or where there is none, in any picture.
    """

    source: str
    pictures: int
    exact: int
    refused: int
    wrong: int
    wrong_dice: int
    misses: tuple[str, ...] = field(default=())

    @property
    def exact_interval(self) -> tuple[float, float]:
        """Wilson interval of the share read whole."""
        return wilson(self.exact, self.pictures)

    @property
    def wrong_interval(self) -> tuple[float, float]:
        """Wilson interval of the share that is sure and wrong."""
        return wilson(self.wrong, self.pictures)


def evaluate(folder: Path, expect: int | None = None) -> tuple[Score, ...]:
    """Read every labelled picture of a folder; one score for each source in order of name.

    Raises:
        UnreadableError: a labelled picture can't be loaded.
    """
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    scores: dict[str, Score] = {}
    for label in sorted(labels, key=lambda label: str(label["file"])):
        reading = read(load(folder / label["file"]), expect)
        source = source_of(label)
        scores[source] = add_up(scores.get(source, Score(source, 0, 0, 0, 0, 0)), label, reading)
    return tuple(scores[source] for source in sorted(scores))


def source_of(label: Mapping[str, Any]) -> str:
    """The source a label counts for."""
    if any(die.get("cocked") or die.get("hidden") for die in label["dice"]):
        return NOT_FLAT
    return str(label.get("source", "flat"))


def add_up(score: Score, label: Mapping[str, Any], reading: Reading) -> Score:
    """The score with one more picture."""
    wanted = tuple(sorted(die["value"] for die in label["dice"]))
    is_exact = reading.is_sure and reading.values == wanted
    is_wrong = reading.is_sure and not is_exact
    false = wrong_dice(label["dice"], reading.dice)
    return Score(
        score.source,
        score.pictures + 1,
        score.exact + is_exact,
        score.refused + (not reading.is_sure),
        score.wrong + is_wrong,
        score.wrong_dice + len(false),
        (*score.misses, str(label["file"])) if is_wrong or false else score.misses,
    )


def wrong_dice(labels: Iterable[Mapping[str, Any]], seen: Iterable[DieSeen]) -> tuple[DieSeen, ...]:
    """The sure dice whose nearest label says another value, or lies elsewhere; none where labels have no boxes."""
    boxes = [(die["value"], die["box"]) for die in labels if die.get("box")]
    if not boxes:
        return ()
    return tuple(die for die in seen if die.is_sure and not _is_labelled(die, boxes))


def _is_labelled(die: DieSeen, boxes: list[tuple[int, list[float]]]) -> bool:
    def away(box: list[float]) -> float:
        x, y, width, height = box
        return math.dist((x + width / 2, y + height / 2), die.centre) / max(width, height)

    value, box = min(boxes, key=lambda pair: away(pair[1]))
    return value == die.value and away(box) <= 0.75


def format_table(scores: Iterable[Score]) -> str:
    """The scores as a table in Markdown, shares in per cent with their 95 % intervals."""
    lines = [
        "| source | pictures | exact | refused | sure but wrong | wrong dice |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for score in scores:
        exact = _share(score.exact, score.pictures, score.exact_interval)
        wrong = _share(score.wrong, score.pictures, score.wrong_interval)
        lines.append(
            f"| {score.source} | {score.pictures} | {exact} | {score.refused} | {wrong} | {score.wrong_dice} |"
        )
    return "\n".join(lines)


def _share(count: int, total: int, interval: tuple[float, float]) -> str:
    per_cent = 100 * count / total if total else 0.0
    return f"{count} ({per_cent:.1f} %, {100 * interval[0]:.1f} to {100 * interval[1]:.1f})"
