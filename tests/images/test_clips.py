"""Whole turns on video: every roll once, in order, with the right values."""

from __future__ import annotations

import json

import pytest

from tests.support.trays import shared_dice
from vision.files import frames
from vision.reading import read
from vision.rolls import find_rolls


@pytest.mark.parametrize("name", ["turn41", "turn42"])
def test_each_roll_of_a_clip_is_told_once_in_order_and_right(name: str) -> None:
    folder = shared_dice("clips")
    truth = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    rolls = list(find_rolls(frames(folder / f"{name}.avi"), read))
    assert all(roll.reading.is_sure for roll in rolls)
    assert [list(roll.reading.values) for roll in rolls] == [roll["values"] for roll in truth["rolls"]]
    assert [roll.number for roll in rolls] == [roll["roll"] for roll in truth["rolls"]]
    for roll, true in zip(rolls, truth["rolls"], strict=True):
        assert true["first_still_frame"] / truth["fps"] <= roll.at_s <= (true["first_still_frame"] + 11) / truth["fps"]
    assert {die.colour for roll in rolls for die in roll.reading.dice} == {truth["colour"]}
