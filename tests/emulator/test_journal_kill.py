"""The journal survives its writer's death at any moment: 200 kills, everything acknowledged still there.

How it works: a child process that appends steps as fast as it can says so after each commit, one byte a step. It is
killed after a random number of those bytes and a random moment more; then the file is opened as after a power cut.
One child in five is killed while it opens the journal, at times in the middle of making the tables.
"""

from __future__ import annotations

import os
import secrets
import signal
import sqlite3
from pathlib import Path
from random import Random

import pytest

from controller.games.cosmic_cows import DEFAULT_RULES
from controller.journal.record import Header, game_of
from controller.journal.recovery import recover
from controller.journal.store import Journal
from controller.table.entries import Entry
from controller.table.game import Game, Stage, fold_all
from tests.support.random_games import random_steps

KILLS = 200
GAMES = 20  # the random games the children choose from, worked out once
MOST_STEPS = 60

# The child touches nothing but its own journal, so threads that another test left behind can't hold it up.
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")


def test_after_every_kill_the_acknowledged_steps_are_there_and_at_most_one_more(tmp_path: Path) -> None:
    seed = secrets.randbits(32)
    print(f"seed {seed}")
    chance = Random(seed)
    games = [tuple(random_steps(seed + number, most=MOST_STEPS)) for number in range(GAMES)]
    at_most_one_more = 0
    for kill in range(KILLS):
        path = tmp_path / f"{kill}" / "journal.sqlite"
        steps = chance.choice(games)
        acknowledged = _killed_writer(path, steps, chance)
        at_most_one_more += _check(path, steps, acknowledged)
    print(f"{at_most_one_more} of {KILLS} kills fell between a commit and its acknowledgement")


def test_a_journal_that_is_killed_again_and_again_keeps_every_game(tmp_path: Path) -> None:
    seed = secrets.randbits(32)
    print(f"seed {seed}")
    chance, path = Random(seed), tmp_path / "journal.sqlite"
    steps = tuple(random_steps(seed, most=MOST_STEPS))
    least = [_killed_writer(path, steps, chance) for _ in range(10)]
    with Journal(path) as journal:
        assert journal.is_sound()
        held = [_steps_held(journal, game_id, steps) for game_id in journal.ids()]
    started = [count for count in least if count]
    assert sum(held) >= sum(started)
    assert len(held) >= len(started)


def _killed_writer(path: Path, steps: tuple[tuple[Entry, ...], ...], chance: Random) -> int:
    """How many steps the writer had acknowledged when it was killed."""
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        _write_until_killed(path, steps, told, tell)
    os.close(tell)
    wanted = 0 if chance.random() < 0.2 else chance.randint(1, len(steps))
    acknowledged = 0
    while acknowledged < wanted and os.read(told, 1):
        acknowledged += 1
    _busy(chance.randrange(40_000))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while rest := os.read(told, 4096):
        acknowledged += len(rest)
    os.close(told)
    return acknowledged


def _write_until_killed(path: Path, steps: tuple[tuple[Entry, ...], ...], told: int, tell: int) -> None:
    """The child: never returns, whatever happens, so that it doesn't go on as a second test run."""
    try:
        os.close(told)
        journal = Journal(path)
        game_id = journal.start_game(Header(rules=DEFAULT_RULES, program="test"))
        for number, step in enumerate(steps):
            journal.append(game_id, step, number, None)
            os.write(tell, b".")
        signal.pause()
    finally:
        os._exit(1)


def _busy(turns: int) -> None:
    """A moment of up to a few milliseconds, finer than the system's sleep."""
    for _ in range(turns):
        pass


def _check(path: Path, steps: tuple[tuple[Entry, ...], ...], acknowledged: int) -> int:
    """Holds the killed writer's journal against what it should hold; how many steps more than acknowledged it has."""
    if acknowledged == 0 and not path.exists():
        return 0
    with Journal(path) as journal:
        assert journal.is_sound()
        assert len(journal.ids()) <= 1
        found = recover(journal)
        if found is None:
            reached = (acknowledged, min(acknowledged + 1, len(steps)))
            assert acknowledged == 0 or any(_game_after(steps, count).stage is Stage.OVER for count in reached)
        held = _steps_held(journal, journal.ids()[0], steps) if journal.ids() else 0
        assert acknowledged <= held <= acknowledged + 1
        if found is not None:
            assert (found.note, found.game) == (None, _game_after(steps, held))
            assert found.at_ms == max(held - 1, 0)
            if held < len(steps):
                journal.append(found.game_id, steps[held], held, None)
    return held - acknowledged


def _steps_held(journal: Journal, game_id: str, steps: tuple[tuple[Entry, ...], ...]) -> int:
    """How many steps the journal holds; its game must be the one that those make."""
    record = journal.read(game_id)
    assert not record.cut
    held = next(n for n in range(len(steps) + 1) if sum(map(len, steps[:n])) == len(record.lines))
    assert tuple(line.entry for line in record.lines) == tuple(entry for step in steps[:held] for entry in step)
    assert game_of(record) == _game_after(steps, held)
    return held


def _game_after(steps: tuple[tuple[Entry, ...], ...], count: int) -> Game:
    return fold_all(Game(), (entry for step in steps[:count] for entry in step))


def test_a_second_writer_is_let_in_once_the_first_was_killed(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    _killed_writer(path, tuple(random_steps(1, most=5)), Random(1))
    Journal(path).close()
    plain = sqlite3.connect(path)
    assert plain.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    plain.close()
