"""How thrown dice fly and where they come to rest on the virtual tray; pure, the generator is an argument.

```
 hand ~~~> hop   hop  hop . rest          travelled share:  1 - (1 - t)^2.2
 0 s                       ROLL_S         left to tumble:   (1 - t)^1.6
```
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace

from vision.scene import EDGE_MM, SceneDie
from vision.scene_tray import RAIL_MIDDLE_MM, RAIL_TOP_MM, TRAY_WIDTH_MM, WALL_MM

ROLL_S = 0.8
_MARGIN_MM = WALL_MM + EDGE_MM * 0.85
_APART_MM = EDGE_MM * 1.75
"""Dice that rest closer than this could hide each other's sides from a camera above the middle."""
RAIL_SLOTS = 9


def resting_place(taken: Sequence[SceneDie], generator: random.Random) -> tuple[float, float]:
    """A free place on the felt in tray mm: at random; where the tray is full, the one farthest from its neighbours."""
    best, best_gap = (0.0, 0.0), -1.0
    for _ in range(200):
        x = generator.uniform(_MARGIN_MM, TRAY_WIDTH_MM - _MARGIN_MM)
        y = generator.uniform(_MARGIN_MM, RAIL_TOP_MM - EDGE_MM * 0.95)
        gap = min((math.dist((x, y), (die.x_mm, die.y_mm)) for die in taken), default=math.inf)
        if gap >= _APART_MM:
            return x, y
        if gap > best_gap:
            best, best_gap = (x, y), gap
    return best


def rail_place(slot: int) -> tuple[float, float]:
    """The middle of a slot of the keep rail, counted from the left."""
    return WALL_MM + EDGE_MM * 1.1 + slot * EDGE_MM * 1.45, RAIL_MIDDLE_MM


def tumbling(rest: SceneDie, since_s: float, salt: int) -> SceneDie:
    """The die `since_s` after it left the hand, on its way to `rest`; `salt` varies the way."""
    share = min(max(since_s / ROLL_S, 0.0), 1.0)
    if share >= 1.0:
        return rest
    start_x, start_y = -30.0 - 9 * (salt % 4), 20.0 + 23 * (salt % 5)
    gone = 1 - (1 - share) ** 2.2
    left = (1 - share) ** 1.6
    hop = abs(math.cos(share * math.pi * 2.5)) * 34 * (1 - share) ** 2
    swerve = 14 * math.sin(share * math.pi) * (1 if salt % 2 else -1)
    axis = (math.sin(salt * 2.1), math.cos(salt * 1.3), 0.35)
    return replace(
        rest,
        x_mm=start_x + (rest.x_mm - start_x) * gone,
        y_mm=start_y + (rest.y_mm - start_y) * gone + swerve,
        z_mm=rest.z_mm + hop + EDGE_MM * 0.18 * min(1.0, left * 4),
        spin=(*axis, (560 + 70 * (salt % 5)) * left),
    )
