"""The board's scan as timelines: debouncing, chatter, stuck and ghost cells."""

from __future__ import annotations

from firmware_bridge.geometry import BEAMS, CellNumber, cell_number
from firmware_bridge.messages import Fault
from firmware_bridge.virtual.scan import CHATTER_S, EXTRA_S, SCAN_S, Change, Scanner, Trouble

HOME = frozenset(cell_number(beam, 0) for beam in BEAMS)
CELL = cell_number("chance", 1)


class Bench:
    """A scanner and its clock: rows of (how many scans, what they say)."""

    def __init__(self, first: frozenset[CellNumber] = HOME) -> None:
        self.scanner = Scanner()
        self.at = 50.0
        self.changes: list[Change] = []
        self.troubles: list[Trouble] = []
        self.scan(1, first)

    def scan(self, count: int, raw: frozenset[CellNumber]) -> None:
        for _ in range(count):
            self.changes += self.scanner.scan(raw, self.at)
            self.troubles += self.scanner.troubles(self.at)
            self.at += SCAN_S

    def seconds(self, seconds: float, raw: frozenset[CellNumber]) -> None:
        self.scan(round(seconds / SCAN_S) + 1, raw)


def test_the_first_scan_is_taken_as_it_is() -> None:
    bench = Bench()
    assert bench.scanner.occupied == HOME
    assert bench.changes == []


def test_a_change_is_taken_after_one_more_scan_and_stamped_with_its_edge() -> None:
    bench = Bench()
    edge = bench.at
    bench.scan(1, HOME | {CELL})
    assert bench.changes == []
    bench.scan(1, HOME | {CELL})
    assert bench.changes == [Change(CELL, True, edge)]


def test_a_single_scan_that_differs_is_no_change() -> None:
    bench = Bench()
    bench.scan(1, HOME | {CELL})
    bench.scan(5, HOME)
    assert bench.changes == []
    assert bench.scanner.occupied == HOME


def test_changes_come_in_the_order_of_their_edges() -> None:
    bench = Bench()
    start = cell_number("chance", 0)
    bench.scan(1, HOME - {start})
    bench.scan(4, HOME - {start} | {CELL})
    assert [(change.cell, change.is_on) for change in bench.changes] == [(start, False), (CELL, True)]


def test_a_quiet_board_needs_no_scanning_on() -> None:
    bench = Bench()
    bench.scan(3, HOME | {CELL} - {cell_number("chance", 0)})
    bench.seconds(CHATTER_S + EXTRA_S, HOME)
    assert not bench.scanner.is_settling


def test_a_chattering_cell_is_named_kept_and_named_again_when_quiet() -> None:
    bench = Bench()
    for _ in range(60):
        bench.scan(1, HOME | {CELL})
        bench.scan(1, HOME)
    assert bench.troubles == [Trouble(Fault.CHATTER, CELL, is_over=False)]
    assert CELL not in bench.scanner.occupied
    bench.seconds(CHATTER_S + 0.1, HOME)
    assert bench.troubles[1:] == [Trouble(Fault.CHATTER, CELL, is_over=True)]


def test_a_tenth_cell_that_just_appeared_is_a_ghost_after_two_seconds() -> None:
    bench = Bench()
    bench.seconds(EXTRA_S - 0.1, HOME | {CELL})
    assert bench.troubles == []
    bench.seconds(0.2, HOME | {CELL})
    assert bench.troubles == [Trouble(Fault.GHOST, CELL, is_over=False)]
    bench.seconds(0.1, HOME)
    assert bench.troubles[1:] == [Trouble(Fault.GHOST, CELL, is_over=True)]


def test_a_cell_that_stays_on_while_the_beams_cow_moves_is_stuck() -> None:
    stuck, start = cell_number("chance", 5), cell_number("chance", 0)
    bench = Bench(HOME | {stuck})
    bench.scan(4, HOME - {start} | {stuck})
    bench.scan(4, HOME - {start} | {stuck, CELL})
    bench.seconds(EXTRA_S + 0.1, HOME - {start} | {stuck, CELL})
    assert bench.troubles == [Trouble(Fault.STUCK, stuck, is_over=False)]


def test_two_cows_on_one_beam_are_no_fault_of_the_board() -> None:
    bench = Bench()
    wrong = HOME - {cell_number("2", 0)} | {CELL}
    bench.seconds(EXTRA_S * 2, wrong)
    assert bench.troubles == []
