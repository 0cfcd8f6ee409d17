"""Devices and table speak through `DeviceEvents` and `TableOutputs`, each in its own words."""

from __future__ import annotations

import pytest

from controller.games.cosmic_cows import Beam, Cell, cells
from controller.runtime.clock import ManualClock
from controller.runtime.devices import LAMPS, DeviceEvents, TableOutputs
from controller.runtime.health import Health
from controller.runtime.panel import KnobTurned, Lamp, PanelPressed
from controller.runtime.translate import cell_of, seen_dice
from controller.table import events
from controller.table.commands import Command, Done, NewGame, TurnKnob, Undo
from controller.table.effects import Sound
from controller.table.lights import lights
from controller.table.machine import resume
from controller.table.state import Phase, Settings
from firmware_bridge import events as board_events
from firmware_bridge.lights import LightPlan as BoardPlan
from tests.support.turns import turn_game
from vision import events as tray_events
from vision.readings import DieSeen, Reading, Refusal


class Room:
    """A board, an eye and a panel that note what they were asked."""

    def __init__(self) -> None:
        self.plans: list[BoardPlan] = []
        self.asked: list[str] = []

    def show(self, plan: BoardPlan) -> None:
        self.plans.append(plan)

    def buzz(self, name: str) -> None:
        self.asked.append(name)

    def lamp(self, lamp: Lamp) -> None:
        self.asked.append(lamp.value)

    def look_again(self) -> None:
        self.asked.append("look")


def device_events() -> tuple[DeviceEvents, list[events.Event], Health, list[str]]:
    posted: list[events.Event] = []
    refreshed: list[str] = []
    health = Health()
    return (
        DeviceEvents(posted.append, lambda: refreshed.append("again"), health, ManualClock(5.0)),
        posted,
        health,
        refreshed,
    )


def test_every_cell_number_is_the_cell_of_the_rules() -> None:
    assert tuple(cell_of(number) for number in range(139)) == cells()


def test_a_board_that_comes_and_goes_is_told_and_kept_in_health() -> None:
    told, posted, health, refreshed = device_events()
    tell = told.from_board("virtual://magnet")
    tell(board_events.BoardArrived("magnet", frozenset({"lights", "sensors"}), "7", "1.0"))
    tell(board_events.CellsSeen(frozenset({8}), 100))
    tell(board_events.BoardLost("no answer"))
    assert posted == [
        events.BoardArrived("virtual://magnet", frozenset({"lights", "sensors"}), 5.0),
        events.CowsSeen(frozenset({Cell(Beam.CHANCE, 0)}), 5.0),
        events.BoardLost("no answer", 5.0),
    ]
    board = health.devices()["board"]
    assert (board.state, board.sentence) == ("lost", "no answer")
    assert board.mend
    assert len(refreshed) == 2


def test_a_fault_that_is_over_is_no_news_to_the_table() -> None:
    told, posted, _, _ = device_events()
    tell = told.from_board("b")
    tell(board_events.BoardFault("stuck", 0, is_over=False))
    tell(board_events.BoardFault("stuck", 0, is_over=True))
    assert posted == [events.BoardFaulted("stuck", Cell(Beam.CHANCE, -8), 5.0)]


@pytest.mark.parametrize(
    ("name", "command"), [("done", Done()), ("undo", Undo()), ("new-game", NewGame()), ("new game", NewGame())]
)
def test_buttons_are_commands_wherever_they_sit(name: str, command: Command) -> None:
    told, posted, _, _ = device_events()
    told.from_board("b")(board_events.ButtonPressed(name))
    told.from_panel(PanelPressed(name))
    assert posted == [events.CommandGiven(command, "board", 5.0), events.CommandGiven(command, "button", 5.0)]


def test_knobs_turn_wherever_they_sit() -> None:
    told, posted, _, _ = device_events()
    told.from_board("b")(board_events.KnobTurned(-2))
    told.from_panel(KnobTurned(1))
    assert [event.command for event in posted if isinstance(event, events.CommandGiven)] == [TurnKnob(-2), TurnKnob(1)]


def test_an_unsure_die_loses_its_likely_value_on_the_way_to_the_table() -> None:
    sure = DieSeen(3, "white", "black", (64, 48, 32, 32), (80.0, 64.0), 0.99)
    cocked = DieSeen(4, "white", "black", (320, 240, 32, 32), (336.0, 256.0), 0.4, Refusal.COCKED)
    dice = seen_dice(Reading((sure, cocked), (Refusal.COCKED,), 640, 480))
    assert [(die.value, die.refusal) for die in dice] == [(3, None), (None, "cocked")]
    assert (dice[0].x, dice[0].y, dice[0].edge) == (80 / 640, 64 / 640, 32 / 640)
    assert dice[0].box == (0.1, 0.1, 0.05, 32 / 480)


def test_camera_events_keep_their_time() -> None:
    told, posted, health, _ = device_events()
    reading = Reading((), (Refusal.NOT_FIVE,), 640, 480)
    for event in (
        tray_events.CameraBack("cam", 1.0),
        tray_events.TrayRolling(2.0),
        tray_events.TraySettled(reading, 3.0),
        tray_events.TrayLookedAt(reading, 4.0),
        tray_events.CameraGone("cam", "unplugged", "plug it in", 4.5),
    ):
        told.from_camera(event)
    assert [(type(event).__name__, event.at) for event in posted] == [
        ("CameraArrived", 1.0),
        ("TrayRolling", 2.0),
        ("TraySettled", 3.0),
        ("TrayLookedAt", 4.0),
        ("CameraLost", 4.5),
    ]
    assert health.missing(10.0)[0]["mend"] == "plug it in"


def test_outputs_reach_board_panel_and_camera() -> None:
    room = Room()
    outputs = TableOutputs(room, room, room)
    plan = lights(resume(turn_game(), Settings(), 0.0))
    outputs.show(plan)
    outputs.sound(Sound.READ)
    outputs.look_again()
    outputs.attend(Phase.WRONG)
    assert [(light.colour.value, light.motion.value) for light in room.plans[0]] == [
        (light.colour.value, light.motion.value) for light in plan
    ]
    assert room.asked == ["read", "read", "look", "blink"]


def test_without_devices_nothing_is_asked() -> None:
    outputs = TableOutputs(None, None, None)
    outputs.show(lights(resume(turn_game(), Settings(), 0.0)))
    outputs.sound(Sound.WIN)
    outputs.look_again()
    outputs.attend(Phase.OVER)
    assert set(LAMPS) < set(Phase)
