"""The settled rolls of a video: each throw once, in order, with its time. Pure.

Rules of this file
  * A still tray is a roll when every die is sure and one lies there that didn't in the roll before, or shows another
    face. Dice that were only taken away, put back, or lay under a passing hand make none.
  * A tray that can't be read is a refused roll when a die came to it. The reading after a nudge keeps its number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from vision.cv import Image
from vision.events import TraySettled
from vision.motion import Anchor, follow, thumbnail
from vision.readings import Reading
from vision.settle import Observation, Settle, match_dice, settle, wants_reading


@dataclass(frozen=True, slots=True, eq=False)
class Roll:
    """One settled roll: its number from 1, the reading, the picture it was read from and its time in seconds."""

    number: int
    reading: Reading
    image: Image
    at_s: float


@dataclass(frozen=True, slots=True)
class Told:
    """What a video showed so far: how many rolls were sure, the newest of them, and the newest still tray."""

    count: int = 0
    rolled: Reading | None = None
    still: Reading | None = None


def find_rolls(frames: Iterable[tuple[Image, float]], read_image: Callable[[Image], Reading]) -> Iterator[Roll]:
    """Follow the pictures of a video, given with their times in seconds; a roll as soon as it has settled."""
    state, told = Settle(), Told()
    anchor: Anchor | None = None
    for image, at_s in frames:
        anchor, motion = follow(anchor, thumbnail(image), at_s)
        reading = read_image(image) if wants_reading(state, motion, at_s) else None
        state, events = settle(state, Observation(motion, reading), at_s)
        for event in events:
            if isinstance(event, TraySettled):
                told, number = judge(told, event.reading)
                if number is not None:
                    yield Roll(number, event.reading, image, at_s)


def judge(told: Told, reading: Reading) -> tuple[Told, int | None]:
    """What is told after the next still tray, and its roll's number; None if it's no roll."""
    if reading.is_sure:
        if not reading.dice or (told.rolled is not None and _is_as_it_lay(told.rolled, reading)):
            return Told(told.count, told.rolled, reading), None
        return Told(told.count + 1, reading, reading), told.count + 1
    has_come = bool(reading.dice) if told.still is None else bool(match_dice(told.still, reading).new)
    has_gone = told.still is not None and len(reading.dice) < len(told.still.dice)
    return Told(told.count, told.rolled, reading), told.count + 1 if has_come and not has_gone else None


def _is_as_it_lay(before: Reading, after: Reading) -> bool:
    return len(match_dice(before, after).kept) == len(after.dice)
