"""What a board's controller makes of its switches: debounced changes, and switches that can't be right.

Rules of this file: no clock, no link. How it works, for each cell:

    raw        ____|‾‾|_|‾‾‾‾‾‾‾‾‾‾‾‾
    debounced  ________________|‾‾‾‾‾     taken when raw stood still for DEBOUNCE_S, stamped with its last
    edge

A cell that turns over more than `CHATTER_EDGES` times within a second chatters: it keeps its debounced
value until it has been quiet for a second. Nine cows can't occupy ten cells: if more are occupied for
`EXTRA_S`, the cell is named that can't be right. Where the rest of its beam went on changing under it it is
stuck, else it is a ghost.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Set
from dataclasses import dataclass

from firmware_bridge.geometry import COW_COUNT, CellNumber, cell_at
from firmware_bridge.messages import Fault

SCAN_S = 0.004
DEBOUNCE_S = 0.003  # the next scan without another edge; Hall switches don't bounce, reeds settle within 1 ms
CHATTER_EDGES = 24
CHATTER_S = 1.0
EXTRA_S = 2.0
STUCK_CELLS = 2  # the cow left one cell and arrived on another: it can't have been this one


@dataclass(frozen=True, slots=True)
class Change:
    """A debounced change and when it happened."""

    cell: CellNumber
    is_on: bool
    at: float


@dataclass(frozen=True, slots=True)
class Trouble:
    """A switch that can't be right, or is right again."""

    fault: Fault
    cell: CellNumber
    is_over: bool


class Scanner:
    """Raw scans in, changes and troubles out."""

    def __init__(self) -> None:
        self.occupied: frozenset[CellNumber] = frozenset()
        self.has_begun = False
        self._raw: frozenset[CellNumber] = frozenset()
        self._edge_at: dict[CellNumber, float] = {}  # cells whose raw value isn't taken yet
        self._edges: dict[CellNumber, deque[float]] = {}
        self._chattering: set[CellNumber] = set()
        self._watch = ExtraWatch()

    @property
    def is_settling(self) -> bool:
        """Whether a change waits to be taken, or a trouble to begin or end: go on scanning."""
        return bool(self._edge_at or self._edges or self._watch.is_waiting)

    def scan(self, raw: Set[CellNumber], at: float) -> tuple[Change, ...]:
        """Take one scan; the changes that have become certain, in the order in which they happened.

        The first scan is taken as it is and makes no changes: a snapshot tells of it.
        """
        if not self.has_begun:
            self._begin(raw)
        for cell in self._raw ^ raw:
            self._edge_at[cell] = at
            self._edges.setdefault(cell, deque(maxlen=CHATTER_EDGES + 1)).append(at)
        self._raw = frozenset(raw)
        settled = [
            (edge_at, cell)
            for cell, edge_at in self._edge_at.items()
            if at - edge_at >= DEBOUNCE_S and cell not in self._chattering
        ]
        changes = []
        for edge_at, cell in sorted(settled):
            del self._edge_at[cell]
            is_on = cell in raw
            if is_on != (cell in self.occupied):
                self.occupied = self.occupied | {cell} if is_on else self.occupied - {cell}
                changes.append(Change(cell, is_on, edge_at))
                self._watch.note(cell, is_on=is_on)
        return tuple(changes)

    def _begin(self, raw: Set[CellNumber]) -> None:
        self.has_begun = True
        self.occupied = self._raw = frozenset(raw)
        for cell in sorted(raw):
            self._watch.note(cell, is_on=True)

    def troubles(self, at: float) -> tuple[Trouble, ...]:
        """The troubles that begin or end now; call after `scan`."""
        found = []
        for cell, edges in list(self._edges.items()):
            while edges and at - edges[0] > CHATTER_S:
                edges.popleft()
            if len(edges) > CHATTER_EDGES and cell not in self._chattering:
                self._chattering.add(cell)
                found.append(Trouble(Fault.CHATTER, cell, is_over=False))
            elif not edges:
                del self._edges[cell]
                if cell in self._chattering:
                    self._chattering.discard(cell)
                    found.append(Trouble(Fault.CHATTER, cell, is_over=True))
        return (*found, *self._watch.troubles(self.occupied, at))


class ExtraWatch:
    """Watches for more occupied cells than there are cows."""

    def __init__(self) -> None:
        self._extra_since: float | None = None
        self._named: Trouble | None = None
        self._order: list[CellNumber] = []  # occupied cells, the newest last
        self._changed_under: dict[CellNumber, set[CellNumber]] = {}  # on its beam, since the cell turned on

    @property
    def is_waiting(self) -> bool:
        """Whether time alone may bring news."""
        return self._extra_since is not None and self._named is None

    def note(self, cell: CellNumber, *, is_on: bool) -> None:
        """A debounced change."""
        beam = cell_at(cell).beam
        for other, changed in self._changed_under.items():
            if other != cell and cell_at(other).beam == beam:
                changed.add(cell)
        if is_on:
            self._order.append(cell)
            self._changed_under[cell] = set()
        elif cell in self._changed_under:
            self._order.remove(cell)
            del self._changed_under[cell]

    def troubles(self, occupied: Set[CellNumber], at: float) -> tuple[Trouble, ...]:
        """The trouble that begins or ends now."""
        if len(occupied) <= COW_COUNT:
            self._extra_since = None
            named, self._named = self._named, None
            return (Trouble(named.fault, named.cell, is_over=True),) if named else ()
        if self._extra_since is None:
            self._extra_since = at
        if self._named is not None or at - self._extra_since < EXTRA_S:
            return ()
        self._named = self._suspect()
        return (self._named,)

    def _suspect(self) -> Trouble:
        beams = [cell_at(cell).beam for cell in self._order]
        shared = [cell for cell, beam in zip(self._order, beams, strict=True) if beams.count(beam) > 1]
        stuck = max(shared, key=lambda cell: len(self._changed_under[cell]))
        if len(self._changed_under[stuck]) >= STUCK_CELLS:
            return Trouble(Fault.STUCK, stuck, is_over=False)
        return Trouble(Fault.GHOST, shared[-1], is_over=False)
