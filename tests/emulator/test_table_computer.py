"""Computers at the virtual table: their throws through pictures or the generator, their cows through packets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from controller.journal.record import format_record, game_of, parse_record
from controller.journal.store import Journal
from controller.table.entries import OpeningThrow, Throw
from tests.support.virtual_table import VirtualTable

LED = {"url": "virtual://led"}


def command(table: VirtualTable, name: str, **arguments: object) -> int:
    """The status that a command on the page is answered with."""
    body = {"command": name, "version": table.state()["version"], **arguments}
    return table.client.post("/api/commands", json=body, headers={"X-Cowboard": "1"}).status_code


def turns(state: dict[str, Any]) -> int:
    return len(state["history"])


@pytest.mark.timeout(300)
def test_two_computers_play_a_game_to_its_end_with_the_tables_own_dice(tmp_path: Path) -> None:
    seats = {"white": "best", "black": "greedy", "throws": "generator"}
    with VirtualTable(tmp_path, board=LED, computer=seats, rules={"cows_to_win": 1}) as table:
        state = table.until(lambda state: state["phase"] == "over", looks=20_000)
        game_id = state["game"]["id"]
        assert state["winner"] in ("white", "black")
        assert state["game"]["players"] == {"white": "Best", "black": "Greedy"}

    with Journal(tmp_path / "journal.sqlite", read_only=True) as journal:
        record = journal.read(game_id)
    throws = [line.entry for line in record.lines if isinstance(line.entry, Throw | OpeningThrow)]
    assert throws
    assert all(throw.is_generated for throw in throws)
    assert game_of(record).seats.are_all_computers
    assert parse_record(format_record(record)) == record


@pytest.mark.timeout(300)
def test_the_hands_throw_for_two_computers_and_move_their_cows(tmp_path: Path) -> None:
    with VirtualTable(tmp_path, seed=5, computer={"white": "greedy", "black": "gentle"}) as table:
        state = table.until(lambda state: turns(state) >= 3, looks=3000)
        game_id = state["game"]["id"]
        assert [turn["mover"] for turn in state["history"]] in (
            ["white", "black", "white"],
            ["black", "white", "black"],
        )
        assert all(beam["seen"] == [beam["place"]] for beam in state["beams"])

    with Journal(tmp_path / "journal.sqlite", read_only=True) as journal:
        entries = [line.entry for line in journal.read(game_id).lines]
    assert not any(entry.is_generated for entry in entries if isinstance(entry, Throw | OpeningThrow))


@pytest.mark.timeout(300)
@pytest.mark.parametrize("level", ["gentle", "greedy", "keen", "best"])
def test_a_person_plays_against_each_level(tmp_path: Path, level: str) -> None:
    with VirtualTable(tmp_path, board=LED) as table:
        computers = {"black": {"level": level, "seed": 3, "throws": "generator"}}
        assert command(table, "new_game", computers=computers) == 200
        assert table.state()["game"]["computers"] == computers
        while table.state()["phase"] == "opening":
            command(table, "enter_dice", dice="3")
            table.pass_time(4)
        for _ in range(2):
            state = table.until(lambda state: state["mover"] == "white" and state["phase"] == "to roll")
            assert command(table, "enter_dice", dice="33551") == 200
            assert command(table, "choose_pull", pull=table.state()["pulls"][-1]["name"]) == 200
        state = table.until(lambda state: state["mover"] == "white" and turns(state) >= 3)

        assert {turn["mover"] for turn in state["history"]} == {"white", "black"}


@pytest.mark.timeout(300)
def test_nobody_chooses_for_a_computer_and_a_take_back_gives_the_turn_to_the_person(tmp_path: Path) -> None:
    with VirtualTable(tmp_path, board=LED) as table:
        computers = {"black": {"level": "greedy", "throws": "generator"}}
        command(table, "new_game", computers=computers)
        while table.state()["phase"] == "opening":
            command(table, "enter_dice", dice="6")
            table.pass_time(4)
        table.until(lambda state: state["mover"] == "white" and state["phase"] == "to roll")
        before = turns(table.state())
        command(table, "enter_dice", dice="33551")
        command(table, "choose_pull", pull="two pair 3 5")
        state = table.state()
        assert state["mover"] == "black"
        assert "choose_pull" not in state["can"]
        assert command(table, "choose_pull", pull="pair 3") == 409
        assert command(table, "enter_dice", dice="66666") == 409

        table.until(lambda state: turns(state) == before + 2 or state["phase"] == "over")
        assert command(table, "undo") == 200

        state = table.state()
        assert state["mover"] == "white"
        assert turns(state) == before


@pytest.mark.timeout(300)
def test_a_table_that_restarts_in_a_computers_turn_plays_on(tmp_path: Path) -> None:
    seats = {"white": "greedy", "black": "gentle", "throws": "generator"}
    with VirtualTable(tmp_path, board=LED, computer=seats) as table:
        before = table.until(lambda state: turns(state) >= 2 and state["phase"] == "rolled")

    with VirtualTable(tmp_path, board=LED) as table:
        state = table.state()
        assert state["game"]["id"] == before["game"]["id"]
        assert state["game"]["computers"] == before["game"]["computers"]
        assert state["position"] == before["position"]
        table.until(lambda state: turns(state) >= 4 or state["phase"] == "over")
