"""Draws a light plan as a picture, so that a still image shows where each light is, its colour and its motion.

Motion is drawn as a sign on the lit cell:

    steady  a full disc          breathe  rings around a soft disc      blink  half a disc, half dark
    pulse   two bars             chase    arrowheads in its direction   sparkle  a star

White sits at the bottom, Black at the top; beams run in board order from left to right.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.games.cosmic_cows import BEAMS, DEFAULT_RULES, Cell, cells, last_place, zone_start
from controller.table.lights import DARK, Colour, Light, LightPlan, Motion
from firmware_bridge.lights import RGB
from firmware_bridge.lights import Colour as BoardColour

Picture = NDArray[np.uint8]

PITCH_X, PITCH_Y, MARGIN_X, TOP, BOTTOM, RADIUS = 56, 34, 44, 64, 104, 12
WIDTH = 2 * MARGIN_X + 8 * PITCH_X
HEIGHT = TOP + 16 * PITCH_Y + BOTTOM
BACKGROUND, BEAM, ZONE, SOCKET, INK = (24, 20, 18), (46, 40, 36), (72, 60, 50), (18, 14, 12), (225, 225, 225)
WRAP = 60  # signs in a line of the caption
_SHIFT = 4  # drawing in sixteenths of a pixel keeps small signs smooth


def draw(plan: LightPlan, caption: str) -> Picture:
    """The plan as an image, (height, width, 3) uint8 BGR, with the caption below."""
    image: Picture = np.full((HEIGHT, WIDTH, 3), BACKGROUND, np.uint8)
    _draw_board(image)
    lit = [(cell, light) for cell, light in zip(cells(DEFAULT_RULES), plan, strict=True) if light != DARK]
    _draw_glow(image, lit)
    for cell, light in lit:
        _SIGNS[light.motion](image, _centre(cell), _bgr(light.colour))
    _draw_words(image, caption)
    return image


def cell_patch(image: NDArray[Any], cell: Cell) -> NDArray[Any]:
    """The part of a drawn plan that shows one cell."""
    x, y = _centre(cell)
    half_x, half_y = PITCH_X // 2 - 8, PITCH_Y // 2
    return image[y - half_y : y + half_y, x - half_x : x + half_x]


def _centre(cell: Cell) -> tuple[int, int]:
    return MARGIN_X + BEAMS.index(cell.beam) * PITCH_X, TOP + (8 + cell.place) * PITCH_Y


def _bgr(colour: Colour) -> tuple[int, int, int]:
    """As the eye sees the LED in a dim room: an LED at a fifth still looks half as bright."""
    red, green, blue = (int(255 * (part / 255) ** 0.55) for part in RGB[BoardColour(colour.value)])
    return blue, green, red


def _draw_board(image: Picture) -> None:
    for beam in BEAMS:
        last = last_place(beam)
        for place in range(-last, last + 1):
            x, y = _centre(Cell(beam, place))
            is_zone = abs(place) >= zone_start(beam)
            box = (x - 18, y - PITCH_Y // 2 + 1), (x + 18, y + PITCH_Y // 2 - 1)
            cv2.rectangle(image, *box, ZONE if is_zone else BEAM, -1)
            cv2.circle(image, (x, y), RADIUS, SOCKET, -1, cv2.LINE_AA)
        x, y = _centre(Cell(beam, -last))
        _write(image, beam.value, (x, y - PITCH_Y // 2 - 6), 0.42)
    y = TOP + 8 * PITCH_Y
    cv2.line(image, (8, y), (MARGIN_X - 24, y), INK, 1, cv2.LINE_AA)
    cv2.line(image, (WIDTH - 8, y), (WIDTH - MARGIN_X + 24, y), INK, 1, cv2.LINE_AA)
    _write(image, "BLACK", (WIDTH // 2, 20), 0.5)
    _write(image, "WHITE", (WIDTH // 2, HEIGHT - BOTTOM + 32), 0.5)


def _draw_glow(image: Picture, lit: list[tuple[Cell, Light]]) -> None:
    """Two flat rings rather than a soft blur: a picture of few colours stays a small file."""
    for radius, share in ((RADIUS + 8, 0.16), (RADIUS + 4, 0.28)):
        halo = image.copy()
        for cell, light in lit:
            cv2.circle(halo, _centre(cell), radius, _bgr(light.colour), -1)
        cv2.addWeighted(image, 1 - share, halo, share, 0, dst=image)


Sign = Callable[[Picture, tuple[int, int], tuple[int, int, int]], None]


def _steady(image: Picture, at: tuple[int, int], colour: tuple[int, int, int]) -> None:
    cv2.circle(image, at, RADIUS - 2, colour, -1, cv2.LINE_AA)


def _breathe(image: Picture, at: tuple[int, int], colour: tuple[int, int, int]) -> None:
    cv2.circle(image, at, RADIUS - 7, colour, -1, cv2.LINE_AA)
    for radius in (RADIUS - 3, RADIUS + 1):
        cv2.circle(image, at, radius, colour, 1, cv2.LINE_AA)


def _blink(image: Picture, at: tuple[int, int], colour: tuple[int, int, int]) -> None:
    cv2.ellipse(image, at, (RADIUS, RADIUS), 0, 90, 270, colour, -1, cv2.LINE_AA)
    cv2.circle(image, at, RADIUS - 1, colour, 2, cv2.LINE_AA)


def _pulse(image: Picture, at: tuple[int, int], colour: tuple[int, int, int]) -> None:
    x, y = at
    for left in (x - 8, x + 3):
        cv2.rectangle(image, (left, y - 9), (left + 5, y + 9), colour, -1, cv2.LINE_AA)


def _sparkle(image: Picture, at: tuple[int, int], colour: tuple[int, int, int]) -> None:
    angles = np.arange(10) * np.pi / 5
    radii = np.where(np.arange(10) % 2 == 0, RADIUS + 1, 5)
    points = np.stack((at[0] + radii * np.sin(angles), at[1] - radii * np.cos(angles)), axis=1)
    _fill(image, points, colour)


def _chase(direction: int) -> Sign:
    def sign(image: Picture, at: tuple[int, int], colour: tuple[int, int, int]) -> None:
        x, y = at
        for shift in (-7, 3):
            tip = y + direction * (shift + 8)
            base = y + direction * shift
            points = np.array([(x, tip), (x + 10, base), (x, base + direction * 3), (x - 10, base)], np.float64)
            _fill(image, points, colour)

    return sign


def _fill(image: Picture, points: NDArray[np.float64], colour: tuple[int, int, int]) -> None:
    fixed = np.round(points * (1 << _SHIFT)).astype(np.int32)
    cv2.fillPoly(image, [fixed], colour, cv2.LINE_AA, _SHIFT)


_SIGNS: dict[Motion, Sign] = {
    Motion.STEADY: _steady,
    Motion.BREATHE: _breathe,
    Motion.BLINK: _blink,
    Motion.PULSE: _pulse,
    Motion.CHASE_TO_WHITE: _chase(1),
    Motion.CHASE_TO_BLACK: _chase(-1),
    Motion.SPARKLE: _sparkle,
}


def _draw_words(image: Picture, caption: str) -> None:
    lines = [""]
    for word in caption.split():
        if len(lines[-1]) + len(word) > WRAP:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    for number, line in enumerate(lines):
        _write(image, line, (WIDTH // 2, HEIGHT - 50 + 18 * number), 0.44)


def _write(image: Picture, text: str, at: tuple[int, int], scale: float) -> None:
    (width, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 1)
    origin = (at[0] - width // 2, at[1])
    cv2.putText(image, text, origin, cv2.FONT_HERSHEY_SIMPLEX, scale, INK, 1, cv2.LINE_AA)


def write_png(path: Path, image: Picture) -> None:
    """Write an image; raises OSError where it can't be."""
    ok, data = cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    if not ok:
        raise OSError(f"{path}: the picture can't be encoded")
    path.write_bytes(data.tobytes())


def read_png(path: Path) -> Picture:
    """Read an image back as (height, width, 3) uint8 BGR."""
    image: Any = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise OSError(f"{path}: no picture that can be read")
    return np.asarray(image, np.uint8)
