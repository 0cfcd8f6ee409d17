"""`cowboard play`: computer players against each other, with intervals, and whole records of a few games."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from controller import __version__
from controller.advice.arena import MOST_TURNS
from controller.advice.contest import Contest, Share, contest
from controller.advice.one_game import Player, play_one
from controller.advice.players import LEVELS
from controller.cli.game_record import played_record
from controller.cli.questions import read_rules
from controller.errors import InputError
from controller.games.cosmic_cows import Rules, Side, format_rules
from controller.games.game import GAME_NAMES
from controller.journal.header import Header
from controller.journal.record import format_record
from controller.runtime.clock import RealClock

RECORDED = 4  # games that --record plays and writes, or fewer where fewer are played
DIGITS = 6

_EXAMPLES = """
\b
Examples:
  cowboard play --white best --black greedy --games 2000 --seed 1
  cowboard play --white best --black best --games 1000 --json
  cowboard play --white keen --black gentle --games 10 --record games
"""


@dataclass(frozen=True, slots=True)
class Meeting:
    """Who plays whom, by which rules, with which seed; a player's whims have the seed too, Black's the next one."""

    white: str
    black: str
    seed: int
    rules: Rules

    @property
    def players(self) -> dict[Side, Player]:
        """Both sides' players."""
        return {Side.WHITE: Player(self.white, self.seed), Side.BLACK: Player(self.black, self.seed + 1)}


@click.command(name="play", epilog=_EXAMPLES, short_help="Computer players against each other: who wins how often.")
@click.option("--white", metavar="L", required=True, help=f"White's level: {', '.join(LEVELS)}.")
@click.option("--black", metavar="L", required=True, help="Black's level.")
@click.option("--games", metavar="N", type=int, default=100, show_default=True, help="Each side starts half of them.")
@click.option("--seed", metavar="S", type=int, default=0, show_default=True, help="One seed, the same games.")
@click.option("--rules", metavar="R", help="House rules: a JSON object, or a file that holds one.")
@click.option("--record", metavar="DIR", help=f"Also play {RECORDED} games move by move and write their records here.")
@click.option("--game", default=GAME_NAMES[0], show_default=True, help="The game to play.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one object.")
def command(
    white: str,
    black: str,
    games: int,
    seed: int,
    rules: str | None,
    record: str | None,
    game: str,
    as_json: bool,
) -> None:
    """Computer players against each other: wins by side with 95 % intervals, game length, seconds a turn."""
    if game != GAME_NAMES[0]:
        raise InputError("game", game, f"{GAME_NAMES[0]}, the game that the computer players know")
    meeting = Meeting(white, black, seed, read_rules(rules))
    players, clock = meeting.players, RealClock()
    begun = clock.monotonic()
    played = contest(players[Side.WHITE], players[Side.BLACK], games, seed, meeting.rules)
    seconds = clock.monotonic() - begun
    written = [] if record is None else write_records(meeting, min(games, RECORDED), Path(record))
    fields = result_fields(meeting, played, seconds, written)
    click.echo(json.dumps(fields) if as_json else result_text(fields))


def write_records(meeting: Meeting, count: int, folder: Path) -> list[str]:
    """Play so many games one by one and write a record of each; gives their paths.

    Raises:
        InputError: the folder can't be written.
    """
    paths = []
    try:
        folder.mkdir(exist_ok=True)
        for number in range(count):
            path = folder / f"{meeting.white}-{meeting.black}-{meeting.seed}-{number + 1}.jsonl"
            path.write_text(recorded_game(meeting, number), encoding="utf-8", newline="")
            paths.append(str(path))
    except (OSError, ValueError) as error:  # ValueError: a null byte in the name
        if isinstance(error, InputError):
            raise
        raise InputError("record", str(folder), "a folder that can be written, or a new one in such") from error
    return paths


def recorded_game(meeting: Meeting, number: int) -> str:
    """The record of one game, played through the rules engine; White starts those of even numbers.

    Nothing is timed in it, so one seed gives the same bytes.
    """
    starter = Side.BLACK if number % 2 else Side.WHITE
    turns = play_one(meeting.players, starter, (meeting.seed, number), meeting.rules)
    header = Header(
        rules=meeting.rules,
        white=f"{meeting.white} (computer)",
        black=f"{meeting.black} (computer)",
        program=__version__,
        id=f"play-{meeting.seed}-{number + 1}",
    )
    return format_record(played_record(header, starter, turns))


def result_fields(meeting: Meeting, played: Contest, seconds: float, records: list[str]) -> dict[str, Any]:
    """The result as JSON values, as controller/schemas/play.json describes it."""
    lengths = sorted(played.turns.tolist())
    turns = sum(lengths) + played.unfinished * MOST_TURNS
    return {
        "white": _side_fields(meeting.white, played, Side.WHITE),
        "black": _side_fields(meeting.black, played, Side.BLACK),
        "games": played.games,
        "draws": played.draws,
        "unfinished": played.unfinished,
        "first_mover": _share_fields(played.first_mover),
        "turns": {"median": _percentile(lengths, 50), "p95": _percentile(lengths, 95), "total": turns},
        "seconds": round(seconds, 3),
        "seconds_a_turn": float(f"{seconds / max(1, turns):.4g}"),
        "games_a_minute": round(60 * (played.games + played.unfinished) / max(seconds, 1e-6), 1),
        "seed": meeting.seed,
        "rules": format_rules(meeting.rules),
        "records": records,
    }


def result_text(fields: dict[str, Any]) -> str:
    """The same for people."""
    lines = [f"{fields['games']} games, {fields['white']['level']} (White) against {fields['black']['level']} (Black)"]
    lines.append(f"  {'':<24}{'wins':>8}{'share':>9}   95 % interval")
    for name in ("white", "black"):
        side = fields[name]
        lines.append(_share_row(f"{name.capitalize()}, {side['level']}", side))
        lines.append(_share_row("  moving first", side["first"]))
        lines.append(_share_row("  moving second", side["second"]))
    lines.append(_share_row("whoever moves first", fields["first_mover"]))
    if fields["draws"] or fields["unfinished"]:
        lines.append(f"  {fields['draws']} draws; {fields['unfinished']} stopped after {MOST_TURNS} turns")
    turns = fields["turns"]
    if fields["games"]:
        lines.append(f"  Turns in a game: median {turns['median']}, 95 % have at most {turns['p95']}.")
    microseconds = 1_000_000 * fields["seconds_a_turn"]
    lines.append(f"  {microseconds:.0f} µs a turn, {fields['games_a_minute']:,.0f} games a minute.")
    lines += [f"  wrote {path}" for path in fields["records"]]
    return "\n".join(lines)


def _side_fields(level: str, played: Contest, side: Side) -> dict[str, Any]:
    return {
        "level": level,
        **_share_fields(played.wins(side)),
        "first": _share_fields(played.wins_moving_first(side)),
        "second": _share_fields(played.wins_moving_second(side)),
    }


def _share_fields(share: Share) -> dict[str, Any]:
    low, high = share.interval
    value = None if share.value is None else round(share.value, DIGITS)
    return {
        "games": share.total,
        "wins": share.count,
        "share": value,
        "low": round(low, DIGITS),
        "high": round(high, DIGITS),
    }


def _share_row(name: str, share: dict[str, Any]) -> str:
    if share["share"] is None:
        return f"  {name:<24}{'-':>8}"
    interval = f"{100 * share['low']:.1f} to {100 * share['high']:.1f} %"
    return f"  {name:<24}{share['wins']:>8}{100 * share['share']:>7.1f} %   {interval}"


def _percentile(ascending: list[int], per_cent: int) -> int | None:
    """The value that so many per cent don't exceed, by nearest rank; None of no values."""
    if not ascending:
        return None
    rank = -(-len(ascending) * per_cent // 100)
    return ascending[max(1, rank) - 1]
