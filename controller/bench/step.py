"""`step`: how long the table thread takes from an event to new state, lights and public view, the coach speaking."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from controller.bench.figure import Baseline, Figure, Run, Target, median, percentile
from controller.bench.turns import Script
from controller.games.cosmic_cows import Rules
from controller.journal.store import Journal
from controller.runtime.book import Book
from controller.runtime.clock import ManualClock
from controller.runtime.coach import Coach
from controller.runtime.devices import TableOutputs
from controller.runtime.health import Health
from controller.runtime.loop import TableLoop, TableSetup
from controller.runtime.ports import Snapshot
from controller.table.events import Event
from controller.table.game import Game
from controller.table.hints import Coach as CoachState
from controller.table.hints import CoachMode
from controller.table.machine import resume
from controller.table.state import Settings
from controller.table.words import Names

EVENTS = 2000
TARGET_MS = 2.0


class Post:
    """What the coach sees of the table: it works when told to, and its events wait here to be taken one by one."""

    def __init__(self, loop: TableLoop) -> None:
        self._loop = loop
        self.events: list[Event] = []
        self.health = loop.health

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self._loop.game

    def post(self, event: Event) -> None:
        """An event of the coach."""
        self.events.append(event)

    def refresh(self) -> None:
        """Nothing to publish between two events."""

    def wait_newer(self, version: int, timeout_s: float) -> Snapshot | None:
        """Never asked: the coach has no thread here."""

    def taken(self) -> Iterator[Event]:
        """What waits, oldest first."""
        while self.events:
            yield self.events.pop(0)


class ScriptedTable:
    """The service's own table loop, with a journal on disk and no devices, fed from a script one event at a time.

    The coach speaks at every throw and works between two events; what it tells the table is an event as any other.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self.clock = ManualClock()
        self.journal = Journal(folder / "journal.sqlite")
        book, names = Book(self.journal, self.clock), Names("White", "Black")
        state = replace(resume(Game(), Settings(), 0.0), coach=CoachState(mode=CoachMode.ALWAYS))
        setup = TableSetup(state, book.start_game(Rules(), names), names)
        self.loop = TableLoop(setup, book, TableOutputs(None, None, None), self.clock, Health())
        self.script = Script(random.Random(seed))
        self.from_coach = Post(self.loop)
        self.coach = Coach(self.from_coach, self.clock)

    def events(self, count: int) -> Iterator[Event]:
        """So many events; each has to be taken before the next is asked for."""
        script = self.script
        script.public = {"phase": "opening", "position": "0,0,0,0,0,0,0,0,0 w"}
        for event, _ in zip(script.events(), range(count), strict=False):
            self.clock.advance(script.at - self.clock.monotonic())
            yield event
            self.coach.run_due()
            yield from self.from_coach.taken()
            script.show(self.loop.snapshot().body)


def step_figures(run: Run) -> Iterator[Figure]:
    """The figure `step`."""
    took, dumped = [], []
    with tempfile.TemporaryDirectory(prefix="cowboard-bench-") as folder:
        table = ScriptedTable(Path(folder), seed=1)
        for event in table.events(run.count(EVENTS, 50)):
            took.append(1000 * run.time(partial(table.loop.take, event)))
            dumped.append(1000 * run.time(partial(json.dumps, json.loads(table.loop.snapshot().body))))
        games = len(table.journal.ids())
        table.journal.close()
    yield Figure(
        "step",
        "From an event to new state, journal, lights and public view, in the table thread, coach on; the median.",
        "ms",
        median(took),
        Baseline("json.dumps of the same view", median(dumped)),
        Target(TARGET_MS),
        (f"{len(took)} events of {games} games, 95 % within {percentile(took, 95):.2f} ms, worst {max(took):.1f} ms",),
    )
