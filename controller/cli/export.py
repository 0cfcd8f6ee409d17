"""`cowboard export`: one game of the journal as a record, byte for byte the same each time."""

from __future__ import annotations

import sys

import click

from controller.cli.games import open_journal
from controller.errors import InputError
from controller.journal.record import format_record

NEWEST = "last"

_EXAMPLES = """
\b
Examples:
  cowboard export last > game.jsonl
  cowboard export 20261201-7 --config table.toml
  cowboard export last | cowboard replay - --check
"""


@click.command(name="export", epilog=_EXAMPLES, short_help="Write a game's record.")
@click.argument("game", metavar="GAME")
@click.option("--config", metavar="F", help="The TOML file that the table runs with: its journal is meant.")
@click.option("--journal", metavar="PATH", help="The journal's file, if it isn't the table's own.")
@click.option("--json", "as_json", is_flag=True, help="Changes nothing: a record is JSON, one object a line.")
def command(game: str, config: str | None, journal: str | None, as_json: bool) -> None:
    """Write the record of GAME, an id that `cowboard games` shows or `last`, to standard output."""
    with open_journal(journal, config) as found:
        if game == NEWEST:
            ids = found.ids()
            if not ids:
                raise InputError("game", game, f"the id of a game; {found.path} holds none yet")
            game = ids[-1]
        kept = found.load(game)
        text = format_record(found.read(game))
    if kept.note is not None:
        click.echo(f"cowboard export: {kept.note}", err=True)
    sys.stdout.buffer.write(text.encode("utf-8"))
    sys.stdout.buffer.flush()
