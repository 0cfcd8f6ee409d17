"""The whole service with recorded dice as its camera: the clips of whole turns, and the five-dice photographs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.support.clips import CLIPS, clip, clip_rolls
from tests.support.trays import shared_dice
from tests.support.virtual_table import VirtualTable
from vision.errors import UnreadableError
from vision.evaluate import Label, load_labels
from vision.files import load
from vision.reading import read
from vision.readings import Refusal

CLIP_S = 7.5
PHOTO_S = 1.0
SHOWN_PHOTOS = 6  # of the photographs, from each end of the list: the whole service is made for each
REFUSALS = {refusal.value for refusal in Refusal}


def recorded(folder: Path, path: Path) -> VirtualTable:
    """A table whose camera is this picture or video."""
    return VirtualTable(folder, camera={"url": str(path), "pictures_per_second": 10})


def command(table: VirtualTable, name: str, **arguments: str) -> None:
    """A command as the page gives it."""
    body = {"command": name, "version": table.state()["version"], **arguments}
    answer = table.client.post("/api/commands", json=body, headers={"X-Cowboard": "1"})
    assert answer.status_code == 200, answer.get_json()


def open_game(table: VirtualTable) -> None:
    """White starts; the two dice of the opening were thrown elsewhere."""
    command(table, "enter_dice", dice="6")
    command(table, "enter_dice", dice="2")


def followed(table: VirtualTable, seconds: float) -> list[dict[str, Any]]:
    """The different states of the dice that the page is shown, in order."""
    shown: list[dict[str, Any]] = []
    for _ in range(round(seconds * 10)):
        table.look()
        state = table.state()
        if not shown or (state["phase"], state["roll"], state["dice"]) != (
            shown[-1]["phase"],
            shown[-1]["roll"],
            shown[-1]["dice"],
        ):
            shown.append(state)
    return shown


def faces(state: dict[str, Any]) -> list[int]:
    return sorted(die["value"] for die in state["dice"])


@pytest.mark.parametrize("is_announced", [False, True], ids=["unannounced", "announced"])
@pytest.mark.parametrize("name", CLIPS)
def test_with_a_clip_as_camera_the_turn_is_followed_roll_by_roll(tmp_path: Path, name: str, is_announced: bool) -> None:
    rolls = clip_rolls(name)
    with recorded(tmp_path, clip(name)) as table:
        open_game(table)
        if is_announced:
            command(table, "reroll")
        shown = followed(table, CLIP_S)

    lying = [state for state in shown if state["phase"] == "rolled"]
    read_states = [state for state in lying if len(state["dice"]) == 5]
    kept_states = [state for state in lying if len(state["dice"]) < 5]
    assert [(state["roll"], faces(state)) for state in read_states] == list(enumerate(rolls, 1))
    assert {state["phase"] for state in shown} == {"to roll", "rolling", "rolled"}
    assert [state["roll"] for state in kept_states] == [1, 2]
    for state, before, after in zip(kept_states, rolls, rolls[1:], strict=False):
        assert all(die["kept"] for die in state["dice"])
        assert Counter(faces(state)) <= Counter(before) & Counter(after)
    assert all(state["mover"] == "white" for state in lying)
    assert read_states[-1]["pulls"]


@pytest.mark.parametrize("name", CLIPS)
def test_after_its_clip_the_turn_waits_for_a_cow(tmp_path: Path, name: str) -> None:
    """The last picture stays; it isn't taken for a frozen camera, nor its dice for another throw."""
    with recorded(tmp_path, clip(name)) as table:
        open_game(table)
        after = table.pass_time(CLIP_S)
        much_later = table.pass_time(20.0)

    assert (after["phase"], after["roll"]) == (much_later["phase"], much_later["roll"]) == ("rolled", 3)
    assert much_later["dice"] == after["dice"]
    assert much_later["devices"]["camera"]["state"] == "ready"


def five_dice_photos() -> list[Label]:
    """The labels of the photographs with five dice; none where the photographs aren't there."""
    try:
        return [label for label in load_labels(shared_dice("photos")) if label["n_dice"] == 5]
    except (UnreadableError, pytest.skip.Exception):
        return []


def test_each_photograph_of_five_dice_is_read_right_or_refused_by_name() -> None:
    folder = shared_dice("photos")
    wrong, nameless, count = [], [], 0
    for label in five_dice_photos():
        count += 1
        reading = read(load(folder / label["file"]), 5)
        if reading.is_sure and list(reading.values) != label["values"]:
            wrong.append((label["file"], reading.values))
        if not reading.is_sure and not reading.refusals:
            nameless.append(label["file"])

    assert count == 46
    assert wrong == []
    assert nameless == []


def shown_photos() -> list[str]:
    files = [str(label["file"]) for label in five_dice_photos()]
    return [*files[:SHOWN_PHOTOS], *files[-SHOWN_PHOTOS:]]


@pytest.mark.parametrize("file", shown_photos())
def test_with_a_photograph_as_camera_the_table_shows_what_it_read_or_why_not(tmp_path: Path, file: str) -> None:
    path = shared_dice("photos") / file
    expected = read(load(path), None)
    with recorded(tmp_path, path) as table:
        open_game(table)
        command(table, "reroll")
        state = table.pass_time(PHOTO_S)
        picture = table.client.get("/api/picture.jpg")

    if expected.is_sure and len(expected.dice) == 5:
        assert (state["phase"], state["roll"]) == ("rolled", 1)
        assert faces(state) == list(expected.values)
    else:
        assert state["roll"] == 0
        assert set(state["refusals"]) <= REFUSALS
        assert len(state["dice"]) == len(expected.dice)
        assert state["notice"] or len(expected.dice) < 5
    assert picture.status_code == 200
