"""The devices round the table: their events on the way in, lights, sounds and second looks on the way out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from controller.runtime.clock import Clock
from controller.runtime.health import Device, Health
from controller.runtime.panel import KnobTurned, Lamp, PanelPressed
from controller.runtime.translate import board_event, board_plan, tray_event
from controller.table.commands import Command, Done, NewGame, TurnKnob, Undo
from controller.table.effects import Sound
from controller.table.events import CommandGiven, Event
from controller.table.lights import LightPlan
from controller.table.state import Phase
from firmware_bridge import events as board_events
from firmware_bridge.lights import LightPlan as BoardPlan
from vision import events as tray_events

BUTTONS: dict[str, Command] = {"done": Done(), "undo": Undo(), "new-game": NewGame(), "new game": NewGame()}
BOARD_MEND = "Plug the board in, or start with --virtual; the table goes on looking for it."

LAMPS: dict[Phase, Lamp] = {
    Phase.OPENING: Lamp.ON,
    Phase.TO_ROLL: Lamp.ON,
    Phase.REFUSED: Lamp.BLINK,
    Phase.TOUCHED: Lamp.BLINK,
    Phase.WRONG: Lamp.BLINK,
}

Post = Callable[[Event], None]


class LightBoard(Protocol):
    """What the table asks of a board."""

    def show(self, plan: BoardPlan) -> None: ...
    def buzz(self, sound: str) -> None: ...


class Eye(Protocol):
    """What the table asks of a camera reader."""

    def look_again(self) -> None: ...


class LampAndBuzzer(Protocol):
    """What the table asks of a panel."""

    def lamp(self, lamp: Lamp) -> None: ...

    def buzz(self, name: str) -> None: ...


class DeviceEvents:
    """Takes what the device threads tell and posts it to the table in the table's words; keeps health up to date."""

    def __init__(self, post: Post, refresh: Callable[[], None], health: Health, clock: Clock) -> None:
        self._post, self._refresh, self._health, self._clock = post, refresh, health, clock
        self._board_name = ""

    def from_board(self, name: str) -> Callable[[board_events.BoardEvent], None]:
        """The callback for a board of this name."""
        self._board_name = name
        return self._board_told

    def from_camera(self, event: tray_events.TrayEvent) -> None:
        """The callback for the camera reader."""
        match event:
            case tray_events.CameraBack():
                self._report("camera", Device("ready", event.name))
            case tray_events.CameraGone():
                self._report("camera", Device("lost", event.name, (), event.reason, event.mend))
        self._post(tray_event(event))

    def from_panel(self, event: PanelPressed | KnobTurned) -> None:
        """The callback for buttons and knob on the Pi itself."""
        if isinstance(event, KnobTurned):
            self._command(TurnKnob(event.steps), "knob")
        elif event.name in BUTTONS:
            self._command(BUTTONS[event.name], "button")

    def _board_told(self, event: board_events.BoardEvent) -> None:
        match event:
            case board_events.ButtonPressed():
                if event.name in BUTTONS:
                    self._command(BUTTONS[event.name], "board")
                return
            case board_events.KnobTurned():
                self._command(TurnKnob(event.steps), "board")
                return
            case board_events.BoardArrived():
                can = tuple(sorted(event.capabilities))
                self._report("board", Device("ready", self._board_name, can, f"{event.variant} board {event.serial}"))
            case board_events.BoardLost():
                self._report("board", Device("lost", self._board_name, (), event.reason, BOARD_MEND))
        told = board_event(event, self._board_name, self._clock.monotonic())
        if told is not None:
            self._post(told)

    def _command(self, command: Command, who: str) -> None:
        self._post(CommandGiven(command, who, self._clock.monotonic()))

    def _report(self, what: str, device: Device) -> None:
        stamped = Device(device.state, device.name, device.can, device.sentence, device.mend, self._clock.monotonic())
        if self._health.report(what, stamped):
            self._refresh()


class TableOutputs:
    """Lights to the board, sounds to board and panel, second looks to the camera; none of it blocks."""

    def __init__(self, board: LightBoard | None, eye: Eye | None, panel: LampAndBuzzer | None) -> None:
        self._board, self._eye, self._panel = board, eye, panel

    def show(self, plan: LightPlan) -> None:
        """The light plan that holds from now on."""
        if self._board is not None:
            self._board.show(board_plan(plan))

    def attend(self, phase: Phase) -> None:
        """Lamp on: throw; blinking: something wants mending; off: the table is content."""
        if self._panel is not None:
            self._panel.lamp(LAMPS.get(phase, Lamp.OFF))

    def sound(self, sound: Sound) -> None:
        """Sound the buzzers."""
        if self._board is not None:
            self._board.buzz(sound.value)
        if self._panel is not None:
            self._panel.buzz(sound.value)

    def look_again(self) -> None:
        """Have the dice looked at again."""
        if self._eye is not None:
            self._eye.look_again()
