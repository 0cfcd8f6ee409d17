"""`cowboard read`: the dice in pictures, folders and videos, one line each; what is no picture is told and passed.

A folder gives its pictures and videos and those of the folders below it, in order of their names; other files in it
are passed over. Boxes are in px of the file's own picture, turned upright, however large it is.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from controller.errors import InputError
from vision import cv
from vision.annotate import draw_reading
from vision.calibration import Calibration, load_calibration
from vision.cv import Image
from vision.errors import UnreadableError
from vision.files import frames, is_video, load_scaled, seen_files_in
from vision.reading import read
from vision.readings import DieSeen, Reading
from vision.rolls import find_rolls

MOST_DICE = 50

_EXAMPLES = """
\b
Examples:
  cowboard read tray.jpg
  cowboard read --expect any --json photos/
  cowboard read --annotate out/ turn.avi
"""


@dataclass(frozen=True, slots=True, eq=False)
class _Answer:
    """A picture's reading, or a settled roll of a video; `image` is `scale` times smaller than the file's."""

    file: Path
    image: Image
    reading: Reading
    ms: float
    scale: float = 1.0
    roll: int | None = None
    at_s: float | None = None


@dataclass(frozen=True, slots=True)
class _Wish:
    """What was asked for: how many dice, with which calibration, where to draw, and in which form to answer."""

    expect: int | None
    calibration: Calibration | None
    annotate: _Album | None
    as_json: bool


@click.command(name="read", epilog=_EXAMPLES, short_help="Read the dice in pictures, folders or videos.")
@click.argument("paths", nargs=-1, metavar="PATH...")
@click.option("--expect", default="5", show_default=True, metavar="N|any", help="How many dice should be there.")
@click.option("--calibration", metavar="F", help="What is known about the camera: a TOML file.")
@click.option("--annotate", metavar="DIR", help="Write each picture with boxes, faces and refusals into DIR.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one object a line.")
def command(paths: tuple[str, ...], expect: str, calibration: str | None, annotate: str | None, as_json: bool) -> int:
    """Read the dice in pictures, folders or videos.

    "read" only when every die in the picture is sure; a die that is cocked, hidden or unsure makes it "refused".
    A video gives a line for each roll that came to rest.
    """
    if not paths:
        raise InputError("path", "", "one or more pictures, folders or videos")
    known = None if calibration is None else load_calibration(Path(calibration))
    wish = _Wish(_expected(expect), known, None if annotate is None else _Album(annotate), as_json)
    statuses = [_answer_path(Path(text), wish) for text in paths]
    return max(statuses)


def _expected(text: str) -> int | None:
    if text == "any":
        return None
    if not (text.isascii() and text.isdigit()) or len(text) > 9 or int(text) > MOST_DICE:
        raise InputError("expect", text, f"a number from 0 to {MOST_DICE}, or any")
    return int(text)


def _answer_path(path: Path, wish: _Wish) -> int:
    """Answer for a file, or for the files of a folder; the exit status."""
    try:
        is_folder = path.is_dir()
    except (OSError, ValueError):
        is_folder = False  # what's wrong with the name is told when the file is opened
    if not is_folder:
        return _answer_file(path, wish)
    files = seen_files_in(path)
    if not files:
        return _tell_bad(path, "a folder without pictures or videos", wish)
    return max(_answer_file(file, wish) for file in files)


def _answer_file(file: Path, wish: _Wish) -> int:
    try:
        is_answered = False
        for answer in _answers(file, wish):
            is_answered = True
            click.echo(_as_json(answer) if wish.as_json else _as_text(answer))
            if wish.annotate is not None:
                wish.annotate.add(answer)
    except UnreadableError as error:
        return _tell_bad(file, error.reason, wish)
    if not is_answered:
        click.echo(f"cowboard read: {_shown(file)}: no dice came to rest in this video", err=True)
    return 0


def _tell_bad(path: Path, reason: str, wish: _Wish) -> int:
    if wish.as_json:
        click.echo(json.dumps({"file": str(path), "error": reason}))
    click.echo(f"cowboard read: {_shown(path)}: {reason}", err=True)
    return 1


def _answers(file: Path, wish: _Wish) -> Iterator[_Answer]:
    """The answers for one file.

    Raises:
        UnreadableError: it holds no usable picture.
    """
    if is_video(file):
        yield from _rolls(file, wish)
        return
    with _silent_libraries():
        loaded = load_scaled(file)
    start = time.perf_counter()
    reading = read(loaded.image, wish.expect, wish.calibration)
    yield _Answer(file, loaded.image, reading, _ms_since(start), loaded.scale)


def _rolls(file: Path, wish: _Wish) -> Iterator[_Answer]:
    spent_ms = 0.0

    def timed(image: Image) -> Reading:
        nonlocal spent_ms
        start = time.perf_counter()
        reading = read(image, wish.expect, wish.calibration)
        spent_ms = _ms_since(start)
        return reading

    for roll in find_rolls(_silently(frames(file)), timed):
        yield _Answer(file, roll.image, roll.reading, spent_ms, roll=roll.number, at_s=roll.at_s)


def _ms_since(start: float) -> float:
    return (time.perf_counter() - start) * 1000


def _silently(pictures: Iterator[tuple[Image, float]]) -> Iterator[tuple[Image, float]]:
    while True:
        with _silent_libraries():
            picture = next(pictures, None)
        if picture is None:
            return
        yield picture


@contextmanager
def _silent_libraries() -> Iterator[None]:
    """Decoders write to stderr by themselves, past Python; we tell the same in one line, with the file's name."""
    try:
        kept = os.dup(2)
    except OSError:  # there is no stderr
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _as_json(answer: _Answer) -> str:
    reading = answer.reading
    fields: dict[str, Any] = {
        "file": str(answer.file),
        "status": "read" if reading.is_sure else "refused",
        "values": list(reading.values),
        "dice": [_die(die, answer.scale) for die in reading.dice],
        "refusals": [str(refusal) for refusal in reading.refusals],
        "ms": round(answer.ms, 1),
    }
    if answer.roll is not None and answer.at_s is not None:
        fields |= {"roll": answer.roll, "at_s": round(answer.at_s, 3)}
    return json.dumps(fields)


def _die(die: DieSeen, scale: float) -> dict[str, Any]:
    return {
        "value": die.value,
        "colour": die.colour,
        "box": [round(side * scale) for side in die.box],
        "confidence": round(die.sureness, 3),
        "refusal": None if die.refusal is None else str(die.refusal),
    }


def _as_text(answer: _Answer) -> str:
    reading = answer.reading
    where = "" if answer.roll is None or answer.at_s is None else f" at {answer.at_s:.2f} s, roll {answer.roll}"
    values = " ".join(map(str, reading.values)) or "no dice"
    if reading.is_sure:
        return f"{_shown(answer.file)}{where}: {values}"
    return f"{_shown(answer.file)}{where}: refused, {', '.join(reading.refusals)} (sure so far: {values})"


def _shown(path: Path) -> str:
    """A path on one line that any terminal can write, whatever bytes its name has."""
    text = os.fsencode(path).decode("utf-8", "replace")
    return "".join(letter if letter.isprintable() else "?" for letter in text)


class _Album:
    """The folder for pictures with boxes; files of one name from several folders get numbers.

    Raises:
        InputError: the name is a file's.
    """

    def __init__(self, text: str) -> None:
        self._folder = Path(text)
        self._names: set[str] = set()
        if self._folder.exists() and not self._folder.is_dir():
            raise InputError("annotate", text, "a folder, which is made where there is none")
        self._folder.mkdir(parents=True, exist_ok=True)

    def add(self, answer: _Answer) -> None:
        """Draw an answer into its picture and write that."""
        stem = answer.file.stem if answer.roll is None else f"{answer.file.stem}-roll{answer.roll}"
        name, number = stem, 2
        while name in self._names:
            name, number = f"{stem}-{number}", number + 1
        self._names.add(name)
        target = self._folder / f"{name}.png"
        if not cv.save(draw_reading(answer.image, answer.reading), target):
            raise click.ClickException(
                f"annotate: can't write {_shown(target)}; accepted: a folder with room and rights"
            )
