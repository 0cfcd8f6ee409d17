"""Light plans as messages: the shortest way from the plan on the board's hidden bank to the one wanted.

Each message carries at most one whole plan, so that a light plan always changes as one. Three codings
compete: all lights from the first to the last changed cell, runs of neighbours alike, groups of scattered
cells alike. The longest that can win is 139 lights raw: 143 bytes of payload.
"""

from __future__ import annotations

from firmware_bridge.geometry import CELL_COUNT
from firmware_bridge.lights import Light, LightPlan, check_plan
from firmware_bridge.messages import (
    MOST_RUNS,
    LightGroup,
    LightRun,
    LightsAll,
    LightsGroups,
    LightsRuns,
    LightsShow,
    encode_payload,
)

LightPatch = LightsAll | LightsRuns | LightsGroups | LightsShow


def patch(before: LightPlan | None, after: LightPlan, level: int) -> LightPatch:
    """The shortest message that turns the hidden bank from `before` (None: unknown) into `after` and shows
    it.

    `level` is the brightness 0..255 of the whole plan. Where nothing but the level changes it is a
    `LightsShow`.
    """
    check_plan(after)
    changed = [cell for cell in range(CELL_COUNT) if before is None or before[cell] != after[cell]]
    if not changed:
        return LightsShow(level)
    first, last = changed[0], changed[-1]
    codings: list[LightPatch] = [LightsAll(True, level, first, after[first : last + 1])]
    codings.append(LightsGroups(True, level, _groups(after, changed)))
    runs = _runs(after, changed)
    if len(runs) <= MOST_RUNS:
        codings.append(LightsRuns(True, level, runs))
    return min(codings, key=lambda message: len(encode_payload(message)))


def apply_patch(bank: LightPlan, message: LightPatch) -> LightPlan:
    """The hidden bank after a message; cells past the last one are left out."""
    lights = list(bank)
    match message:
        case LightsAll(first=first, lights=changed):
            room = CELL_COUNT - first
            lights[first : first + len(changed[:room])] = changed[:room]
        case LightsRuns(runs=runs):
            for run in runs:
                for cell in range(run.first, min(run.first + run.count, CELL_COUNT)):
                    lights[cell] = run.light
        case LightsGroups(groups=groups):
            for group in groups:
                for cell in group.cells:
                    lights[cell] = group.light
        case LightsShow():
            pass
    return tuple(lights)


def _runs(plan: LightPlan, changed: list[int]) -> tuple[LightRun, ...]:
    runs: list[LightRun] = []
    for cell in changed:
        previous = runs[-1] if runs else None
        if previous and previous.light == plan[cell] and previous.first + previous.count == cell:
            runs[-1] = LightRun(previous.first, previous.count + 1, previous.light)
        else:
            runs.append(LightRun(cell, 1, plan[cell]))
    return tuple(runs)


def _groups(plan: LightPlan, changed: list[int]) -> tuple[LightGroup, ...]:
    cells_of: dict[Light, list[int]] = {}
    for cell in changed:
        cells_of.setdefault(plan[cell], []).append(cell)
    return tuple(LightGroup(light, tuple(cells)) for light, cells in cells_of.items())
