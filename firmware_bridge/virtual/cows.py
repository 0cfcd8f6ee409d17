"""The physical world on a virtual magnet board: nine cows, the hands that move them, and where their
magnets are.

No clock: every method takes the time `at` in monotonic seconds. A magnet closes its cell's switch within
`MAGNET_REACH` of a cell pitch round the centre, so a cow that slides fires the cells on its way one after
the other with gaps between, in which no cell of its beam is occupied.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from firmware_bridge.errors import AddressError
from firmware_bridge.geometry import BEAMS, CellNumber, cell_number, reach

MAGNET_REACH = 0.3  # 8 x 4 mm magnet over a switch: closes within about 10 mm of a 33 mm pitch


class CowState(StrEnum):
    """What a cow is doing."""

    STANDING = "standing"
    SLIDING = "sliding"
    LIFTED = "lifted"
    TOPPLED = "toppled"


@dataclass(frozen=True, slots=True)
class CowStanding:
    """Where one cow is; `cow` is the name of the beam it belongs to.

    `beam` and `place` say where it stands or lies (None while lifted); `place` is a fraction while it slides.
    """

    cow: str
    beam: str | None
    place: float | None
    state: CowState


@dataclass(frozen=True, slots=True)
class _Slide:
    from_place: float
    to_place: int
    began_at: float
    seconds: float


@dataclass(slots=True)
class _Cow:
    beam: str | None
    place: int
    is_toppled: bool = False
    slide: _Slide | None = None


class CowWorld:
    """Nine cows, at first each in the centre of its beam."""

    def __init__(self) -> None:
        self._cows = {beam: _Cow(beam, 0) for beam in BEAMS}

    # --- hands ---

    def slide(self, cow: str, to_place: int, seconds: float, at: float) -> None:
        """Slide a cow along the beam it stands on, at even speed; from where it is, if it slides already.

        Raises:
            AddressError: no such cow, or it is lifted or toppled, or its beam has no such place.
        """
        body = self._cow(cow)
        standing = self._standing(cow, at)
        if body.beam is None or standing.place is None or body.is_toppled:
            raise AddressError(f"cow {cow}", standing.state.value, "a cow that stands on the board")
        cell_number(body.beam, to_place)
        body.slide = _Slide(standing.place, to_place, at, max(0.0, seconds))
        body.place = to_place

    def lift(self, cow: str) -> None:
        """Take a cow off the board, from wherever it is."""
        body = self._cow(cow)
        body.beam, body.slide, body.is_toppled = None, None, False

    def put(self, cow: str, beam: str, place: int, at: float) -> None:
        """Stand a cow upright on any cell of any beam.

        Raises:
            AddressError: no such cow or cell, or another cow is in that cell.
        """
        body = self._cow(cow)
        cell_number(beam, place)
        for other in BEAMS:
            there = self._standing(other, at)
            if other != cow and there.beam == beam and there.place == place:
                raise AddressError(f"cell {beam} {place}", f"cow {other} on it", "a free cell")
        body.beam, body.place, body.slide, body.is_toppled = beam, place, None, False

    def knock(self, cow: str, at: float) -> None:
        """Topple a cow where it is: its foot leaves the cell, so no switch sees it.

        Raises:
            AddressError: no such cow, or it is in the hand.
        """
        body = self._cow(cow)
        standing = self._standing(cow, at)
        if body.beam is None or standing.place is None:
            raise AddressError(f"cow {cow}", standing.state.value, "a cow that stands on the board")
        body.place, body.slide, body.is_toppled = round(standing.place), None, True

    def set_up(self, places: Mapping[str, int]) -> None:
        """Stand every cow on its own beam, at its place in `places` or in the centre; errors as with
        `put`."""
        for beam, place in places.items():
            cell_number(beam, place)
        self._cows = {beam: _Cow(beam, places.get(beam, 0)) for beam in BEAMS}

    # --- eyes and magnets ---

    def cows(self, at: float) -> tuple[CowStanding, ...]:
        """The nine cows in board order."""
        return tuple(self._standing(cow, at) for cow in BEAMS)

    def is_moving(self, at: float) -> bool:
        """Whether any cow slides."""
        return any(standing.state is CowState.SLIDING for standing in self.cows(at))

    def occupied(self, at: float) -> frozenset[CellNumber]:
        """The cells whose switch a magnet closes now."""
        cells = (self._cell_under(cow, at) for cow in BEAMS)
        return frozenset(cell for cell in cells if cell is not None)

    def _cell_under(self, cow: str, at: float) -> CellNumber | None:
        standing = self._standing(cow, at)
        if standing.beam is None or standing.place is None or standing.state is CowState.TOPPLED:
            return None
        nearest = round(standing.place)
        if abs(standing.place - nearest) > MAGNET_REACH or abs(nearest) > reach(standing.beam):
            return None
        return cell_number(standing.beam, nearest)

    def _standing(self, cow: str, at: float) -> CowStanding:
        body = self._cow(cow)
        if body.beam is None:
            return CowStanding(cow, None, None, CowState.LIFTED)
        if body.is_toppled:
            return CowStanding(cow, body.beam, body.place, CowState.TOPPLED)
        slide = body.slide
        if slide is None or at >= slide.began_at + slide.seconds:
            return CowStanding(cow, body.beam, body.place, CowState.STANDING)
        share = max(0.0, (at - slide.began_at) / slide.seconds)
        place = slide.from_place + share * (slide.to_place - slide.from_place)
        return CowStanding(cow, body.beam, place, CowState.SLIDING)

    def _cow(self, cow: str) -> _Cow:
        if cow not in self._cows:
            raise AddressError("cow", cow, ", ".join(BEAMS))
        return self._cows[cow]
