"""One damaged byte costs a journal the step it hits, whatever the byte has become, and nothing before it."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.errors import CowboardError
from controller.games.cosmic_cows import Side, parse_dice
from controller.journal.header import Header
from controller.journal.recovery import recover
from controller.journal.store import Journal
from controller.table.entries import Entry, OpeningThrow, PullMade, Throw

STEPS: tuple[tuple[Entry, ...], ...] = (
    (OpeningThrow(Side.WHITE, (5,)), OpeningThrow(Side.BLACK, (2,))),
    (Throw(parse_dice("12343")),),
    (PullMade("pair 3"),),
    (Throw(parse_dice("22234")),),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A closed journal of two games alike."""
    path = tmp_path / "journal.sqlite"
    with Journal(path) as journal:
        for _ in range(2):
            game_id = journal.start_game(Header(program="test"))
            for number, step in enumerate(STEPS):
                journal.append(game_id, step, number * 100, None)
    return path


def change(path: Path, text: bytes, *, after: bytes = b"", byte: int = 0xFF) -> None:
    """Set the first byte of this text, looked for behind another one."""
    content = bytearray(path.read_bytes())
    content[content.index(text, content.index(after))] = byte
    path.write_bytes(content)


def fault(path: Path) -> str:
    """What is said of this file; any other error than ours is a bug."""
    try:
        with Journal(path, read_only=True) as journal:
            journal.games()
            recover(journal)
    except CowboardError as error:
        return str(error)
    return ""


def test_a_byte_that_is_no_utf_8_ends_the_game_before_its_step(path: Path) -> None:
    change(path, b'"pair 3"')
    with Journal(path) as journal:
        notes = [game.note for game in journal.games()]
        assert sorted(note is None for note in notes) == [False, True]
        damaged = next(game.id for game in journal.games() if game.note is not None)
        assert [step.entries for step in journal.load(damaged).steps] == list(STEPS[:2])


def test_the_table_still_comes_back_where_the_newest_game_has_such_a_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    for start in range(len(content)):
        if content.startswith(b'"22234"', start):
            content[start] = 0xC3
    path.write_bytes(content)
    with Journal(path) as journal:
        found = recover(journal)
    assert found is not None
    assert found.note is not None
    assert (found.game.roll, len(found.game.turns)) == (0, 1)


def test_a_header_with_such_a_byte_spoils_its_own_game_alone(path: Path) -> None:
    change(path, b'"cosmic-cows"')
    with Journal(path, read_only=True) as journal:
        assert sorted(game.note is None for game in journal.games()) == [False, True]


def test_no_single_damaged_byte_is_more_than_a_named_fault(path: Path) -> None:
    """Every 37th byte of the file, each set to a value that is neither text nor what it was."""
    whole = path.read_bytes()
    for at in range(0, len(whole), 37):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xA5]) + whole[at + 1 :])
        assert "\n" not in fault(path)
