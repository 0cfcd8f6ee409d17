"""JSON bodies of commands and hands: bytes to a checked mapping, with one line about what is wrong.

Rules of this file: pure; whatever the bytes are, the answer is a mapping or a `RefusedError`.
"""

from __future__ import annotations

import json
from typing import Any

from web.errors import RefusedError

BODY_LIMIT_BYTES = 16 * 1024  # the longest command, new_game with every house rule, is under 1 KiB
MOST_NESTED = 20  # the deepest command, new_game with its house rules, has four; Pythons differ on what they can read
SHOWN_LENGTH = 60  # of a wrong value in a message
LONGEST_NAME = 40  # of an argument or a house rule; "first_turn_rolls" has 16


def parse_object(raw: bytes) -> dict[str, Any]:
    """The JSON object in these bytes.

    Raises:
        RefusedError: 400; not UTF-8, not JSON, not an object, a name twice, a number JSON doesn't know.
    """
    try:
        found = json.loads(raw.decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_constant)
        _check_depth(found)
        json.dumps(found, ensure_ascii=False).encode("utf-8")  # half a surrogate pair can't be stored or sent
    except RefusedError:
        raise
    except (ValueError, RecursionError) as error:
        sentence = f"body: not readable JSON ({_reason(error)}); accepted: one JSON object in UTF-8"
        raise RefusedError(400, sentence, "body") from error
    if not isinstance(found, dict):
        raise unusable("body", found, 'one JSON object, like {"version": 17, "command": "undo"}')
    return found


def parse_command(raw: bytes) -> tuple[int, str, dict[str, Any]]:
    """Version, command name and the arguments beside them.

    Raises:
        RefusedError: 400, naming the field, what was seen and what is accepted.
    """
    body = parse_object(raw)
    version = body.pop("version", None)
    if not isinstance(version, int) or isinstance(version, bool) or not 0 <= version < 2**53:
        raise unusable("version", version, "the whole number of the state the command was made for")
    name = body.pop("command", None)
    if not isinstance(name, str) or not name:
        raise unusable("command", name, "the name of a command, like undo")
    return version, name, body


def parse_hands(raw: bytes) -> dict[str, Any]:
    """What the virtual table's hands shall do.

    Raises:
        RefusedError: 400, naming the field, what was seen and what is accepted.
    """
    body = parse_object(raw)
    deed = body.get("do")
    if not isinstance(deed, str) or not deed:
        raise unusable("do", deed, "a deed of the hands, like throw or slide")
    return body


def unusable(field: str, seen: object, accepted: str) -> RefusedError:
    """The refusal of one value: field, what was seen, what is accepted."""
    shown = json.dumps(seen)
    if len(shown) > SHOWN_LENGTH:
        shown = shown[: SHOWN_LENGTH - 3] + "..."
    return RefusedError(400, f"{field}: {shown} is not usable; accepted: {accepted}", field)


def _check_depth(found: object) -> None:
    """ValueError for what is nested deeper than any command needs."""
    level = [found]
    for _ in range(MOST_NESTED):
        level = [
            inner
            for outer in level
            if isinstance(outer, list | dict)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return
    raise ValueError("nested too deeply")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """JSON lets a name stand twice and programs differ on which counts: refuse it.

    A name that no answer could show in its one line is refused here too, since whoever doesn't know it would show it.
    """
    found: dict[str, Any] = {}
    for name, value in pairs:
        if len(name) > LONGEST_NAME or not name.isprintable():
            raise unusable("body", name, f"names of at most {LONGEST_NAME} printable characters")
        if name in found:
            raise RefusedError(400, f"{name}: stands twice; accepted: each name once", name)
        found[name] = value
    return found


def _no_constant(text: str) -> Any:
    raise ValueError(f"{text} is no JSON number")


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, UnicodeError):
        return "not UTF-8"
    if "digits" in str(error):
        return "a number of too many digits"
    return str(error).partition(":")[0] if "char" in str(error) else str(error)[:SHOWN_LENGTH]
