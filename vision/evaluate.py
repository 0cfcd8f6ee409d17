"""Folders of labelled pictures → how many were read, refused and, worst, misread, for each source, with intervals.

A folder holds `labels.json`: a list of `{"file", "source"?, "colour_origin"?, "dice": [{"value", "box", "colour" or
"die_colour", "cocked"?, "hidden"?}]}`. Pictures with cocked or hidden dice should be refused; they are counted apart as
the source "not flat". Dice wholly outside the picture aren't asked for. Colours that were guessed by a program
(`colour_origin` "auto") or have no name in our readings are never counted against a reading.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from vision.cv import Image
from vision.errors import UnreadableError
from vision.files import load
from vision.reading import read
from vision.readings import DieSeen, Reading

NOT_FLAT = "not flat"
_COLOURS = {name: name for name in ("white", "black", "red", "yellow", "green", "blue")} | {"ivory": "white"}
_REACH = 0.75
"""Share of a labelled box's longer side by which a die's top may lie off its middle: tall dice lean outwards."""

Label = Mapping[str, Any]


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

    `wrong` pictures looked sure and weren't right. `wrong_dice` are sure dice with another value than the label at
    their place, or where there is none, in any picture, refused ones too; `wrong_colours` are those with the right
    value and another colour. `misses` are the files with a wrong picture or die.
    """

    source: str
    pictures: int = 0
    exact: int = 0
    refused: int = 0
    wrong: int = 0
    wrong_dice: int = 0
    wrong_colours: int = 0
    misses: tuple[str, ...] = ()

    @property
    def exact_interval(self) -> tuple[float, float]:
        """Wilson interval of the share read whole."""
        return wilson(self.exact, self.pictures)

    @property
    def refused_interval(self) -> tuple[float, float]:
        """Wilson interval of the share refused."""
        return wilson(self.refused, self.pictures)

    @property
    def wrong_interval(self) -> tuple[float, float]:
        """Wilson interval of the share that is sure and wrong."""
        return wilson(self.wrong, self.pictures)


def evaluate(folder: Path, expect: int | None = None) -> tuple[Score, ...]:
    """Read every labelled picture of a folder; one score for each source in order of name.

    Args:
        folder: where `labels.json` is; the files it names are below it.
        expect: how many dice the reader is told to expect; None for any number.

    Raises:
        UnreadableError: there are no labels, or a labelled picture can't be loaded.
    """
    return score(load_labels(folder), lambda label: load(folder / label["file"]), lambda image: read(image, expect))


def load_labels(folder: Path) -> tuple[Label, ...]:
    """The labels of a folder in order of their files' names.

    Raises:
        UnreadableError: there is no `labels.json`, or it isn't of the form above.
    """
    path = folder / "labels.json"
    try:
        labels = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnreadableError(str(path), error.strerror or "can't be read") from error
    except ValueError as error:
        raise UnreadableError(str(path), f"no JSON: {error}") from error
    if not isinstance(labels, list) or not all(_is_label(label) for label in labels):
        raise UnreadableError(str(path), 'not a list of {"file", "dice": [{"value", "box"}]}')
    return tuple(sorted(labels, key=lambda label: str(label["file"])))


def score(
    labels: Iterable[Label], load_image: Callable[[Label], Image], read_image: Callable[[Image], Reading]
) -> tuple[Score, ...]:
    """The scores of labelled pictures by source, in order of name."""
    scores: dict[str, Score] = {}
    for label in labels:
        source = source_of(label)
        reading = read_image(load_image(label))
        scores[source] = add_up(scores.get(source, Score(source)), label, reading)
    return tuple(scores[source] for source in sorted(scores))


def source_of(label: Label) -> str:
    """The source a label counts for."""
    if any(die.get("cocked") or die.get("hidden") for die in label["dice"]):
        return NOT_FLAT
    return str(label.get("source", "flat"))


def add_up(before: Score, label: Label, reading: Reading) -> Score:
    """The score with one more picture."""
    dice = tuple(die for die in label["dice"] if _is_in(die, reading))
    is_right = reading.values == tuple(sorted(die["value"] for die in dice))
    should_refuse = any(die.get("cocked") or die.get("hidden") for die in dice)
    is_exact = reading.is_sure and is_right and not should_refuse
    is_wrong = reading.is_sure and not is_exact
    wrong_dice, wrong_colours = compare_dice(label, reading.dice)
    return replace(
        before,
        pictures=before.pictures + 1,
        exact=before.exact + is_exact,
        refused=before.refused + (not reading.is_sure),
        wrong=before.wrong + is_wrong,
        wrong_dice=before.wrong_dice + len(wrong_dice),
        wrong_colours=before.wrong_colours + len(wrong_colours),
        misses=(*before.misses, str(label["file"])) if is_wrong or wrong_dice else before.misses,
    )


def compare_dice(label: Label, seen: Iterable[DieSeen]) -> tuple[tuple[DieSeen, ...], tuple[DieSeen, ...]]:
    """The sure dice with a wrong value or at no labelled place, and those with a wrong colour.

    Both are empty where the label has no boxes: then no die can be told from another.
    """
    labelled = tuple(die for die in label["dice"] if die.get("box"))
    if not labelled:
        return (), ()
    wrong, off_colour = [], []
    for die in seen:
        if not die.is_sure:
            continue
        nearest = min(labelled, key=lambda other: _away(die, other["box"]))
        if _away(die, nearest["box"]) > _REACH or nearest["value"] != die.value:
            wrong.append(die)
        elif label.get("colour_origin") != "auto" and _colour(nearest) not in (None, die.colour):
            off_colour.append(die)
    return tuple(wrong), tuple(off_colour)


def format_table(scores: Iterable[Score]) -> str:
    """The scores as a table in Markdown, shares in per cent with their 95 % intervals."""
    lines = [
        "| source | pictures | exact | refused | sure but wrong | wrong dice | wrong colours |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for row in scores:
        exact = _share(row.exact, row.pictures)
        refused = _share(row.refused, row.pictures)
        wrong = _share(row.wrong, row.pictures)
        counts = f"{row.wrong_dice} | {row.wrong_colours}"
        lines.append(f"| {row.source} | {row.pictures} | {exact} | {refused} | {wrong} | {counts} |")
    return "\n".join(lines)


def _share(count: int, total: int) -> str:
    low, high = wilson(count, total)
    per_cent = 100 * count / total if total else 0.0
    return f"{count} ({per_cent:.1f} %, {100 * low:.1f} to {100 * high:.1f})"


def _is_label(label: object) -> bool:
    if not isinstance(label, dict) or not isinstance(label.get("file"), str):
        return False
    dice = label.get("dice")
    return isinstance(dice, list) and all(isinstance(die, dict) and die.get("value") in range(1, 7) for die in dice)


def _is_in(die: Label, reading: Reading) -> bool:
    """Whether any of a labelled die lies in the picture; true where its place isn't known."""
    box: Sequence[float] | None = die.get("box")
    if not box:
        return True
    x, y, width, height = box
    return x < reading.width and y < reading.height and x + width > 0 and y + height > 0


def _away(die: DieSeen, box: Sequence[float]) -> float:
    """From a box's middle to a die's, as a share of the box's longer side."""
    x, y, width, height = box
    return math.dist((x + width / 2, y + height / 2), die.centre) / max(width, height)


def _colour(die: Label) -> str | None:
    """A labelled die's colour in our words; None where we have none for it."""
    return _COLOURS.get(str(die.get("colour", die.get("die_colour"))))
