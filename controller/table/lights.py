"""Turn state → light plan: what each of the 139 LEDs shows.

Rules of this file: pure, and a whole plan each time, never a change. What a meaning looks like stands in `meanings`;
this file says where each meaning is. Seen from the other end of the table everything is the same: the plan of the
mirrored state is the mirrored plan.

How it works: one slot for each cell of the board as its rules have it. Layers are laid over it, later over earlier:

    rows (edge, zone, centre, corners)  <  cows  <  ways and landings  <  the coach's  <  wrong cows and their way home

A board of other length than the 17 cells that have LEDs is centred on them: on a shorter one the outer LEDs stay
dark, of a longer one the cells beyond the LEDs aren't shown (the page shows them).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from controller.errors import InputError
from controller.games.cosmic_cows import BEAMS, DEFAULT_RULES, Beam, Cell, Rules, Side, cells, cows_home, zone_start
from controller.table.coaching import advice_shown
from controller.table.computers import thrower_of_tray
from controller.table.entries import EndReason
from controller.table.game import Stage
from controller.table.meanings import CHASE, LOOKS, SIDE, Colour, Meaning, Motion
from controller.table.moves import astray_cows
from controller.table.offers import is_leading_home, may_throw, offered, way_left
from controller.table.state import CowAstray, Phase, Reason, TurnState

__all__ = ["DARK", "Colour", "Light", "LightPlan", "Motion", "Shown", "cell_lights", "lights", "shown"]

LED_CELLS = cells(DEFAULT_RULES)  # the 139 cells that have an LED, in board order
_TROUBLE = (Reason.CAMERA_LOST, Reason.BOARD_LOST, Reason.BOARD_FAULT, Reason.COMPUTER_AWAY)
_EDGE_OF = {
    Phase.OPENING: Meaning.THROW,
    Phase.TO_ROLL: Meaning.THROW,
    Phase.ROLLED: Meaning.THROW,
    Phase.ROLLING: Meaning.ROLLING,
    Phase.REFUSED: Meaning.REFUSED,
    Phase.TOUCHED: Meaning.TOUCHED,
}


@dataclass(frozen=True, slots=True)
class Light:
    """What one cell's LED does."""

    colour: Colour = Colour.DARK
    motion: Motion = Motion.STEADY


LightPlan = tuple[Light, ...]
DARK = Light()


class Shown(NamedTuple):
    """A meaning on a cell; `side` is whose it is (a cow: the winner's) or, for a chase, towards whom it runs."""

    meaning: Meaning
    side: Side | None = None


class _Canvas:
    """The cells of one board while its plan is drawn; never leaves this module."""

    def __init__(self, rules: Rules) -> None:
        self.rows = _rows(rules)
        self.slots: list[Shown | None] = [None] * len(self.rows.cells)

    def put(self, cell: Cell, meaning: Meaning, side: Side | None = None) -> None:
        number = self.rows.numbers.get(cell)
        if number is not None:
            self.slots[number] = Shown(meaning, side)

    def fill(self, numbers: Iterable[int], meaning: Meaning, side: Side | None = None) -> None:
        mark = Shown(meaning, side)
        for number in numbers:
            self.slots[number] = mark

    def run(self, beam: Beam, start: int, end: int, mark: Shown) -> None:
        """The cells between two places of a beam, both left out."""
        low, high = min(start, end), max(start, end)
        for place in range(low + 1, high):
            self.put(Cell(beam, place), *mark)


@dataclass(frozen=True, slots=True)
class _Rows:
    """The numbers of the cells that lie together, for one set of rules."""

    cells: tuple[Cell, ...]
    numbers: dict[Cell, int]
    edges: dict[Side, tuple[int, ...]]
    zones: dict[Side, tuple[int, ...]]
    centre: tuple[int, ...]
    corners: tuple[int, ...]
    leds: tuple[int | None, ...]  # for each LED the number of its cell on this board


@lru_cache(maxsize=8)
def _rows(rules: Rules) -> _Rows:
    all_cells = cells(rules)
    numbers = {cell: number for number, cell in enumerate(all_cells)}

    def of(keep: Iterable[Cell]) -> tuple[int, ...]:
        return tuple(numbers[cell] for cell in keep)

    long_beams = tuple(beam for beam in BEAMS if beam is not Beam.SUPER)
    return _Rows(
        cells=all_cells,
        numbers=numbers,
        edges={side: of(Cell(beam, side.sign * rules.last) for beam in long_beams) for side in Side},
        zones={
            side: of(cell for cell in all_cells if side.sign * cell.place >= zone_start(cell.beam, rules))
            for side in Side
        },
        centre=of(Cell(beam, 0) for beam in BEAMS),
        corners=of(Cell(beam, place) for beam in (BEAMS[0], BEAMS[-1]) for place in (-rules.last, rules.last)),
        leds=tuple(numbers.get(cell) for cell in LED_CELLS),
    )


def lights(state: TurnState) -> LightPlan:
    """The light of each of the 139 LEDs, in board order: beam by beam, from Black's end to White's."""
    plan = cell_lights(state)
    rows = _rows(state.game.rules)
    if rows.cells == LED_CELLS:
        return plan
    return tuple(DARK if number is None else plan[number] for number in rows.leds)


def cell_lights(state: TurnState) -> LightPlan:
    """The light of each cell of the board as this game's rules have it, in the same order."""
    is_bright = _are_cows_bright(state)
    return tuple(_light(mark, is_bright) for mark in shown(state))


def shown(state: TurnState) -> tuple[Shown | None, ...]:
    """What each cell means, in the order of `cells(rules)`; None where it means nothing."""
    canvas = _Canvas(state.game.rules)
    _draw_rows(canvas, state)
    _draw_cows(canvas, state)
    _draw_pulls(canvas, state)
    _draw_advice(canvas, state)
    _draw_astray(canvas, state)
    return tuple(canvas.slots)


@lru_cache(maxsize=256)
def _light(mark: Shown | None, is_bright: bool) -> Light:
    if mark is None:
        return DARK
    look = LOOKS[mark.meaning]
    colour = look.colour
    if colour == SIDE:
        colour = Colour.BLACK_SIDE if mark.side is Side.BLACK else Colour.WHITE
    elif colour == Colour.DIM_WHITE and mark.meaning is not Meaning.PAUSED and (is_bright or mark.side is not None):
        colour = Colour.WHITE
    motion = look.motion
    if motion == CHASE:
        motion = Motion.CHASE_TO_BLACK if mark.side is Side.BLACK else Motion.CHASE_TO_WHITE
    return Light(Colour(colour), Motion(motion))


def _are_cows_bright(state: TurnState) -> bool:
    """Where the light itself is the cow; under a real one a dim light is enough."""
    return state.cows.can is not None and "sensors" not in state.cows.can


def _draw_rows(canvas: _Canvas, state: TurnState) -> None:
    game, rows, notice = state.game, canvas.rows, state.notice
    if state.phase is Phase.PAUSED:
        canvas.fill(rows.centre, Meaning.PAUSED)
    elif game.ended is not None:
        _draw_end(canvas, game.ended.winner, game.ended.reason)
    else:
        is_forfeit = notice is not None and notice.reason is Reason.FORFEITED and state.phase is Phase.TO_ROLL
        if is_forfeit and game.turns:
            loser = game.turns[-1].mover
            canvas.fill(rows.zones[loser], Meaning.FORFEITED, loser.other)
        meaning = _EDGE_OF.get(state.phase)
        if meaning is not None and (meaning is not Meaning.THROW or may_throw(state)):
            for side in _who_throws(state):
                canvas.fill(rows.edges[side], meaning, side)
    if notice is not None and notice.reason in _TROUBLE:
        canvas.fill(rows.corners, Meaning.DEVICE)


def _draw_end(canvas: _Canvas, winner: Side | None, reason: EndReason) -> None:
    if winner is not None:
        canvas.fill(canvas.rows.zones[winner], Meaning.WON, winner)
    elif reason is not EndReason.ABANDONED:
        for side in Side:
            canvas.fill(canvas.rows.zones[side], Meaning.DRAWN, side)


def _who_throws(state: TurnState) -> tuple[Side, ...]:
    if state.game.stage is not Stage.OPENING:
        return (state.game.mover,)
    if state.game.opening_side is None and thrower_of_tray(state.game) is None:
        return tuple(Side)
    return (state.game.opening_side or thrower_of_tray(state.game) or Side.WHITE,)


def _draw_cows(canvas: _Canvas, state: TurnState) -> None:
    """Cows where the sensors see them, else where the record says; the ones just pulled stand out."""
    meaning = Meaning.ASLEEP if state.phase is Phase.PAUSED else Meaning.COW
    occupied = state.cows.occupied if state.cows.are_followed else None
    if occupied is None:
        occupied = frozenset(map(Cell, BEAMS, state.game.position.places))
    for cell in occupied:
        canvas.put(cell, meaning)
    for cell in _just_pulled(state):
        if cell in occupied:
            canvas.put(cell, Meaning.PULLED)
    ended = state.game.ended
    if ended is not None and ended.winner is not None:
        for beam in cows_home(state.game.position, ended.winner, state.game.rules):
            canvas.put(Cell(beam, state.game.position.place(beam)), meaning, ended.winner)


def _just_pulled(state: TurnState) -> tuple[Cell, ...]:
    game, notice = state.game, state.notice
    if state.phase is Phase.WAITING:
        pull = next((one for one in game.pulls if one.name == state.cows.verdict.pull), None)
        spaces = () if pull is None else pull.cows
        return tuple(Cell(beam, game.position.place(beam) + game.mover.sign * count) for beam, count in spaces)
    is_fresh = notice is not None and notice.reason in (Reason.PULLED, Reason.PULL_CHANGED)
    if not is_fresh or not game.turns or game.roll or state.phase is Phase.PAUSED:
        return ()
    before, after = game.turns[-1].before, game.turns[-1].after
    return tuple(Cell(beam, after.place(beam)) for beam in BEAMS if after.place(beam) != before.place(beam))


def _draw_pulls(canvas: _Canvas, state: TurnState) -> None:
    """The way and the landing of each cow the dice can pull; with one chosen, only its way."""
    pulls = offered(state)
    mover = state.game.mover
    chosen = next((pull for pull in pulls if pull.name == state.chosen), None)
    for pull in pulls if chosen is None else (chosen,):
        for beam, spaces in pull.cows:
            canvas.run(beam, *way_left(state, beam, spaces), Shown(Meaning.WAY, mover))
    for pull in pulls if chosen is None else (*pulls, chosen):
        meaning = Meaning.CHOSEN if pull is chosen else Meaning.LANDING
        for beam, spaces in pull.cows:
            start, landing = way_left(state, beam, spaces)
            if spaces == 0:
                canvas.put(Cell(beam, landing), Meaning.CAN_LOCK, mover)
            elif start != landing:
                canvas.put(Cell(beam, landing), meaning)


def _draw_advice(canvas: _Canvas, state: TurnState) -> None:
    """What the coach says sparkles: the landings of its pull, or the cows that its keep is for.

    A pull that the player has chosen stands; the coach doesn't talk over it.
    """
    hint = advice_shown(state)
    if hint is None or state.chosen is not None:
        return
    for pull in offered(state):
        if pull.name == hint.pull:
            for beam, spaces in pull.cows:
                landing = state.game.position.place(beam) + state.game.mover.sign * spaces
                canvas.put(Cell(beam, landing), Meaning.BEST if spaces else Meaning.AIMED)
    for beam in hint.beams:
        cell = Cell(beam, state.game.position.place(beam))
        if state.cows.occupied is None or not state.cows.are_followed or cell in state.cows.occupied:
            canvas.put(cell, Meaning.AIMED)


def _draw_astray(canvas: _Canvas, state: TurnState) -> None:
    """Wrong cows at once; their way home once it is told in words, or where there is no cell to mark."""
    if state.phase is Phase.PAUSED:
        return
    astray = astray_cows(state)
    is_led = is_leading_home(state)
    for cow in astray:
        _draw_home(canvas, cow, is_led)
    for cow in astray:
        for cell in cow.at:
            if cell != cow.home:
                canvas.put(cell, Meaning.ODD)
    fault = _faulty_cell(state)
    if fault is not None:
        canvas.put(fault, Meaning.FAULT)


def _draw_home(canvas: _Canvas, cow: CowAstray, is_led: bool) -> None:
    if cow.home in cow.at or (cow.at and not is_led):
        return
    for cell in cow.at:
        if cell.beam is cow.beam:
            canvas.run(cow.beam, cell.place, cow.home.place, Shown(Meaning.TRAIL))
    canvas.put(cow.home, Meaning.HOME)


def _faulty_cell(state: TurnState) -> Cell | None:
    if state.notice is None or state.notice.reason is not Reason.BOARD_FAULT:
        return None
    try:
        return Cell.parse(dict(state.notice.words).get("cell", ""), state.game.rules)
    except InputError:
        return None
