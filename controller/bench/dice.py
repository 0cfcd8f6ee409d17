"""`vision` and `labelled`: how long the reader takes, and how often it is sure, refuses, or is sure and wrong."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from controller.bench.blobs import blob_values
from controller.bench.figure import Baseline, Figure, Run, Target, median, percentile, plain
from controller.bench.process import ROOT
from vision.cv import Image
from vision.evaluate import Score, add_up, wilson
from vision.files import load
from vision.reading import read
from vision.sources.virtual import VirtualTray

DRAWN = 60
TARGET_MS = 100.0  # a picture is read while the next one is taken, at 10 a second
LABELLED = {name: ROOT.parent / "shared" / "dice" / name for name in ("rendered", "photos")}
EVERY = 6  # of the labelled pictures, unless all are asked for: the photographs take half a minute
_BLOBS = "OpenCV's SimpleBlobDetector, near pips gathered"


@dataclass(slots=True)
class Tally:
    """Pictures counted by what became of them, ours and the recipe's, and the time each took in ms."""

    score: Score
    blob_wrong: int = 0
    ours_ms: tuple[float, ...] = ()
    blobs_ms: tuple[float, ...] = ()

    def add(self, run: Run, image: Image, label: Mapping[str, Any], expect: int | None) -> None:
        """Read one picture both ways."""
        begun = run.now()
        reading = read(image, expect)
        between = run.now()
        blobs = blob_values(image)
        ended = run.now()
        self.ours_ms += (1000 * (between - begun),)
        self.blobs_ms += (1000 * (ended - between),)
        self.score = add_up(self.score, label, reading)
        self.blob_wrong += blobs != tuple(sorted(die["value"] for die in label["dice"]))


def vision_figures(run: Run) -> Iterator[Figure]:
    """The figures `vision` (time) and `vision wrong`, on drawn trays."""
    tally = Tally(_nothing("drawn"))
    for seed in range(run.count(DRAWN)):
        image, values = drawn_tray(seed)
        tally.add(run, image, {"file": str(seed), "dice": [{"value": value} for value in values]}, 5)
    yield _time(tally)
    what = "Trays drawn as the virtual camera draws them, seeds from 0, that were read, looked sure and were wrong."
    yield _wrong("vision wrong", what, tally)


def labelled_figures(run: Run) -> Iterator[Figure]:
    """A figure `labelled …` for each labelled set beside the repository; none where there is no such folder."""
    for name, folder in LABELLED.items():
        if not (folder / "labels.json").is_file():
            continue
        labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
        tally = Tally(_nothing(name))
        every = 1 if run.is_whole else max(1, round(EVERY / run.share))
        for label in sorted(labels, key=lambda label: str(label["file"]))[::every]:
            tally.add(run, load(folder / label["file"]), label, None)
        part = "" if every == 1 else f", one picture in {every}"
        what = f"Pictures of the labelled set {name}{part} that were read, looked sure and were wrong."
        yield _wrong(f"labelled {name}", what, tally)


def labelled_lack() -> tuple[str, ...]:
    """Which labelled sets aren't here, as a sentence each."""
    missing = [name for name, folder in LABELLED.items() if not (folder / "labels.json").is_file()]
    return tuple(f"labelled: no ../shared/dice/{name} beside the repository, so it isn't measured" for name in missing)


def drawn_tray(seed: int) -> tuple[Image, tuple[int, ...]]:
    """A picture of five dice at rest after a throw, white or black, and their values."""
    generator = random.Random(seed)
    values = tuple(generator.randint(1, 6) for _ in range(5))
    tray = VirtualTray(lambda: 0.0, generator)
    tray.throw(values, colour=("white", "black")[seed % 2], at_s=-10.0)
    return tray.image(0.0, seed), values


def _time(tally: Tally) -> Figure:
    ours, blobs = tally.ours_ms, tally.blobs_ms
    return Figure(
        "vision",
        "One picture of 640x480 read; the median.",
        "ms",
        median(ours),
        Baseline(_BLOBS, median(blobs)),
        Target(TARGET_MS),
        (f"{len(ours)} drawn trays, 95 % within {percentile(ours, 95):.0f} ms",),
    )


def _wrong(name: str, what: str, tally: Tally) -> Figure:
    score = tally.score
    low, high = (100 * share for share in wilson(score.exact, score.pictures))
    most_wrong = 100 * wilson(score.wrong, score.pictures)[1]
    counts = f"Of {score.pictures}: {score.exact} exact, {score.refused} refused, {score.wrong} wrong"
    shares = f"exact {plain(low)} to {plain(high)} %, wrong at most {plain(most_wrong)} % (95 % interval)"
    return Figure(
        name,
        what,
        "pictures",
        score.wrong,
        Baseline(_BLOBS, tally.blob_wrong),
        Target(0),
        (f"{counts}; {shares}", *_misses(score)),
    )


def _misses(score: Score) -> tuple[str, ...]:
    return (f"Wrong: {', '.join(score.misses)}",) if score.misses else ()


def _nothing(source: str) -> Score:
    return Score(source, 0, 0, 0, 0, 0)
