"""The text forms of positions, dice and pull names, both ways.

Rules of this file: each value has exactly one text, and each text that is accepted is that one, except that
dice may be given in any order. Nothing is trimmed, rounded or guessed.
"""

from __future__ import annotations

import re
from functools import lru_cache

from controller.errors import InputError
from controller.games.cosmic_cows.beams import BEAMS, Beam, Side, last_place
from controller.games.cosmic_cows.dice import Dice
from controller.games.cosmic_cows.patterns import Kind, Pattern
from controller.games.cosmic_cows.position import Position, Status, status
from controller.games.cosmic_cows.rules import DEFAULT_RULES, Rules

LOCK_MARK = "L"

_PLACE = r"(?:0|-?[1-9][0-9]?)L?"
_POSITION = re.compile(rf"{_PLACE}(?:,{_PLACE}){{8}} [wb]")
_DICE = re.compile(r"[1-6]{5}")
_SIDES = {side.letter: side for side in Side}
_POSITION_FORM = "nine places in beam order and the player to move, such as 0,0,2,0,-1,0,-3,0,8 w"


def parse_position(text: str, rules: Rules = DEFAULT_RULES) -> Position:
    """The position of this text: `0,0,2,0,-1,0,-3,0,8 w`; a locked cow's place is marked: `8L`.

    Raises:
        InputError: another form, a place off its beam, or a lock that these rules don't know.
    """
    if not isinstance(text, str) or _POSITION.fullmatch(text) is None:
        raise InputError("position", text, _POSITION_FORM)
    words = text[:-2].split(",")
    locked = frozenset[Beam]()
    if LOCK_MARK in text:
        locked = frozenset(beam for beam, word in zip(BEAMS, words, strict=True) if word.endswith(LOCK_MARK))
        words = [word.removesuffix(LOCK_MARK) for word in words]
    position = Position(tuple(map(int, words)), _SIDES[text[-1]], locked)
    _check_places(position, rules)
    if locked:
        _check_locks(text, position, rules)
    return position


def format_position(position: Position) -> str:
    """The text of this position."""
    if position.locked:
        marked = zip(BEAMS, position.places, strict=True)
        words = [f"{place}{LOCK_MARK}" if beam in position.locked else str(place) for beam, place in marked]
    else:
        words = list(map(str, position.places))
    return f"{','.join(words)} {position.mover.letter}"


def parse_dice(text: str) -> Dice:
    """The dice of five digits in any order: `12343`.

    Raises:
        InputError: not five digits from 1 to 6.
    """
    if not isinstance(text, str) or _DICE.fullmatch(text) is None:
        raise InputError("dice", text, "five digits from 1 to 6, such as 12343")
    return _dice(text)


def format_dice(dice: Dice) -> str:
    """The five faces as digits, ascending."""
    return "".join(map(str, dice.faces))


def parse_pull_name(text: str) -> Pattern:
    """The combination of this name: `pair 3`, `two pair 3 5`, `full house 5 3`, `small straight`.

    Raises:
        InputError: no such name.
    """
    pattern = _PATTERNS.get(text) if isinstance(text, str) else None
    if pattern is None:
        raise InputError("pull", text, _NAMES_FORM)
    return pattern


def format_pull_name(pattern: Pattern) -> str:
    """The name of the pull this combination may be used for."""
    return pattern.name


@lru_cache(maxsize=7776)
def _dice(text: str) -> Dice:
    return Dice(tuple(map(int, text)))


def _check_places(position: Position, rules: Rules) -> None:
    last = rules.last
    for beam, place in zip(BEAMS, position.places, strict=True):
        if place > 1 or place < -1:
            end = last if beam is not Beam.SUPER else 1
            if not -end <= place <= end:
                raise InputError("position", place, f"-{end} to {end} on beam {beam.value}")


def _check_locks(text: str, position: Position, rules: Rules) -> None:
    faults = status(position, rules)
    if Status.LOCK_NOT_PLAYED in faults:
        raise InputError("position", text, "no lock marks, since lock_in isn't played")
    if Status.SUPER_LOCKED in faults:
        raise InputError("position", text, "a super cow without a lock mark: it can't be locked")
    if Status.LOCKED_ELSEWHERE in faults:
        last = last_place(Beam.ONE, rules)
        raise InputError("position", text, f"lock marks on a last cell only: {last}L or -{last}L")


def _all_patterns() -> tuple[Pattern, ...]:
    faces = range(1, 7)
    alike = [Pattern(kind, (n,)) for kind in (Kind.PAIR, Kind.TRIPLE, Kind.FOUR, Kind.FIVE) for n in faces]
    pairs = [Pattern(Kind.TWO_PAIR, (n, m)) for n in faces for m in faces if n < m]
    houses = [Pattern(Kind.FULL_HOUSE, (n, m)) for n in faces for m in faces if n != m]
    others = [Pattern(k) for k in (Kind.SMALL_STRAIGHT, Kind.LARGE_STRAIGHT, Kind.CHANCE, Kind.SUPER)]
    return (*alike, *pairs, *houses, *others)


_PATTERNS = {pattern.name: pattern for pattern in _all_patterns()}
_NAMES_FORM = (
    "pair N, triple N, four N, five N, two pair N M with N below M, full house N M, small straight,"
    " large straight, chance, super"
)
