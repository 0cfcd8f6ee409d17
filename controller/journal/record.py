"""A game record: one game as text, line by line, both ways.

Rules of this file: every accepted record is the one text of its game, so that reading one back and writing it again
gives the same bytes. What could be worked out from the lines before it (roll, mover, position) is written for other
programs and held against the rules when it is read. docs/record.md describes the form for those who write one.

How it works: a line that ends with a line feed is whole. A record is folded while it is read and while it is written;
each whole line must be exactly the line that this file would write there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, NoReturn, assert_never

from controller.errors import InputError
from controller.games.cosmic_cows import (
    Rules,
    Side,
    format_dice,
    format_position,
    format_rules,
    parse_dice,
    parse_rules,
)
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
from controller.table.game import Game, fold, fold_all

GAME_NAME = "cosmic-cows"
FORMAT = 1
LONGEST_LINE = 65_536  # bytes; the longest of a real game, the header with every house rule, has about 600
MOST_LINES = 10_000  # a long game has 400; a game keeps all its turns at each step, so memory grows with the square
LATEST_MS = 2**53 - 1  # the largest whole number that every JSON reader keeps exact

_HEADER_KEYS = ("game", "record", "id", "rules", "players", "start", "program", "firmware")
_HEADER_FORM = f"a header line: an object with the keys {', '.join(_HEADER_KEYS)}"
_LINE_FORM = 'a JSON object such as {"at_ms":5120,"throw":"12334","roll":1,"by":"white"}'
_START = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")
_START_FORM = "null, or a UTC time such as 2026-10-16T18:30:00.000Z"


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What is known when a game starts. `start` is in UTC with milliseconds; None while the clock wasn't set."""

    rules: Rules
    white: str = "White"
    black: str = "Black"
    start: datetime | None = None
    program: str = ""
    firmware: str | None = None
    game_id: str = ""

    def __post_init__(self) -> None:
        if self.start is None:
            return
        if self.start.tzinfo is None:
            raise InputError("start", self.start.isoformat(), "a time with its time zone")
        start = self.start.astimezone(UTC)
        object.__setattr__(self, "start", start.replace(microsecond=start.microsecond // 1000 * 1000))


@dataclass(frozen=True, slots=True)
class Line:
    """One entry, `at_ms` milliseconds after the game's start."""

    at_ms: int
    entry: Entry


@dataclass(frozen=True, slots=True)
class Record:
    """A game's header and lines. `cut`: it ended in the middle; `note` then says where, in words."""

    header: Header
    lines: tuple[Line, ...]
    cut: bool = False
    note: str | None = field(default=None, compare=False)


def new_game(record: Record) -> Game:
    """The game of this record before its first line."""
    return Game(rules=record.header.rules)


def game_of(record: Record) -> Game:
    """The game after the record's last line; InputError at a line that the rules don't allow."""
    return fold_all(new_game(record), (line.entry for line in record.lines))


def format_record(record: Record) -> str:
    """The text of this record, each line ended by a line feed.

    Raises:
        InputError: a line that the rules don't allow.
    """
    game = new_game(record)
    texts = [format_header(record.header)]
    for line in record.lines:
        after = fold(game, line.entry)
        texts.append(_dump(_line_object(line, game, after)))
        game = after
    return "\n".join(texts) + "\n"


def parse_record(text: str | bytes) -> Record:
    """The record of this text, checked line by line against the rules.

    A record whose last line isn't whole is read to the last whole line and marked `cut`.

    Raises:
        InputError: no whole header, or a whole line that isn't what stands there in a legal game; it names the line.
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if data.startswith(b"\xef\xbb\xbf"):
        raise InputError("line 1", "a byte order mark", "UTF-8 text without one")
    whole, rest = _split(data)
    if not whole:
        raise InputError("line 1", _shown(rest), _HEADER_FORM + ", whole and ended by a line feed")
    header = _in_line(1, lambda: parse_header(_text(whole[0])))
    game, lines = Game(rules=header.rules), []
    for number, raw in enumerate(whole[1:], start=2):
        line, game = _in_line(number, _reading(raw, game, lines[-1].at_ms if lines else 0))
        lines.append(line)
    return Record(header, tuple(lines), rest is not None, None if rest is None else _cut_note(len(whole), rest))


def format_header(header: Header) -> str:
    """The header line, without its line feed."""
    plain = {
        "game": GAME_NAME,
        "record": FORMAT,
        "id": header.game_id,
        "rules": format_rules(header.rules),
        "players": {"white": header.white, "black": header.black},
        "start": None if header.start is None else format_time(header.start),
        "program": header.program,
        "firmware": header.firmware,
    }
    return _dump(plain)


def parse_header(text: str) -> Header:
    """The header of this line; InputError when anything in it is missing, unknown or of another form."""
    plain = parse_object(text, _HEADER_FORM)
    if plain.get("game") != GAME_NAME:
        raise InputError("game", plain.get("game"), GAME_NAME)
    if type(plain.get("record")) is not int or plain["record"] != FORMAT:
        raise InputError("record", plain.get("record"), f"{FORMAT}, the record format that this program reads")
    _check_keys(plain, _HEADER_KEYS)
    players = plain["players"]
    if not isinstance(players, dict):
        raise InputError("players", players, 'an object such as {"white":"Ada","black":"Ben"}')
    _check_keys(players, ("white", "black"))
    header = Header(
        game_id=_string(plain, "id"),
        rules=parse_rules(plain["rules"]),
        white=_string(players, "white"),
        black=_string(players, "black"),
        start=None if plain["start"] is None else parse_time("start", plain["start"]),
        program=_string(plain, "program"),
        firmware=None if plain["firmware"] is None else _string(plain, "firmware"),
    )
    _check_form(text, format_header(header))
    return header


def format_entry(entry: Entry) -> str:
    """One entry alone as a JSON object: a record line without its time and without what follows from the game."""
    return _dump(_entry_object(entry))


def parse_entry(text: str) -> Entry:
    """The entry of this JSON object; InputError when it isn't one that `format_entry` gives."""
    plain = parse_object(text, 'an entry such as {"throw":"12334"}')
    kind = _kind(plain)
    _check_keys(plain, kind.keys)
    entry = kind.build(plain)
    _check_form(text, format_entry(entry))
    return entry


def format_time(time: datetime) -> str:
    """UTC with milliseconds, such as 2026-10-16T18:30:00.000Z."""
    return time.astimezone(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def parse_time(name: str, text: object) -> datetime:
    """The time of this text; InputError for any other form."""
    if not isinstance(text, str) or _START.fullmatch(text) is None:
        raise InputError(name, text, _START_FORM)
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise InputError(name, text, _START_FORM) from error


def parse_object(text: str, accepted: str) -> dict[str, Any]:
    """The JSON object of this text; no key twice, no NaN, no nesting without end; else InputError."""
    try:
        value = json.loads(text, parse_constant=_refuse, object_pairs_hook=_pairs)
    except (ValueError, RecursionError) as error:
        raise InputError("JSON", text, accepted) from error
    if not isinstance(value, dict):
        raise InputError("JSON", text, accepted)
    return value


# --- lines ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Kind:
    """One kind of line: its own keys, those that follow from the game, and how its entry is made."""

    keys: tuple[str, ...]
    derived: tuple[str, ...]
    build: Callable[[Mapping[str, Any]], Entry]


def _opening(plain: Mapping[str, Any]) -> Entry:
    faces = _faces(plain, "opening")
    if len(faces) not in (1, 5):
        raise InputError("opening", plain["opening"], "one digit from 1 to 6, or five under the house rule")
    return OpeningThrow(_side(plain, "by"), faces)


def _correct(plain: Mapping[str, Any]) -> Entry:
    what = plain["correct"]
    if not isinstance(what, str) or what not in tuple(Correctable):
        raise InputError("correct", what, " or ".join(Correctable))
    return Corrected(Correctable(what), _string(plain, "value"), _string(plain, "who"))


def _take_back(plain: Mapping[str, Any]) -> Entry:
    _need_true(plain, "take_back")
    return TakenBack(_string(plain, "who"))


def _forfeit(plain: Mapping[str, Any]) -> Entry:
    _need_true(plain, "forfeit")
    return Forfeit()


def _result(plain: Mapping[str, Any]) -> Entry:
    reason = plain["result"]
    if not isinstance(reason, str) or reason not in tuple(EndReason):
        raise InputError("result", reason, " or ".join(EndReason))
    return Ended(None if plain["winner"] is None else _side(plain, "winner"), EndReason(reason))


_KINDS: dict[str, _Kind] = {
    "opening": _Kind(("opening", "by"), (), _opening),
    "throw": _Kind(("throw",), ("roll", "by"), lambda plain: Throw(parse_dice(plain["throw"]))),
    "keep": _Kind(("keep",), ("by",), lambda plain: Keep(_faces(plain, "keep"))),
    "pull": _Kind(("pull",), ("by", "position"), lambda plain: PullMade(_string(plain, "pull"))),
    "forfeit": _Kind(("forfeit",), ("by", "position"), _forfeit),
    "correct": _Kind(("correct", "value", "who"), ("position",), _correct),
    "take_back": _Kind(("take_back", "who"), ("position",), _take_back),
    "result": _Kind(("result", "winner"), (), _result),
}


def _entry_object(entry: Entry) -> dict[str, Any]:
    match entry:
        case OpeningThrow():
            return {"opening": _digits(entry.faces), "by": entry.side.value}
        case Throw():
            return {"throw": format_dice(entry.dice)}
        case Keep():
            return {"keep": _digits(sorted(entry.faces))}
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


def _line_object(line: Line, before: Game, after: Game) -> dict[str, Any]:
    """A whole line as JSON values, in the order of its keys."""
    plain = {"at_ms": line.at_ms, **_entry_object(line.entry)}
    follows = {"roll": after.roll, "by": before.mover.value, "position": format_position(after.position)}
    kind = _kind(plain)
    return plain | {key: follows[key] for key in kind.derived}


def _reading(raw: bytes, game: Game, earliest_ms: int) -> Callable[[], tuple[Line, Game]]:
    return lambda: _read_line(_text(raw), game, earliest_ms)


def _read_line(text: str, game: Game, earliest_ms: int) -> tuple[Line, Game]:
    plain = parse_object(text, _LINE_FORM)
    kind = _kind(plain)
    _check_keys(plain, ("at_ms", *kind.keys, *kind.derived))
    at_ms = plain["at_ms"]
    if type(at_ms) is not int or not earliest_ms <= at_ms <= LATEST_MS:
        raise InputError("at_ms", at_ms, f"a whole number of milliseconds, {earliest_ms} or more")
    line = Line(at_ms, kind.build(plain))
    after = fold(game, line.entry)
    right = _line_object(line, game, after)
    for key in kind.derived:
        if plain[key] != right[key] or type(plain[key]) is not type(right[key]):
            raise InputError(key, plain[key], f"{right[key]!r}, which follows from the lines before it")
    _check_form(text, _dump(right))
    return line, after


def _kind(plain: Mapping[str, Any]) -> _Kind:
    found = [key for key in _KINDS if key in plain]
    if len(found) != 1:
        raise InputError("line", ", ".join(plain), f"exactly one of the keys {', '.join(_KINDS)}")
    return _KINDS[found[0]]


# --- text ----------------------------------------------------------------------------------------------------------


def _split(data: bytes) -> tuple[list[bytes], bytes | None]:
    """The whole lines, and what stands after them (None: nothing is missing)."""
    *whole, rest = data.split(b"\n", MOST_LINES + 1)
    if len(whole) > MOST_LINES:
        raise InputError("record", f"more than {MOST_LINES} lines", f"at most {MOST_LINES} lines")
    if rest and (len(rest) > LONGEST_LINE or not whole and not rest.lstrip().startswith(b"{")):
        raise InputError(f"line {len(whole) + 1}", _shown(rest), f"a line of JSON of at most {LONGEST_LINE} bytes")
    return whole, rest or None


def _cut_note(line_count: int, rest: bytes) -> str:
    return f"the record is cut off in line {line_count + 1} after {_shown(rest)!r}; it was read to line {line_count}"


def _in_line[T](number: int, read: Callable[[], T]) -> T:
    """What `read` gives; its InputError names the line too."""
    try:
        return read()
    except InputError as error:
        name = f"line {number}" if error.field in ("JSON", "line") else f"line {number}, {error.field}"
        raise InputError(name, error.seen, error.accepted) from error
