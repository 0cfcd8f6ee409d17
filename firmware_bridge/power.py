"""How much current a light plan draws, and how far it must be dimmed to stay under what the supply gives.
Pure.

The figures are upper bounds: every motion at its brightest, linear in the colour values. 55 mA for a white
LED and 1 mA for a dark one are what the WS2812B's makers give; the sag seen in the field begins well before
a supply's printed figure, so only `USABLE_SHARE` of it is given out.
"""

from __future__ import annotations

from firmware_bridge.geometry import CELL_COUNT
from firmware_bridge.lights import RGB, LightPlan

DARK_LED_MA = 1.0
CHANNEL_MA = 18.0  # one of an LED's three colours at full brightness: (55 - 1) / 3
USABLE_SHARE = 0.9
FULL_LEVEL = 255
DARK_BOARD_MA = CELL_COUNT * DARK_LED_MA


def plan_ma(plan: LightPlan, level: int = FULL_LEVEL) -> float:
    """The most a plan draws at a brightness level 0..255, in mA, controller and sensors not counted."""
    lit = sum(sum(RGB[light.colour]) for light in plan) / 255 * CHANNEL_MA
    return DARK_BOARD_MA + lit * level / FULL_LEVEL


def lights_budget_ma(supply_ma: int, reserve_ma: int) -> float:
    """What the lights may draw, in mA, from a supply that also feeds `reserve_ma` of controller and
    sensors."""
    return max(0.0, supply_ma * USABLE_SHARE - reserve_ma)


def level_for(plan: LightPlan, supply_ma: int, reserve_ma: int) -> int:
    """The highest brightness level 0..255 at which the plan stays within the lights' budget.

    A supply that can't even feed the dark LEDs gives level 0.
    """
    budget_ma = lights_budget_ma(supply_ma, reserve_ma)
    lit_ma = plan_ma(plan) - DARK_BOARD_MA
    if lit_ma <= 0 or plan_ma(plan) <= budget_ma:
        return FULL_LEVEL
    level = int((budget_ma - DARK_BOARD_MA) / lit_ma * FULL_LEVEL)
    return max(0, min(FULL_LEVEL, level))
