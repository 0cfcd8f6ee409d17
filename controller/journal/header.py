"""The first line of a record: which game, by which rules, who played, when, on which programs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from controller.errors import InputError
from controller.games.cosmic_cows import Rules, format_rules, parse_rules
from controller.games.cosmic_cows.rules import DEFAULT_RULES
from controller.journal.strict_json import known_keys, text_value
from controller.table.seats import PERSONS, Seats, format_seats, parse_seats

GAME = "cosmic-cows"
RECORD_FORM = 1  # of the whole file; a reader refuses a higher one
HEADER_KEYS = ("game", "record", "id", "players", "computers", "start", "program", "firmware", "rules")
PLAYER_KEYS = ("white", "black")

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What is known when a game starts.

    `white` and `black` are the players' names where they gave one. `start` is in UTC, None while the clock wasn't set.
    `firmware` is the board's, None without a board. `id` is given by the journal. `seats` says which sides a computer
    plays; a record between persons doesn't mention them.
    """

    rules: Rules = field(default=DEFAULT_RULES)
    white: str | None = None
    black: str | None = None
    seats: Seats = PERSONS
    start: datetime | None = None
    program: str = ""
    firmware: str | None = None
    id: str | None = None


def header_fields(header: Header) -> dict[str, Any]:
    """The header as JSON values, in the order in which they are written."""
    return {
        "game": GAME,
        "record": RECORD_FORM,
        "id": header.id,
        "players": {"white": header.white, "black": header.black},
        **({} if header.seats == PERSONS else {"computers": format_seats(header.seats)}),
        "start": None if header.start is None else format_time(header.start),
        "program": header.program or None,
        "firmware": header.firmware,
        "rules": format_rules(header.rules),
    }


def parse_header(fields: Mapping[str, Any], where: str) -> Header:
    """The header of these JSON values. `game` and `record` must be there, the rest may be left out.

    Raises:
        InputError: another game or form, an unknown key, an unusable value.
    """
    if fields.get("game") != GAME:
        raise InputError(f"{where}: game", fields.get("game"), GAME)
    form = fields.get("record")
    if type(form) is not int or form != RECORD_FORM:
        raise InputError(f"{where}: record", form, f"{RECORD_FORM}, the only form of a record that this version knows")
    known_keys(fields, HEADER_KEYS, where)
    players = fields.get("players") or {}
    if not isinstance(players, dict):
        raise InputError(f"{where}: players", players, 'an object such as {"white":"Ada","black":null}')
    known_keys(players, PLAYER_KEYS, f"{where}: players")
    return Header(
        rules=_rules(fields.get("rules", {}), where),
        white=_optional_text(players.get("white"), f"{where}: players.white"),
        black=_optional_text(players.get("black"), f"{where}: players.black"),
        seats=parse_seats(fields.get("computers", {}), f"{where}: computers"),
        start=_start(fields.get("start"), where),
        program=_optional_text(fields.get("program"), f"{where}: program") or "",
        firmware=_optional_text(fields.get("firmware"), f"{where}: firmware"),
        id=_id(fields.get("id"), where),
    )


def format_time(at: datetime) -> str:
    """A wall time as text: UTC, to the millisecond, `2026-12-01T18:03:07.120Z`."""
    return f"{at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"


def parse_time(text: object, where: str) -> datetime:
    """The wall time of this text; InputError where it is none."""
    accepted = "a time in UTC such as 2026-12-01T18:03:07.120Z"
    if not isinstance(text, str) or _TIME.fullmatch(text) is None:
        raise InputError(where, text, accepted)
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise InputError(where, text, accepted) from error


def _rules(value: object, where: str) -> Rules:
    if not isinstance(value, dict):
        raise InputError(f"{where}: rules", value, "an object of house rules")
    try:
        return parse_rules(value)
    except InputError as error:
        raise InputError(f"{where}: {error.field}", error.seen, error.accepted) from error


def _optional_text(value: object, where: str) -> str | None:
    return None if value is None else text_value(value, where)


def _start(value: object, where: str) -> datetime | None:
    return None if value is None else parse_time(value, f"{where}: start")


def _id(value: object, where: str) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or _ID.fullmatch(value) is None:
        raise InputError(f"{where}: id", value, "1 to 64 letters, digits, dots, lines and underscores")
    return value
