"""Who plays each side: a person, or a computer with its level, its seed and the way its dice are thrown.

Rules of this file: pure; one JSON form both ways, the same in a record's header, in a command and in the public state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import StrEnum
from typing import Any

from controller.errors import InputError
from controller.games.cosmic_cows import Side

LEVELS = ("gentle", "greedy", "keen", "best")  # the names of controller.advice.players, weakest first
HIGHEST_SEED = 999_999_999
_KEYS = ("level", "seed", "throws")


class Throws(StrEnum):
    """How a computer's dice are thrown."""

    TRAY = "tray"  # someone throws them in the tray for it, and the camera reads them
    GENERATOR = "generator"  # the service's own fair generator


@dataclass(frozen=True, slots=True)
class Computer:
    """A side that the service plays; one seed plays the same in the same position."""

    level: str
    seed: int = 0
    throws: Throws = Throws.TRAY

    @property
    def is_generated(self) -> bool:
        """Whether the service throws its dice itself."""
        return self.throws is Throws.GENERATOR


@dataclass(frozen=True, slots=True)
class Seats:
    """Both sides; None is a person."""

    white: Computer | None = None
    black: Computer | None = None

    def of(self, side: Side) -> Computer | None:
        """The computer on this side, if it is one."""
        return self.white if side is Side.WHITE else self.black

    @property
    def are_all_computers(self) -> bool:
        """Whether the table plays by itself."""
        return self.white is not None and self.black is not None

    def with_person(self, side: Side) -> Seats:
        """The same with a person on this side."""
        return replace(self, white=None) if side is Side.WHITE else replace(self, black=None)


PERSONS = Seats()


def format_seats(seats: Seats) -> dict[str, dict[str, Any]]:
    """The computers by side, White first: `{"black": {"level": "greedy", "seed": 7, "throws": "tray"}}`."""
    computers = {side.value: seats.of(side) for side in Side}
    return {
        side: {"level": computer.level, "seed": computer.seed, "throws": computer.throws.value}
        for side, computer in computers.items()
        if computer is not None
    }


def parse_seats(value: object, where: str = "computers") -> Seats:
    """The seats of this JSON value; a side that is left out or null is a person's.

    Raises:
        InputError: an unknown side, key or level, or a value that isn't usable.
    """
    if not isinstance(value, Mapping):
        raise InputError(where, value, 'an object such as {"black": {"level": "greedy"}}')
    for side in value:
        if side not in tuple(Side):
            raise InputError(where, side, "white and black")
    found = {side: _computer(value.get(side), f"{where}.{side}") for side in map(str, Side)}
    return Seats(found["white"], found["black"])


def parse_level(value: object, where: str) -> str:
    """The name of a level; InputError names the nearest."""
    accepted = ", ".join(LEVELS)
    if isinstance(value, str) and value in LEVELS:
        return value
    near = get_close_matches(value, LEVELS, n=1) if isinstance(value, str) else []
    raise InputError(where, value, accepted + (f"; the nearest is {near[0]}" if near else ""))


def _computer(value: object, where: str) -> Computer | None:
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise InputError(where, value, 'an object such as {"level": "greedy"}, or null for a person')
    for key in value:
        if key not in _KEYS:
            raise InputError(where, key, ", ".join(_KEYS))
    seed, throws = value.get("seed", 0), value.get("throws", Throws.TRAY.value)
    if type(seed) is not int or not 0 <= seed <= HIGHEST_SEED:
        raise InputError(f"{where}.seed", seed, f"a whole number from 0 to {HIGHEST_SEED}")
    if not isinstance(throws, str) or throws not in tuple(Throws):
        raise InputError(f"{where}.throws", throws, ", ".join(Throws))
    return Computer(parse_level(value.get("level"), f"{where}.level"), seed, Throws(throws))
