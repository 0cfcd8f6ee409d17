"""The journal keeps every step, changes none, says what is wrong with its file, and lets one service write."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from controller.errors import InputError, JournalError
from controller.games.cosmic_cows import Rules, Side, parse_dice
from controller.journal import schema
from controller.journal.record import Header, Line, format_record, game_of, parse_record
from controller.journal.recovery import recover
from controller.journal.store import Journal
from controller.table.entries import Ended, EndReason, Entry, Forfeit, OpeningThrow, PullMade, TakenBack, Throw
from controller.table.game import Game, fold_all

NOON = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
STEPS: tuple[tuple[Entry, ...], ...] = (
    (OpeningThrow(Side.WHITE, (5,)), OpeningThrow(Side.BLACK, (2,))),
    (Throw(parse_dice("12343")),),
    (PullMade("pair 3"),),
    (Throw(parse_dice("22234")),),
)


def write_game(journal: Journal, header: Header | None = None, steps: tuple[tuple[Entry, ...], ...] = STEPS) -> str:
    game_id = journal.start_game(header or Header(program="test"))
    for number, step in enumerate(steps):
        journal.append(game_id, step, number * 100, None)
    return game_id


def damage(path: Path, statement: str) -> None:
    """Change the file behind the journal's back, as a dying card would; its guards are taken off for that."""
    plain = sqlite3.connect(path)
    for (name,) in plain.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        plain.execute(f"DROP TRIGGER {name}")
    plain.execute(statement)
    plain.commit()
    plain.close()


def refused(path: Path, *, read_only: bool = False) -> str:
    with pytest.raises(JournalError) as caught:
        Journal(path, read_only=read_only)
    message = str(caught.value)
    assert "\n" not in message
    assert str(path) in message
    return message


def test_what_was_appended_is_read_back(tmp_path: Path) -> None:
    header = Header(rules=Rules(cows_to_win=2), white="Ada", black="Zoë 🐄", start=NOON, program="0.1", firmware="1.0")
    with Journal(tmp_path / "journal.sqlite") as journal:
        game_id = write_game(journal, header)
        record = journal.read(game_id)
    assert game_id == "20261201-1"
    assert (record.header.rules, record.header.black) == (header.rules, header.black)
    assert record.header.start == NOON
    times = [number * 100 for number, step in enumerate(STEPS) for _ in step]
    entries = [entry for step in STEPS for entry in step]
    assert record.lines == tuple(map(Line, times, entries))
    assert parse_record(format_record(record)) == record


def test_folders_are_made_and_a_second_opening_finds_the_games(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "journal.sqlite"
    with Journal(path) as journal:
        first = write_game(journal)
    with Journal(path) as journal:
        second = write_game(journal)
        assert journal.ids() == (first, second) == ("undated-1", "undated-2")
        assert journal.is_sound()


def test_a_journal_is_written_through_to_the_disk(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite") as journal:
        settings = {name: journal._connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("synchronous",)}
        mode = journal._connection.execute("PRAGMA journal_mode").fetchone()[0]
    assert (settings["synchronous"], mode) == (2, "wal")  # 2 is FULL


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET at_ms = 0",
        "DELETE FROM entries",
        "UPDATE games SET header = '{}'",
        "DELETE FROM games",
        "INSERT OR REPLACE INTO entries VALUES (1, 1, 1, 0, NULL, '{}', 0)",
        "INSERT INTO entries VALUES (1, 99, 9, 0, NULL, '{}', 0)",
        "INSERT OR REPLACE INTO games VALUES (1, 'x', '{}', 0)",
    ],
)
def test_nothing_written_can_be_changed_or_removed(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "journal.sqlite"
    with Journal(path) as journal:
        write_game(journal)
    plain = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="only added to"):
        plain.execute(statement)
    plain.close()


def test_a_step_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite") as journal:
        game_id = write_game(journal)
        before = journal.read(game_id)
        with pytest.raises(InputError):
            journal.append(game_id, (PullMade("triple 2"), TakenBack("\ud800")), 900, None)
        assert journal.read(game_id) == before
        journal.append(game_id, (PullMade("triple 2"),), 900, None)
        assert len(journal.read(game_id).lines) == len(before.lines) + 1


def test_times_never_run_backwards_in_a_record(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite") as journal:
        game_id = write_game(journal)
        journal.append(game_id, (PullMade("triple 2"),), 5, None)
        assert journal.read(game_id).lines[-1].at_ms == 300
        parse_record(format_record(journal.read(game_id)))


def test_a_start_before_the_clock_was_set_is_worked_out_later(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite") as journal:
        game_id = write_game(journal)
        assert journal.read(game_id).header.start is None
        journal.append(game_id, (PullMade("triple 2"),), 1_500, NOON)
        assert journal.read(game_id).header.start == NOON - timedelta(milliseconds=1_500)
        assert journal.games()[0].start == NOON - timedelta(milliseconds=1_500)


def test_games_are_told_in_short(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite") as journal:
        assert (journal.games(), journal.latest()) == ((), None)
        write_game(journal, Header(white="Ada", program="test"))
        write_game(journal, steps=(*STEPS, (Ended(Side.BLACK, EndReason.RESIGNED),)))
        first, second = journal.games()
        latest = journal.latest()
    assert (first.white, first.turns, first.result) == ("Ada", 1, None)
    assert second.result == Ended(Side.BLACK, EndReason.RESIGNED)
    assert latest is not None
    assert latest.header.id == second.id


def test_an_unknown_game_is_refused_with_the_newest_ones(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite") as journal:
        with pytest.raises(InputError, match="none yet"):
            journal.read("last")
        write_game(journal)
        with pytest.raises(InputError, match="undated-1"):
            journal.append("undated-7", STEPS[0], 0, None)


def test_a_header_that_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite") as journal:
        with pytest.raises(InputError):
            journal.start_game(Header(white="\ud800"))
        assert journal.ids() == ()


def test_one_service_writes_and_a_second_hears_which(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with Journal(path):
        assert f"another service (process {os.getpid()}" in refused(path)
    Journal(path).close()


def test_games_are_read_while_a_service_writes(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with Journal(path) as journal, Journal(path, read_only=True) as reader:
        game_id = write_game(journal)
        assert reader.read(game_id) == journal.read(game_id)
        with pytest.raises(JournalError, match="can't be written"):
            reader.start_game(Header())


READ_AS_NOBODY = """
import os, sys
from controller.journal.store import Journal
if os.geteuid() == 0:
    os.setuid(65534)
record = Journal(sys.argv[1], read_only=True).read(sys.argv[2])
print(os.access(os.path.dirname(sys.argv[1]), os.W_OK), len(record.lines))
"""


def test_a_journal_in_a_folder_that_can_not_be_written_is_still_read() -> None:
    with TemporaryDirectory() as name:  # pytest's own folders are closed to other users
        Path(name).chmod(0o755)
        path = Path(name, "kept", "journal.sqlite")
        with Journal(path) as journal:
            game_id = write_game(journal)
        path.parent.chmod(0o555)
        command = [sys.executable, "-c", READ_AS_NOBODY, str(path), game_id]
        root = str(Path(schema.__file__).parents[2])
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=30, check=False)
        path.parent.chmod(0o755)
    assert (done.stdout, done.returncode) == ("False 5\n", 0), done.stderr


def test_what_is_no_journal_is_refused_and_left_alone(tmp_path: Path) -> None:
    text, other, folder = tmp_path / "text", tmp_path / "other", tmp_path / "folder"
    text.write_text("This is a letter to my aunt. " * 40)
    plain = sqlite3.connect(other)
    plain.execute("CREATE TABLE letters (line TEXT)")
    plain.commit()
    plain.close()
    folder.mkdir()
    before = text.read_bytes(), other.read_bytes()
    for read_only in (False, True):
        assert "it isn't a journal" in refused(text, read_only=read_only)
        assert "it isn't a journal" in refused(other, read_only=read_only)
        assert "it is a folder" in refused(folder, read_only=read_only)
    assert (text.read_bytes(), other.read_bytes()) == before
    assert "there is none yet" in refused(tmp_path / "missing", read_only=True)
    (tmp_path / "file").write_text("")
    assert "folder" in refused(tmp_path / "file" / "journal.sqlite")


def test_a_journal_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    Journal(path).close()
    damage(path, f"PRAGMA user_version = {schema.VERSION + 1}")
    for read_only in (False, True):
        assert "update this program" in refused(path, read_only=read_only)


def test_a_full_disk_refuses_the_step_and_leaves_the_journal_usable(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite") as journal:
        game_id = write_game(journal)
        pages = journal._connection.execute("PRAGMA page_count").fetchone()[0]
        journal._connection.execute(f"PRAGMA max_page_count = {pages}")
        many = tuple(TakenBack("page" * 40) for _ in range(200))
        with pytest.raises(JournalError, match=r"the disk is full .*; free some space"):
            journal.append(game_id, many, 900, None)
        journal._connection.execute("PRAGMA max_page_count = 100000")
        journal.append(game_id, (PullMade("triple 2"),), 900, None)
        assert len(journal.read(game_id).lines) == 6


def test_a_damaged_file_is_named_with_its_mend(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with Journal(path) as journal:
        write_game(journal)
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (size - 4096))
    with Journal(path, read_only=True) as reader, pytest.raises(JournalError, match=r"damaged .*; move it away"):
        reader.games()


def test_a_damaged_step_ends_the_game_before_it_and_is_told(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with Journal(path) as journal:
        game_id = write_game(journal)
    damage(path, 'UPDATE entries SET entry = \'{"opening":"6","by":"black"}\' WHERE seq = 5')
    with Journal(path) as journal:
        kept = journal.load(game_id)
        assert kept.note == "game undated-1 is damaged from its step 4 on (the checksum of row 5 doesn't fit)"
        assert journal.read(game_id).cut
        found = recover(journal)
        assert found is not None
        assert found.note == kept.note
        assert found.game == fold_all(Game(), (entry for step in STEPS[:3] for entry in step))
        assert found.game_id == "undated-2"
        journal.append(found.game_id, STEPS[3], found.at_ms, None)
    with Journal(path) as journal:
        again = recover(journal)
        assert again is not None
        assert (again.game_id, again.note) == ("undated-2", None)
        assert again.game == fold_all(Game(), (entry for step in STEPS for entry in step))
        assert len(journal.games()) == 2


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM entries WHERE seq = 3",
        "UPDATE entries SET at_ms = 7 WHERE seq = 2",
        "UPDATE entries SET wall = '2026-12-01T12:00:00.000Z' WHERE seq = 2",
        "UPDATE entries SET entry = X'00FF' WHERE seq = 2",
        "UPDATE entries SET step = 7 WHERE seq = 2",
    ],
)
def test_no_damaged_row_is_believed(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "journal.sqlite"
    with Journal(path) as journal:
        game_id = write_game(journal)
    damage(path, statement)
    with Journal(path) as journal:
        kept = journal.load(game_id)
        assert kept.note is not None
        assert len(kept.steps) < len(STEPS)
        assert kept.steps == tuple(journal.load(game_id).steps)


def test_a_damaged_header_spoils_its_own_game_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with Journal(path) as journal:
        first, second = write_game(journal), write_game(journal)
    damage(path, "UPDATE games SET header = replace(header, '17', '13') WHERE number = 2")
    with Journal(path) as journal:
        with pytest.raises(JournalError, match="header of game undated-2 is damaged"):
            journal.load(second)
        assert len(journal.read(first).lines) == 5
        assert recover(journal) is None
        assert [game.note is None for game in journal.games()] == [True, False]


def test_the_table_comes_back_to_the_newest_game_that_is_not_over(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite") as journal:
        assert recover(journal) is None
        write_game(journal)
        game_id = journal.start_game(Header(white="Ada", rules=Rules(rolls=2)))
        found = recover(journal)
        assert found is not None
        assert (found.game_id, found.at_ms, found.header.white) == (game_id, 0, "Ada")
        assert found.game == Game(rules=Rules(rolls=2))
        journal.append(game_id, STEPS[0], 400, None)
        found = recover(journal)
        assert found is not None
        assert (found.at_ms, found.game) == (400, game_of(journal.read(game_id)))
        journal.append(game_id, (Ended(Side.WHITE, EndReason.RESIGNED),), 500, None)
        assert recover(journal) is None


def test_a_game_that_does_not_go_by_the_rules_goes_on_from_its_last_legal_step(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite") as journal:
        write_game(journal, steps=(*STEPS[:2], (Forfeit(),), *STEPS[2:]))
        found = recover(journal)
        assert found is not None
        assert found.note is not None
        assert "doesn't go by the rules from its step 3 on" in found.note
        assert found.game == fold_all(Game(), (entry for step in STEPS[:2] for entry in step))
        assert [game.note is None for game in journal.games()] == [False, True]
