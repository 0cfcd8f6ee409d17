"""A walk round the virtual table: hello, cows, lights and a throw, each through the same path as on a real one."""

from __future__ import annotations

import queue
import random
from collections.abc import Callable, Iterator

from controller.runtime.clock import ManualClock
from controller.runtime.doctor.check import Check, Verdict, World
from firmware_bridge.board import Board, open_board
from firmware_bridge.events import BoardArrived, BoardEvent, CellsSeen
from firmware_bridge.geometry import BEAMS, CELL_COUNT, cell_number
from firmware_bridge.lights import Colour, Light, Motion
from vision.events import TrayEvent, TraySettled
from vision.reader import CameraReader
from vision.sources.virtual import VirtualSource, VirtualTray

ANSWER_S = 5.0
POLL_S = 0.02
PICTURE_S = 0.1
THROW_PICTURES = 40  # a throw flies for 0.8 s and is read from three pictures alike
FACES = (1, 2, 4, 5, 6)
_MEND = "This is a fault of the program or its installation: install it anew, else report it with this line."


def virtual_checks(world: World, seed: int = 1) -> Iterator[Check]:
    """The walk; four checks, whatever fails."""
    board = open_board("virtual://magnet")
    told: queue.Queue[BoardEvent] = queue.Queue()
    board.start(told.put)
    try:
        yield _hello(told)
        yield _cows(board, told)
        yield _lights(world, board)
    finally:
        board.stop()
    yield _throw(seed)


def _hello(told: queue.Queue[BoardEvent]) -> Check:
    event = _wait(told, lambda event: isinstance(event, BoardArrived))
    if not isinstance(event, BoardArrived):
        return _wrong("virtual hello", f"The virtual board said no hello within {ANSWER_S:.0f} s.")
    can = ", ".join(sorted(event.capabilities))
    return _ok("virtual hello", f"{event.variant} board {event.serial}, firmware {event.firmware}, with {can}.")


def _cows(board: Board, told: queue.Queue[BoardEvent]) -> Check:
    """The snapshot at the hello, then one cow set elsewhere."""
    centres = frozenset(int(cell_number(beam, 0)) for beam in BEAMS)
    if _wait(told, lambda event: isinstance(event, CellsSeen) and event.occupied == centres) is None:
        return _wrong("virtual cows", "The nine cows weren't all seen on the centre cells.")
    assert board.virtual is not None
    board.virtual.put("3", "3", 4)
    after = centres - {int(cell_number("3", 0))} | {int(cell_number("3", 4))}
    if _wait(told, lambda event: isinstance(event, CellsSeen) and event.occupied == after) is None:
        return _wrong("virtual cows", "A cow set from 3:0 to 3:+4 wasn't seen there.")
    return _ok("virtual cows", "All nine cows are seen, and one that is moved is seen where it went.")


def _lights(world: World, board: Board) -> Check:
    """A plan that differs from cell to cell has to arrive as it was sent."""
    colours = (Colour.BLUE, Colour.ORANGE, Colour.WHITE)
    plan = tuple(Light(colours[cell % 3], tuple(Motion)[cell % 4]) for cell in range(CELL_COUNT))
    board.show(plan)
    assert board.virtual is not None
    end = world.clock.monotonic() + ANSWER_S
    while board.virtual.lights() != plan:
        if world.clock.monotonic() > end:
            return _wrong("virtual lights", f"The {CELL_COUNT} lights weren't shown as they were sent.")
        world.wait(POLL_S)
    return _ok("virtual lights", f"All {CELL_COUNT} lights are shown as they were sent.")


def _throw(seed: int) -> Check:
    clock = ManualClock()
    tray = VirtualTray(clock.monotonic, random.Random(seed))
    events: list[TrayEvent] = []
    reader = CameraReader(VirtualSource(tray, clock.monotonic, 1 / PICTURE_S), events.append, clock.monotonic)
    tray.throw(FACES)
    for _ in range(THROW_PICTURES):
        clock.advance(PICTURE_S)
        reader.step()
    reader.stop()
    settled = [event.reading for event in events if isinstance(event, TraySettled)]
    thrown = " ".join(map(str, FACES))
    if not settled:
        return _wrong("virtual throw", f"The throw {thrown} never came to rest in the pictures.")
    if not settled[-1].is_sure:
        return _wrong("virtual throw", f"The throw {thrown} was refused: {', '.join(settled[-1].refusals)}.")
    seen = " ".join(map(str, settled[-1].values))
    if settled[-1].values != FACES:
        return _wrong("virtual throw", f"The throw {thrown} was read as {seen}.")
    return _ok("virtual throw", f"The throw {thrown} was seen to roll, to settle, and was read.")


def _wait(told: queue.Queue[BoardEvent], is_it: Callable[[BoardEvent], bool]) -> BoardEvent | None:
    try:
        while not is_it(event := told.get(timeout=ANSWER_S)):
            pass
    except queue.Empty:
        return None
    return event


def _ok(name: str, sentence: str) -> Check:
    return Check(name, Verdict.OK, sentence)


def _wrong(name: str, sentence: str) -> Check:
    return Check(name, Verdict.WRONG, sentence, _MEND)
