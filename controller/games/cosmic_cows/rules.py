"""The house rules a table can set, as one frozen value, and their JSON form both ways.

Rules of this file: it says what may be set and to what; what a setting *does* stands where the rule is
carried out. Every field's default is the rule of the printed game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from enum import StrEnum
from itertools import pairwise
from typing import Any, NamedTuple

from controller.errors import InputError

LOWEST_TOTAL = 5
HIGHEST_TOTAL = 30
SHORTEST_BEAM = 9  # on a shorter one a win zone of four would reach the centre
LONGEST_BEAM = 33


class Opening(StrEnum):
    """What each player throws for the start."""

    ONE_DIE = "one die"
    ALL_FIVE = "all five"


class ChanceBand(NamedTuple):
    """Totals from `low` to `high`, both included, pull the chance cow `spaces` cells."""

    low: int
    high: int
    spaces: int


DEFAULT_CHANCE = (ChanceBand(5, 9, 4), ChanceBand(10, 12, 3), ChanceBand(23, 25, 3), ChanceBand(26, 30, 4))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What this table plays by. `straights` holds the steps of a small and a large straight."""

    cows_to_win: int = 3
    beam_length: int = 17
    win_zone: int = 3
    super_forced: bool = True
    subset_pulls: bool = True
    chance: tuple[ChanceBand, ...] = DEFAULT_CHANCE
    straights: tuple[int, int] = (3, 4)
    rolls: int = 3
    first_turn_rolls: int = 3
    opening: Opening = Opening.ONE_DIE
    lock_in: bool = False
    turn_limit: int | None = None

    @property
    def last(self) -> int:
        """The last place of a long beam, counted from the centre."""
        return self.beam_length // 2

    @property
    def zone_start(self) -> int:
        """The first place of a win zone on a long beam, counted from the centre."""
        return self.last - self.win_zone + 1

    def rolls_in_turn(self, turn_count: int) -> int:
        """How many rolls the next turn has when `turn_count` turns are finished."""
        return self.rolls if turn_count else min(self.rolls, self.first_turn_rolls)

    def chance_spaces(self, total: int) -> int:
        """How far five dice of this total pull the chance cow; 0 where no band holds them."""
        return next((band.spaces for band in self.chance if band.low <= total <= band.high), 0)


DEFAULT_RULES = Rules()


def parse_rules(mapping: Mapping[str, Any]) -> Rules:
    """The rules that this mapping sets; what it leaves out stays at its default.

    Args:
        mapping: from JSON or TOML, e.g. {"cows_to_win": 2, "chance": {"5-12": 3}, "straights": [2, 5]}.

    Raises:
        InputError: an unknown key (the nearest known one is named) or an unusable value.
    """
    if not isinstance(mapping, Mapping):
        raise InputError("rules", mapping, "an object of house rules")
    for key in mapping:
        if key not in _PARSERS:
            raise InputError("rules", key, _known_keys(key))
    return Rules(**{key: _PARSERS[key](f"rules.{key}", value) for key, value in mapping.items()})


def format_rules(rules: Rules) -> dict[str, Any]:
    """All house rules as JSON values, in the order of the rules file; parse_rules reads them back."""
    plain: dict[str, Any] = {field.name: getattr(rules, field.name) for field in fields(rules)}
    plain["chance"] = {f"{band.low}-{band.high}": band.spaces for band in rules.chance}
    plain["straights"] = list(rules.straights)
    plain["opening"] = rules.opening.value
    return plain


def _known_keys(key: object) -> str:
    near = get_close_matches(str(key)[:40], _PARSERS, n=1, cutoff=0.0)
    return f"{', '.join(_PARSERS)}; the nearest is {near[0]}"


def _integer(field: str, value: object, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:  # a bool isn't a number here
        raise InputError(field, value, f"a whole number from {low} to {high}")
    return value


def _between(low: int, high: int) -> Callable[[str, object], int]:
    return lambda field, value: _integer(field, value, low, high)


def _boolean(field: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise InputError(field, value, "true or false")
    return value


def _beam_length(field: str, value: object) -> int:
    accepted = f"an odd number from {SHORTEST_BEAM} to {LONGEST_BEAM}"
    if type(value) is not int or not SHORTEST_BEAM <= value <= LONGEST_BEAM or value % 2 == 0:
        raise InputError(field, value, accepted)
    return value


def _chance(field: str, value: object) -> tuple[ChanceBand, ...]:
    accepted = f'an object of totals and cells such as {{"10-12": 3}}, totals {LOWEST_TOTAL} to {HIGHEST_TOTAL}'
    if not isinstance(value, Mapping):
        raise InputError(field, value, accepted)
    bands = sorted(_band(field, totals, spaces, accepted) for totals, spaces in value.items())
    for lower, upper in pairwise(bands):
        if upper.low <= lower.high:
            raise InputError(field, f"{upper.low}-{upper.high}", "bands that don't overlap")
    return tuple(bands)


def _band(field: str, totals: object, spaces: object, accepted: str) -> ChanceBand:
    found = re.fullmatch(r"([1-9][0-9]?)-([1-9][0-9]?)", totals) if isinstance(totals, str) else None
    if found is None:
        raise InputError(field, totals, accepted)
    low, high = int(found[1]), int(found[2])
    if not LOWEST_TOTAL <= low <= high <= HIGHEST_TOTAL:
        raise InputError(field, totals, accepted)
    return ChanceBand(low, high, _integer(f"{field}.{totals}", spaces, 1, LONGEST_BEAM - 1))


def _straights(field: str, value: object) -> tuple[int, int]:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise InputError(field, value, "two numbers: the cells of a small and of a large straight")
    small, large = (_integer(field, steps, 1, LONGEST_BEAM - 1) for steps in value)
    return small, large


def _opening(field: str, value: object) -> Opening:
    if not isinstance(value, str) or value not in tuple(Opening):
        raise InputError(field, value, " or ".join(Opening))
    return Opening(value)


def _turn_limit(field: str, value: object) -> int | None:
    if value is None:
        return None
    if type(value) is not int or not 1 <= value <= 10_000:
        raise InputError(field, value, "a whole number from 1 to 10000, or nothing for no limit")
    return value


_PARSERS: dict[str, Callable[[str, object], Any]] = {
    "cows_to_win": _between(1, 9),
    "beam_length": _beam_length,
    "win_zone": _between(1, 4),
    "super_forced": _boolean,
    "subset_pulls": _boolean,
    "chance": _chance,
    "straights": _straights,
    "rolls": _between(1, 3),
    "first_turn_rolls": _between(1, 3),
    "opening": _opening,
    "lock_in": _boolean,
    "turn_limit": _turn_limit,
}
