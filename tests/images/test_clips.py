"""Whole turns on video: each roll is told once, in order, with its values, as file and as camera."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.cli import OK, run
from controller.runtime.clock import ManualClock
from tests.support.clips import CLIPS, clip, clip_label, clip_rolls
from vision.events import TrayEvent, TrayRolling, TraySettled
from vision.files import frames
from vision.reader import CameraReader
from vision.reading import read
from vision.rolls import find_rolls
from vision.sources import open_source


def told_by_camera(path: Path, step_s: float, seconds: float, expect: int | None) -> list[TrayEvent]:
    """What the camera thread posts when a video is its camera and its turns come every `step_s`."""
    clock = ManualClock(50.0)
    told: list[TrayEvent] = []
    reader = CameraReader(open_source(str(path), clock.monotonic, 10), told.append, clock.monotonic, expect=expect)
    for _ in range(round(seconds / step_s)):
        reader.step()
        clock.advance(step_s)
    reader.stop()
    return told


@pytest.mark.parametrize("name", CLIPS)
def test_read_gives_one_line_for_each_roll_of_a_clip(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["read", str(clip(name)), "--json"]) == OK
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    label = clip_label(name)

    assert [answer["values"] for answer in answers] == clip_rolls(name)
    assert [answer["roll"] for answer in answers] == [1, 2, 3]
    assert {answer["status"] for answer in answers} == {"read"}
    assert {die["colour"] for answer in answers for die in answer["dice"]} == {label["colour"]}
    for answer, roll in zip(answers, label["rolls"], strict=True):
        still_s = roll["first_still_frame"] / label["fps"]
        assert still_s < answer["at_s"] < still_s + 0.9  # while it lies still, before dice are taken up


@pytest.mark.parametrize("expect", [5, None])
@pytest.mark.parametrize("step_s", [0.03, 0.1])
@pytest.mark.parametrize("name", CLIPS)
def test_the_camera_thread_tells_the_three_rolls_and_the_dice_taken_up_between(
    name: str, step_s: float, expect: int | None
) -> None:
    told = told_by_camera(clip(name), step_s, 8.5, expect)
    settled = [event.reading for event in told if isinstance(event, TraySettled)]
    five = [list(reading.values) for reading in settled if len(reading.dice) == 5]
    fewer = [len(reading.dice) for reading in settled if len(reading.dice) != 5]

    assert five == clip_rolls(name)
    assert len(fewer) == 2
    assert max(fewer) < 5
    assert sum(isinstance(event, TrayRolling) for event in told) == 4


@pytest.mark.parametrize("name", CLIPS)
def test_nothing_is_told_of_a_clip_while_its_dice_roll(name: str) -> None:
    label = clip_label(name)
    tags = label["frames"]
    for roll in find_rolls(frames(clip(name)), lambda image: read(image, 5)):
        assert tags[round(roll.at_s * label["fps"])] == f"still{roll.number}"


@pytest.mark.parametrize("name", CLIPS)
def test_a_camera_too_slow_to_see_dice_taken_up_still_tells_each_roll(name: str) -> None:
    told = told_by_camera(clip(name), 1 / 7, 8.5, 5)
    settled = [event.reading for event in told if isinstance(event, TraySettled)]

    assert [list(reading.values) for reading in settled if len(reading.dice) == 5] == clip_rolls(name)


def test_a_video_that_ends_while_dice_roll_tells_nothing_of_them() -> None:
    rolling = [item for item in frames(clip(CLIPS[0])) if item[1] < 0.9]

    assert list(find_rolls(rolling, lambda image: read(image, 5))) == []


def test_dice_that_lay_under_a_passing_hand_are_no_new_roll() -> None:
    """The still part of the first roll, a picture of something else, and the still part again."""
    label = clip_label(CLIPS[0])
    film = list(frames(clip(CLIPS[0])))
    still = [image for (image, _), tag in zip(film, label["frames"], strict=True) if tag == "still1"]
    hand = [255 - still[0]] * 3
    pictures = [(image, number / 12) for number, image in enumerate([*still, *hand, *still])]

    assert [roll.number for roll in find_rolls(pictures, lambda image: read(image, 5))] == [1]
