"""`cowboard games`: the games that the journal holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from controller.cli.game_words import say
from controller.errors import InputError
from controller.journal.header import format_time
from controller.journal.store import GameSummary, Journal

_EXAMPLES = """
\b
Examples:
  cowboard games
  cowboard games --json
  cowboard games --config table.toml
  cowboard games --journal /media/stick/journal.sqlite
"""


@click.command(name="games", epilog=_EXAMPLES, short_help="The games in the journal.")
@click.option("--config", metavar="F", help="The TOML file that the table runs with: its journal is meant.")
@click.option("--journal", metavar="PATH", help="The journal's file, if it isn't the table's own.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one object a line.")
def command(config: str | None, journal: str | None, as_json: bool) -> None:
    """The games in the journal, oldest first; `cowboard export` writes one of them."""
    with open_journal(journal, config) as found:
        games = found.games()
    for game in games:
        say(json.dumps(game_fields(game)) if as_json else _row(game))
    if not games:
        click.echo("cowboard games: the journal holds no game yet", err=True)


def open_journal(path: str | None, config: str | None = None) -> Journal:
    """This journal for reading, also while a service writes it; None is the one of the table that runs with `config`.

    Raises:
        InputError: settings that can't be used.
        JournalError: none there, or none that can be read.
    """
    if path is not None and config is None:
        return Journal(_named(path), read_only=True)
    from controller.config import load_config  # here, since whoever names a journal needs no settings

    settings = load_config(None if config is None else Path(config))
    return Journal(settings.journal_path if path is None else _named(path), read_only=True)


def _named(path: str) -> Path:
    if not path or "\0" in path:
        raise InputError("journal", path, "the path of a journal's file")
    return Path(path)


def game_fields(game: GameSummary) -> dict[str, Any]:
    """One game as JSON values; controller/schemas/record.json describes it as `kept`."""
    result = game.result
    return {
        "id": game.id,
        "start": None if game.start is None else format_time(game.start),
        "players": {"white": game.white, "black": game.black},
        "turns": game.turns,
        "result": None if result is None else result.reason.value,
        "winner": None if result is None or result.winner is None else result.winner.value,
        "note": game.note,
    }


def _row(game: GameSummary) -> str:
    start = "undated" if game.start is None else f"{game.start:%Y-%m-%d %H:%M}"
    players = f"{game.white or 'White'} – {game.black or 'Black'}"
    turns = "1 turn" if game.turns == 1 else f"{game.turns} turns"
    note = f"; {game.note}" if game.note else ""
    return f"{game.id:<14}{start:<18}{players:<28}{turns:<12}{_result(game)}{note}"


def _result(game: GameSummary) -> str:
    if game.result is None:
        return "goes on"
    winner = game.result.winner
    if winner is None:
        return game.result.reason.value
    name = (game.white if winner.value == "white" else game.black) or winner.value.capitalize()
    return f"{name} wins, {game.result.reason.value}"
