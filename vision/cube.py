"""The shape of a die in space: faces, pips and how a camera above the tray sees them. Pure geometry, no picture.

Coordinates: tray mm, x to the right, y down (as in the picture), z up towards the camera.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

PIP_STEP = 0.26
"""From the middle to an outer row of pips, as a share of the die's edge (casino and toy dice: 0.24 to 0.28)."""
PIP_RADIUS = 0.09

PATTERNS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1)),
}
"""Where the pips of each face lie, in steps from its middle."""

# Opposite faces add up to seven.
_NORMALS: dict[int, tuple[int, int, int]] = {
    1: (0, 0, 1),
    6: (0, 0, -1),
    2: (1, 0, 0),
    5: (-1, 0, 0),
    3: (0, 1, 0),
    4: (0, -1, 0),
}


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera above the middle of the tray: where it stands (mm) and how many px a mm on the floor takes."""

    x_mm: float
    y_mm: float
    height_mm: float
    px_per_mm: float

    def project(self, points: Vector) -> Vector:
        """(n, 3) mm to (n, 2) px."""
        middle = np.array([self.x_mm, self.y_mm])
        grown = self.height_mm / (self.height_mm - points[:, 2:3])
        shown: Vector = (middle + (points[:, :2] - middle) * grown) * self.px_per_mm
        return shown


def turn_about(axis: tuple[float, float, float], degrees: float) -> Vector:
    """Rotation matrix (3, 3) by Rodrigues' formula."""
    unit = np.array(axis, float) / np.linalg.norm(axis)
    cross = np.array([[0, -unit[2], unit[1]], [unit[2], 0, -unit[0]], [-unit[1], unit[0], 0]])
    angle = np.radians(degrees)
    matrix: Vector = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * (cross @ cross)
    return matrix


_FLIPS: dict[int, tuple[tuple[float, float, float], float]] = {
    1: ((1, 0, 0), 0),
    6: ((1, 0, 0), 180),
    2: ((0, 1, 0), -90),
    5: ((0, 1, 0), 90),
    3: ((1, 0, 0), 90),
    4: ((1, 0, 0), -90),
}


def attitude(value: int, turn_deg: float, tilt_deg: float = 0.0, tilt_to_deg: float = 0.0) -> Vector:
    """The die's rotation with `value` on top, turned on the floor, then tilted towards a direction."""
    to = np.radians(tilt_to_deg)
    lean = turn_about((-np.sin(to), np.cos(to), 0), tilt_deg)
    matrix: Vector = lean @ turn_about((0, 0, 1), turn_deg) @ turn_about(*_FLIPS[value])
    return matrix


def _rounded_square(half: float, radius: float) -> Vector:
    """A square outline with round corners, (n, 2), in shares of the edge."""
    corner = np.radians(np.linspace(0, 90, 6))
    parts = []
    for quarter, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        angle = corner + quarter * np.pi / 2
        middle = np.array([sx, sy]) * (half - radius)
        parts.append(middle + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1))
    return np.concatenate(parts)


_CIRCLE = np.stack([np.cos(np.linspace(0, 2 * np.pi, 25)[:-1]), np.sin(np.linspace(0, 2 * np.pi, 25)[:-1])], axis=1)
_FLAT = _rounded_square(0.445, 0.10)
"""The flat part of a face: what the rounding of the edges leaves."""


@dataclass(frozen=True, slots=True)
class Face:
    """One face in space: its value, outward normal, flat outline and pip outlines, (n, 3) mm each."""

    value: int
    normal: Vector
    flat: Vector
    pips: tuple[Vector, ...]


def faces(rotation: Vector, middle: Vector, edge_mm: float) -> tuple[Face, ...]:
    """All six faces of a die with its middle at `middle` (mm)."""
    found = []
    for value, normal_die in _NORMALS.items():
        normal = np.array(normal_die, float)
        across = np.roll(normal, 1) if value not in (6, 5, 4) else -np.roll(normal, 1)
        along = np.cross(normal, across)

        def place(plane: Vector, normal: Vector = normal, across: Vector = across, along: Vector = along) -> Vector:
            local = normal * 0.5 + plane[:, :1] * across + plane[:, 1:] * along
            moved: Vector = (local * edge_mm) @ rotation.T + middle
            return moved

        pips = tuple(
            place(_CIRCLE * PIP_RADIUS + np.array([column, row]) * PIP_STEP) for column, row in PATTERNS[value]
        )
        found.append(Face(value, rotation @ normal, place(_FLAT), pips))
    return tuple(found)


def lowest_mm(rotation: Vector, edge_mm: float) -> float:
    """How far below its middle a rounded die of this attitude reaches."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float) * edge_mm * 0.47
    return float(-(corners @ rotation.T)[:, 2].min())
