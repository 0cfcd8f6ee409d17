"""What the devices say, in the table's words: readings, cell numbers and light plans translated both ways; pure."""

from __future__ import annotations

from controller.games.cosmic_cows import Beam, Cell
from controller.table import events
from controller.table.lights import LightPlan
from firmware_bridge import events as board_events
from firmware_bridge import lights as board_lights
from firmware_bridge.geometry import cell_at
from vision import events as tray_events
from vision.readings import DieSeen, Reading


def seen_dice(reading: Reading) -> tuple[events.SeenDie, ...]:
    """The dice of a reading with places as shares of the picture; an unsure die loses its likely value here."""
    return tuple(_seen_die(die, reading) for die in reading.dice)


def _seen_die(die: DieSeen, reading: Reading) -> events.SeenDie:
    x, y, width, height = die.box
    box = (x / reading.width, y / reading.height, width / reading.width, height / reading.height)
    return events.SeenDie(
        value=die.value if die.is_sure else None,
        colour=die.colour,
        x=die.centre[0] / reading.width,
        y=die.centre[1] / reading.width,
        edge=die.edge_px / reading.width,
        refusal=None if die.refusal is None else die.refusal.value,
        box=box,
    )


def tray_event(event: tray_events.TrayEvent) -> events.Event:
    """A camera event as the table knows it."""
    match event:
        case tray_events.TrayRolling():
            return events.TrayRolling(event.at_s)
        case tray_events.TraySettled():
            return events.TraySettled(seen_dice(event.reading), _refusals(event.reading), event.at_s)
        case tray_events.TrayLookedAt():
            return events.TrayLookedAt(seen_dice(event.reading), _refusals(event.reading), event.at_s)
        case tray_events.CameraBack():
            return events.CameraArrived(event.name, event.at_s)
        case tray_events.CameraGone():
            return events.CameraLost(event.reason, event.at_s)


def _refusals(reading: Reading) -> tuple[str, ...]:
    return tuple(refusal.value for refusal in reading.refusals)


def cell_of(number: int) -> Cell:
    """The cell with this number on the board (0 to 138)."""
    at = cell_at(number)
    return Cell(Beam(at.beam), at.place)


def board_event(event: board_events.BoardEvent, name: str, at: float) -> events.Event | None:
    """A board event as the table knows it; None for buttons and knob, which are commands."""
    match event:
        case board_events.BoardArrived():
            return events.BoardArrived(name, event.capabilities, at)
        case board_events.BoardLost():
            return events.BoardLost(event.reason, at)
        case board_events.CellsSeen():
            return events.CowsSeen(frozenset(cell_of(number) for number in event.occupied), at)
        case board_events.BoardFault():
            if event.is_over:
                return None
            return events.BoardFaulted(event.name, None if event.cell is None else cell_of(event.cell), at)
        case _:
            return None


def board_plan(plan: LightPlan) -> board_lights.LightPlan:
    """A light plan in the board's own names."""
    return board_lights.light_plan((light.colour.value, light.motion.value) for light in plan)
