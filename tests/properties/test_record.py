"""Laws of game records: reading undoes writing for any legal game, and no bytes whatever end in a traceback."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.errors import InputError
from controller.games.cosmic_cows import DEFAULT_RULES, Rules
from controller.journal.record import Header, Line, Record, format_record, game_of, parse_record
from controller.table.game import Game, fold_all
from tests.support.random_games import HOUSE_RULES, random_steps

NAMES = st.none() | st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=200)
TIMES = st.datetimes(datetime(1970, 1, 1), datetime(2099, 12, 31), timezones=st.just(UTC)).map(
    lambda time: time.replace(microsecond=time.microsecond // 1000 * 1000)
)


@st.composite
def records(draw: st.DrawFn, most: int = 60) -> Record:
    """Any legal game under the printed rules or house rules."""
    rules: Rules = draw(st.sampled_from((DEFAULT_RULES, HOUSE_RULES)))
    header = Header(
        rules=rules,
        white=draw(NAMES),
        black=draw(NAMES),
        start=draw(st.none() | TIMES),
        program=draw(st.sampled_from(("", "0.1.0"))),
        firmware=draw(NAMES),
        id=draw(st.none() | st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,20}", fullmatch=True)),
    )
    lines: list[Line] = []
    at_ms = 0
    for step in random_steps(draw(st.integers(0, 2**32)), rules, draw(st.integers(0, most))):
        at_ms += draw(st.integers(0, 100_000))
        lines += (Line(at_ms, entry) for entry in step)
    return Record(header, tuple(lines))


@given(records())
@settings(max_examples=100, deadline=timedelta(seconds=2))
def test_reading_a_record_gives_the_game_and_writing_it_again_the_same_bytes(record: Record) -> None:
    text = format_record(record)
    found = parse_record(text)
    assert found == record
    assert format_record(found) == text
    assert format_record(Record(found.header, found.lines)) == text
    assert game_of(found) == game_of(record)


@given(records(most=20), st.data())
@settings(max_examples=150, deadline=timedelta(seconds=2))
def test_a_record_cut_at_any_byte_is_a_beginning_of_the_game_or_a_cut_header(
    record: Record, data: st.DataObject
) -> None:
    text = format_record(record).encode("utf-8")
    at = data.draw(st.integers(0, len(text) - 1))
    header_length = text.index(b"\n")
    try:
        found = parse_record(text[:at])
    except InputError:
        assert at < header_length
        return
    assert at >= header_length
    assert found.header == record.header
    assert found.lines == record.lines[: len(found.lines)]
    assert len(found.lines) >= text[:at].count(b"\n") - 1
    assert found.cut == (text[at - 1 : at] != b"\n")
    assert game_of(found) == fold_all(Game(rules=record.header.rules), (line.entry for line in found.lines))
    assert format_record(found).encode("utf-8").rstrip(b"\n") == text[: len(format_record(found).encode("utf-8")) - 1]


@given(records(most=10), st.data())
@settings(max_examples=200, deadline=timedelta(seconds=2))
def test_a_record_with_any_bytes_changed_is_read_or_refused_in_one_line(record: Record, data: st.DataObject) -> None:
    text = bytearray(format_record(record).encode("utf-8"))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(start + 4, len(text))))
        text[start:end] = data.draw(st.binary(max_size=4))
    _read_or_refused(bytes(text))


@given(st.binary(max_size=300) | st.text(max_size=300))
def test_any_bytes_and_any_text_are_read_or_refused_in_one_line(text: bytes | str) -> None:
    _read_or_refused(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(
    [
        *("at_ms", "opening", "throw", "keep", "pull", "forfeit", "correct", "take_back", "result"),
        *("by", "roll", "position", "value", "who", "winner"),
        *("game", "record", "id", "players", "computers", "start", "program", "firmware", "rules", "generator"),
    ]
)
HEADER_LINE = format_record(Record(Header(), ()))


@given(st.lists(st.dictionaries(KEYS, JSON, max_size=5), min_size=1, max_size=2), st.booleans())
@settings(max_examples=300)
def test_known_keys_with_any_values_are_read_or_refused_in_one_line(lines: list[dict[str, Any]], headed: bool) -> None:
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    _read_or_refused(HEADER_LINE + text if headed else text)


def _read_or_refused(text: bytes | str) -> None:
    message, found = _parsed(text)
    if found is None:
        assert message
        assert "\n" not in message
        return
    written = format_record(found).encode("utf-8")
    whole = text.encode("utf-8") if isinstance(text, str) else text
    assert whole.startswith(written.removesuffix(b"\n"))
    assert written == whole or found.cut


def _parsed(text: bytes | str) -> tuple[str, Record | None]:
    try:
        return "", parse_record(text)
    except InputError as error:
        return str(error), None
