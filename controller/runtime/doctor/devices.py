"""The real devices, opened for a moment: board by its hello, camera by its pictures, panel by its pins.

Only while no service runs: opening a port may reset the board, and a camera has one user.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator

from controller.config import Config
from controller.runtime.doctor.check import Check, Verdict, World
from controller.runtime.panel import Panel
from firmware_bridge.board import Board, open_board
from firmware_bridge.errors import AddressError
from firmware_bridge.events import BoardArrived, BoardEvent, BoardLost
from firmware_bridge.ports import candidates
from vision import cv
from vision.errors import CameraGoneError, SourceNameError
from vision.readings import Refusal
from vision.reasons import is_blurred, light_fault
from vision.sources import open_source
from vision.sources.source import Picture, Source

HELLO_S = 12.0  # a port that stays silent is given up after 3 s; a few may be asked
PICTURE_S = 5.0
POLL_S = 0.05
_LIGHT_MENDS = {
    Refusal.TOO_DARK: "Switch the tray's lamp on.",
    Refusal.TOO_BRIGHT: "Turn the lamp down, or away from the camera.",
}


def device_checks(
    world: World, config: Config, list_ports: Callable[[], tuple[str, ...]] = candidates
) -> Iterator[Check]:
    """Board, ModemManager, camera and panel as the config names them."""
    ports = list_ports()
    yield board_check(config.board.url, ports)
    yield modem_manager(world, ports)
    yield camera_check(world, config)
    state = Panel(config.panel, lambda event: None)
    opened = state.start()
    state.stop()
    verdict = {"ready": Verdict.OK, "off": Verdict.NOT_HERE}.get(opened.state, Verdict.WRONG)
    sentence = {"ready": f"Pins opened: {opened.sentence}.", "off": "No panel is set up."}.get(opened.state)
    yield Check("panel", verdict, sentence or opened.sentence, opened.mend)


def board_check(url: str, ports: tuple[str, ...]) -> Check:
    """Whether the board says hello."""
    if url.startswith("virtual:"):
        return Check("board", Verdict.NOT_HERE, f"The virtual board is used ({url}).")
    if not ports and url in ("auto", "serial://auto"):
        verdict = Verdict.NOT_HERE if url == "auto" else Verdict.WRONG
        mend = "" if url == "auto" else "Plug the board in; try another cable, since some carry power alone."
        return Check("board", verdict, "No serial port hangs on USB, so there is no board.", mend)
    try:
        board = open_board("serial://auto" if url == "auto" else url)
    except AddressError as error:
        return Check("board", Verdict.WRONG, f"board.url: {error}.", "Correct [board] in the config.")
    return greet(board, HELLO_S)


def greet(board: Board, limit_s: float) -> Check:
    """Start the board's link, wait for its hello, and stop it again."""
    told: queue.Queue[BoardEvent] = queue.Queue()
    board.start(told.put)
    lost: BoardLost | None = None
    try:
        while True:
            event = told.get(timeout=limit_s)
            if isinstance(event, BoardArrived):
                can = ", ".join(sorted(event.capabilities))
                what = f"{event.variant} board {event.serial}, firmware {event.firmware}"
                return Check("board", Verdict.OK, f"{what}, at {board.state.port}; it has {can}.")
            if isinstance(event, BoardLost):
                lost = event
                break
    except queue.Empty:
        pass
    finally:
        board.stop()
    what, _, mend = (lost.reason if lost else "no board answers; unplug it and plug it in again").partition("; ")
    return Check("board", Verdict.WRONG, f"{what[:1].upper()}{what[1:]}.", f"{mend[:1].upper()}{mend[1:]}.")


def modem_manager(world: World, ports: tuple[str, ...]) -> Check:
    """Whether a program runs that speaks to every new serial port, as if it were a modem."""
    is_running = any(
        world.text(f"proc/{process.name}/comm") == "ModemManager" for process in (world.root / "proc").glob("[0-9]*")
    )
    if not is_running:
        return Check("modem manager", Verdict.NOT_HERE, "ModemManager doesn't run, so nobody else asks the board.")
    verdict = Verdict.WRONG if ports else Verdict.OK
    mend = "sudo systemctl disable --now ModemManager, unless a modem is used." if ports else ""
    return Check("modem manager", verdict, "ModemManager runs and asks each new serial port for a modem.", mend)


def camera_check(world: World, config: Config) -> Check:
    """Whether the camera gives pictures in which dice can be read."""
    url, pace_hz = config.camera.url, config.camera.pictures_per_second
    if url == "virtual":
        return Check("camera", Verdict.NOT_HERE, "The virtual camera is used.")
    try:
        source = open_source(url, world.clock.monotonic, pace_hz)
        return look(world, source)
    except SourceNameError as error:
        return Check("camera", Verdict.WRONG, f"camera.url: {error}.", "Correct [camera] in the config.")
    except CameraGoneError as error:
        is_lacking = url == "auto" and error.device == "auto"
        verdict = Verdict.NOT_HERE if is_lacking else Verdict.WRONG
        mend = "" if is_lacking else f"{error.mend[:1].upper()}{error.mend[1:]}."
        return Check("camera", verdict, f"{error.device}: {error.reason}.", mend)


def look(world: World, source: Source) -> Check:
    """Open the camera, take a picture, judge light and sharpness, close it.

    Raises:
        CameraGoneError: it can't be opened, or went away.
    """
    source.open()
    try:
        picture = _first_picture(world, source)
    finally:
        source.close()
    if picture is None:
        mend = "Check its cable, or unplug it and plug it in again."
        return Check("camera", Verdict.WRONG, f"{source.name} gives no picture within {PICTURE_S:.0f} s.", mend)
    image = picture[0]
    grey = cv.to_grey(image)
    fault = light_fault(grey)
    what = f"{source.name}, {image.shape[1]}x{image.shape[0]}"
    if fault is not None:
        return Check("camera", Verdict.WRONG, f"{what}: the picture is {fault}.", _LIGHT_MENDS[fault])
    if is_blurred(grey):
        return Check("camera", Verdict.WRONG, f"{what}: the picture is blurred.", "Turn the lens until it is sharp.")
    return Check("camera", Verdict.OK, f"{what}: light and sharpness are good enough.")


def _first_picture(world: World, source: Source) -> Picture | None:
    end = world.clock.monotonic() + PICTURE_S
    while world.clock.monotonic() < end:
        picture = source.newest(float("-inf"))
        if picture is not None:
            return picture
        world.wait(POLL_S)
    return None
