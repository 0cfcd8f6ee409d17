"""What docs/record.md shows is a record, to the byte, and its tables know every key."""

from __future__ import annotations

import json
import re
from pathlib import Path

from controller.journal.header import HEADER_KEYS, header_fields
from controller.journal.lines import derived_fields, entry_fields
from controller.journal.record import Header, Record, format_record, parse_record, walk
from controller.table.seats import Computer, Seats

PAGE = (Path(__file__).parents[2] / "docs" / "record.md").read_text("utf-8")


def example() -> Record:
    found = re.search(r"```jsonl\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return parse_record(found[1])


def rows(heading: str) -> dict[str, list[str]]:
    """The table below a heading: the words in code signs of each cell, by the first cell's."""
    table = PAGE.split(heading, 1)[1].split("\n\n|", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    cells = [line.strip("|").split("|") for line in table]
    return {key: [" ".join(re.findall(r"`(\w+)`", cell)) for cell in row[1:]] for row in cells for key in keys(row[0])}


def keys(cell: str) -> list[str]:
    return re.findall(r"`(\w+)`", cell)


def test_the_example_is_written_as_this_program_writes_it() -> None:
    record = example()
    assert not record.cut
    assert format_record(Record(record.header, record.lines)) == format_record(record)


def test_the_example_shows_every_kind_with_the_keys_of_the_table() -> None:
    table = rows("## Every further line")
    shown = set()
    for line, before, after in walk(example()):
        own, derived = entry_fields(line.entry), derived_fields(line.entry, before, after)
        kind = next(iter(own))
        assert [key for key in table[kind][0].split() if key in own] == list(own), kind
        assert table[kind][1].split() == list(derived), kind
        shown.add(kind)
    assert shown == set(table)


def test_the_table_of_the_header_has_every_key_in_the_order_of_writing() -> None:
    with_computer = header_fields(Header(seats=Seats(black=Computer("greedy"))))
    assert tuple(rows("## The first line")) == HEADER_KEYS == tuple(with_computer)
    between_persons = tuple(key for key in HEADER_KEYS if key != "computers")
    first = re.search(r'^\{"game".*$', PAGE, re.MULTILINE)
    assert first is not None
    assert tuple(json.loads(first[0])) == between_persons == tuple(header_fields(Header()))
