"""A record that isn't one is refused in one line that names the line, what was seen and what is accepted."""

from __future__ import annotations

import json
from typing import Any

import pytest

from controller.errors import InputError
from controller.games.cosmic_cows import Side, parse_dice
from controller.journal.record import (
    Header,
    Line,
    Record,
    format_record,
    game_of,
    parse_record,
)
from controller.journal.strict_json import LONGEST_LINE
from controller.table.entries import Ended, EndReason, Entry, Keep, OpeningThrow, PullMade, TakenBack, Throw
from controller.table.game import EntryError

ENTRIES: tuple[Entry, ...] = (
    OpeningThrow(Side.WHITE, (5,)),
    OpeningThrow(Side.BLACK, (2,)),
    Throw(parse_dice("12343")),
    Keep((3, 3)),
    Throw(parse_dice("33551")),
    PullMade("two pair 3 5"),
    TakenBack("page"),
    PullMade("pair 5"),
)
HEADER = Header(white="Ada", black="Zoë 🐄", program="0.1.0", id="20261201-7")
WHOLE = format_record(Record(HEADER, tuple(Line(100 * number, entry) for number, entry in enumerate(ENTRIES))))
LINES = WHOLE.splitlines()


def text_with(number: int, line: str) -> str:
    """The record with this line, counted from 1, in the place of its own."""
    return "".join(f"{text}\n" for text in (*LINES[: number - 1], line, *LINES[number:]))


def changed(number: int, **fields: Any) -> str:
    """The record with these fields of a line set; None takes a field out."""
    own = {**json.loads(LINES[number - 1]), **fields}
    return text_with(number, json.dumps({key: value for key, value in own.items() if value is not None}))


def fault(text: str | bytes) -> InputError:
    with pytest.raises(InputError) as caught:
        parse_record(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500
    return caught.value


def test_the_whole_record_is_sound() -> None:
    record = parse_record(WHOLE)
    assert (record.cut, len(record.lines)) == (False, len(ENTRIES))
    assert format_record(record) == WHOLE


@pytest.mark.parametrize(
    ("line", "fields", "field", "accepted"),
    [
        (4, {"throw": "12347"}, "line 4: throw", "five digits from 1 to 6"),
        (4, {"throw": 12343}, "line 4: throw", "five digits"),
        (4, {"roll": 2}, "line 4: roll", "1, as the game has it"),
        (4, {"roll": True}, "line 4: roll", "1, as the game has it"),
        (4, {"by": "black"}, "line 4: by", "white, as the game has it"),
        (4, {"at_ms": -1}, "line 4: at_ms", "a whole number from 0"),
        (4, {"at_ms": 200.0}, "line 4: at_ms", "a whole number from 0"),
        (4, {"at_ms": 10**15}, "line 4: at_ms", "15 digits"),
        (4, {"at_ms": None}, "line 4: at_ms", "a whole number"),
        (4, {"at_ms": 99}, "line 4: at_ms", "100 or later"),
        (4, {"note": "x"}, "line 4", "the keys throw, generator, roll, by"),
        (4, {"pull": "pair 3"}, "line 4", "one of the keys opening, throw"),
        (4, {"throw": None}, "line 4", "one of the keys opening, throw"),
        (2, {"by": "red"}, "line 2: by", "white, black"),
        (2, {"opening": "7"}, "line 2: opening", "digits from 1 to 6"),
        (2, {"opening": "55"}, "line 2: opening throw", "1 faces from 1 to 6"),
        (3, {"by": "white"}, "line 3: opening throw", "black throws next"),
        (5, {"keep": "66"}, "line 5: keep", "some of 12334"),
        (6, {"throw": "12455"}, "line 6: throw", "kept"),
        (7, {"pull": "pair 2"}, "line 7: pull", "pair 3, pair 5"),
        (7, {"position": "0,0,0,0,0,0,2,0,0 b"}, "line 7: position", "0,0,0,2,0,0,2,0,0 b"),
        (8, {"take_back": "pull"}, "line 8: take_back", "true"),
        (8, {"who": ""}, "line 8: who", "1 to 200 characters"),
        (8, {"who": "x" * 201}, "line 8: who", "1 to 200 characters"),
        (8, {"who": "\ud800"}, "line 8: who", "1 to 200 characters"),
    ],
)
def test_a_line_that_does_not_fit_is_named(line: int, fields: dict[str, Any], field: str, accepted: str) -> None:
    error = fault(changed(line, **fields))
    assert error.field == field
    assert accepted in error.accepted


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"game": "chess"}, "line 1: game"),
        ({"record": 2}, "line 1: record"),
        ({"record": True}, "line 1: record"),
        ({"colour": "red"}, "line 1"),
        ({"players": ["Ada"]}, "line 1: players"),
        ({"players": {"green": "Ada"}}, "line 1: players"),
        ({"players": {"white": 1}}, "line 1: players.white"),
        ({"start": "yesterday"}, "line 1: start"),
        ({"start": "2026-02-30T00:00:00Z"}, "line 1: start"),
        ({"start": "2026-02-03T00:00:00+01:00"}, "line 1: start"),
        ({"rules": {"cows_to_win": 99}}, "line 1: rules.cows_to_win"),
        ({"rules": {"cow_to_win": 2}}, "line 1: rules"),
        ({"rules": [3]}, "line 1: rules"),
        ({"id": "../etc"}, "line 1: id"),
        ({"program": 7}, "line 1: program"),
    ],
)
def test_a_header_that_does_not_fit_is_named(fields: dict[str, Any], field: str) -> None:
    assert fault(changed(1, **fields)).field == field


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ('{"at_ms":200,"throw":"12334","throw":"12334"}', "throw"),
        ('{"at_ms":NaN,"throw":"12334"}', "NaN"),
        ('{"at_ms":Infinity,"throw":"12334"}', "Infinity"),
        ('{"at_ms":1e400,"throw":"12334"}', float("inf")),
        ("[" * 5000 + "]" * 5000, "[" * 60),
        ('{"at_ms":' + "9" * 5000 + "}", ('{"at_ms":' + "9" * 60)[:60]),
        ("", "an empty line"),
        ("   ", "an empty line"),
        ("null", "null"),
        ('["throw"]', '["throw"]'),
        ('{"at_ms":200,', '{"at_ms":200,'),
        ("\ufeff{}", "a byte order mark"),
        ('{"at_ms":200,"throw":"12334"}\r', "a carriage return before the line end"),
        (" " * (LONGEST_LINE + 1), f"{LONGEST_LINE + 1} bytes"),
    ],
)
def test_damaged_json_in_the_middle_is_named(line: str, seen: object) -> None:
    error = fault(text_with(4, line))
    assert error.field.startswith("line 4")
    assert error.seen == seen


def test_bytes_that_are_no_utf_8_in_the_middle_are_named() -> None:
    assert fault(WHOLE.encode().replace(b'"throw"', b'"thr\xff"', 1)).field == "line 4"


@pytest.mark.parametrize("text", ["", "\n", "{", "hello", "\x00" * 40, "\ud800"])
def test_text_without_a_header_is_refused(text: str) -> None:
    assert fault(text).field in ("record", "line 1")


def test_a_line_end_of_windows_or_a_byte_order_mark_is_named_at_the_first_line() -> None:
    assert fault(WHOLE.replace("\n", "\r\n")).seen == "a carriage return before the line end"
    assert fault("\ufeff" + WHOLE).seen == "a byte order mark"
    assert fault(WHOLE.encode("utf-16")).field == "line 1"


def test_an_empty_line_at_the_end_is_damage_and_no_cut() -> None:
    assert fault(WHOLE + "\n").field == f"line {len(LINES) + 1}"


def test_more_lines_than_any_game_has_are_refused_before_they_are_read() -> None:
    assert "at most 10000 lines" in str(fault("x\n" * 10_001))


def test_nothing_goes_on_after_the_result_but_a_take_back() -> None:
    end = '{"at_ms":900,"result":"resigned","winner":"white"}\n'
    assert game_of(parse_record(WHOLE + end)).ended == Ended(Side.WHITE, EndReason.RESIGNED)
    assert fault(WHOLE + end + '{"at_ms":900,"throw":"12345"}\n').field == f"line {len(LINES) + 2}: throw"
    taken_back = parse_record(WHOLE + end + '{"at_ms":900,"take_back":true,"who":"page"}\n')
    assert game_of(taken_back) == game_of(parse_record(WHOLE))


@pytest.mark.parametrize("winner", ['"white"', '"black"', "null"])
def test_a_result_that_the_position_does_not_show_is_refused(winner: str) -> None:
    end = f'{{"at_ms":900,"result":"cows home","winner":{winner}}}\n'
    assert fault(WHOLE + end).field == f"line {len(LINES) + 1}: end"


def test_a_result_says_outright_that_nobody_won() -> None:
    assert fault(WHOLE + '{"at_ms":900,"result":"abandoned"}\n').field == f"line {len(LINES) + 1}: winner"
    assert game_of(parse_record(WHOLE + '{"at_ms":900,"result":"abandoned","winner":null}\n')).ended is not None


def test_lines_that_are_no_game_are_not_written() -> None:
    with pytest.raises(EntryError):
        format_record(Record(HEADER, (Line(0, PullMade("pair 3")),)))


def test_another_spelling_is_read_and_written_again_as_it_was() -> None:
    spaced = "".join(
        json.dumps(dict(reversed(list(json.loads(line).items()))), indent=None) + "\n" for line in WHOLE.splitlines()
    )
    record = parse_record(spaced)
    assert format_record(record) == spaced != WHOLE
    assert record == parse_record(WHOLE)


def test_what_follows_from_the_game_may_be_left_out() -> None:
    derived = {"roll", "position"}
    bare = [{key: value for key, value in json.loads(line).items() if key not in derived} for line in LINES]
    record = parse_record("".join(json.dumps(fields) + "\n" for fields in bare))
    assert record.lines == parse_record(WHOLE).lines


def test_a_header_with_the_game_alone_is_enough() -> None:
    record = parse_record('{"game":"cosmic-cows","record":1}\n')
    assert record == Record(Header(), ())


def test_a_last_line_without_its_end_counts_when_it_is_whole() -> None:
    record = parse_record(WHOLE.removesuffix("\n"))
    assert record.cut
    assert record.lines == parse_record(WHOLE).lines
    assert format_record(record) == WHOLE


@pytest.mark.parametrize(
    "tail", ['{"at_ms":900,"thr', "\x00\x00\x00\x00", '{"at_ms":900,"take_back":true,"who":"Zo\udcc3']
)
def test_a_last_line_that_is_not_whole_is_left_out(tail: str) -> None:
    record = parse_record(WHOLE.encode() + tail.encode("utf-8", "surrogateescape"))
    assert record.cut
    assert record.lines == parse_record(WHOLE).lines
    assert format_record(record) == WHOLE
