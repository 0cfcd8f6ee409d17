"""`cowboard replay`, `games` and `export`: their output, their exit status, and what they do with bad input."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from controller.cli import replay
from controller.cli.game_words import board_text, printable
from controller.errors import InputError
from controller.games.cosmic_cows import Rules, parse_position
from controller.journal.record import Header, format_record, parse_record
from controller.journal.store import Journal
from controller.table.game import Game

ROOT = Path(__file__).parents[2]
RECORDS = Path(__file__).parent / "records"
EVERY_KIND = RECORDS / "every-kind.jsonl"
SCHEMA = json.loads((ROOT / "controller/schemas/record.json").read_text("utf-8"))


def cowboard(*arguments: str, stdin: bytes = b"", **more: str) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own, as its users start it."""
    words = [sys.executable, "-m", "controller.cli", *arguments]
    surroundings = os.environ | {"PYTHONIOENCODING": "utf-8"} | more
    return subprocess.run(words, cwd=ROOT, env=surroundings, input=stdin, capture_output=True, check=False)


def refusal(*arguments: str, stdin: bytes = b"", status: int = 2) -> str:
    """The one line that a command line is refused with; nothing on stdout."""
    done = cowboard(*arguments, stdin=stdin)
    assert (done.returncode, done.stdout) == (status, b"")
    lines = done.stderr.decode("utf-8").splitlines()
    assert len(lines) == 1
    return lines[0]


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal of two games: one that is over, one that goes on."""
    path = tmp_path / "table" / "journal.sqlite"
    with Journal(path) as open_journal:
        for name, start in (("house-rules", None), ("every-kind", datetime(2026, 12, 1, 18, 3, tzinfo=UTC))):
            record = parse_record((RECORDS / f"{name}.jsonl").read_bytes())
            rules, white = record.header.rules, record.header.white
            game_id = open_journal.start_game(Header(rules=rules, white=white, start=start, program="0.1.0"))
            lines = record.lines if name == "house-rules" else record.lines[:-1]
            for line in lines:
                open_journal.append(game_id, (line.entry,), line.at_ms, None)
    return path


# --- replay


def test_a_sound_record_is_checked_in_one_line() -> None:
    done = cowboard("replay", str(EVERY_KIND), "--check")
    expected = "26 lines, 3 turns, every move by the rules; the game was left unfinished\n"
    assert (done.stdout.decode(), done.stderr, done.returncode) == (expected, b"", 0)


def test_a_check_in_json_is_the_summary_alone() -> None:
    done = cowboard("replay", str(EVERY_KIND), "--check", "--json")
    assert json.loads(done.stdout) == {
        "game": "cosmic-cows",
        "id": "20261201-7",
        "lines": 26,
        "turns": 3,
        "position": "0,0,2,0,0,0,-3,0,7 b",
        "result": "abandoned",
        "winner": None,
        "cut": False,
    }


def test_standard_input_is_read_as_a_file_is() -> None:
    from_file = cowboard("replay", str(EVERY_KIND)).stdout
    assert cowboard("replay", "-", stdin=EVERY_KIND.read_bytes()).stdout == from_file


def test_a_record_cut_off_is_replayed_to_its_last_whole_line_and_says_so() -> None:
    whole = EVERY_KIND.read_bytes()
    lines = whole.splitlines(keepends=True)
    done = cowboard("replay", "-", "--json", stdin=b"".join(lines[:12]) + lines[12][:20])
    *steps, summary = map(json.loads, done.stdout.splitlines())
    assert done.returncode == 0
    assert done.stderr.decode().splitlines() == [
        "cowboard replay: the record is cut off: its end is missing after line 12, so it is replayed up to there"
    ]
    assert (len(steps), summary["lines"], summary["cut"]) == (11, 12, True)
    assert all(json.loads(line) == step["step"] for line, step in zip(lines[1:12], steps, strict=True))


def test_a_check_of_a_cut_record_says_so_too() -> None:
    done = cowboard("replay", "-", "--check", stdin=EVERY_KIND.read_bytes()[:-5])
    assert done.stdout.startswith(b"cut off, 25 lines, ")
    assert b"after line 25" in done.stderr


def test_an_illegal_move_is_refused_by_its_line_before_anything_is_shown() -> None:
    wrong = EVERY_KIND.read_bytes().replace(b'"pull":"full house 2 5"', b'"pull":"pair 3"')
    message = refusal("replay", "-", stdin=wrong)
    assert message.startswith("cowboard replay: line 13: pull: 'pair 3' is not usable; accepted: ")
    assert "full house 2 5" in message


def test_a_position_that_does_not_follow_is_refused_with_the_right_one() -> None:
    wrong = EVERY_KIND.read_bytes().replace(b'"position":"0,0,-3,0,0,0,-2,0,0 w"', b'"position":"0,0,3,0,0,0,2,0,0 w"')
    assert "line 13: position" in refusal("replay", "-", stdin=wrong)


@pytest.mark.parametrize(
    ("record", "named"),
    [
        (b"", "record"),
        (b"\n", "line 1"),
        (b"not a record\n", "line 1"),
        (b"\xff\xfe\x00\n", "line 1"),
        (b"[" * 50_000 + b"\n", "line 1"),
        (b'{"game":"chess","record":1}\n', "game"),
        (b'{"game":"cosmic-cows","record":2}\n', "record"),
        (b"x" * 70_000 + b"\n", "line 1"),
        (b'{"game":"cosmic-cows","record":1}\n{"at_ms":NaN,"opening":"3","by":"white"}\n', "line 2"),
        (b'{"game":"cosmic-cows","record":1}\n{"at_ms":1e9,"opening":"3","by":"white"}\n', "at_ms"),
        (b'{"game":"cosmic-cows","record":1}\n{"at_ms":0,"opening":"7","by":"white"}\n', "opening"),
        (b'{"game":"cosmic-cows","record":1}\n{"at_ms":0,"at_ms":1,"opening":"3","by":"white"}\n', "line 2"),
    ],
)
def test_what_is_no_record_is_refused_in_one_line_that_names_the_place(record: bytes, named: str) -> None:
    result = CliRunner().invoke(replay.command, ["-"], input=record)
    assert isinstance(result.exception, InputError)
    assert named in str(result.exception)
    assert "\n" not in str(result.exception)
    assert result.stdout == ""


def test_a_file_that_is_not_there_and_an_unknown_game_are_refused_by_name(tmp_path: Path) -> None:
    missing = tmp_path / "none.jsonl"
    assert "none.jsonl" in refusal("replay", str(missing))
    assert str(tmp_path) in refusal("replay", str(tmp_path))
    assert "cosmic-cows" in refusal("replay", str(EVERY_KIND), "--game", "chess")


def test_an_endless_file_is_refused_and_not_read_to_its_end() -> None:
    assert "16 MiB" in refusal("replay", "/dev/zero")


def test_a_terminal_that_lacks_a_sign_shows_a_mark_for_it() -> None:
    done = cowboard("replay", str(EVERY_KIND), PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Zo? ? starts" in done.stdout


def test_a_sign_that_a_terminal_would_obey_is_never_printed() -> None:
    assert printable("Ada\x1b[2J\nBen\r\x07", "utf-8") == "Ada�[2J\nBen��"


def test_the_board_shows_each_cow_at_its_place_and_locked_ones_by_a_letter() -> None:
    rules = Rules(lock_in=True, beam_length=9, win_zone=2)
    position = parse_position("0,4L,-4,2,1,3,-3,-2,0 w", rules)
    assert board_text(Game(rules=rules, position=position)).splitlines() == [
        "          Black   White",
        "   chance [..|..O..|..]",
        "        1 [..|.....|.L]",
        "        2 [O.|.....|..]",
        "        3 [..|....O|..]",
        "    super    [.|.|O]",
        "        4 [..|.....|O.]",
        "        5 [.O|.....|..]",
        "        6 [..|O....|..]",
        "straights [..|..O..|..]",
    ]


# --- games and export


def test_games_are_listed_oldest_first_with_their_result(journal: Path) -> None:
    done = cowboard("games", "--journal", str(journal))
    first, second = done.stdout.decode().splitlines()
    assert " ".join(first.split()) == "undated-1 undated White – Black 27 turns White wins, cows home"
    assert " ".join(second.split()) == "20261201-2 2026-12-01 18:03 Ada – Black 3 turns goes on"


def test_games_in_json_fit_the_schema(journal: Path) -> None:
    lines = cowboard("games", "--json", "--journal", str(journal)).stdout.splitlines()
    found = [json.loads(line) for line in lines]
    for game in found:
        jsonschema.Draft202012Validator({"$ref": "#/$defs/kept", "$defs": SCHEMA["$defs"]}).validate(game)
    assert [(game["id"], game["result"], game["winner"]) for game in found] == [
        ("undated-1", "cows home", "white"),
        ("20261201-2", None, None),
    ]


def test_an_exported_record_is_the_journals_byte_for_byte_and_replays(journal: Path) -> None:
    with Journal(journal, read_only=True) as kept:
        texts = {game_id: format_record(kept.read(game_id)).encode("utf-8") for game_id in kept.ids()}
    for game_id, text in texts.items():
        done = cowboard("export", game_id, "--journal", str(journal))
        assert (done.stdout, done.stderr, done.returncode) == (text, b"", 0)
        assert cowboard("replay", "-", "--check", stdin=done.stdout).returncode == 0
    assert cowboard("export", "last", "--json", "--journal", str(journal)).stdout == texts["20261201-2"]


def test_the_bytes_of_an_export_do_not_depend_on_the_terminal(journal: Path) -> None:
    plain = cowboard("export", "last", "--journal", str(journal)).stdout
    assert cowboard("export", "last", "--journal", str(journal), PYTHONIOENCODING="ascii").stdout == plain
    assert "Zoë 🐄".encode() in plain


def test_games_and_export_read_while_a_service_writes(journal: Path) -> None:
    with Journal(journal) as writer:
        writer.start_game(Header(program="0.1.0"))
        assert len(cowboard("games", "--journal", str(journal)).stdout.splitlines()) == 3
        assert cowboard("export", "last", "--journal", str(journal)).stdout.count(b"\n") == 1


def test_without_a_name_the_tables_own_journal_is_read(journal: Path, tmp_path: Path) -> None:
    own = tmp_path / "state" / "cowboard" / "journal.sqlite"
    own.parent.mkdir(parents=True)
    journal.rename(own)
    done = cowboard("export", "last", XDG_STATE_HOME=str(tmp_path / "state"))
    assert (done.returncode, done.stdout.count(b"\n")) == (0, 25)


def test_a_damaged_game_is_exported_up_to_the_damage_and_says_so(journal: Path) -> None:
    whole = cowboard("export", "undated-1", "--journal", str(journal)).stdout
    plain = sqlite3.connect(journal)
    plain.execute("DROP TRIGGER entries_update")
    plain.execute("UPDATE entries SET at_ms = at_ms + 1 WHERE game = 1 AND seq = 9")
    plain.commit()
    plain.close()
    done = cowboard("export", "undated-1", "--journal", str(journal))
    assert done.stdout == b"".join(whole.splitlines(keepends=True)[:9])
    assert done.stderr.startswith(b"cowboard export: game undated-1 is damaged from its step 9 on")
    listed = cowboard("games", "--json", "--journal", str(journal)).stdout.splitlines()
    assert [json.loads(line)["note"] is None for line in listed] == [False, True]


def test_an_unknown_game_is_refused_with_those_that_are_there(journal: Path) -> None:
    message = refusal("export", "20261201-9", "--journal", str(journal))
    assert "'20261201-9'" in message
    assert "20261201-2" in message


def test_an_empty_journal_has_no_games_and_no_last_one(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    Journal(path).close()
    done = cowboard("games", "--json", "--journal", str(path))
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (0, b"", 1)
    assert "holds none yet" in refusal("export", "last", "--journal", str(path))


def test_a_journal_that_is_not_there_or_is_none_fails_in_one_line(tmp_path: Path) -> None:
    other = tmp_path / "letter.txt"
    other.write_text("Dear Ada, this is no journal, only a letter of some length about cows.\n" * 20)
    for command in (("games",), ("export", "last")):
        assert str(other) in refusal(*command, "--journal", str(other), status=1)
        assert "none" in refusal(*command, "--journal", str(tmp_path / "none.sqlite"), status=1)


def test_reading_a_journal_makes_none(tmp_path: Path) -> None:
    cowboard("games", "--journal", str(tmp_path / "new" / "journal.sqlite"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [("games",), ("export", "last")])
def test_the_journal_of_the_settings_that_the_table_runs_with_is_read(
    journal: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    settings = tmp_path / "table.toml"
    settings.write_text(f'[journal]\npath = "{journal}"\n', encoding="utf-8")
    named = cowboard(*words, "--journal", str(journal))
    assert cowboard(*words, "--config", str(settings)).stdout == named.stdout != b""
    settings.write_text('[journal]\npath = "/nowhere/journal.sqlite"\n', encoding="utf-8")
    assert cowboard(*words, "--config", str(settings), "--journal", str(journal)).stdout == named.stdout
    assert "/nowhere/journal.sqlite" in refusal(*words, "--config", str(settings), status=1)
    settings.write_text("[jurnal]\n", encoding="utf-8")
    assert "journal" in refusal(*words, "--config", str(settings), "--journal", str(journal))
    assert "no.toml" in refusal(*words, "--config", str(tmp_path / "no.toml"))


def test_a_journal_without_a_name_is_refused() -> None:
    assert refusal("games", "--journal", "").startswith("cowboard games: journal: ''")
