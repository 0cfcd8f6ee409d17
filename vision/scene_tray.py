"""The empty tray of the virtual camera: felt, wooden walls, keep rail; and a hand that reaches in."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from vision import cv
from vision.cv import Floats, Image

TRAY_WIDTH_MM = 240.0
TRAY_HEIGHT_MM = 180.0
WALL_MM = 9.0
RAIL_TOP_MM = 143.0
"""The keep rail: a strip of wood below the felt, from here to the lower wall."""
RAIL_MIDDLE_MM = 157.0

GROUNDS: dict[str, tuple[int, int, int]] = {
    "green": (66, 96, 30),
    "blue": (122, 74, 30),
    "red": (36, 28, 126),
    "grey": (104, 102, 100),
    "black": (40, 38, 38),
}
"""Felt colours, BGR, as lit."""

_WOOD = np.array([58, 92, 138], np.float32)


def _texture(generator: np.random.Generator, height: int, width: int, sizes: tuple[float, ...]) -> Floats:
    """Noise of several grain sizes (sigma in px), mean 0, deviation about 1."""
    total = np.zeros((height, width), np.float32)
    for size in sizes:
        grain = cv.soft_blur(generator.normal(0, 1, (height, width)).astype(np.float32), size)
        total += grain / max(float(grain.std()), 1e-6)
    return np.asarray(total / np.sqrt(len(sizes)), np.float32)


def _grain(generator: np.random.Generator, height: int, width: int, *, along_x: bool) -> Floats:
    """Wood: streaks along one way."""
    noise = generator.normal(0, 1, (height, width)).astype(np.float32)
    long, across = 61, 3
    streaks = cv.soft_blur(cv.box_blur(noise, across), 1.0)
    axis = 1 if along_x else 0
    kernel = np.ones(long, np.float32) / long
    smooth = np.apply_along_axis(lambda line: np.convolve(line, kernel, "same"), axis, streaks)
    return (smooth / max(float(smooth.std()), 1e-6)).astype(np.float32)


@lru_cache(maxsize=8)
def draw_tray(ground: str, width: int, height: int) -> Image:
    """The empty tray, (height, width, 3) uint8 BGR; don't write into it."""
    generator = np.random.default_rng(11)
    scale = width / TRAY_WIDTH_MM
    felt = np.empty((height, width, 3), np.float32)
    felt[:] = np.array(GROUNDS[ground], np.float32)
    cloth = _texture(generator, height, width, (0.8, 2.0, 14.0))
    felt *= (1 + 0.045 * cloth)[..., None]
    wall, rail = int(WALL_MM * scale), int(RAIL_TOP_MM * scale)
    floor = np.zeros((height, width), np.float32)
    floor[wall:rail, wall : width - wall] = 1
    # Walls take light from the floor beside them, most on the lamp's side (left and top).
    reach = cv.soft_blur(floor, 5 * scale)
    shaded = np.roll(np.roll(reach, int(3 * scale), axis=0), int(3 * scale), axis=1)
    felt *= (0.52 + 0.48 * np.clip(shaded * 1.15, 0, 1))[..., None]
    canvas = felt
    _lay_wood(canvas, generator, wall, rail)
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    away = ((columns / width - 0.42) ** 2 + (rows / height - 0.40) ** 2) / 0.5
    canvas *= (1.06 - 0.22 * away)[..., None]
    image: Image = np.clip(canvas, 0, 255).astype(np.uint8)
    image.setflags(write=False)
    return image


def _lay_wood(canvas: Floats, generator: np.random.Generator, wall: int, rail: int) -> None:
    """The four walls and the rail, each with its grain and a lit or shaded rim."""
    height, width = canvas.shape[:2]
    level = _grain(generator, height, width, along_x=True)
    upright = _grain(generator, height, width, along_x=False)
    plank = _WOOD * (1 + 0.06 * level)[..., None]
    post = _WOOD * (1 + 0.06 * upright)[..., None]
    canvas[:wall] = plank[:wall]
    canvas[height - wall :] = plank[height - wall :]
    canvas[:, :wall] = post[:, :wall] * 0.97
    canvas[:, width - wall :] = post[:, width - wall :] * 1.02
    groove = plank[rail : height - wall, wall : width - wall] * 0.62
    canvas[rail : height - wall, wall : width - wall] = groove
    rim = max(2, wall // 6)
    canvas[rail - rim : rail, wall : width - wall] *= 0.55
    canvas[rail : rail + rim, wall : width - wall] = plank[rail : rail + rim, wall : width - wall] * 1.15
    canvas[wall - rim : wall, wall : width - wall] *= 0.7
    canvas[wall:rail, wall - rim : wall] *= 0.7
    canvas[wall:rail, width - wall : width - wall + rim] *= 1.18
    canvas[height - wall : height - wall + rim, wall : width - wall] *= 1.18


def draw_hand(canvas: Floats, tip_mm: tuple[float, float], scale: float) -> None:
    """A hand with four fingers whose tips are near `tip_mm`, its arm out of the lower edge; changes `canvas`."""
    height, width = canvas.shape[:2]
    x, y = tip_mm[0] * scale, tip_mm[1] * scale
    mask = np.zeros((height, width), np.uint8)
    palm_y = y + 34 * scale
    _limb(mask, (x, palm_y + 6 * scale), (x + 30 * scale, height + 40 * scale), 19 * scale)
    _limb(mask, (x, palm_y), (x + 4 * scale, palm_y + 22 * scale), 23 * scale)
    for finger in range(4):
        base = (x + (finger - 1.5) * 11 * scale, palm_y)
        tip = (x + (finger - 1.5) * 13 * scale, y + abs(finger - 1.6) * 5 * scale)
        _limb(mask, base, tip, 5.2 * scale)
    _limb(mask, (x - 16 * scale, palm_y + 10 * scale), (x - 36 * scale, palm_y - 8 * scale), 6 * scale)
    soft = cv.soft_blur(mask, 0.7 * scale).astype(np.float32) / 255
    aside = np.zeros_like(mask)
    down, right = int(6 * scale), int(5 * scale)
    aside[down:, right:] = mask[:-down, :-right]
    shadow = cv.soft_blur(aside, 4 * scale)
    canvas *= (1 - 0.5 * shadow.astype(np.float32) / 255)[..., None]
    depth = cv.soft_blur(mask, 5 * scale).astype(np.float32) / 255
    skin = np.array([128, 158, 214], np.float32) * (0.55 + 0.5 * depth)[..., None]
    canvas += (skin - canvas) * soft[..., None]


def _limb(mask: cv.Grey, start: tuple[float, float], end: tuple[float, float], radius: float) -> None:
    """A stroke with round ends."""
    first, last = np.array(start), np.array(end)
    angle = np.linspace(0, 2 * np.pi, 33)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1) * radius
    cv.fill(mask, cv.hull(np.concatenate([first + circle, last + circle]).astype(np.float32)), 255.0)
