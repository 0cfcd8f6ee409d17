"""The table loop: journal before lights before page; stale commands; a journal that fails; deadlines."""

from __future__ import annotations

import json
import queue
import threading
from typing import Any

from controller.errors import JournalError
from controller.games.cosmic_cows import Rules
from controller.runtime.clock import ManualClock
from controller.runtime.health import Health
from controller.runtime.loop import TableLoop, TableSetup
from controller.table.commands import Undo
from controller.table.effects import Sound
from controller.table.entries import Entry
from controller.table.events import BoardArrived, CameraArrived, CommandGiven, CowsSeen, TimePassed, TraySettled
from controller.table.game import Game, fold_all
from controller.table.lights import LightPlan
from controller.table.machine import resume
from controller.table.moves import occupancy_of
from controller.table.state import Phase, Settings
from controller.table.words import Names
from tests.support.turns import SENSORS, lying, turn_game


class Diary:
    """A book and outputs that note the order in which they are called."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.entries: list[Entry] = []
        self.is_full = False

    def start_game(self, rules: Any, names: Names, seats: Any) -> str:
        self.calls.append("start")
        return f"game of {names.white}"

    def write(self, game_id: str, entries: tuple[Entry, ...]) -> None:
        if self.is_full:
            raise JournalError("journal: disk full")
        self.calls.append("write")
        self.entries.extend(entries)

    def show(self, plan: LightPlan) -> None:
        self.calls.append("show")

    def attend(self, phase: Phase) -> None:
        self.calls.append(f"attend {phase.value}")

    def sound(self, sound: Sound) -> None:
        self.calls.append(f"sound {sound.value}")

    def look_again(self) -> None:
        self.calls.append("look")


def loop(game: Game | None = None) -> tuple[TableLoop, Diary, ManualClock]:
    diary, clock = Diary(), ManualClock(10.0)
    state = resume(game or turn_game(), Settings(), clock.monotonic())
    table = TableLoop(TableSetup(state, "1", Names()), diary, diary, clock, Health())
    table.take(CameraArrived("test", 10.0))
    table.take(BoardArrived("test", SENSORS, 10.0))
    table.take(CowsSeen(occupancy_of(state.game.position), 10.0))
    diary.calls.clear()
    return table, diary, clock


def roll(table: TableLoop, faces: str) -> None:
    table.take(TraySettled((), ("not five",), 11.0))
    table.take(TraySettled(lying(faces), (), 12.0))


def state_of(table: TableLoop) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(table.snapshot().body)
    return parsed


def test_what_is_shown_as_accepted_is_written_first() -> None:
    table, diary, _ = loop()
    roll(table, "44412")
    assert diary.calls.index("write") < diary.calls.index("show") < diary.calls.index("sound read")
    assert state_of(table)["phase"] == "rolled"


def test_the_lamp_is_told_of_each_new_phase_once() -> None:
    table, diary, _ = loop()
    roll(table, "44412")
    table.take(TraySettled(lying("44412"), (), 13.0))
    assert [call for call in diary.calls if call.startswith("attend")] == ["attend rolled"]


def test_a_step_that_cannot_be_written_does_not_happen_and_is_told() -> None:
    table, diary, _ = loop()
    diary.is_full = True
    before = table.game
    roll(table, "44412")
    assert table.game is before
    journal = state_of(table)["devices"]["journal"]
    assert journal["state"] == "lost"
    assert journal["mend"]


def test_the_journal_back_again_takes_the_next_step() -> None:
    table, diary, _ = loop()
    diary.is_full = True
    roll(table, "44412")
    diary.is_full = False
    roll(table, "44412")
    assert state_of(table)["devices"]["journal"]["state"] == "ready"
    assert fold_all(turn_game(), diary.entries) == table.game


def test_a_cow_moved_while_the_journal_was_full_counts_once_it_can_be_written() -> None:
    table, diary, clock = loop()
    roll(table, "44412")
    diary.is_full = True
    cows = {cell for cell in occupancy_of(table.game.position) if cell.beam != "4"}
    table.take(CowsSeen(frozenset(cows | {next(c for c in cells_of_four() if c.place == 3)}), 13.0))
    table.take(TraySettled(lying("44412"), (), 13.5))
    assert not table.game.turns
    diary.is_full = False
    clock.advance(2.0)
    table.take(TimePassed(clock.monotonic()))
    assert [turn.pull for turn in table.game.turns] == ["triple 4"]
    assert fold_all(turn_game(), diary.entries) == table.game


def test_what_waits_for_the_journal_is_carried_out_in_its_order() -> None:
    table, diary, clock = loop()
    diary.is_full = True
    roll(table, "44412")
    roll(table, "33355")
    diary.is_full = False
    table.take(TimePassed(clock.monotonic()))
    assert table.game.throws[0].faces == (1, 2, 4, 4, 4)
    assert fold_all(turn_game(), diary.entries) == table.game


def test_a_button_pressed_while_the_journal_was_full_does_nothing_later() -> None:
    table, diary, clock = loop()
    roll(table, "44412")
    diary.is_full = True
    table.take(CommandGiven(Undo(), "button", 13.0))
    diary.is_full = False
    table.take(TimePassed(clock.monotonic()))
    assert table.game.roll == 1


def test_the_version_changes_only_with_what_is_shown() -> None:
    table, _, _ = loop()
    roll(table, "44412")
    version = table.snapshot().version
    table.take(TraySettled(lying("44412"), (), 13.0))
    assert table.snapshot().version == version
    assert state_of(table)["version"] == version


def test_a_command_for_an_older_version_is_refused_and_changes_nothing() -> None:
    table, diary, _ = loop()
    table.start()
    roll(table, "44412")
    answer = table.command("undo", {}, table.snapshot().version - 1, "page")
    assert answer.status == 409
    assert table.game.roll == 1
    answer = table.command("undo", {}, answer.version, "page")
    assert (answer.status, table.game.roll) == (200, 0)
    table.stop()
    assert "write" in diary.calls


def test_a_command_that_is_impossible_now_says_why() -> None:
    table, _, _ = loop()
    table.start()
    answer = table.command("done", {}, table.snapshot().version, "page")
    assert (answer.status, answer.sentence) == (409, "Nothing waits for 'done' now.")
    table.stop()


def test_an_unusable_command_names_the_field() -> None:
    table, _, _ = loop()
    answer = table.command("correct_dice", {"dice": "12347"}, 1, "page")
    assert answer.status == 400
    assert answer.sentence.startswith("dice: '12347'")


def test_a_command_without_a_journal_changes_nothing_and_says_so() -> None:
    table, diary, _ = loop()
    roll(table, "44412")
    diary.is_full = True
    table.start()
    answer = table.command("undo", {}, table.snapshot().version, "page")
    assert answer.status == 503
    assert table.game.roll == 1
    table.stop()


def test_a_new_game_gets_its_own_record_and_names() -> None:
    table, diary, _ = loop()
    table.start()
    answer = table.command("new_game", {"white": "Ada"}, table.snapshot().version, "page")
    assert answer.status == 200
    game = state_of(table)["game"]
    assert (game["id"], game["players"]["white"], game["players"]["black"]) == ("game of Ada", "Ada", "Black")
    table.stop()
    assert "start" in diary.calls


def test_waiting_watchers_wake_with_the_newest_state() -> None:
    table, _, _ = loop()
    table.start()
    version = table.snapshot().version
    got: queue.Queue[Any] = queue.Queue()
    watcher = threading.Thread(target=lambda: got.put(table.wait_newer(version, 5.0)))
    watcher.start()
    table.post(TraySettled((), ("not five",), 11.0))
    table.post(TraySettled(lying("44412"), (), 12.0))
    snapshot = got.get(timeout=5)
    watcher.join()
    table.stop()
    assert snapshot.version > version


def test_no_newer_state_is_none_after_the_time_out() -> None:
    table, _, _ = loop()
    assert table.wait_newer(table.snapshot().version, 0.01) is None


def test_deadlines_pass_by_the_clock_of_the_loop() -> None:
    table, _, clock = loop()
    roll(table, "44412")
    cows = {cell for cell in occupancy_of(table.game.position) if cell.beam != "4"}
    moved = frozenset(cows | {next(c for c in cells_of_four() if c.place == 2)})
    table.take(CowsSeen(moved, clock.monotonic()))
    assert state_of(table)["phase"] == "waiting"
    clock.advance(2.0)
    table.take(TimePassed(clock.monotonic()))
    assert table.game.turns[-1].pull == "pair 4"


def cells_of_four() -> list[Any]:
    from controller.games.cosmic_cows import cells

    return [cell for cell in cells(Rules()) if cell.beam == "4"]
