"""A whole game over the virtual table: throws through pictures, cows through packets, at manual-clock speed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from controller.journal.record import format_record, game_of, parse_record
from controller.journal.store import Journal
from tests.support.virtual_table import VirtualTable

TURNS = 200


def play_to_the_end(table: VirtualTable) -> dict[str, Any]:
    """Greedy hands: throw, nudge what is refused, make the longest pull."""
    state = table.state()
    for _ in range(TURNS * 4):
        match state["phase"]:
            case "over":
                return state
            case "refused":
                for die in state["virtual"]["tray"]:
                    table.hands(do="nudge", die=die["id"])
                state = table.until_newer(state["version"])
            case "rolled" if state["pulls"]:
                state = table.pull(max(state["pulls"], key=lambda pull: (pull["wins"], sum(pull["cows"].values()))))
            case _:
                state = table.throw()
    raise AssertionError("the game never ended")


@pytest.mark.timeout(300)
def test_a_whole_game_ends_with_a_winner_and_its_record_replays(tmp_path: Path) -> None:
    with VirtualTable(tmp_path, seed=7) as table:
        state = play_to_the_end(table)
        assert state["winner"] in ("white", "black")
        assert state["score"][state["winner"]] >= 3
        game_id = state["game"]["id"]
    with Journal(tmp_path / "journal.sqlite", read_only=True) as journal:
        record = journal.read(game_id)
    game = game_of(record)
    assert game.ended is not None
    assert game.ended.winner is not None
    assert game.ended.winner.value == state["winner"]
    assert len(game.turns) == len(state["history"])
    assert parse_record(format_record(record)) == record
