"""Golden pictures of light plans: `python -m tests.support.light_docs` renews them, a person looks at them."""

from __future__ import annotations

import numpy as np
import pytest

from controller.games.cosmic_cows import cells
from controller.table.lights import lights
from tests.support.draw_lights import cell_patch, draw, read_png
from tests.support.light_docs import PAGE, PICTURES, caption, page
from tests.support.states import SCENES

# Smoothed edges differ a little between OpenCV's versions; another sign or colour differs by over 15 in the mean.
TOLERANCE = 6.0


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_shows_the_lights_of_its_picture(name: str) -> None:
    state = SCENES[name]
    drawn, golden = draw(lights(state), caption(state)), read_png(PICTURES / f"{name}.png")
    assert drawn.shape == golden.shape
    difference = np.abs(drawn.astype(np.int16) - golden.astype(np.int16))
    changed = [str(cell) for cell in cells() if float(cell_patch(difference, cell).mean()) > TOLERANCE]
    assert changed == []


def test_another_motion_or_colour_is_seen_in_a_picture() -> None:
    """The comparison above isn't blind: every scene's picture differs from every other scene of other lights."""
    pictures = {name: draw(lights(state), "").astype(np.int16) for name, state in SCENES.items()}
    for name, state in SCENES.items():
        for other, picture in pictures.items():
            plans = list(zip(cells(), lights(state), lights(SCENES[other]), strict=True))
            for cell in (cell for cell, one, two in plans if one != two):
                difference = np.abs(cell_patch(pictures[name] - picture, cell))
                assert float(difference.mean()) > TOLERANCE, f"{name} and {other} look alike on {cell}"


def test_each_picture_belongs_to_a_scene() -> None:
    assert {path.stem for path in PICTURES.glob("*.png")} == set(SCENES)


def test_the_page_of_lights_is_the_one_the_tables_make() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "renew it with `python -m tests.support.light_docs`"
