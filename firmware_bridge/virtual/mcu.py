"""The controller of a virtual board: the real connection in the board's role, scanning, lights in two
banks. Pure.

Rules of this file: no clock, thread or port: the time is an argument, so a test can run a board at any
speed. Whoever holds it calls `receive`, `scan` and `data_to_send` like the firmware's main loop would.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Set

from firmware_bridge.connection import Connection
from firmware_bridge.delivery import Timing
from firmware_bridge.geometry import BoardLayout, CellNumber, beam_cells
from firmware_bridge.lights import DARK_PLAN, Colour, Light, LightPlan, Motion
from firmware_bridge.link_events import Loss, MessageReceived, PeerArrived, PeerLost, Role
from firmware_bridge.messages import (
    MOST_CHANGES,
    BootReason,
    Button,
    ButtonPressed,
    Buzz,
    CellChange,
    CellsChanged,
    FaultSeen,
    Hello,
    KnobTurned,
    LightsAll,
    LightsGroups,
    LightsRuns,
    LightsShow,
    Message,
    Palette,
    PaletteColour,
    Snapshot,
    SnapshotRequest,
    Sound,
)
from firmware_bridge.patches import LightPatch, apply_patch
from firmware_bridge.virtual.scan import Change, Scanner, Trouble

BUILD = "virtual-board-1.0"
BOOT_S = 0.05  # dead time of a restart; a Nano's boot loader takes up to 1.6 s, which would only slow the tests
MOST_EVENTS = 48  # as many as the ATmega328P's memory holds; then the oldest are dropped and the gap tells
MOST_AFTER_MS = 0xFFFF
MOST_SOUNDS = 16


def safe_plan() -> LightPlan:
    """What a board shows that hasn't heard of its host for too long: the super beam breathing, dimly."""
    plan = list(DARK_PLAN)
    for cell in beam_cells("super"):
        plan[cell] = Light(Colour.DIM_WHITE, Motion.BREATHE)
    return tuple(plan)


class Mcu:
    """One controller, from power-on at `at`."""

    def __init__(
        self, layout: BoardLayout, serial: str, at: float, *, boot: int = 1, timing: Timing | None = None
    ) -> None:
        self._layout = layout
        self._serial = serial
        self._timing = timing
        self._boot = boot
        self.sounds: deque[Sound] = deque(maxlen=MOST_SOUNDS)
        self._start(BootReason.POWER, at)

    def reboot(self, reason: BootReason, at: float) -> None:
        """Start anew: everything but serial number and stored settings is forgotten."""
        self._boot = (self._boot + 1) & 0xFFFF
        self._start(reason, at + BOOT_S)

    def _start(self, reason: BootReason, at: float) -> None:
        hello = Hello(
            boot=self._boot,
            boot_reason=reason,
            variant=self._layout.name,
            capabilities=self._layout.capabilities,
            supply_ma=self._layout.supply_ma,
            serial=self._serial,
            build=BUILD,
        )
        self._connection = Connection(Role.BOARD, hello=hello, timing=self._timing)
        self._started_at = at
        self._scanner = Scanner()
        self._hidden: LightPlan = DARK_PLAN
        self.shown: LightPlan = DARK_PLAN
        self.level = 0
        self.palette: dict[int, PaletteColour] = {}
        self._changes: deque[tuple[int, Change]] = deque(maxlen=MOST_EVENTS)
        self._next_event = 0
        self._owes_snapshot = False
        self._troubles: dict[tuple[int, int], Trouble] = {}

    # --- the main loop's calls ---

    def receive(self, data: bytes, at: float) -> None:
        """Take bytes of the host (maybe none)."""
        if at < self._started_at:
            return
        for event in self._connection.receive(data, at):
            match event:
                case PeerArrived():
                    self._owes_snapshot = False
                    self._changes.clear()
                    for trouble in self._troubles.values():
                        self._report(trouble, at)
                case PeerLost(loss=Loss.SILENT):
                    self.shown, self.level = safe_plan(), 255
                case MessageReceived(message=message):
                    self._take(message, at)
                case _:
                    pass

    def scan(self, raw: Set[CellNumber], at: float) -> None:
        """Take one scan of the switches."""
        if at < self._started_at or not self._layout.sensors:
            return
        for change in self._scanner.scan(raw, at):
            self._changes.append((self._next_event, change))
            self._next_event = (self._next_event + 1) & 0xFFFF
        for trouble in self._scanner.troubles(at):
            key = (int(trouble.fault), trouble.cell)
            if trouble.is_over:
                self._troubles.pop(key, None)
            else:
                self._troubles[key] = trouble
            self._report(trouble, at)

    def data_to_send(self, at: float) -> bytes:
        """The bytes to write now, maybe none."""
        if at < self._started_at:
            return b""
        if self._owes_snapshot and (self._scanner.has_begun or not self._layout.sensors):
            self._send_snapshot(at)
        elif self._connection.is_idle:
            self._send_changes(at)
        return self._connection.data_to_send(at)

    def deadline(self, at: float) -> float | None:
        """When to call again even if no byte comes and no switch turns over."""
        return self._started_at if at < self._started_at else self._connection.deadline()

    # --- what the world asks and does ---

    @property
    def is_settling(self) -> bool:
        """Whether the controller wants to scan on, though nothing moves."""
        return self._scanner.is_settling

    def press(self, button: Button, at: float) -> None:
        """A button goes down; without a host nothing comes of it."""
        self._tell(ButtonPressed(button, self._board_ms(at)), at)

    def turn(self, steps: int, at: float) -> None:
        """The knob is turned; without a host nothing comes of it."""
        self._tell(KnobTurned(max(-128, min(127, steps)), self._board_ms(at)), at)

    # --- inside ---

    def _take(self, message: Message, at: float) -> None:
        match message:
            case SnapshotRequest():
                self._owes_snapshot = True
            case Palette(colours=colours):
                self.palette.update((colour.colour, colour) for colour in colours)
            case LightsAll() | LightsRuns() | LightsGroups() | LightsShow():
                self._take_lights(message)
            case Buzz(sound=sound):
                self.sounds.append(sound)
            case _:
                pass  # nothing else is a host's to send

    def _take_lights(self, message: LightPatch) -> None:
        self._hidden = apply_patch(self._hidden, message)
        if isinstance(message, LightsShow) or message.show:
            self.shown, self.level = self._hidden, message.level

    def _send_snapshot(self, at: float) -> None:
        """Send what changed before, so that the cells on the way are told, and then the whole."""
        self._owes_snapshot = False
        while self._changes and self._connection.room:
            self._send_changes(at)
        self._changes.clear()
        self._tell(Snapshot(self._board_ms(at), self._next_event, self._scanner.occupied), at)

    def _send_changes(self, at: float) -> None:
        """Send the oldest changes: numbers in a row, within reach of one time stamp."""
        if not self._changes:
            return
        first_event, first = self._changes[0]
        began_ms = self._board_ms(first.at)
        batch: list[CellChange] = []
        while self._changes and len(batch) < MOST_CHANGES:
            change = self._changes[0][1]
            after_ms = (self._board_ms(change.at) - began_ms) & 0xFFFFFFFF
            if after_ms > MOST_AFTER_MS:
                break
            batch.append(CellChange(change.cell, change.is_on, after_ms))
            self._changes.popleft()
        self._tell(CellsChanged(began_ms, first_event, tuple(batch)), at)

    def _report(self, trouble: Trouble, at: float) -> None:
        self._tell(FaultSeen(trouble.fault, trouble.cell, trouble.is_over, self._board_ms(at)), at)

    def _tell(self, message: Message, at: float) -> None:
        if self._connection.room:
            self._connection.send(message, at)

    def _board_ms(self, at: float) -> int:
        return int((at - self._started_at) * 1000) & 0xFFFFFFFF
