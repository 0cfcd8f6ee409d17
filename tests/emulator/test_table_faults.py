"""Mishaps over the whole service: each has its name, and the table comes back to the same turn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.virtual_table import VirtualTable
from vision.readings import Refusal

Step = dict[str, Any]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[VirtualTable]:
    with VirtualTable(tmp_path, seed=5) as made:
        opened(made)
        yield made


def opened(table: VirtualTable) -> None:
    """Play the opening: one die each until somebody starts."""
    state = table.state()
    while state["phase"] != "to roll":
        state = table.throw() if state["phase"] != "refused" else nudged(table)


def nudged(table: VirtualTable) -> Step:
    state = table.state()
    for die in state["virtual"]["tray"]:
        table.hands(do="nudge", die=die["id"])
    return table.until_newer(state["version"])


def rolled(table: VirtualTable) -> Step:
    """A roll that can pull something, dice read; rolls and turns that offer nothing are thrown through."""
    state = table.throw()
    while state["phase"] != "rolled" or not state["pulls"]:
        state = nudged(table) if state["phase"] == "refused" else table.throw()
    return state


def put(table: VirtualTable, beam: str, place: int) -> None:
    table.hands(do="put", beam=beam, place=place)


def idle_beam(state: Step) -> str:
    """A long beam that no pull of this roll moves."""
    moved = {beam for pull in state["pulls"] for beam in pull["cows"]}
    return next(str(beam["beam"]) for beam in state["beams"] if beam["beam"] not in moved and beam["beam"] != "super")


@pytest.mark.parametrize("fault", ["cocked", "stacked", "off tray", "sixth"])
def test_a_faulty_throw_is_refused_by_a_name_and_read_once_it_is_mended(table: VirtualTable, fault: str) -> None:
    """By which name is the reader's affair (tests/properties/test_vision_tray.py), refusing is the table's."""
    table.hands(do="pick_up", dice=[die["id"] for die in table.state()["virtual"]["tray"]])
    table.pass_time(1.0)
    table.hands(do="fault", of="camera", name=fault)
    state = table.throw()
    assert state["phase"] == "refused", state["sentence"]
    assert state["notice"]["name"] in tuple(Refusal)
    assert state["notice"]["sentence"]
    assert state["roll"] == 0
    table.hands(do="fault", of="camera", name="none")
    read_at_last(table)


@pytest.mark.parametrize("fault", ["hand", "dark", "blur"])
def test_a_picture_that_shows_nothing_sure_is_refused_and_read_once_it_clears(table: VirtualTable, fault: str) -> None:
    table.hands(do="fault", of="camera", name=fault)
    state = table.throw()
    assert (state["phase"], state["roll"]) == ("refused", 0)
    assert state["notice"]["name"] in tuple(Refusal)
    table.hands(do="fault", of="camera", name="none")
    read_at_last(table)


def read_at_last(table: VirtualTable) -> None:
    """The throw that was refused is read in the same roll, after nudges where the reader wants some."""
    for _ in range(6):
        state = table.pass_time(2.0)
        if state["phase"] != "refused":
            break
        state = nudged(table)
    assert state["phase"] == "rolled", (state["phase"], state["sentence"])
    assert state["roll"] == 1


def test_a_camera_that_goes_is_told_and_the_turn_goes_on_when_it_is_back(table: VirtualTable) -> None:
    state = rolled(table)
    dice, rolls = [die["value"] for die in state["dice"]], state["roll"]
    table.hands(do="fault", of="camera", name="gone")
    state = table.until(lambda now: now["devices"]["camera"]["state"] == "lost")
    assert state["devices"]["camera"]["mend"]
    assert (state["phase"], state["roll"]) == ("rolled", rolls)
    table.hands(do="fault", of="camera", name="none")
    state = table.until(lambda now: now["devices"]["camera"]["state"] == "ready")
    assert sorted(die["value"] for die in state["dice"]) == sorted(dice)


def test_a_pulled_cable_keeps_the_turn_and_compares_the_cows_afterwards(table: VirtualTable) -> None:
    state = rolled(table)
    wrong = idle_beam(state)
    table.hands(do="fault", of="board", name="unplug:1")
    lost = table.until(lambda now: now["devices"]["board"]["state"] == "lost")
    assert (lost["phase"], lost["roll"]) == ("rolled", state["roll"])
    put(table, wrong, 4)
    state = table.until(lambda now: now["phase"] == "wrong")
    assert [cow["beam"] for cow in state["wrong"]] == [wrong]
    put(table, wrong, 0)
    assert table.until(lambda now: now["phase"] == "rolled")["wrong"] == []


def test_a_board_that_restarts_gets_its_lights_again(table: VirtualTable) -> None:
    virtual = table.service.board.virtual
    assert virtual is not None
    rolled(table)
    shown = [tuple(light) for light in table.state()["lights"]]
    table.until(lambda _: lights_of(virtual) == shown)
    table.hands(do="fault", of="board", name="reboot")
    table.until(lambda _: lights_of(virtual) != shown or table.state()["devices"]["board"]["state"] != "ready")
    table.until(lambda _: lights_of(virtual) == shown)


def lights_of(virtual: Any) -> list[tuple[str, str]]:
    return [(light.colour.value, light.motion.value) for light in virtual.lights()]


def test_a_line_that_damages_packets_loses_no_move(table: VirtualTable) -> None:
    table.hands(do="fault", of="board", name="corrupt:5")
    state = rolled(table)
    state = table.pull(state["pulls"][0])
    assert len(state["history"]) == 1


def test_a_knocked_cow_is_a_cow_in_the_hand_until_it_stands_again(table: VirtualTable) -> None:
    state = rolled(table)
    beam = idle_beam(state)
    table.hands(do="knock", beam=beam)
    state = table.until(lambda now: now["phase"] == "wrong")
    assert state["wrong"][0]["beam"] == beam
    table.pass_time(4.0)
    assert table.state()["notice"]["name"] == "cows astray"
    put(table, beam, 0)
    assert table.until(lambda now: now["phase"] == "rolled")["notice"] is None


def test_a_cow_on_another_beam_is_led_home(table: VirtualTable) -> None:
    state = rolled(table)
    beam = idle_beam(state)
    other = next(one["beam"] for one in state["beams"] if one["beam"] not in (beam, "super"))
    table.hands(do="put", beam=beam, on=other, place=-7)
    state = table.until(lambda now: now["phase"] == "wrong")
    assert beam in [cow["beam"] for cow in state["wrong"]]
    put(table, beam, 0)
    table.until(lambda now: now["phase"] == "rolled")


def test_a_stuck_cell_is_reported_and_does_not_end_the_game(table: VirtualTable) -> None:
    table.hands(do="fault", of="board", name="stuck:chance:6")
    table.pass_time(3.0)
    state = table.until(lambda now: now["wrong"] != [] or (now["notice"] or {}).get("name") == "board fault")
    table.hands(do="fault", of="board", name="none")
    state = table.until(lambda now: now["wrong"] == [])
    assert state["phase"] == "to roll"


def test_the_same_turn_after_the_power_went_and_cows_are_led_home(tmp_path: Path) -> None:
    with VirtualTable(tmp_path, seed=11) as table:
        opened(table)
        before = rolled(table)
    with VirtualTable(tmp_path, seed=12) as table:
        state = table.state()
        for key in ("mover", "roll", "position", "history", "opening"):
            assert state[key] == before[key], key
        assert [pull["name"] for pull in state["pulls"]] == [pull["name"] for pull in before["pulls"]]
        table.hands(do="put", beam="chance", place=8)
        state = table.until(lambda now: now["wrong"] != [])
        put(table, "chance", 0)
        table.until(lambda now: now["wrong"] == [])


def test_after_the_power_went_the_dice_still_lie_there_to_be_kept(tmp_path: Path) -> None:
    with VirtualTable(tmp_path, seed=11) as table:
        opened(table)
        before = rolled(table)
    with VirtualTable(tmp_path, seed=12) as table:
        state = table.until(lambda now: all(die["box"] for die in now["dice"]))
        assert sorted(die["value"] for die in state["dice"]) == sorted(die["value"] for die in before["dice"])
        assert (state["phase"], state["roll"]) == (before["phase"], before["roll"])
        table.hands(do="throw", keep=[0, 1])
        state = table.until(lambda now: len(now["dice"]) == 2)
        assert all(die["kept"] for die in state["dice"])
        table.until(lambda now: now["roll"] == before["roll"] + 1)
