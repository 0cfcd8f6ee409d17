"""The rows of a journal: headers and entries as JSON, each with a checksum; pure.

How it works: the checksum covers every column of its row, also which game and place it belongs to, so a row that was
damaged, moved or swapped doesn't fit. Reading stops at the first step with such a row.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from controller.errors import InputError
from controller.journal.header import Header, format_time, header_fields, parse_header, parse_time
from controller.journal.lines import entry_fields, parse_entry
from controller.journal.strict_json import decode_line, encode_line
from controller.table.entries import Entry

SELECT_ENTRIES = "SELECT game, seq, step, at_ms, wall, entry, crc32 FROM entries WHERE game = ? ORDER BY seq"
SELECT_LAST = "SELECT seq, step, at_ms FROM entries WHERE game = ? ORDER BY seq DESC LIMIT 1"
INSERT_ENTRY = "INSERT INTO entries (game, seq, step, at_ms, wall, entry, crc32) VALUES (?, ?, ?, ?, ?, ?, ?)"

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """What one accepted step wrote; `at_ms` since the game's start, `wall` in UTC or None while no clock was set."""

    at_ms: int
    wall: datetime | None
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game as the journal holds it; `note` says from where on it is damaged, None where it is whole."""

    id: str
    header: Header
    steps: tuple[Step, ...]
    note: str | None = None


def game_row(number: int, header: Header) -> tuple[int, str, str, int]:
    """The row of a new game: number, id, header, checksum; InputError for a header that couldn't be read again."""
    day = "undated" if header.start is None else format_time(header.start)[:10].replace("-", "")
    game_id = f"{day}-{number}"
    fields = header_fields(replace(header, id=game_id))
    parse_header(fields, "header")
    text = encode_line(fields)
    return number, game_id, text, _checksum(number, game_id, text)


def parse_game_row(row: Row | None) -> Header | None:
    """The header of this row; None where it is damaged, or not found again under its number."""
    if row is None:
        return None
    *columns, checksum = row
    try:
        if checksum != _checksum(*columns):
            return None
        return parse_header(decode_line(row[2].encode(), "header"), "header")
    except (InputError, AttributeError):  # AttributeError: the column holds no text any more
        return None


def entry_rows(game: int, last: tuple[int, int, int], step: Step) -> list[Row]:
    """The rows of a step after the row with these (seq, step, at_ms); InputError for an entry that couldn't be read."""
    seq, number, at_ms = last
    wall = None if step.wall is None else format_time(step.wall)
    found = []
    for place, entry in enumerate(step.entries, start=seq + 1):
        fields = entry_fields(entry)
        parse_entry(fields, "entry")
        columns = (game, place, number + 1, max(at_ms, step.at_ms), wall, encode_line(fields))
        found.append((*columns, _checksum(*columns)))
    return found


def kept_game(game_id: str, header: Header, found: Iterable[Row]) -> KeptGame:
    """The game of these rows in order, up to the first damaged step."""
    steps: list[Step] = []
    note = None
    for number, of_step in groupby(found, key=lambda row: row[2]):
        step, fault = _step(list(of_step), len(steps) + 1)
        if step is None:
            note = f"game {game_id} is damaged from its step {number} on ({fault})"
            break
        steps.append(step)
    return KeptGame(game_id, _with_start(header, steps), tuple(steps), note)


def _step(of_step: Sequence[Row], expected: int) -> tuple[Step | None, str]:
    """The step of its rows, or None and why."""
    entries = []
    for row in of_step:
        *columns, checksum = row
        if checksum != _checksum(*columns):
            return None, f"the checksum of row {row[1]} doesn't fit"
        if row[2] != expected:
            return None, f"step {expected} is missing"
        try:
            entries.append(parse_entry(decode_line(row[5].encode(), "entry"), "entry"))
        except InputError as error:
            return None, str(error)
    wall = of_step[0][4]
    return Step(of_step[0][3], None if wall is None else parse_time(wall, "wall"), tuple(entries)), ""


def _with_start(header: Header, steps: Iterable[Step]) -> Header:
    """A start that was written before the clock was set, worked out from the first step after that."""
    if header.start is not None:
        return header
    starts: Iterator[datetime] = (step.wall - timedelta(milliseconds=step.at_ms) for step in steps if step.wall)
    return replace(header, start=next(starts, None))


def _checksum(*columns: object) -> int:
    """CRC-32 of the columns as text, apart by a sign that JSON doesn't hold."""
    return zlib.crc32("\x1f".join(map(str, columns)).encode("utf-8", "backslashreplace"))
