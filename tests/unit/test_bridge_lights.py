"""Lights, light plans, their patches and their current."""

from __future__ import annotations

import pytest

from firmware_bridge.errors import AddressError
from firmware_bridge.geometry import CELL_COUNT, cell_number
from firmware_bridge.lights import (
    COLOURS,
    DARK,
    DARK_PLAN,
    MOTIONS,
    RGB,
    Colour,
    Light,
    LightPlan,
    Motion,
    light,
    light_plan,
)
from firmware_bridge.messages import LightRun, LightsAll, LightsGroups, LightsRuns, LightsShow
from firmware_bridge.patches import apply_patch, patches
from firmware_bridge.power import DARK_BOARD_MA, FULL_LEVEL, level_for, plan_ma

WHITE_PLAN: LightPlan = (Light(Colour.WHITE),) * CELL_COUNT
BLUE = Light(Colour.BLUE, Motion.BREATHE)


def with_lights(changed: dict[int, Light], plan: LightPlan = DARK_PLAN) -> LightPlan:
    return tuple(changed.get(cell, plan[cell]) for cell in range(CELL_COUNT))


def test_every_light_is_one_byte_and_comes_back_from_it() -> None:
    every = [Light(colour, motion) for colour in COLOURS for motion in MOTIONS]
    assert [Light.from_number(each.number) for each in every] == every
    assert len({each.number for each in every}) == len(every)


def test_a_byte_that_is_no_light_is_refused() -> None:
    for number in (0xFF, 0x0F, 0xF0):
        with pytest.raises(AddressError, match="light number"):
            Light.from_number(number)


def test_every_colour_has_a_value_and_no_two_look_alike() -> None:
    assert set(RGB) == set(COLOURS)
    assert len(set(RGB.values())) == len(COLOURS)


def test_a_plan_is_made_from_names_and_wrong_names_are_told_with_the_right_ones() -> None:
    assert light_plan([("dark", "steady")] * CELL_COUNT) == DARK_PLAN
    assert str(light("black-side", "chase-to-white")) == "black-side/chase-to-white"
    with pytest.raises(AddressError, match="amber"):
        light("pink")
    with pytest.raises(AddressError, match="breathe"):
        light("red", "wobble")
    with pytest.raises(AddressError, match="139"):
        light_plan([("dark", "steady")] * 138)


def test_a_plan_that_changes_nothing_but_brightness_is_one_short_message() -> None:
    assert patches(WHITE_PLAN, WHITE_PLAN, 9) == (LightsShow(9),)


def test_neighbours_alike_go_as_a_run_scattered_cells_as_a_group() -> None:
    beam = with_lights(dict.fromkeys(range(17, 34), BLUE))
    assert patches(DARK_PLAN, beam, 255) == (LightsRuns(True, 255, (LightRun(17, 17, BLUE),)),)
    scattered = with_lights(dict.fromkeys(range(0, CELL_COUNT, 9), BLUE))
    (message,) = patches(DARK_PLAN, scattered, 255)
    assert isinstance(message, LightsGroups)


def test_a_stretch_of_unlike_cells_goes_raw() -> None:
    motley = with_lights({cell: Light(COLOURS[cell % 10], MOTIONS[cell % 7]) for cell in range(20, 40)})
    (message,) = patches(DARK_PLAN, motley, 255)
    assert isinstance(message, LightsAll)


def test_a_patch_that_reaches_past_the_last_cell_lights_those_that_are_there() -> None:
    past = cell_number("straights", 8)
    assert apply_patch(DARK_PLAN, LightsRuns(True, 255, (LightRun(past, 20, BLUE),))) == with_lights({past: BLUE})
    assert apply_patch(DARK_PLAN, LightsAll(True, 255, past, (BLUE, BLUE))) == with_lights({past: BLUE})


def test_a_dark_board_draws_its_leds_own_current_and_a_white_one_some_amperes() -> None:
    assert plan_ma(DARK_PLAN) == DARK_BOARD_MA
    assert 6000 < plan_ma(WHITE_PLAN) < 139 * 55


def test_a_plan_within_the_supply_is_not_dimmed() -> None:
    assert level_for(with_lights({3: Light(Colour.WHITE)}), 2000, 150) == FULL_LEVEL
    assert level_for(DARK_PLAN, 100, 150) == FULL_LEVEL  # nothing lit: nothing to dim


def test_a_white_board_on_a_small_supply_is_dimmed_to_it() -> None:
    level = level_for(WHITE_PLAN, 2000, 400)
    assert 0 < level < 80
    assert plan_ma(WHITE_PLAN, level) <= 1400


def test_a_supply_that_cannot_feed_the_dark_leds_gets_level_zero() -> None:
    assert level_for(WHITE_PLAN, 100, 400) == 0


def test_the_same_light_everywhere_is_the_shortest_message_for_a_board_nothing_is_known_of() -> None:
    assert patches(None, (DARK,) * CELL_COUNT, 255) == (LightsRuns(True, 255, (LightRun(0, CELL_COUNT, DARK),)),)
