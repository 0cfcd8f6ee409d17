"""`link`: from a cow set on a cell of the virtual board to the event at the host, over the pseudo-terminal."""

from __future__ import annotations

import os
import queue
import threading
import tty
from collections.abc import Callable, Iterator
from functools import partial

from controller.bench.figure import Baseline, Figure, Run, Target, median, percentile
from controller.bench.process import BenchError
from firmware_bridge.board import open_board
from firmware_bridge.events import BoardArrived, BoardEvent, CellsSeen
from firmware_bridge.geometry import BEAMS, SUPER_BEAM, CellNumber, cell_number
from firmware_bridge.virtual.board import VirtualBoard

CHANGES = 200
TARGET_MS = 100.0  # what the eye takes for at once; most of it is the board's own debouncing
ANSWER_LIMIT_S = 5.0
_BEAMS = tuple(beam for beam in BEAMS if beam != SUPER_BEAM)
_PLACES = (3, -2, 7, -6, 1, -8)  # each cell in its turn: one that turns over all the time counts as chattering


def link_figures(run: Run) -> Iterator[Figure]:
    """The figures `link` (median) and `link late` (95 %)."""
    took = [1000 * seconds for seconds in cell_changes(run.now, run.count(CHANGES))]
    bare = [1000 * seconds for seconds in bare_bytes(run.now, run.count(CHANGES))]
    name = "one byte through a pseudo-terminal"
    what = "From a cow set on another cell of the virtual board to the event at the host"
    note = (f"{len(took)} changes, from {min(took):.1f} to {max(took):.1f} ms",)
    yield Figure("link", f"{what}; the median.", "ms", median(took), Baseline(name, median(bare)), Target(TARGET_MS))
    late, bare_late = percentile(took, 95), percentile(bare, 95)
    yield Figure(
        "link late", f"{what}; 95 % are sooner.", "ms", late, Baseline(name, bare_late), Target(TARGET_MS), note
    )


def cell_changes(now: Callable[[], float], count: int) -> Iterator[float]:
    """Seconds from each of so many changes to its event.

    Raises:
        BenchError: an event didn't come.
    """
    told: queue.Queue[BoardEvent] = queue.Queue()
    board = open_board("virtual://magnet")
    virtual = board.virtual
    assert isinstance(virtual, VirtualBoard)
    board.start(told.put)
    try:
        _wait(told, lambda event: isinstance(event, BoardArrived))
        _wait(told, lambda event: isinstance(event, CellsSeen))
        for number in range(count):
            beam, place = _BEAMS[number % len(_BEAMS)], _PLACES[number // len(_BEAMS) % len(_PLACES)]
            cell = cell_number(beam, place)
            begun = now()
            virtual.put(beam, beam, place)
            _wait(told, partial(_shows, cell))
            yield now() - begun
    finally:
        board.stop()


def _shows(cell: CellNumber, event: BoardEvent) -> bool:
    return isinstance(event, CellsSeen) and cell in event.occupied


def bare_bytes(now: Callable[[], float], count: int) -> Iterator[float]:
    """Seconds that so many single bytes take from one end of a pseudo-terminal to a thread at the other."""
    master, slave = os.openpty()
    tty.setraw(slave)
    arrived: queue.Queue[float] = queue.Queue()

    def listen() -> None:
        for _ in range(count):
            os.read(slave, 1)
            arrived.put(now())

    thread = threading.Thread(target=listen, name="listener", daemon=True)
    thread.start()
    try:
        for _ in range(count):
            begun = now()
            os.write(master, b"x")
            yield arrived.get(timeout=ANSWER_LIMIT_S) - begun
        thread.join()
    finally:
        os.close(master)
        os.close(slave)


def _wait(told: queue.Queue[BoardEvent], is_it: Callable[[BoardEvent], bool]) -> None:
    try:
        while not is_it(told.get(timeout=ANSWER_LIMIT_S)):
            pass
    except queue.Empty:
        raise BenchError(f"link: the virtual board told nothing for {ANSWER_LIMIT_S:.0f} s") from None
