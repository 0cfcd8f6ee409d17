"""`cowboard replay`: steps through a game record, every move checked against the rules."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from controller.cli.game_words import board_text, entry_text, result_text, say, side_name, standing_text
from controller.errors import InputError
from controller.games.cosmic_cows import format_position
from controller.games.game import GAME_NAMES
from controller.journal.lines import line_fields
from controller.journal.record import Line, Record, game_of, new_game, parse_record, walk
from controller.table.entries import Corrected, Forfeit, PullMade, TakenBack
from controller.table.game import Game, Stage

LARGEST_RECORD = 16 * 1024 * 1024  # bytes; a long game has 40,000

_EXAMPLES = """
\b
Examples:
  cowboard replay game.jsonl
  cowboard replay game.jsonl --check
  cowboard export last | cowboard replay - --json
"""


@click.command(name="replay", epilog=_EXAMPLES, short_help="Step through a game record and check every move.")
@click.argument("record", metavar="RECORD")
@click.option("--check", is_flag=True, help="Only check it, and say in one line what it holds.")
@click.option("--game", default=GAME_NAMES[0], show_default=True, help="The game that the record is of.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one object a line.")
def command(record: str, check: bool, game: str, as_json: bool) -> None:
    """Step through RECORD, a file or - for standard input; every move is checked before the first is shown."""
    if game not in GAME_NAMES:
        raise InputError("game", game, " or ".join(GAME_NAMES))
    found = parse_record(_read(record))
    if found.cut:
        click.echo(f"cowboard replay: {cut_text(found)}", err=True)
    if check:
        say(_json(summary_fields(found)) if as_json else summary_text(found))
        return
    for text in _json_steps(found) if as_json else _told_steps(found):
        say(text)


def cut_text(record: Record) -> str:
    """That the record is cut off, and up to where it was read."""
    last = len(record.lines) + 1
    return f"the record is cut off: its end is missing after line {last}, so it is replayed up to there"


def summary_text(record: Record) -> str:
    """What the record holds, in one sentence."""
    game = game_of(record)
    turns = "1 turn" if len(game.turns) == 1 else f"{len(game.turns)} turns"
    whole = "cut off, " if record.cut else ""
    lines = "1 line" if not record.lines else f"{len(record.lines) + 1} lines"
    return f"{whole}{lines}, {turns}, every move by the rules; {result_text(record.header, game)}"


def summary_fields(record: Record) -> dict[str, Any]:
    """The same as JSON values; controller/schemas/record.json describes it as `summary`."""
    game = game_of(record)
    return {
        "game": GAME_NAMES[0],
        "id": record.header.id,
        "lines": len(record.lines) + 1,
        "turns": len(game.turns),
        "position": format_position(game.position),
        "result": None if game.ended is None else game.ended.reason.value,
        "winner": None if game.ended is None or game.ended.winner is None else game.ended.winner.value,
        "cut": record.cut,
    }


def _told_steps(record: Record) -> Iterator[str]:
    """The record in words, with the board where the cows' places changed."""
    header = record.header
    white, black = header.white or "White", header.black or "Black"
    start = "an unknown time" if header.start is None else f"{header.start:%Y-%m-%d %H:%M} UTC"
    yield f"{white} (White) against {black} (Black), {start}"
    yield board_text(new_game(header))
    for number, (line, before, after) in enumerate(walk(record), start=2):
        yield f"{number:>4}  {_clock(line.at_ms)}  {entry_text(line.entry, header, before, after)}"
        if after.stage is Stage.TURNS and before.stage is Stage.OPENING:
            yield f"      {side_name(header, after.mover)} starts"
        if isinstance(line.entry, PullMade | Forfeit | Corrected | TakenBack):
            if before.position.places != after.position.places:
                yield board_text(after)
            if after.stage is Stage.TURNS:
                yield f"      {standing_text(header, after)}"
    yield result_text(header, game_of(record))


def _json_steps(record: Record) -> Iterator[str]:
    """An object for each line of the record, then the summary."""
    for number, (line, before, after) in enumerate(walk(record), start=2):
        yield _json(step_fields(number, line, record, (before, after)))
    yield _json(summary_fields(record))


def step_fields(number: int, line: Line, record: Record, around: tuple[Game, Game]) -> dict[str, Any]:
    """One step as JSON values, as controller/schemas/record.json describes it as `step`.

    Args:
        number: the line of the record, from 1; the first step stands in line 2.
        around: the game before and after the line.
    """
    before, after = around
    return {
        "line": number,
        "step": line_fields(line, before, after),
        "text": entry_text(line.entry, record.header, before, after),
        "stage": after.stage.value,
        "mover": None if after.stage is Stage.OPENING else after.mover.value,
        "roll": after.roll,
        "position": format_position(after.position),
        "pulls": [pull.name for pull in after.pulls],
        "turns": len(after.turns),
    }


def _clock(at_ms: int) -> str:
    minutes, seconds = divmod(at_ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}"


def _read(source: str) -> bytes:
    """The bytes of a file or of standard input, no more than a record may have."""
    try:
        if source == "-":
            found = sys.stdin.buffer.read(LARGEST_RECORD + 1)
        else:
            with Path(source).open("rb") as file:
                found = file.read(LARGEST_RECORD + 1)
    except (OSError, ValueError) as error:  # ValueError: a null byte in the name
        why = error.strerror if isinstance(error, OSError) and error.strerror else "can't be read"
        raise InputError("record", source, f"a readable file of JSON lines, or - ({why})") from error
    if len(found) > LARGEST_RECORD:
        raise InputError("record", source, f"at most {LARGEST_RECORD // 1024**2} MiB")
    return found


def _json(fields: dict[str, Any]) -> str:
    return json.dumps(fields)
