"""Golden records: games as text, byte for byte, and what the commands say of them.

To renew the files after a wanted change of the form run with COWBOARD_RENEW_GOLDEN=1 and look at the difference.
"""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from controller.cli import replay
from controller.games.cosmic_cows import DEFAULT_RULES, Side, parse_dice
from controller.journal.record import Header, Line, Record, format_record, game_of, parse_record
from controller.journal.store import Journal
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
from controller.table.game import Stage
from tests.support.random_games import HOUSE_RULES, random_steps

FOLDER = Path(__file__).parent / "records"
SCHEMA = json.loads((Path(__file__).parents[2] / "controller/schemas/record.json").read_text("utf-8"))
RENEW = bool(os.environ.get("COWBOARD_RENEW_GOLDEN"))

EVERY_KIND: tuple[Entry, ...] = (
    OpeningThrow(Side.WHITE, (3,)),
    OpeningThrow(Side.BLACK, (3,)),
    OpeningThrow(Side.WHITE, (2,)),
    OpeningThrow(Side.BLACK, (5,)),
    Throw(parse_dice("12234")),
    Keep((2, 2)),
    Throw(parse_dice("22456")),
    TakenBack("Zoë 🐄"),
    Keep((2, 2)),
    Throw(parse_dice("22256")),
    Corrected(Correctable.DICE, "55222", "Ada \u201cthe\u2028cow\u201d"),
    PullMade("full house 2 5"),
    Throw(parse_dice("12356")),
    Keep(()),
    Throw(parse_dice("65321")),
    Keep((1, 2, 3)),
    Throw(parse_dice("12356")),
    Forfeit(),
    Corrected(Correctable.MOVER, "white", "black"),
    Corrected(Correctable.COWS, "0,0,2,0,-1,0,-3,0,7 b", "panel"),
    Throw(parse_dice("33333")),
    PullMade("super"),
    Ended(Side.WHITE, EndReason.RESIGNED),
    TakenBack("black"),
    Ended(None, EndReason.ABANDONED),
)


def every_kind() -> Record:
    """A game with every kind of entry, some twice."""
    header = Header(
        rules=DEFAULT_RULES,
        white="Ada",
        black="Zoë 🐄",
        start=datetime(2026, 12, 1, 18, 3, 7, 120_000, tzinfo=UTC),
        program="0.1.0",
        firmware="led 1.4",
        id="20261201-7",
    )
    return Record(header, tuple(Line(1500 * number, entry) for number, entry in enumerate(EVERY_KIND)))


def house_rules() -> Record:
    """A random game to its end under other rules, without names, clock or board; only used to renew the golden one."""
    header = Header(rules=HOUSE_RULES, program="0.1.0", id="undated-2")
    steps = enumerate(random_steps(3, HOUSE_RULES))
    return Record(header, tuple(Line(2000 * number, entry) for number, step in steps for entry in step))


GAMES = {"every-kind.jsonl": every_kind, "house-rules.jsonl": house_rules}


@pytest.mark.skipif(not RENEW, reason="set COWBOARD_RENEW_GOLDEN=1 to renew the golden records")
@pytest.mark.parametrize("name", GAMES)
def test_the_golden_records_are_renewed_on_demand(name: str) -> None:
    (FOLDER / name).write_bytes(format_record(GAMES[name]()).encode("utf-8"))
    result = CliRunner().invoke(replay.command, [str(FOLDER / name)])
    (FOLDER / name).with_suffix(".txt").write_text(result.stdout, encoding="utf-8")
    assert result.exit_code == 0


def test_a_game_with_every_kind_of_entry_is_written_byte_for_byte_and_read_back() -> None:
    written = (FOLDER / "every-kind.jsonl").read_bytes()
    assert format_record(every_kind()).encode("utf-8") == written
    assert parse_record(written) == every_kind()


@pytest.mark.parametrize("name", GAMES)
def test_reading_a_golden_record_and_writing_it_again_gives_the_same_bytes(name: str) -> None:
    found = parse_record((FOLDER / name).read_bytes())
    assert not found.cut
    assert format_record(found).encode("utf-8") == (FOLDER / name).read_bytes()


@pytest.mark.parametrize("name", GAMES)
def test_our_own_spelling_is_the_same_as_the_one_that_was_read(name: str) -> None:
    found = parse_record((FOLDER / name).read_bytes())
    assert format_record(Record(found.header, found.lines)) == format_record(found)


def test_the_first_record_holds_every_kind_of_entry_and_the_second_an_end_by_the_rules() -> None:
    assert {type(line.entry) for line in every_kind().lines} == set(Entry.__args__)
    game = game_of(parse_record((FOLDER / "house-rules.jsonl").read_bytes()))
    assert game.stage is Stage.OVER
    assert game.ended is not None
    assert game.ended.reason is EndReason.COWS_HOME


@pytest.mark.parametrize("name", GAMES)
def test_every_line_of_a_record_fits_the_schema(name: str) -> None:
    first, *others = (json.loads(line) for line in (FOLDER / name).read_text("utf-8").split("\n")[:-1])
    check(first, "header")
    for line in others:
        check(line, "entry")


@pytest.mark.parametrize("name", GAMES)
def test_every_line_of_a_replay_in_json_fits_the_schema(name: str) -> None:
    result = CliRunner().invoke(replay.command, [str(FOLDER / name), "--json"])
    *steps, summary = (json.loads(line) for line in result.stdout.splitlines())
    for step in steps:
        check(step, "step")
    check(summary, "summary")
    assert [step["line"] for step in steps] == list(range(2, summary["lines"] + 1))


@pytest.mark.parametrize("name", GAMES)
def test_a_replay_in_words_is_the_golden_one(name: str) -> None:
    result = CliRunner().invoke(replay.command, [str(FOLDER / name)])
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (FOLDER / name).with_suffix(".txt").read_text("utf-8")


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_comes_out_of_a_journal_byte_for_byte(name: str, tmp_path: Path) -> None:
    record = parse_record((FOLDER / name).read_bytes())
    with Journal(tmp_path / "journal.sqlite") as journal:
        game_id = journal.start_game(record.header)
        for line in record.lines:
            journal.append(game_id, (line.entry,), line.at_ms, None)
        text = format_record(journal.read(game_id))
    body = (FOLDER / name).read_text("utf-8").split("\n", 1)[1]
    assert text.split("\n", 1)[1] == body


def check(value: Any, name: str) -> None:
    jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]}).validate(value)
