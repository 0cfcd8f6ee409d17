"""Faults of a virtual board: their names, what they take, what they do."""

from __future__ import annotations

from itertools import pairwise

import pytest

from firmware_bridge.errors import AddressError
from firmware_bridge.geometry import CellNumber, cell_number
from firmware_bridge.virtual.faults import CATALOGUE, FaultKind, FaultSet, Takes, parse_fault

FOUR = CellNumber(4)
TEXTS = {Takes.NOTHING: "", Takes.CELL: ":4", Takes.PERCENT: ":5", Takes.SECONDS: ":2"}


def bring(*texts: str, seed: int = 3) -> FaultSet:
    faults = FaultSet(seed)
    for text in texts:
        faults.bring(parse_fault(text))
    return faults


def turnovers(faults: FaultSet, occupied: frozenset[CellNumber], cell: CellNumber = FOUR) -> int:
    said = [cell in faults.sensed(occupied, step / 250) for step in range(250)]
    return sum(one != other for one, other in pairwise(said))


@pytest.mark.parametrize("kind", CATALOGUE, ids=lambda kind: kind.name)
def test_every_fault_is_read_from_the_text_it_prints(kind: FaultKind) -> None:
    text = kind.name + TEXTS[kind.takes]
    assert str(parse_fault(text)) == text
    assert bring(text).names() == ((text,) if kind.is_lasting else ())


def test_a_cell_may_be_named_by_beam_and_place() -> None:
    assert parse_fault("stuck:chance:-4").argument == cell_number("chance", -4)
    assert parse_fault("stuck:super:0").argument == 69


@pytest.mark.parametrize(
    "text", ["", "flood", "weak", "weak:139", "weak:chance:9", "weak:x", "drop:101", "drop:-1", "drop", "silent:3"]
)
def test_a_fault_that_is_none_is_refused_with_what_is_accepted(text: str) -> None:
    with pytest.raises(AddressError, match="accepted"):
        parse_fault(text)


def test_none_ends_all() -> None:
    faults = bring("stuck:4", "drop:5", "weak:7")
    assert faults.names() == ("stuck:4", "drop:5", "weak:7")
    faults.bring(parse_fault("none"))
    assert faults.names() == ()
    assert faults.sensed(frozenset(), 0.0) == frozenset()


def test_a_second_figure_takes_the_place_of_the_first_but_cells_add_up() -> None:
    assert bring("drop:5", "drop:9", "stuck:1", "stuck:2").names() == ("drop:9", "stuck:1", "stuck:2")


def test_stuck_is_always_on_ghost_comes_and_goes_slowly() -> None:
    assert turnovers(bring("stuck:4"), frozenset()) == 0
    assert FOUR in bring("stuck:4").sensed(frozenset(), 0.0)
    ghost = bring("ghost:4")
    assert {FOUR in ghost.sensed(frozenset(), float(second)) for second in range(6)} == {True, False}
    assert turnovers(ghost, frozenset()) <= 2


def test_weak_flickers_only_under_a_cow_and_chatter_always_and_faster() -> None:
    assert turnovers(bring("weak:4"), frozenset()) == 0
    weak = turnovers(bring("weak:4"), frozenset({FOUR}))
    assert 2 <= weak <= 16
    assert turnovers(bring("chatter:4"), frozenset()) > 2 * weak


def test_a_fault_at_one_cell_leaves_the_others_alone() -> None:
    others = frozenset({CellNumber(9), CellNumber(70)})
    assert bring("stuck:4", "chatter:5").sensed(others, 0.3) >= others


def test_the_same_seed_gives_the_same_faults() -> None:
    data = bytes(range(256)) * 4
    assert bring("corrupt:5", "drop:5").carried(data) == bring("corrupt:5", "drop:5").carried(data)
    assert bring("corrupt:5", seed=4).carried(data) != bring("corrupt:5", seed=5).carried(data)


def test_line_faults_hit_about_the_share_they_were_told() -> None:
    data = bytes(10_000)
    assert bring().carried(data) == data
    assert bring("silent").carried(data) == b""
    assert 9_300 < len(bring("drop:5").carried(data)) < 9_700
    damaged = bring("corrupt:5").carried(data)
    assert len(damaged) == len(data)
    assert 300 < sum(byte != 0 for byte in damaged) < 700
