"""Where the nine cows stand and who moves; every fault such a position can have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Flag, auto

from controller.games.cosmic_cows.beams import BEAMS, Beam, Side, last_place
from controller.games.cosmic_cows.rules import DEFAULT_RULES, Rules

_INDEX = {beam: index for index, beam in enumerate(BEAMS)}


@dataclass(frozen=True, slots=True)
class Position:
    """Nine places in beam order (positive towards White), the player to move, and the cows locked in.

    `locked` stays empty unless the house rule `lock_in` is played.
    """

    places: tuple[int, ...]
    mover: Side
    locked: frozenset[Beam] = frozenset()

    def place(self, beam: Beam) -> int:
        """Where this beam's cow stands."""
        return self.places[_INDEX[beam]]

    def with_places(self, places: Mapping[Beam, int]) -> Position:
        """This position with some cows set elsewhere; a locked cow that is set elsewhere is free again."""
        moved = tuple(places.get(beam, place) for beam, place in zip(BEAMS, self.places, strict=True))
        freed = {beam for beam in self.locked if moved[_INDEX[beam]] != self.place(beam)}
        return Position(moved, self.mover, self.locked - freed)

    def with_mover(self, side: Side) -> Position:
        """This position with `side` to move."""
        return replace(self, mover=side)

    def mirrored(self) -> Position:
        """The same position with the players' seats swapped."""
        return Position(tuple(-place for place in self.places), self.mover.other, self.locked)


class Status(Flag):
    """The faults of a position, all at once; SOUND is none."""

    SOUND = 0
    WRONG_COUNT = auto()  # not nine places
    OFF_BEAM = auto()  # a cow beyond a long beam's last cell
    SUPER_OFF_BEAM = auto()  # the super cow beyond its three cells
    LOCK_NOT_PLAYED = auto()  # a locked cow at a table that doesn't play lock_in
    SUPER_LOCKED = auto()  # the super cow can't be locked
    LOCKED_ELSEWHERE = auto()  # a locked cow that doesn't stand on a last cell
    BOTH_WON = auto()  # both players have enough cows home: the first of them had won
    MOVER_HAS_WON = auto()  # the player to move has won: the turn can't have come back (ruling 6)


def start_position(mover: Side) -> Position:
    """Every cow in the centre."""
    return Position((0,) * len(BEAMS), mover)


def status(position: Position, rules: Rules = DEFAULT_RULES) -> Status:
    """All faults of the position under these rules."""
    if len(position.places) != len(BEAMS):
        return Status.WRONG_COUNT
    faults = Status.SOUND
    for beam, place in zip(BEAMS, position.places, strict=True):
        if abs(place) > last_place(beam, rules):
            faults |= Status.SUPER_OFF_BEAM if beam is Beam.SUPER else Status.OFF_BEAM
    return faults | _lock_faults(position, rules) | _end_faults(position, rules)


def cows_home(position: Position, side: Side, rules: Rules = DEFAULT_RULES) -> tuple[Beam, ...]:
    """The beams, in board order, whose cow stands in this side's win zone."""
    zone = rules.zone_start
    places = position.places if side is Side.WHITE else tuple(-place for place in position.places)
    return tuple(
        beam for beam, place in zip(BEAMS, places, strict=True) if place >= (1 if beam is Beam.SUPER else zone)
    )


def has_won(position: Position, side: Side, rules: Rules = DEFAULT_RULES) -> bool:
    """Whether this side has enough cows in its win zone."""
    zone = rules.zone_start
    if side is Side.WHITE:
        home = [place for place in position.places if place >= zone]
    else:
        home = [place for place in position.places if place <= -zone]
    is_super_extra = zone > 1 and position.places[_INDEX[Beam.SUPER]] == side.sign
    return len(home) + is_super_extra >= rules.cows_to_win


def _lock_faults(position: Position, rules: Rules) -> Status:
    faults = Status.SOUND
    if position.locked and not rules.lock_in:
        faults |= Status.LOCK_NOT_PLAYED
    if Beam.SUPER in position.locked:
        faults |= Status.SUPER_LOCKED
    if any(abs(position.place(beam)) != last_place(beam, rules) for beam in position.locked):
        faults |= Status.LOCKED_ELSEWHERE
    return faults


def _end_faults(position: Position, rules: Rules) -> Status:
    mover_won = has_won(position, position.mover, rules)
    if mover_won and has_won(position, position.mover.other, rules):
        return Status.BOTH_WON | Status.MOVER_HAS_WON
    return Status.MOVER_HAS_WON if mover_won else Status.SOUND
