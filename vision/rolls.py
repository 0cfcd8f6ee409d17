"""The settled rolls of a video: each throw once, in order, with its time.

A settled tray is a roll when dice lie in it that weren't there before, or lie otherwise. Dice that were only taken
away make none. A roll that was refused and is read again after a nudge keeps its number.
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


def find_rolls(frames: Iterable[tuple[Image, float]], read_image: Callable[[Image], Reading]) -> Iterator[Roll]:
    """Follow the pictures of a video; a roll as soon as it has settled."""
    state, anchor = Settle(), None
    before: Reading | None = None
    last: Roll | None = None
    for image, at_s in frames:
        anchor, motion = _moved(anchor, image, at_s)
        reading = read_image(image) if wants_reading(state, motion, at_s) else None
        state, events = settle(state, Observation(motion, reading), at_s)
        for event in events:
            if not isinstance(event, TraySettled):
                continue
            if _is_roll(before, event.reading):
                is_next = last is None or last.reading.is_sure
                number = (last.number if last is not None else 0) + (1 if is_next else 0)
                last = Roll(number, event.reading, image, at_s)
                yield last
            before = event.reading


def _moved(anchor: Anchor | None, image: Image, at_s: float) -> tuple[Anchor, bool]:
    return follow(anchor, thumbnail(image), at_s)


def _is_roll(before: Reading | None, after: Reading) -> bool:
    if before is None:
        return bool(after.dice)
    match = match_dice(before, after)
    return bool(match.new or match.turned)
