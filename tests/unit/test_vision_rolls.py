"""Which still trays of a video are rolls."""

from __future__ import annotations

import pytest

from vision.readings import DieSeen, Reading, Refusal
from vision.rolls import Told, judge

FIVE = ((1, 50), (2, 150), (3, 250), (4, 350), (5, 450))
COCKED = Refusal.COCKED


def tray(*dice: tuple[int, int], refused: tuple[int, ...] = ()) -> Reading:
    """Dice as (value, x), 40 px wide; those at the places in `refused` are cocked."""
    seen = tuple(
        DieSeen(value, "white", "black", (x - 20, 80, 40, 40), (x, 100), 0.9, COCKED if x in refused else None)
        for value, x in dice
    )
    return Reading(seen, (COCKED,) if refused else (), 640, 480)


ROWS: tuple[tuple[str, tuple[Reading, ...], list[int | None]], ...] = (
    ("five sure dice are a roll", (tray(*FIVE),), [1]),
    ("an empty tray is none", (tray(), tray(*FIVE)), [None, 1]),
    (
        "dice taken up are none, dice thrown to those left are the next",
        (tray(*FIVE), tray(*FIVE[:2]), tray(*FIVE[:2], (6, 300), (6, 400), (1, 500))),
        [1, None, 2],
    ),
    (
        "two throws without a look between are two",
        (tray(*FIVE), tray((1, 50), (6, 200), (3, 250), (4, 350), (5, 450))),
        [1, 2],
    ),
    (
        "the same values at other places are another roll",
        (tray(*FIVE), tray(*((value, x + 30) for value, x in FIVE))),
        [1, 2],
    ),
    ("dice that lie as they lay are none", (tray(*FIVE), tray(*((value, x + 3) for value, x in FIVE))), [1, None]),
    ("dice put back are none", (tray(*FIVE), tray(*FIVE[:2]), tray(*FIVE)), [1, None, None]),
    ("a throw that can't be read is told with the number it tries for", (tray(*FIVE, refused=(250,)),), [1]),
    ("read after a nudge it keeps its number", (tray(*FIVE, refused=(250,)), tray(*FIVE)), [1, 1]),
    (
        "dice that were read and then can't be are no new roll",
        (tray(*FIVE), tray(*FIVE, refused=(250,)), tray(*FIVE)),
        [1, None, None],
    ),
    (
        "dice taken up are none though one of those left can't be read",
        (tray(*FIVE), tray((1, 50), (2, 180), refused=(180,))),
        [1, None],
    ),
    (
        "the roll after a refused one has the next number",
        (
            tray(*FIVE),
            tray(*FIVE[:2]),
            tray(*FIVE[:2], (6, 300), (6, 400), (1, 500), refused=(300,)),
            tray(*FIVE[:2], (6, 320), (6, 400), (1, 500)),
            tray(*FIVE),
        ),
        [1, None, 2, 2, 3],
    ),
    (
        "a tray too dark to see dice in is none",
        (tray(*FIVE), Reading((), (Refusal.TOO_DARK,), 640, 480), tray(*FIVE)),
        [1, None, None],
    ),
)


@pytest.mark.parametrize(("still", "numbers"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_still_tray_is_a_roll_when_dice_came_to_it(still: tuple[Reading, ...], numbers: list[int | None]) -> None:
    told = Told()
    found = []
    for reading in still:
        told, number = judge(told, reading)
        found.append(number)

    assert found == numbers
