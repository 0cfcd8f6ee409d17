"""What the reader makes of pictures that are easy to say and hard to see."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.trays import thrown
from vision import cv
from vision.calibration import Calibration
from vision.cv import Image
from vision.motion import Anchor, follow, has_moved, thumbnail
from vision.reading import read
from vision.readings import Refusal
from vision.scene import Scene, SceneDie, draw
from vision.scene_tray import GROUNDS


def five(*, colour: str = "white", ground: str = "green", turn: float = 20) -> Scene:
    places = ((50, 50), (100, 90), (150, 45), (190, 100), (60, 115))
    dice = tuple(SceneDie(number + 1, x, y, turn + 17 * number, colour) for number, (x, y) in enumerate(places))
    return Scene(dice, ground=ground)


@pytest.mark.parametrize("ground", sorted(GROUNDS))
def test_an_empty_tray_has_no_dice(ground: str) -> None:
    reading = read(draw(Scene(ground=ground), seed=3), None)
    assert reading.dice == ()
    assert reading.is_sure


def test_too_few_dice_are_refused_as_not_five_but_read() -> None:
    scene = Scene(five().dice[1:])
    assert read(draw(scene)).refusals == (Refusal.NOT_FIVE,)
    assert read(draw(scene)).values == (2, 3, 4, 5)
    assert read(draw(scene), 4).is_sure
    assert read(draw(scene), None).is_sure


@pytest.mark.parametrize("size", [(480, 360), (640, 480), (960, 720), (1600, 1200)])
def test_the_scale_is_found_without_being_told(size: tuple[int, int]) -> None:
    reading = read(draw(five(), *size))
    assert reading.values == (1, 2, 3, 4, 5)
    assert (reading.width, reading.height) == size
    assert all(0.055 < die.edge_px / size[0] < 0.115 for die in reading.dice)


def test_places_and_colours_are_those_of_the_dice() -> None:
    scene = five(colour="red", ground="grey")
    reading = read(draw(scene))
    assert {die.colour for die in reading.dice} == {"red"}
    assert {die.pip_colour for die in reading.dice} == {"white"}
    for die in reading.dice:
        true = scene.dice[(die.value or 1) - 1]
        assert np.hypot(die.centre[0] - true.x_mm * 640 / 240, die.centre[1] - true.y_mm * 640 / 240) < 12
    assert [die.centre[0] for die in reading.dice] == sorted(die.centre[0] for die in reading.dice)


def test_dark_and_light_pips_are_read_in_one_picture() -> None:
    black = five(colour="black").dice
    mixed = Scene((*five().dice[:3], *black[3:]))
    reading = read(draw(mixed))
    assert reading.values == (1, 2, 3, 4, 5)
    assert sorted(die.colour for die in reading.dice) == ["black", "black", "white", "white", "white"]


def test_the_same_picture_gives_the_same_reading() -> None:
    image = thrown(5).image
    before = image.copy()
    assert read(image) == read(image)
    assert np.array_equal(image, before)


def test_a_turned_or_mirrored_picture_shows_the_same_values() -> None:
    tray = thrown(11)
    for image in (np.rot90(tray.image), np.rot90(tray.image, 2), tray.image[:, ::-1], tray.image[::-1]):
        reading = read(np.ascontiguousarray(image))
        assert not reading.is_sure or reading.values == tray.values


@pytest.mark.parametrize(
    ("image", "refusal"),
    [
        (np.zeros((480, 640, 3), np.uint8), Refusal.TOO_DARK),
        (np.full((480, 640, 3), 255, np.uint8), Refusal.TOO_BRIGHT),
    ],
    ids=["black", "white"],
)
def test_a_picture_of_nothing_is_refused_by_name(image: Image, refusal: Refusal) -> None:
    assert read(image).refusals == (refusal,)


@pytest.mark.parametrize("shape", [(16, 16), (17, 400), (400, 17), (60, 60), (33, 51)])
def test_small_and_odd_shapes_do_not_fail(shape: tuple[int, int]) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (*shape, 3), np.uint8)
    assert read(noise, None).width == shape[1]


def test_noise_is_never_dice() -> None:
    for seed in range(5):
        noise = np.random.default_rng(seed).integers(0, 255, (480, 640, 3), np.uint8)
        assert read(noise, None).values == ()


def test_a_calibration_does_no_harm() -> None:
    tray = thrown(2)
    assert read(tray.image, 5, Calibration(45, 640)).values == tray.values


def test_noise_and_slow_light_are_not_motion() -> None:
    scene = five()
    anchor: Anchor | None = None
    for number in range(40):
        image = draw(scene, seed=number)
        dimmed = np.clip(image.astype(np.float32) * (1 - 0.006 * number), 0, 255).astype(np.uint8)
        anchor, motion = follow(anchor, thumbnail(dimmed), number * 0.5)
        assert not motion, number


def test_a_wide_soft_shadow_is_not_motion() -> None:
    image = draw(five())
    ramp = np.linspace(1.0, 0.85, 640, dtype=np.float32)[None, :, None]
    shaded = (image * ramp).astype(np.uint8)
    assert not has_moved(Anchor(thumbnail(image), 0.0), thumbnail(shaded))


@pytest.mark.parametrize("change", ["gone", "turned", "pushed"])
def test_a_die_that_went_turned_or_was_pushed_is_motion(change: str) -> None:
    dice = five().dice
    first = dice[0]
    other = {
        "gone": dice[1:],
        "turned": (SceneDie(2, first.x_mm, first.y_mm, first.turn_deg), *dice[1:]),
        "pushed": (SceneDie(1, first.x_mm + 1.5, first.y_mm, first.turn_deg), *dice[1:]),
    }[change]
    anchor = Anchor(thumbnail(draw(Scene(dice))), 0.0)
    assert has_moved(anchor, thumbnail(draw(Scene(other), seed=5)))


def test_a_picture_of_another_size_is_motion() -> None:
    small = np.asarray(cv.shrink(draw(five()), 320, 200), np.uint8)
    assert has_moved(Anchor(thumbnail(draw(five())), 0.0), thumbnail(small))
