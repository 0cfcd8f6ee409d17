"""Questions that programs ask on the command line: house rules, and streams of JSON lines answered one by one.

How a stream works: one answer for each line that isn't blank, in order and flushed at once, so that another program
may ask, wait and ask again. A bad line is answered with an error of its own and the stream goes on; the exit status
tells at the end.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import click

from controller.errors import InputError
from controller.games.cosmic_cows.rules import DEFAULT_RULES, Rules, parse_rules

LONGEST_LINE = 65_536  # bytes; a question with every house rule has about 400


@dataclass(frozen=True, slots=True)
class LineForm:
    """What a command takes for a line: the keys it knows, and an example for messages."""

    keys: tuple[str, ...]
    example: str

    def text(self, line: Mapping[str, Any], key: str) -> str:
        """The text under this key; InputError where there is none."""
        value = line.get(key)
        if not isinstance(value, str):
            raise InputError(key, value, f"text, as in {self.example}")
        return value

    def rules(self, line: Mapping[str, Any], default: Rules) -> Rules:
        """The line's own house rules, else the command's."""
        return parse_rules(line["rules"]) if "rules" in line else default


def answer_batch(command: str, source: str, form: LineForm, answer: Callable[[Mapping[str, Any]], str]) -> None:
    """Answer every line; a bad one gets an error in its place, and the exit status is 2 at the end.

    Args:
        command: its name, for the message at the end.
        source: a file, or - for standard input.
        answer: the answer to one line, ASCII without a line end; an InputError is the answer too.

    Raises:
        InputError: no such file.
        click.exceptions.Exit: there were bad lines.
    """
    answers = sys.stdout.buffer
    bad_count = first_bad = 0
    with ExitStack() as open_files:
        for number, line in _lines(_open_batch(source, open_files)):
            try:
                text = answer(_question(line, form))
            except InputError as error:
                text = json.dumps({"error": str(error), "line": number})
                bad_count += 1
                first_bad = first_bad or number
            answers.write(text.encode("ascii") + b"\n")
            answers.flush()
    if bad_count:
        lines = "1 bad line" if bad_count == 1 else f"{bad_count} bad lines, the first"
        click.echo(f"cowboard {command}: batch: {lines} at line {first_bad}; its answer names the fault", err=True)
        raise click.exceptions.Exit(2)


def read_rules(source: str | None) -> Rules:
    """The house rules of an option: a JSON object, or a file that holds one; the printed game's for None."""
    if source is None:
        return DEFAULT_RULES
    text = source
    if not source.lstrip().startswith("{"):
        try:
            text = Path(source).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:  # ValueError: not UTF-8, or a null byte in the name
            raise InputError("rules", source, f"a JSON object, or a file of one ({_why(error)})") from error
    return parse_rules(_parse_object("rules", text, '{"cows_to_win": 2}'))


def _open_batch(source: str, open_files: ExitStack) -> BinaryIO:
    if source == "-":
        return sys.stdin.buffer
    try:
        return open_files.enter_context(Path(source).open("rb"))
    except (OSError, ValueError) as error:  # ValueError: a null byte in the name
        raise InputError("batch", source, f"a readable file of JSON lines, or - ({_why(error)})") from error


def _lines(questions: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines that aren't blank, with their numbers from 1; of an endless line only its beginning."""
    number = 0
    while line := questions.readline(LONGEST_LINE + 1):
        number += 1
        rest = line
        while len(rest) > LONGEST_LINE and not rest.endswith(b"\n"):
            rest = questions.readline(LONGEST_LINE + 1)
        if line.strip():
            yield number, line


def _question(line: bytes, form: LineForm) -> dict[str, Any]:
    question = _parse_object("line", _decoded(line), form.example)
    for key in question:
        if key not in form.keys:
            raise InputError("line", key, f"the keys {', '.join(form.keys)}")
    return question


def _decoded(line: bytes) -> str:
    if len(line) > LONGEST_LINE:
        raise InputError("line", line[:40], f"a line of at most {LONGEST_LINE} bytes")
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError("line", line[:40], "text in UTF-8") from error


def _parse_object(field: str, text: str, accepted: str) -> dict[str, Any]:
    """The JSON object of this text. NaN and infinity are no JSON, endless numbers and nestings no use."""
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise InputError(field, text.strip(), f"a JSON object such as {accepted}") from error
    if not isinstance(value, dict):
        raise InputError(field, text.strip(), f"a JSON object such as {accepted}")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _why(error: OSError | ValueError) -> str:
    return error.strerror or "can't be read" if isinstance(error, OSError) else "can't be read"
