"""The lines of a record: one entry each, with what another program would otherwise have to work out.

Rules of this file: an entry has *own* fields, which say what was decided, and *derived* ones (`by`, `roll`,
`position`), which follow from the game so far. We always write both. Reading needs the own ones alone, and holds
every derived one that is there against the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, assert_never

from controller.errors import InputError
from controller.games.cosmic_cows import Side, format_dice, format_position, parse_dice
from controller.journal.strict_json import known_keys, text_value, whole_number
from controller.table.entries import (
    Correctable,
    Corrected,
    Ended,
    EndReason,
    Entry,
    Forfeit,
    Keep,
    OpeningThrow,
    PullMade,
    TakenBack,
    Throw,
)
from controller.table.game import Game, fold

AT = "at_ms"


@dataclass(frozen=True, slots=True)
class Line:
    """One entry and when it was written: milliseconds since the game's start, by a clock that never jumps."""

    at_ms: int
    entry: Entry


def line_fields(line: Line, before: Game, after: Game) -> dict[str, Any]:
    """The line as JSON values in the order in which they are written; `before` and `after` are the game around it."""
    own = entry_fields(line.entry)
    return {AT: line.at_ms, **own, **derived_fields(line.entry, before, after)}


def parse_line(fields: Mapping[str, Any], before: Game, where: str) -> tuple[Line, Game]:
    """The line of these JSON values and the game after it.

    Raises:
        InputError: an unknown key, an unusable value, an entry the rules don't allow here, or a derived field that
            doesn't fit the game.
    """
    at_ms = whole_number(fields.get(AT), f"{where}: {AT}", 0)
    own = {key: value for key, value in fields.items() if key != AT}
    entry = _parse_entry_and_derived(own, where)
    try:
        after = fold(before, entry)
    except InputError as error:
        raise InputError(f"{where}: {error.field}", error.seen, error.accepted) from error
    for key, value in derived_fields(entry, before, after).items():
        if key in fields and (fields[key] != value or type(fields[key]) is not type(value)):
            raise InputError(f"{where}: {key}", fields[key], f"{value}, as the game has it")
    return Line(at_ms, entry), after


def entry_fields(entry: Entry) -> dict[str, Any]:
    """The own fields of an entry; the first key says its kind."""
    match entry:
        case OpeningThrow():
            return {"opening": _digits(entry.faces), **_generator(entry), "by": entry.side.value}
        case Keep():
            return {"keep": _digits(sorted(entry.faces))}
        case Throw():
            return {"throw": format_dice(entry.dice), **_generator(entry)}
        case PullMade():
            return {"pull": entry.name}
        case Forfeit():
            return {"forfeit": True}
        case Corrected():
            return {"correct": entry.what.value, "value": entry.value, "who": entry.who}
        case TakenBack():
            return {"take_back": True, "who": entry.who}
        case Ended():
            return {"result": entry.reason.value, "winner": None if entry.winner is None else entry.winner.value}
        case _:
            assert_never(entry)


def derived_fields(entry: Entry, before: Game, after: Game) -> dict[str, Any]:
    """What follows from the game: whose entry it is, which roll, and where the cows stand after it."""
    by, position = {"by": before.mover.value}, {"position": format_position(after.position)}
    match entry:
        case Throw():
            return {"roll": after.roll, **by}
        case Keep():
            return by
        case PullMade() | Forfeit():
            return {**by, **position}
        case Corrected() | TakenBack():
            return {"roll": after.roll, **position}
        case Ended():
            return position
        case OpeningThrow():
            return {}
        case _:
            assert_never(entry)


def parse_entry(fields: Mapping[str, Any], where: str) -> Entry:
    """The entry of its own fields; see entry_fields.

    Raises:
        InputError: another kind, an unknown key, an unusable value.
    """
    kind = _kind(fields, where)
    known_keys(fields, kind.keys, where)
    return kind.parse(fields, where)


def _parse_entry_and_derived(fields: Mapping[str, Any], where: str) -> Entry:
    kind = _kind(fields, where)
    known_keys(fields, (*kind.keys, *kind.derived), where)
    return kind.parse(fields, where)


@dataclass(frozen=True, slots=True)
class _Kind:
    keys: tuple[str, ...]
    derived: tuple[str, ...]
    parse: Callable[[Mapping[str, Any], str], Entry]


def _kind(fields: Mapping[str, Any], where: str) -> _Kind:
    names = [name for name in _KINDS if name in fields]
    if len(names) != 1:
        raise InputError(where, ", ".join(names or fields), f"one of the keys {', '.join(_KINDS)}")
    return _KINDS[names[0]]


def _generator(entry: OpeningThrow | Throw) -> dict[str, bool]:
    """Only dice that the service threw for a computer are marked."""
    return {"generator": True} if entry.is_generated else {}


def _is_generated(fields: Mapping[str, Any], where: str) -> bool:
    if "generator" in fields:
        _true(fields["generator"], f"{where}: generator")
    return "generator" in fields


def _digits(faces: tuple[int, ...] | list[int]) -> str:
    return "".join(map(str, faces))


def _faces(value: object, where: str, counts: range) -> tuple[int, ...]:
    if not isinstance(value, str) or len(value) not in counts or set(value) - set("123456"):
        raise InputError(where, value, f"{counts.start} to {counts.stop - 1} digits from 1 to 6")
    return tuple(map(int, value))


def _choice(value: object, where: str, choices: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in choices:
        raise InputError(where, value, ", ".join(choices))
    return value


def _opening(fields: Mapping[str, Any], where: str) -> Entry:
    side = Side(_choice(fields.get("by"), f"{where}: by", tuple(Side)))
    faces = _faces(fields["opening"], f"{where}: opening", range(1, 6))
    return OpeningThrow(side, faces, _is_generated(fields, where))


def _keep(fields: Mapping[str, Any], where: str) -> Entry:
    return Keep(tuple(sorted(_faces(fields["keep"], f"{where}: keep", range(6)))))


def _throw(fields: Mapping[str, Any], where: str) -> Entry:
    is_generated = _is_generated(fields, where)
    try:
        return Throw(parse_dice(fields["throw"]), is_generated)
    except InputError as error:
        raise InputError(f"{where}: throw", error.seen, error.accepted) from error


def _pull(fields: Mapping[str, Any], where: str) -> Entry:
    return PullMade(text_value(fields["pull"], f"{where}: pull"))


def _forfeit(fields: Mapping[str, Any], where: str) -> Entry:
    _true(fields["forfeit"], f"{where}: forfeit")
    return Forfeit()


def _correct(fields: Mapping[str, Any], where: str) -> Entry:
    what = Correctable(_choice(fields["correct"], f"{where}: correct", tuple(Correctable)))
    value = text_value(fields.get("value"), f"{where}: value")
    return Corrected(what, value, text_value(fields.get("who"), f"{where}: who"))


def _take_back(fields: Mapping[str, Any], where: str) -> Entry:
    _true(fields["take_back"], f"{where}: take_back")
    return TakenBack(text_value(fields.get("who"), f"{where}: who"))


def _result(fields: Mapping[str, Any], where: str) -> Entry:
    reason = EndReason(_choice(fields["result"], f"{where}: result", tuple(EndReason)))
    if "winner" not in fields:
        raise InputError(f"{where}: winner", None, "white, black, or null said outright")
    winner = fields["winner"]
    return Ended(None if winner is None else Side(_choice(winner, f"{where}: winner", tuple(Side))), reason)


def _true(value: object, where: str) -> None:
    if value is not True:
        raise InputError(where, value, "true")


_KINDS = {
    "opening": _Kind(("opening", "generator", "by"), (), _opening),
    "throw": _Kind(("throw", "generator"), ("roll", "by"), _throw),
    "keep": _Kind(("keep",), ("by",), _keep),
    "pull": _Kind(("pull",), ("by", "position"), _pull),
    "forfeit": _Kind(("forfeit",), ("by", "position"), _forfeit),
    "correct": _Kind(("correct", "value", "who"), ("roll", "position"), _correct),
    "take_back": _Kind(("take_back", "who"), ("roll", "position"), _take_back),
    "result": _Kind(("result", "winner"), ("position",), _result),
}
