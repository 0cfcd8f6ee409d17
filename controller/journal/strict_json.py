"""One line of JSON both ways: strict on reading, with exactly one spelling on writing.

Rules of this file: a line is refused in one sentence whatever it holds; only JSON that stops too early is told apart,
since that is how a line ends that was cut off.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from controller.errors import InputError

LONGEST_LINE = 65_536  # bytes; the longest line we write, a header with every house rule, has about 700
LONGEST_TEXT = 200  # characters of a name, version or origin


class CutLineError(InputError):
    """A line of JSON that isn't whole."""


def decode_line(raw: bytes, field: str) -> dict[str, Any]:
    """The JSON object of one line, given without its line end.

    Args:
        field: how messages call the line, such as `line 7`.

    Raises:
        CutLineError: the JSON is broken, as it is where a line was cut off.
        InputError: not one JSON object in UTF-8, a key twice, no finite number, nested or long beyond use.
    """
    _check_bytes(raw, field)
    try:
        value = json.loads(
            raw.decode("utf-8"),
            object_pairs_hook=lambda pairs: _unique(pairs, field),
            parse_constant=lambda name: _no_number(name, field),
        )
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise CutLineError(field, _shown(raw), "one whole JSON object in UTF-8") from error
    except RecursionError as error:
        raise InputError(field, _shown(raw), "JSON nested two levels deep at most") from error
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(field, _shown(raw), "whole numbers of at most 15 digits") from error
    if not isinstance(value, dict):
        raise InputError(field, _shown(raw), "one JSON object")
    return value


def encode_line(fields: Mapping[str, Any]) -> str:
    """One spelling for these fields: their own order, no spaces, signs outside ASCII as they are."""
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def known_keys(fields: Mapping[str, Any], known: tuple[str, ...], field: str) -> None:
    """Refuse a key that isn't known here."""
    for key in fields:
        if key not in known:
            raise InputError(field, key, f"the keys {', '.join(known)}")


def text_value(value: object, field: str) -> str:
    """A text of 1 to 200 characters that can be written in UTF-8."""
    is_text = isinstance(value, str) and 0 < len(value) <= LONGEST_TEXT
    if not is_text or any("\ud800" <= sign <= "\udfff" for sign in str(value)):
        raise InputError(field, value, f"a text of 1 to {LONGEST_TEXT} characters")
    return str(value)


def whole_number(value: object, field: str, low: int) -> int:
    """A whole number from `low` up, small enough for every program that reads JSON."""
    if type(value) is not int or not low <= value < 10**15:
        raise InputError(field, value, f"a whole number from {low} up, of at most 15 digits")
    return value


def _check_bytes(raw: bytes, field: str) -> None:
    if len(raw) > LONGEST_LINE:
        raise InputError(field, f"{len(raw)} bytes", f"lines of at most {LONGEST_LINE} bytes")
    if raw.startswith(b"\xef\xbb\xbf"):
        raise InputError(field, "a byte order mark", "UTF-8 without one")
    if raw.endswith(b"\r"):
        raise InputError(field, "a carriage return before the line end", "lines that end with a line feed alone")
    if not raw.strip():
        raise InputError(field, "an empty line", "one JSON object a line, and no line after the last")


def _unique(pairs: list[tuple[str, Any]], field: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise InputError(field, key, "each key once")
        found[key] = value
    return found


def _no_number(name: str, field: str) -> NoReturn:
    raise InputError(field, name, "finite numbers")


def _shown(raw: bytes) -> str:
    return raw[:60].decode("utf-8", "backslashreplace").strip()
