"""The 139 cells: numbers, beams and places, LEDs and inputs."""

from __future__ import annotations

import itertools
import tomllib
from importlib import resources
from typing import Any

import pytest

from firmware_bridge.errors import AddressError
from firmware_bridge.geometry import (
    BEAMS,
    CELL_COUNT,
    VARIANTS,
    CellNumber,
    LedNumber,
    SensorNumber,
    beam_cells,
    cell_at,
    cell_number,
    load_board,
    read_layout,
)


def document(name: str) -> dict[str, Any]:
    return tomllib.loads((resources.files("firmware_bridge") / "boards" / f"{name}.toml").read_text("utf-8"))


def test_eight_beams_of_seventeen_and_one_of_three_make_139_cells() -> None:
    assert [len(beam_cells(beam)) for beam in BEAMS] == [17, 17, 17, 17, 3, 17, 17, 17, 17]
    assert sum(len(beam_cells(beam)) for beam in BEAMS) == CELL_COUNT == 139


def test_cells_are_numbered_beam_by_beam_from_blacks_end_to_whites() -> None:
    assert [cell_at(number).place for number in range(17)] == list(range(-8, 9))
    assert (cell_number("1", -8), cell_number("super", -1), cell_number("4", -8)) == (17, 68, 71)
    assert str(cell_at(138)) == "straights:+8"


def test_number_and_name_of_a_cell_are_each_others_inverse() -> None:
    for number in range(CELL_COUNT):
        at = cell_at(number)
        assert cell_number(at.beam, at.place) == number


@pytest.mark.parametrize(("beam", "place"), [("super", 2), ("chance", 9), ("chance", -9), ("7", 0)])
def test_a_cell_that_is_not_on_the_board_is_refused_with_what_is(beam: str, place: int) -> None:
    with pytest.raises(AddressError, match="accepted"):
        cell_number(beam, place)


@pytest.mark.parametrize("number", [-1, 139])
def test_a_number_beyond_the_cells_is_refused(number: int) -> None:
    with pytest.raises(AddressError, match="0 to 138"):
        cell_at(number)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_cell_has_an_led_of_its_own(variant: str) -> None:
    layout = load_board(variant)
    assert sorted(layout.leds) == list(range(CELL_COUNT))
    for cell in map(CellNumber, range(CELL_COUNT)):
        assert layout.cell_of_led(layout.led(cell)) == cell


def test_the_strip_is_a_serpentine_so_neighbours_on_it_are_neighbours_on_the_board() -> None:
    layout = load_board("magnet")
    cells = [layout.cell_of_led(LedNumber(led)) for led in range(CELL_COUNT)]
    for one, other in itertools.pairwise(cells):
        (x1, y1), (x2, y2) = layout.centre_mm(one), layout.centre_mm(other)
        beams_apart = abs(BEAMS.index(cell_at(one).beam) - BEAMS.index(cell_at(other).beam))
        assert beams_apart <= 1
        assert abs(x2 - x1) <= layout.beam_pitch_mm
        is_at_the_super_beam = "super" in (cell_at(one).beam, cell_at(other).beam)
        assert abs(y2 - y1) <= layout.cell_pitch_mm * 1.001 or is_at_the_super_beam


def test_a_magnet_board_uses_139_of_144_inputs() -> None:
    layout = load_board("magnet")
    assert layout.input_count == 144
    assert [n for n in range(144) if layout.cell_of_sensor(SensorNumber(n)) is None] == [139, 140, 141, 142, 143]
    for cell in map(CellNumber, range(CELL_COUNT)):
        assert layout.cell_of_sensor(layout.sensor(cell)) == cell


def test_an_led_board_has_no_inputs_and_does_not_claim_sensors() -> None:
    layout = load_board("led")
    assert layout.sensors == ()
    assert "sensors" not in layout.capabilities
    assert "sensors" in load_board("magnet").capabilities


def test_centres_are_a_grid_with_the_super_beam_in_the_middle() -> None:
    layout = load_board("magnet")
    x, y = layout.centre_mm(cell_number("super", 0))
    assert x == pytest.approx(4 * 50.0)
    assert y == pytest.approx(layout.centre_mm(cell_number("chance", 0))[1])
    assert layout.centre_mm(cell_number("chance", -8)) == (0.0, 0.0)


def test_an_unknown_variant_is_refused_with_those_known() -> None:
    with pytest.raises(AddressError, match="led, magnet"):
        load_board("wood")


def test_a_board_file_with_two_beams_on_the_same_leds_is_refused() -> None:
    wrong = document("magnet")
    wrong["beam"][3]["led_first"] = wrong["beam"][2]["led_first"]
    with pytest.raises(AddressError, match="139 different numbers"):
        read_layout(wrong)


def test_a_board_file_with_missing_beams_or_wrong_unused_inputs_is_refused() -> None:
    wrong = document("magnet")
    wrong["inputs"]["unused"] = [139]
    with pytest.raises(AddressError, match="unused"):
        read_layout(wrong)
    wrong["beam"].pop()
    with pytest.raises(AddressError, match="beams"):
        read_layout(wrong)
