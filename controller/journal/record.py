"""The record of a game: one text file, JSON lines, both ways; docs/record.md describes it for other programs.

Rules of this file: pure. What is read has been checked line by line against the rules of the game, so a `Record` that
was parsed is a legal game. `format_record(parse_record(text))` is the text again, to the byte, also where another
program spelled its JSON in another way: a record keeps the lines that it was read from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from controller.errors import InputError
from controller.journal.header import Header, header_fields, parse_header
from controller.journal.lines import Line, line_fields, parse_line
from controller.journal.strict_json import CutLineError, decode_line, encode_line
from controller.table.game import Game, fold

__all__ = ["Header", "Line", "Record", "format_record", "game_of", "new_game", "parse_record", "walk"]

MOST_LINES = 10_000  # a long game has 400; a game keeps its turns at every step, so memory grows with the square


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it was written down; `cut` says that its end is missing or that its last line has no line end.

    `spelling` holds the lines as they were read, the header first; None writes them in our own spelling.
    """

    header: Header
    lines: tuple[Line, ...]
    cut: bool = False
    spelling: tuple[str, ...] | None = field(default=None, compare=False, repr=False)


def parse_record(text: str | bytes) -> Record:
    """The record of this text, every line checked against the game.

    A last line that isn't whole is left out, and `cut` says so. The record itself then is written without it.

    Raises:
        InputError: anything else that is wrong; the message names the line, what was seen and what is accepted.
    """
    pieces, ends_whole = _split(text)
    header = parse_header(decode_line(pieces[0], "line 1"), "line 1")
    game, lines = new_game(header), list[Line]()
    is_cut = not ends_whole
    for number, raw in enumerate(pieces[1:], start=2):
        try:
            fields = decode_line(raw, f"line {number}")
        except CutLineError:
            if number < len(pieces):
                raise
            is_cut = True
            break
        line, game = parse_line(fields, game, f"line {number}")
        if lines and line.at_ms < lines[-1].at_ms:
            raise InputError(f"line {number}: at_ms", line.at_ms, f"{lines[-1].at_ms} or later, as on the line before")
        lines.append(line)
    spelling = tuple(raw.decode("utf-8") for raw in pieces[: len(lines) + 1])
    return Record(header, tuple(lines), is_cut, spelling)


def format_record(record: Record) -> str:
    """The text of this record; every line ends with a line feed.

    Raises:
        InputError: the lines aren't a game by the rules.
    """
    if record.spelling is not None:
        written = record.spelling
    else:
        steps = walk(record)
        fields = (line_fields(line, before, after) for line, before, after in steps)
        written = (encode_line(header_fields(record.header)), *map(encode_line, fields))
    return "".join(f"{line}\n" for line in written)


def new_game(header: Header) -> Game:
    """The game before its first entry."""
    return Game(rules=header.rules, seats=header.seats)


def walk(record: Record) -> Iterator[tuple[Line, Game, Game]]:
    """Each line with the game before and after it; InputError at a line that the rules don't allow."""
    game = new_game(record.header)
    for line in record.lines:
        after = fold(game, line.entry)
        yield line, game, after
        game = after


def game_of(record: Record) -> Game:
    """The game at the end of the record."""
    game = new_game(record.header)
    for line in record.lines:
        game = fold(game, line.entry)
    return game


def _split(text: str | bytes) -> tuple[list[bytes], bool]:
    """The lines without their ends, and whether the last one had its end."""
    if isinstance(text, str):
        try:
            text = text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise InputError("record", text[error.start : error.end], "text that can be written in UTF-8") from error
    if not text:
        raise InputError("record", "nothing", "a header line, then a line for each entry")
    pieces = text.split(b"\n")
    if len(pieces) > MOST_LINES:
        raise InputError("record", f"{len(pieces)} lines", f"at most {MOST_LINES} lines")
    ends_whole = pieces[-1] == b""
    return (pieces[:-1] if ends_whole else pieces), ends_whole
