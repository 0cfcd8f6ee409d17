"""The composition root: config in, a connected service out. The only module that knows all names.

How it works: `build` makes the parts and connects their callbacks, `Service.start` starts them in the order in which
they may be missed least (table, page, then devices), `Service.stop` in the opposite one. What isn't there is a state
that the page shows and that is tried again, never a reason not to start.
"""

from __future__ import annotations

import logging
import random
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from controller import __version__
from controller.config import Config
from controller.errors import InputError
from controller.games.cosmic_cows import BEAMS, Rules, Side, parse_rules
from controller.journal.recovery import recover
from controller.journal.store import Journal
from controller.runtime.book import Book
from controller.runtime.clock import Clock, RealClock
from controller.runtime.coach import Coach
from controller.runtime.computer import Computer
from controller.runtime.devices import DeviceEvents, TableOutputs
from controller.runtime.hands import Hands, ThrowWish
from controller.runtime.health import Device, Health
from controller.runtime.loop import TableLoop, TableSetup
from controller.runtime.panel import Panel
from controller.runtime.ports import Answer, Snapshot
from controller.runtime.virtual_view import VirtualView
from controller.table.computers import seat_names
from controller.table.game import Game, Stage
from controller.table.hints import Coach as CoachState
from controller.table.hints import CoachMode
from controller.table.machine import resume
from controller.table.seats import HIGHEST_SEED, Seats, Throws
from controller.table.seats import Computer as ComputerSeat
from controller.table.state import Notice, Reason, Settings
from controller.table.words import Names
from firmware_bridge.board import Board, open_board
from firmware_bridge.errors import AddressError, BridgeError
from firmware_bridge.ports import candidates
from vision.errors import SourceNameError, VisionError
from vision.reader import CameraReader
from vision.sources import open_source
from vision.sources.files import FilesSource
from vision.sources.virtual import VirtualSource, VirtualTray
from vision.tumble import ROLL_S
from web.app import create_app
from web.serve import PageServer

log = logging.getLogger(__name__)


class Desk:
    """What the page sees of the service: the `TablePort` of the web package."""

    def __init__(self, table: TableLoop, camera: CameraReader | None, hands: Hands | None, clock: Clock) -> None:
        self._table, self._camera, self._hands, self._clock = table, camera, hands, clock

    def snapshot(self) -> Snapshot:
        """The newest public state."""
        return self._table.snapshot()

    def wait_newer(self, version: int, timeout_s: float) -> Snapshot | None:
        """Block until there is a newer one."""
        return self._table.wait_newer(version, timeout_s)

    def command(self, name: str, arguments: Mapping[str, Any], version: int, who: str) -> Answer:
        """One command for the table."""
        return self._table.command(name, arguments, version, who)

    def picture(self) -> bytes | None:
        """The newest camera picture."""
        return None if self._camera is None else self._camera.picture()

    def hands(self, request: Mapping[str, Any]) -> Answer:
        """One request to the virtual hands."""
        version = self._table.snapshot().version
        if self._hands is None:
            return Answer(400, "This table is real: use your own hands.", version)
        try:
            self._hands.request(request)
        except InputError as error:
            return Answer(400, str(error), version)
        self._table.refresh()
        return Answer(200, "Done.", version)

    def health(self) -> Mapping[str, Any]:
        """Liveness and what is missing."""
        missing = self._table.health.missing(self._clock.monotonic())
        return {"ok": self._table.is_alive, "version": __version__, "missing": missing}


@dataclass(slots=True)
class Service:
    """The whole service. `start` and `stop` from one thread."""

    config: Config
    clock: Clock
    health: Health
    journal: Journal
    table: TableLoop
    coach: Coach
    computer: Computer
    events: DeviceEvents
    board: Board
    camera: CameraReader
    tray: VirtualTray | None
    panel: Panel
    hands: Hands | None
    desk: Desk
    page: PageServer
    notes: tuple[str, ...] = ()

    def start(self) -> None:
        """Start everything; returns once the page can be opened."""
        self.table.start()
        self.coach.start()
        self.computer.start()
        self.page.start()
        panel = self.panel.start()
        now = self.clock.monotonic()
        self.health.report("panel", Device(panel.state, "panel", (), panel.sentence, panel.mend, now))
        self.board.start(self.events.from_board(self.board.url))
        self.camera.start()
        if self.hands is not None:
            self.hands.start()

    def stop(self) -> None:
        """Stop everything, devices first, the journal last."""
        if self.hands is not None:
            self.hands.stop()
        self.camera.stop()
        self.board.stop()
        self.panel.stop()
        self.page.stop()
        self.computer.stop()
        self.coach.stop()
        self.table.stop()
        self.journal.close()

    def announcement(self) -> dict[str, Any]:
        """Where the page is, and what a person should know at start."""
        host, port = self.page.address
        shown = f"[{host}]" if ":" in host else host
        if host in ("0.0.0.0", "::", "127.0.0.1"):
            shown = "localhost"
        notes = list(self.notes)
        if self.page.wanted_port not in (0, port):
            notes.insert(0, f"Port {self.page.wanted_port} is taken, so {port} is used.")
        return {"address": f"http://{shown}:{port}/", "port": port, "notes": notes}


def build(config: Config, clock: Clock | None = None, generator: random.Random | None = None) -> Service:
    """Everything connected, nothing started but the journal, which is opened to find the game to go on with.

    Args:
        config: the settings.
        clock: the machine's by default; a manual one in tests.
        generator: where the virtual dice's chance comes from; the system's own by default.

    Raises:
        InputError: house rules, board or camera address unusable.
        JournalError: the journal can't be opened.
    """
    clock = clock or RealClock()
    rules = parse_rules(config.rules)
    board, board_note = _board(config)
    tray, camera_source, camera_note = _camera(config, clock, generator)
    journal = Journal(config.journal_path)
    health = Health()
    setup, book, journal_note = _game(config, rules, journal, clock, _hands_that(tray, board))
    coach_state = CoachState(mode=CoachMode(config.coach.mode))
    setup = replace(setup, state=replace(setup.state, coach=coach_state))
    events = DeviceEvents(lambda event: table.post(event), lambda: table.refresh(), health, clock)
    camera = CameraReader(camera_source, events.from_camera, clock.monotonic, expect=None)
    panel = Panel(config.panel, events.from_panel)
    view = VirtualView(tray, board.virtual)
    table = TableLoop(setup, book, TableOutputs(board, camera, panel), clock, health, view.public)
    if isinstance(camera_source, FilesSource):
        # A recording shows a turn, not the throw for the start: it stands at its first picture till then.
        camera_source.may_play = lambda: table.game.stage is not Stage.OPENING
    hands = None
    if tray is not None or board.virtual is not None:
        hands = Hands(tray, board.virtual, clock, lambda: throw_wish(table.game), lambda: record_places(table.game))
        if isinstance(camera_source, VirtualSource):
            hands.watched_by(lambda: camera_source.picture_count)
    desk = Desk(table, camera, hands, clock)
    app = create_app(
        desk, watcher_limit=config.page.watchers, host_names=config.page.names, program_version=__version__
    )
    page = PageServer(app, config.page.host, config.page.port, config.page.watchers)
    if board.virtual is not None and board.virtual.has_cows:
        board.virtual.set_up(record_places(setup.state.game))
    if tray is not None:
        _lay_dice(tray, setup.state.game, clock)
    notes = tuple(note for note in (board_note, camera_note, journal_note) if note)
    return Service(
        config=config,
        clock=clock,
        health=health,
        journal=journal,
        table=table,
        coach=Coach(table, clock),
        computer=Computer(table, hands, clock, secrets.SystemRandom()),
        events=events,
        board=board,
        camera=camera,
        tray=tray,
        panel=panel,
        hands=hands,
        desk=desk,
        page=page,
        notes=notes,
    )


def throw_wish(game: Game) -> ThrowWish:
    """Whose dice the virtual hands throw next: the mover's own set, one die each for the start."""
    if game.stage is Stage.OPENING:
        side = game.opening_side or Side.WHITE
        return ThrowWish(side.value, 5 if game.rules.opening == "all five" else 1)
    return ThrowWish(game.mover.value, 5)


def record_places(game: Game) -> dict[str, int]:
    """Where the record has each cow, by beam name."""
    return {beam.value: game.position.place(beam) for beam in BEAMS}


def _lay_dice(tray: VirtualTray, game: Game, clock: Clock) -> None:
    """On a table that goes on with a turn its dice still lie there, as real ones would after a power cut."""
    if game.dice is not None:
        tray.throw(game.dice.faces, game.mover.value, at_s=clock.monotonic() - ROLL_S)


def _board(config: Config) -> tuple[Board, str]:
    """The board that is asked for; `auto` takes the virtual one where no serial port could be a board."""
    url = config.board.url
    note = ""
    if url == "auto":
        found = candidates()
        url = "serial://auto" if found else "virtual://magnet"
        note = (
            f"Board: looking on {', '.join(found)}." if found else "Board: none plugged in, so a virtual one is used."
        )
    elif url.startswith("virtual:"):
        note = "Board: virtual."
    try:
        return open_board(url), note
    except AddressError as error:
        seen = url if error.seen == url else f"{error.field.removeprefix('board: ')}: {error.seen}"
        raise InputError("board.url", seen, error.accepted) from error
    except BridgeError as error:
        raise InputError("board.url", url, str(error)) from error


def _camera(config: Config, clock: Clock, generator: random.Random | None) -> tuple[VirtualTray | None, Any, str]:
    """The camera that is asked for, and the virtual tray where it is the virtual one."""
    url = config.camera.url
    if url == "virtual":
        return *_virtual_camera(config, clock, generator), "Camera: virtual, its pictures are drawn."
    try:
        source = open_source(url, clock.monotonic, config.camera.pictures_per_second)
    except SourceNameError as error:
        raise InputError("camera.url", url, error.accepted) from error
    except VisionError as error:
        if url != "auto":
            raise InputError("camera.url", url, str(error)) from error
        tray, virtual = _virtual_camera(config, clock, generator)
        return tray, virtual, "Camera: none found, so a virtual one is used; its pictures are drawn."
    return None, source, f"Camera: {source.name}."


def _virtual_camera(config: Config, clock: Clock, generator: random.Random | None) -> tuple[VirtualTray, VirtualSource]:
    tray = VirtualTray(clock.monotonic, generator)
    return tray, VirtualSource(tray, clock.monotonic, config.camera.pictures_per_second)


def _hands_that(tray: VirtualTray | None, board: Board) -> dict[str, bool]:
    """What the virtual hands do for a computer: throw where the tray is virtual, move where the cows are."""
    return {
        "hands_throw": tray is not None,
        "hands_move": board.virtual is not None and board.virtual.has_cows,
    }


def _game(
    config: Config, rules: Rules, journal: Journal, clock: Clock, hands: Mapping[str, bool]
) -> tuple[TableSetup, Book, str]:
    """The game to go on with: the journal's newest unfinished one, else a new one."""
    book = Book(journal, clock)
    settings = Settings(**config.table.model_dump(), **hands)
    persons = Names(config.players.white, config.players.black)
    found = recover(journal)
    if found is not None:
        book.take_up(found.at_ms)
        names = Names(found.header.white or config.players.white, found.header.black or config.players.black)
        state = resume(found.game, settings, clock.monotonic())
        note = found.note or f"Journal: going on with game {found.game_id}."
        return TableSetup(state, found.game_id, names, persons), book, note
    seats = _seats(config)
    names = seat_names(seats, None, persons)
    game_id = book.start_game(rules, names, seats)
    notice = Notice(Reason.NEW_GAME)
    state = resume(Game(rules=rules, seats=seats), settings, clock.monotonic(), notice)
    return TableSetup(state, game_id, names, persons), book, ""


def _seats(config: Config) -> Seats:
    """Who plays a game that the settings begin."""
    throws = Throws(config.computer.throws)
    white, black = (
        None if level is None else ComputerSeat(level, secrets.randbelow(HIGHEST_SEED + 1), throws)
        for level in (config.computer.white, config.computer.black)
    )
    return Seats(white, black)
