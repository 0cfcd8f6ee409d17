"""Draws a tray with dice as a camera above it would see them: for the virtual camera and for tests.

How it works: the empty tray is drawn once for each size and kept. Each die is a cube in space seen through a pinhole
camera; its shadow, its sides and its top are painted three times enlarged into a small patch, which is then averaged
down and laid over the tray. Faults (glare, a hand, darkness, blur) come last, sensor noise at the very end.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import numpy as np
from numpy.typing import NDArray

from vision import cv
from vision.cube import Camera, Face, Vector, attitude, faces, turn_about
from vision.cv import Floats, Image
from vision.scene_tray import TRAY_HEIGHT_MM, TRAY_WIDTH_MM, draw_hand, draw_tray

EDGE_MM = 16.0
CAMERA_HEIGHT_MM = 430.0
_LIGHT = np.array([-0.42, -0.50, 0.757])
"""Towards the lamp: left, up in the picture, high."""
_ENLARGED = 3

DIE_COLOURS: dict[str, tuple[tuple[int, int, int], tuple[int, int, int]]] = {
    "white": ((226, 234, 238), (28, 26, 26)),
    "black": ((44, 40, 38), (228, 232, 232)),
    "red": ((38, 34, 188), (232, 236, 238)),
    "yellow": ((40, 196, 232), (26, 28, 30)),
    "green": ((62, 122, 34), (230, 236, 234)),
    "blue": ((160, 74, 28), (234, 234, 230)),
}
"""Die and pip colour, BGR, by the die's name."""


@dataclass(frozen=True, slots=True)
class SceneDie:
    """One die: the middle of its base in tray mm, its turn and tilt in degrees.

    `z_mm` lifts it (a stacked or flying die). `spin` is a further rotation (axis x, y, z, degrees) of a tumbling die.
    """

    value: int
    x_mm: float
    y_mm: float
    turn_deg: float = 0.0
    colour: str = "white"
    tilt_deg: float = 0.0
    tilt_to_deg: float = 0.0
    z_mm: float = 0.0
    spin: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 0.0)


@dataclass(frozen=True, slots=True)
class Scene:
    """A tray and all that lies in it. Drawn in order of height.

    `glare_mm` are middles of lamp reflections, `hand_mm` is the tip of a hand reaching in from below, `light` scales
    the brightness (1 is a well-lit tray), `blur_px` is the sigma of a camera out of focus.
    """

    dice: tuple[SceneDie, ...] = ()
    ground: str = "green"
    glare_mm: tuple[tuple[float, float], ...] = ()
    hand_mm: tuple[float, float] | None = None
    light: float = 1.0
    blur_px: float = 0.0


def camera_for(width: int) -> Camera:
    """The virtual camera: above the middle of the tray, the tray as wide as the picture."""
    return Camera(TRAY_WIDTH_MM / 2, TRAY_HEIGHT_MM / 2, CAMERA_HEIGHT_MM, width / TRAY_WIDTH_MM)


def draw(scene: Scene, width: int = 640, height: int = 480, seed: int = 0) -> Image:
    """The scene as a picture (height, width, 3) uint8 BGR, with sensor noise of `seed`."""
    return add_noise(draw_clean(scene, width, height), seed)


def draw_clean(scene: Scene, width: int = 640, height: int = 480) -> Image:
    """The scene without sensor noise."""
    canvas = draw_tray(scene.ground, width, height).astype(np.float32)
    camera = camera_for(width)
    for die in sorted(scene.dice, key=lambda die: die.z_mm):
        _draw_die(canvas, die, camera)
    if scene.hand_mm is not None:
        draw_hand(canvas, scene.hand_mm, camera.px_per_mm)
    if scene.light != 1.0:
        canvas *= scene.light
    for x, y in scene.glare_mm:
        _draw_glare(canvas, x * camera.px_per_mm, y * camera.px_per_mm, 9.5 * camera.px_per_mm)
    blurred = cv.soft_blur(canvas, scene.blur_px * width / 640) if scene.blur_px > 0 else canvas
    return np.clip(blurred, 0, 255).astype(np.uint8)


def blend(images: tuple[Image, ...]) -> Image:
    """The mean of several pictures: motion blur while the shutter is open."""
    mean: Image = np.asarray(np.mean(np.stack(images), axis=0, dtype=np.float32), np.uint8)
    return mean


@lru_cache(maxsize=4)
def _noise_bank(width: int, height: int) -> tuple[tuple[Image, Image], ...]:
    """Eight pairs of (lighter, darker) noise of about 2.4 grey levels."""
    generator = np.random.default_rng(7)
    bank = []
    for _ in range(8):
        grain = generator.normal(0, 2.2, (height, width, 1)) + generator.normal(0, 1.0, (height, width, 3))
        bank.append((np.clip(grain, 0, 9).astype(np.uint8), np.clip(-grain, 0, 9).astype(np.uint8)))
    return tuple(bank)


def add_noise(image: Image, seed: int) -> Image:
    """The picture with the noise of one exposure; cheap enough for every picture of an idle camera."""
    bank = _noise_bank(image.shape[1], image.shape[0])
    lighter, _ = bank[seed % 8]
    _, darker = bank[(seed // 8 + seed * 3) % 8]
    return cv.add_signed(image, lighter, darker)


def _middle(die: SceneDie, rotation: Vector) -> Vector:
    """Where the die's middle is when its lowest corner touches the floor (or its height above it)."""
    lean = abs(np.sin(np.radians(die.tilt_deg))) + abs(np.cos(np.radians(die.tilt_deg)))
    return np.array([die.x_mm, die.y_mm, die.z_mm + EDGE_MM / 2 * lean])


def _rotation(die: SceneDie) -> Vector:
    rest = attitude(die.value, die.turn_deg, die.tilt_deg, die.tilt_to_deg)
    axis = (die.spin[0], die.spin[1], die.spin[2])
    return turn_about(axis, die.spin[3]) @ rest if die.spin[3] else rest


def _draw_die(canvas: Floats, die: SceneDie, camera: Camera) -> None:
    rotation = _rotation(die)
    seen = faces(rotation, _middle(die, rotation), EDGE_MM)
    solid = np.concatenate([face.flat for face in seen])
    _draw_shadow(canvas, solid, camera)
    outline = cv.hull(camera.project(_swollen(solid)).astype(np.float32))
    left, top = np.floor(outline.min(axis=0)).astype(int) - 2
    right, bottom = np.ceil(outline.max(axis=0)).astype(int) + 3
    left, top = max(left, 0), max(top, 0)
    right, bottom = min(right, canvas.shape[1]), min(bottom, canvas.shape[0])
    if right - left < 2 or bottom - top < 2:
        return
    patch, cover = _paint(seen, outline, camera, die.colour, (left, top, right, bottom))
    ground = canvas[top:bottom, left:right]
    ground += (patch - ground) * cover[..., None]


def _swollen(solid: Vector) -> Vector:
    """The rounded edges stand out a little beyond the flat faces' corners."""
    middle = solid.mean(axis=0)
    swollen: Vector = middle + (solid - middle) * 1.015
    return swollen


def _rim(flat: Vector) -> Vector:
    """A face's outline and the beginning of its rounding."""
    middle = flat.mean(axis=0)
    rim: Vector = middle + (flat - middle) * 1.055
    return rim


def _shade(normal: Vector) -> float:
    """How bright a face is: a lamp, and a bright room from all sides."""
    return float(0.40 + 0.60 * max(0.0, float(normal @ _LIGHT)) + 0.06 * normal[2])


def _paint(
    seen: tuple[Face, ...],
    outline: Vector,
    camera: Camera,
    colour: str,
    window: tuple[int, int, int, int],
) -> tuple[Floats, Floats]:
    """Paint one die enlarged; gives its patch and how much of each pixel it covers."""
    left, top, right, bottom = window
    size = (int((bottom - top) * _ENLARGED), int((right - left) * _ENLARGED))
    body, pip = (np.array(shade, float) for shade in DIE_COLOURS[colour])
    patch = np.zeros((*size, 3), np.uint8)
    cover = np.zeros(size, np.uint8)

    def at(points: Vector) -> Vector:
        placed: Vector = (points - np.array([left, top])) * _ENLARGED
        return placed

    def tint(shade: Vector, brightness: float) -> tuple[float, float, float]:
        lit = np.clip(shade * brightness, 0, 255)
        return (float(lit[0]), float(lit[1]), float(lit[2]))

    cv.fill(cover, at(outline), 255.0)
    patch[:] = tint(body, 0.80)
    towards = [
        face
        for face in seen
        if face.normal @ (np.array([camera.x_mm, camera.y_mm, camera.height_mm]) - face.flat.mean(axis=0)) > 0
    ]
    for face in sorted(towards, key=lambda face: float(face.normal[2])):
        brightness = _shade(face.normal)
        # The rounded edges catch the lamp all round: a thin light rim, the more so on a dark die.
        cv.fill(patch, at(camera.project(_rim(face.flat))), tint(body * 1.08 + 22, brightness))
        cv.fill(patch, at(camera.project(face.flat)), tint(body, brightness))
        for round_pip in face.pips:
            shown = camera.project(round_pip)
            middle = shown.mean(axis=0)
            # A pip is a hollow: its far rim catches the lamp, its floor lies a little in shade.
            cv.fill(patch, at(shown + np.array([0.35, 0.45])), tint(body, brightness * 1.10 + 0.04))
            cv.fill(patch, at(shown), tint(pip, brightness * 0.92))
            cv.fill(patch, at(middle + (shown - middle) * 0.62 + np.array([0.2, 0.3])), tint(pip, brightness))
    soft = cv.soft_blur(patch, 1.6)
    sheen = np.linspace(1.035, 0.955, size[0], dtype=np.float32)[:, None, None]
    shape = (int(right - left), int(bottom - top))
    return (
        cast("Floats", cv.shrink(soft.astype(np.float32) * sheen, *shape)),
        cast("Floats", cv.shrink(cover.astype(np.float32) / 255, *shape)),
    )


def _draw_shadow(canvas: Floats, solid: Vector, camera: Camera) -> None:
    """A soft shadow away from the lamp and a dark seam where the die stands."""
    flat = solid.copy()
    flat[:, :2] -= solid[:, 2:3] * (_LIGHT[:2] / _LIGHT[2])
    flat[:, 2] = 0
    cast_outline = cv.hull(camera.project(flat).astype(np.float32))
    low = solid[solid[:, 2] < solid[:, 2].min() + EDGE_MM * 0.6].copy()
    height = float(solid[:, 2].min())
    margin = int(6 * camera.px_per_mm)
    left, top = np.maximum(np.floor(cast_outline.min(axis=0)).astype(int) - margin, 0)
    right, bottom = np.ceil(cast_outline.max(axis=0)).astype(int) + margin
    right, bottom = min(right, canvas.shape[1]), min(bottom, canvas.shape[0])
    if right - left < 2 or bottom - top < 2:
        return
    corner = np.array([left, top])
    far = np.zeros((bottom - top, right - left), np.uint8)
    cv.fill(far, cast_outline - corner, 255.0)
    near = np.zeros_like(far)
    cv.fill(near, cv.hull(camera.project(low).astype(np.float32)) - corner, 255.0)
    spread = 1.5 + 0.1 * height
    shade = 0.46 * cv.soft_blur(far, spread * camera.px_per_mm).astype(np.float32)
    shade += 0.30 / (1 + height / 3) * cv.soft_blur(near, 1.3 * camera.px_per_mm).astype(np.float32)
    canvas[top:bottom, left:right] *= (1 - np.minimum(shade / 255, 0.75))[..., None]


def _draw_glare(canvas: Floats, x: float, y: float, radius: float) -> None:
    """A lamp's reflection: burnt out in the middle, fading."""
    height, width = canvas.shape[:2]
    rows, columns = np.ogrid[:height, :width]
    distance: NDArray[np.float64] = ((columns - x) / radius) ** 2 + ((rows - y) / (radius * 0.8)) ** 2
    canvas += (390 * np.exp(-(distance**1.5)))[..., None].astype(np.float32)
