"""Short ways to write positions and what they allow in the rules tests."""

from __future__ import annotations

from controller.games.cosmic_cows import (
    BEAMS,
    DEFAULT_RULES,
    Beam,
    Position,
    Rules,
    Side,
    apply_pull,
    find_pull,
    format_position,
    legal_pulls,
    parse_dice,
    parse_position,
)


def cows(mover: Side = Side.WHITE, locked: str = "", **places: int) -> Position:
    """A position by beam: chance, one to six, super_, straights; the cows not named stand in the centre."""
    unknown = set(places) - {_word(beam) for beam in BEAMS}
    assert not unknown, unknown
    return Position(tuple(places.get(_word(beam), 0) for beam in BEAMS), mover, frozenset(map(Beam, locked.split())))


def names(position: Position, dice: str, rules: Rules = DEFAULT_RULES) -> list[str]:
    """Names of the legal pulls in their order."""
    return [pull.name for pull in legal_pulls(position, parse_dice(dice), rules)]


def moved(position: Position, dice: str, name: str, rules: Rules = DEFAULT_RULES) -> dict[str, int]:
    """What the pull of this name moves."""
    pull = find_pull(position, parse_dice(dice), name, rules)
    return {beam.value: spaces for beam, spaces in pull.cows}


def after(position: Position | str, dice: str, name: str, rules: Rules = DEFAULT_RULES) -> str:
    """The position's text after the pull of this name."""
    start = parse_position(position, rules) if isinstance(position, str) else position
    return format_position(apply_pull(start, find_pull(start, parse_dice(dice), name, rules), rules))


def _word(beam: Beam) -> str:
    digits = {"1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "super": "super_"}
    return digits.get(beam.value, beam.value)
