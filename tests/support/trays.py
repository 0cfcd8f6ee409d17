"""Pictures and readings for tests of the reader: a tray by seed, a reading by hand, where the shared pictures are."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import pytest

from vision.cv import Image
from vision.readings import DieSeen, Reading, Refusal
from vision.sources.virtual import VirtualTray

SHARED_DICE = Path(__file__).resolve().parents[2].parent / "shared" / "dice"
AT_REST_S = 10.0


class HandClock:
    """A clock that only the test moves."""

    def __init__(self, now_s: float = 100.0) -> None:
        self.now_s = now_s

    def __call__(self) -> float:
        return self.now_s


@dataclass(frozen=True, slots=True)
class Thrown:
    """A tray at rest: its picture and the faces that were thrown, sorted."""

    image: Image
    values: tuple[int, ...]


def shared_dice(folder: str) -> Path:
    """A folder of the shared pictures; the test is skipped where there is none."""
    path = SHARED_DICE / folder
    if not path.exists():
        pytest.skip(f"needs ../shared/dice/{folder} beside the repository")
    return path


def thrown(seed: int, colour: str = "white", ground: str = "green", fault: str | None = None) -> Thrown:
    """Five dice thrown with this seed."""
    generator = random.Random(seed)
    values = tuple(generator.randint(1, 6) for _ in range(5))
    tray = VirtualTray(lambda: 0.0, generator, ground)
    tray.throw(values, colour, at_s=0.0)
    if fault is not None:
        tray.fault(fault)
    return Thrown(tray.image(AT_REST_S, seed), tuple(sorted(values)))


def die_at(x: float, y: float, value: int | None = 3, refusal: Refusal | None = None) -> DieSeen:
    """A white die 40 px wide."""
    return DieSeen(value, "white", "black", (int(x) - 20, int(y) - 20, 40, 40), (x, y), 0.9, refusal)


def reading_of(*dice: DieSeen) -> Reading:
    """A reading of 640 x 480 px."""
    refusals = tuple(dict.fromkeys(die.refusal for die in dice if die.refusal is not None))
    return Reading(dice, refusals, 640, 480)
