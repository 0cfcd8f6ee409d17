"""Light plans as messages: the shortest way from the plan on the board's hidden bank to the one wanted.

Three codings compete for a set of changed cells: all lights from the first to the last of them, runs of
neighbours alike, groups of scattered cells alike. Where the winner is longer than a packet should be on
this line, the cells are dealt out over several messages, of which the last one shows the bank: a light plan
always changes as one.
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

CALM_BYTES = 48  # most plans fit one message of this length
NOISY_BYTES = 16  # one in four arrives, and its answer too, where every twentieth byte is damaged

LightPatch = LightsAll | LightsRuns | LightsGroups | LightsShow


def patches(
    before: LightPlan | None, after: LightPlan, level: int, most_bytes: int = CALM_BYTES
) -> tuple[LightPatch, ...]:
    """The messages that turn the hidden bank from `before` (None: unknown) into `after` and then show it.

    `level` is the brightness 0..255 of the whole plan; no payload is longer than `most_bytes`, which is at
    least `NOISY_BYTES`. Where nothing but the level changes it is one `LightsShow`.
    """
    check_plan(after)
    changed = [cell for cell in range(CELL_COUNT) if before is None or before[cell] != after[cell]]
    if not changed:
        return (LightsShow(level),)
    parts = _parts(after, changed, most_bytes)
    last = len(parts) - 1
    return tuple(_shortest(after, part, level, is_shown=number == last) for number, part in enumerate(parts))


def _parts(plan: LightPlan, changed: list[int], most_bytes: int) -> list[list[int]]:
    """The changed cells in parts that fit, halving what doesn't."""
    if len(encode_payload(_shortest(plan, changed, 0, is_shown=False))) <= most_bytes:
        return [changed]
    middle = len(changed) // 2
    return _parts(plan, changed[:middle], most_bytes) + _parts(plan, changed[middle:], most_bytes)


def _shortest(plan: LightPlan, changed: list[int], level: int, *, is_shown: bool) -> LightPatch:
    first, last = changed[0], changed[-1]
    codings: list[LightPatch] = [LightsAll(is_shown, level, first, plan[first : last + 1])]
    codings.append(LightsGroups(is_shown, level, _groups(plan, changed)))
    runs = _runs(plan, changed)
    if len(runs) <= MOST_RUNS:
        codings.append(LightsRuns(is_shown, level, runs))
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
