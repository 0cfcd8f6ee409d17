"""`cowboard read`: the dice in pictures, folders and videos, one line each; what is no picture is told and passed."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
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
from vision.files import files_in, frames, is_video, load
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
class _Line:
    """One answer: a picture's reading, or a settled roll of a video."""

    file: Path
    image: Image
    reading: Reading
    ms: float
    roll: int | None = None
    at_s: float | None = None


@click.command(name="read", epilog=_EXAMPLES, short_help="Read the dice in pictures, folders or videos.")
@click.argument("paths", nargs=-1, metavar="PATH...")
@click.option("--expect", default="5", show_default=True, metavar="N|any", help="How many dice should be there.")
@click.option("--calibration", metavar="F", help="What is known about the camera: a TOML file.")
@click.option("--annotate", metavar="DIR", help="Write each picture with boxes, faces and refusals into DIR.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one object a line.")
def command(paths: tuple[str, ...], expect: str, calibration: str | None, annotate: str | None, as_json: bool) -> int:
    """Read the dice in pictures, folders or videos.

    "read" only when every die in the picture is sure; what is cocked, hidden, unsure … makes it "refused".
    """
    if not paths:
        raise InputError("path", "", "one or more pictures, folders or videos")
    count = _expected(expect)
    known = None if calibration is None else load_calibration(Path(calibration))
    folder = None if annotate is None else _folder(annotate)
    status = 0
    for path in (Path(text) for text in paths):
        if not path.exists():
            click.echo(f"cowboard read: {path}: no such file or folder", err=True)
            status = 2
            continue
        files = files_in(path) if path.is_dir() else (path,)
        if not files:
            click.echo(f"cowboard read: {path}: an empty folder", err=True)
            status = max(status, 1)
        for file in files:
            try:
                for line in _lines(file, count, known):
                    click.echo(_as_json(line) if as_json else _as_text(line))
                    if folder is not None:
                        _annotate(line, folder)
            except UnreadableError as error:
                click.echo(f"cowboard read: {error}", err=True)
                status = max(status, 1)
    return status


def _expected(text: str) -> int | None:
    if text == "any":
        return None
    if not text.isascii() or not text.isdigit() or not 0 <= int(text[:9]) <= MOST_DICE:
        raise InputError("expect", text, f"a number from 0 to {MOST_DICE}, or any")
    return int(text)


def _folder(text: str) -> Path:
    folder = Path(text)
    if folder.exists() and not folder.is_dir():
        raise InputError("annotate", text, "a folder, which is made where there is none")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _lines(file: Path, expect: int | None, known: Calibration | None) -> Iterator[_Line]:
    """The answers for one file.

    Raises:
        UnreadableError: it holds no usable picture.
    """
    if not is_video(file):
        image = load(file)
        start = time.perf_counter()
        reading = read(image, expect, known)
        yield _Line(file, image, reading, (time.perf_counter() - start) * 1000)
        return
    spent = [0.0]

    def timed(image: Image) -> Reading:
        start = time.perf_counter()
        reading = read(image, expect, known)
        spent[0] = (time.perf_counter() - start) * 1000
        return reading

    for roll in find_rolls(frames(file), timed):
        yield _Line(file, roll.image, roll.reading, spent[0], roll.number, roll.at_s)


def _as_json(line: _Line) -> str:
    reading = line.reading
    answer: dict[str, Any] = {
        "file": str(line.file),
        "status": "read" if reading.is_sure else "refused",
        "values": list(reading.values),
        "dice": [_die(die) for die in reading.dice],
        "refusals": [str(refusal) for refusal in reading.refusals],
        "ms": round(line.ms, 1),
    }
    if line.roll is not None and line.at_s is not None:
        answer |= {"roll": line.roll, "at_s": round(line.at_s, 3)}
    return json.dumps(answer, ensure_ascii=False)


def _die(die: DieSeen) -> dict[str, Any]:
    return {
        "value": die.value,
        "colour": die.colour,
        "box": list(die.box),
        "confidence": round(die.sureness, 3),
        "refusal": None if die.refusal is None else str(die.refusal),
    }


def _as_text(line: _Line) -> str:
    reading = line.reading
    where = "" if line.roll is None or line.at_s is None else f" at {line.at_s:.2f} s, roll {line.roll}"
    values = " ".join(str(value) for value in reading.values) or "no dice"
    if reading.is_sure:
        return f"{line.file}{where}: {values}"
    return f"{line.file}{where}: refused, {', '.join(reading.refusals)} (sure so far: {values})"


def _annotate(line: _Line, folder: Path) -> None:
    """Write the picture; files of the same name from several folders get numbers."""
    stem = line.file.stem if line.roll is None else f"{line.file.stem}-roll{line.roll}"
    target, number = folder / f"{stem}.png", 2
    while target.exists():
        target, number = folder / f"{stem}-{number}.png", number + 1
    if not cv.save(draw_reading(line.image, line.reading), target):
        raise InputError("annotate", str(target), "a folder that can be written to")
