"""Cows seen against pulls allowed: is a move complete, could it go on, or is it wrong, and which cows go back where.

Rules of this file: a pure function of the position before the move, the cells that report a cow, and the legal pulls.
It knows no time; how long an answer must stand before it counts is the machine's affair.

How it works: every beam is looked at alone and gives a *standing*: at home, in the hand (no cell reports), between two
neighbouring cells, or on one cell. A pull *explains* a beam when that standing lies on the way from home to where the
pull would bring its cow. A pull that explains all nine beams is still possible; one whose cows have all arrived
stands. No pull left: the move is wrong, measured against the pull that explains most, so that the first, right cow
of two isn't sent home with the second, wrong one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from controller.games.cosmic_cows import BEAMS, Beam, Cell, Position, Pull
from controller.table.state import UNCHANGED, CowAstray, Verdict, VerdictKind


@dataclass(frozen=True, slots=True)
class _Standing:
    """Where one beam's cow belongs and which places of the beam report a cow, ascending."""

    home: int
    places: tuple[int, ...]

    @property
    def is_home(self) -> bool:
        return self.places == (self.home,)

    def has_arrived(self, target: int) -> bool:
        return self.places == (target,)

    def is_on_the_way(self, target: int) -> bool:
        """In the hand, at home, or on one cell or two neighbouring ones between home and `target`."""
        low, high = min(self.home, target), max(self.home, target)
        if any(not low <= place <= high for place in self.places):
            return False
        return len(self.places) <= 1 or (len(self.places) == 2 and self.places[1] - self.places[0] == 1)


def targets(position: Position, pull: Pull) -> dict[Beam, int]:
    """Where each cow of the pull lands."""
    return {beam: position.place(beam) + position.mover.sign * spaces for beam, spaces in pull.cows}


def judge(position: Position, occupied: frozenset[Cell], pulls: Sequence[Pull], chosen: str | None = None) -> Verdict:
    """What these cells mean while `position.mover` may make one of `pulls` from `position`.

    Pulls that bring the same cows to the same cells can't be told apart by the board: then `chosen` is taken if it is
    one of them, else the last, which uses the most dice.
    """
    standings = _standings(position, occupied)
    if all(standing.is_home for standing in standings.values()):
        return UNCHANGED
    landings = {pull.name: targets(position, pull) for pull in pulls}
    possible = [pull for pull in pulls if all(_explains(landings[pull.name], b, s) for b, s in standings.items())]
    if not possible:
        return Verdict(VerdictKind.WRONG, astray=_astray(standings, occupied, tuple(landings.values())))
    standing_pulls = [pull for pull in possible if _stands(landings[pull.name], standings)]
    further = [pull for pull in possible if not _stands(landings[pull.name], standings)]
    names = tuple(pull.name for pull in further)
    if not standing_pulls:
        return Verdict(VerdictKind.ON_THE_WAY, could_be=names)
    pull = next((one for one in standing_pulls if one.name == chosen), standing_pulls[-1])
    if not further:
        return Verdict(VerdictKind.COMPLETE, pull.name)
    moved = set(landings[pull.name])
    return Verdict(
        VerdictKind.COULD_GO_ON,
        pull.name,
        names,
        needs_second_cow=any(set(landings[other.name]) - moved for other in further),
    )


def _standings(position: Position, occupied: frozenset[Cell]) -> dict[Beam, _Standing]:
    by_beam: dict[Beam, list[int]] = {beam: [] for beam in BEAMS}
    for cell in occupied:
        by_beam[cell.beam].append(cell.place)
    return {beam: _Standing(position.place(beam), tuple(sorted(by_beam[beam]))) for beam in BEAMS}


def _explains(landing: dict[Beam, int], beam: Beam, standing: _Standing) -> bool:
    target = landing.get(beam)
    return standing.is_home if target is None else standing.is_on_the_way(target)


def _stands(landing: dict[Beam, int], standings: dict[Beam, _Standing]) -> bool:
    """Whether every cow of the pull has arrived (the others are home, or the pull wouldn't explain the board)."""
    return all(standings[beam].has_arrived(target) for beam, target in landing.items())


def _astray(
    standings: dict[Beam, _Standing], occupied: frozenset[Cell], landings: Sequence[dict[Beam, int]]
) -> tuple[CowAstray, ...]:
    """Every cow that the best-fitting pull doesn't explain, in beam order."""
    moved = [beam for beam, standing in standings.items() if not standing.is_home]
    best: dict[Beam, int] = {}
    best_count = 0
    for landing in landings:
        count = sum(_explains(landing, beam, standings[beam]) for beam in moved)
        if count > best_count:
            best, best_count = landing, count
    wrong = [beam for beam in moved if not _explains(best, beam, standings[beam])]
    return _where(wrong, standings, occupied)


def _where(wrong: Sequence[Beam], standings: dict[Beam, _Standing], occupied: frozenset[Cell]) -> tuple[CowAstray, ...]:
    """Each wrong cow with the cells it's seen on; a cow missing from its beam is looked for among the extra ones."""
    missing = [beam for beam in wrong if not standings[beam].places]
    stray_cells = [
        Cell(beam, place)
        for beam in wrong
        for place in standings[beam].places
        if standings[beam].home in standings[beam].places and place != standings[beam].home
    ]
    found: dict[Beam, tuple[Cell, ...]] = {}
    if len(missing) == len(stray_cells) == 1:
        found[missing[0]] = (stray_cells[0],)
    claimed = {cell for cells in found.values() for cell in cells}
    astray = []
    for beam in wrong:
        standing = standings[beam]
        cells = tuple(cell for cell in (Cell(beam, place) for place in standing.places) if cell not in claimed)
        if beam in found:
            astray.append(CowAstray(beam, found[beam], Cell(beam, standing.home)))
        elif cells != (Cell(beam, standing.home),):
            astray.append(CowAstray(beam, cells, Cell(beam, standing.home)))
    return tuple(astray)
