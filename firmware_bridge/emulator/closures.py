"""Which switches a cow's magnet closes, and when, while it stands or slides. Pure.

A slide from place 1 to place 4 in 0.9 s, with a magnet that reaches 0.3 of a pitch:

    place   1        2        3        4
    closed  ▔▔▔      ▔▔▔▔▔▔   ▔▔▔▔▔▔      ▔▔▔
    ms      0  90   210  390 510  690 810
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.geometry import CellNumber, cell_number, reach
from firmware_bridge.virtual.cows import MAGNET_REACH, CowStanding, CowState


@dataclass(frozen=True, slots=True, order=True)
class Closure:
    """A switch that closes or opens, so many milliseconds from now."""

    after_ms: float
    cell: CellNumber
    is_closed: bool


def closed_cell(standing: CowStanding) -> CellNumber | None:
    """The cell whose switch a cow closes where it is; None between cells, in the hand or on its side."""
    if standing.beam is None or standing.place is None or standing.state is CowState.TOPPLED:
        return None
    nearest = round(standing.place)
    if abs(standing.place - nearest) > MAGNET_REACH or abs(nearest) > reach(standing.beam):
        return None
    return cell_number(standing.beam, nearest)


def slide_closures(beam: str, from_place: float, to_place: int, seconds: float) -> tuple[Closure, ...]:
    """What a slide at even speed does to the switches of its beam, in order of time.

    A switch that is closed at the start opens when the cow has left it; that one isn't told to close.

    >>> [(c.after_ms, c.is_closed) for c in slide_closures("3", 0, 1, 1.0)]
    [(300.0, False), (700.0, True)]
    """
    distance = to_place - from_place
    if not distance or seconds <= 0:
        return ()
    ms_per_place = 1000 * seconds / abs(distance)
    closures = []
    for place in range(-reach(beam), reach(beam) + 1):
        along = (place - from_place) * (1 if distance > 0 else -1)
        closes, opens = along - MAGNET_REACH, along + MAGNET_REACH
        cell = cell_number(beam, place)
        if opens < 0 or closes > abs(distance):
            continue
        if closes > 0:
            closures.append(Closure(round(closes * ms_per_place, 3), cell, True))
        if opens < abs(distance):
            closures.append(Closure(round(opens * ms_per_place, 3), cell, False))
    return tuple(sorted(closures))
