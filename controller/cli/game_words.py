"""A recorded game in words for the command line: an entry, the standing, the result, and the board in letters."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import assert_never

import click

from controller.games.cosmic_cows import BEAMS, Beam, Position, Rules, Side, cows_home, last_place, zone_start
from controller.journal.header import Header
from controller.table.entries import (
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
from controller.table.game import Game

_ENDINGS = {
    EndReason.COWS_HOME: "{winner} wins: enough cows are home",
    EndReason.RESIGNED: "{winner} wins: {loser} has resigned",
    EndReason.TURN_LIMIT: "{winner} wins: the turn limit is reached",
    EndReason.ABANDONED: "the game was left unfinished",
}


def side_name(header: Header, side: Side) -> str:
    """What this side is called: the player's name, else the colour."""
    return (header.white if side is Side.WHITE else header.black) or side.value.capitalize()


def entry_text(entry: Entry, header: Header, before: Game, after: Game) -> str:
    """One entry in words, without a full stop."""
    mover = side_name(header, before.mover)
    match entry:
        case OpeningThrow():
            return f"{side_name(header, entry.side)} throws {_spaced(entry.faces)} for the start"
        case Keep():
            return f"{mover} keeps {_spaced(entry.faces)}" if entry.faces else f"{mover} keeps nothing"
        case Throw():
            return f"{mover}, roll {after.roll}: {_spaced(entry.dice.faces)}{_offers(after)}"
        case PullMade():
            return f"{mover} pulls {entry.name}: {_moved(before.position, after.position)}"
        case Forfeit():
            return f"{mover} forfeits the turn: {_spaced(before.dice.faces if before.dice else ())} pulls nothing"
        case Corrected():
            return f"{entry.who} corrects the {entry.what.value} to {entry.value}"
        case TakenBack():
            return f"{entry.who} takes the last step back"
        case Ended():
            return result_text(header, after)
        case _:
            assert_never(entry)


def standing_text(header: Header, game: Game) -> str:
    """Who moves next, and how many cows each side has home."""
    counts = {side: len(cows_home(game.position, side, game.rules)) for side in Side}
    home = ", ".join(f"{side_name(header, side)} {count}" for side, count in counts.items())
    return f"{side_name(header, game.mover)} to move; cows home: {home}"


def result_text(header: Header, game: Game) -> str:
    """How the game ended, or that it goes on."""
    if game.ended is None:
        return "the game isn't over"
    winner = game.ended.winner
    if winner is None:
        return "a draw" if game.ended.reason is EndReason.TURN_LIMIT else _ENDINGS[EndReason.ABANDONED]
    words = {"winner": side_name(header, winner), "loser": side_name(header, winner.other)}
    return _ENDINGS[game.ended.reason].format(**words)


def board_text(game: Game) -> str:
    """The cows on their beams, a line each, Black's end on the left; `L` is a cow that is locked."""
    rules, position = game.rules, game.position
    rows = [f"{'':10}{'Black':<{rules.last + 2}}{'White':>{rules.last + 3}}"]
    for beam, place in zip(BEAMS, position.places, strict=True):
        cow = "L" if beam in position.locked else "O"
        rows.append(f"{beam.value:>9} {_beam_text(beam, place, cow, rules):^{rules.beam_length + 4}}".rstrip())
    return "\n".join(rows)


def say(text: str) -> None:
    """Print this on stdout without signs that a terminal can't show or would obey."""
    encoding = sys.stdout.encoding or "ascii"
    click.echo(printable(text, encoding))


def printable(text: str, encoding: str) -> str:
    """The text with a mark for every sign that isn't printable or that this encoding lacks."""
    seen = "".join(sign if sign.isprintable() or sign == "\n" else "\N{REPLACEMENT CHARACTER}" for sign in text)
    return seen.encode(encoding, "replace").decode(encoding)


def _beam_text(beam: Beam, place: int, cow: str, rules: Rules) -> str:
    last, zone = last_place(beam, rules), zone_start(beam, rules)
    cells = [cow if at == place else "." for at in range(-last, last + 1)]
    ends = last - zone + 1
    return f"[{''.join(cells[:ends])}|{''.join(cells[ends:-ends])}|{''.join(cells[-ends:])}]"


def _spaced(faces: Iterable[int]) -> str:
    return " ".join(map(str, faces))


def _offers(game: Game) -> str:
    names = ", ".join(pull.name for pull in game.pulls)
    return f" ({names})" if names else " (nothing to pull)"


def _moved(before: Position, after: Position) -> str:
    """Which cows went how far, in cells."""
    paths = zip(BEAMS, before.places, after.places, strict=True)
    moved = [f"{beam.value} by {abs(end - start)}" for beam, start, end in paths if start != end]
    locked = [f"{beam.value} locks" for beam in BEAMS if beam in after.locked - before.locked]
    return ", ".join(moved + locked)
