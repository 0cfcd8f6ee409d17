"""`cowboard moves`: the pulls that final dice allow, for one position or for a stream of JSON lines.

How the stream works: one answer for each line that isn't blank, in order and flushed at once, so that another
program may ask, wait and ask again. A bad line is answered with an error of its own and the stream goes on; the
exit status tells at the end. Answers are put together as text, because a general JSON encoder takes as long as the
rules do; a test holds both ways equal.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import click

from controller.errors import InputError
from controller.games.cosmic_cows.dice import Dice
from controller.games.cosmic_cows.notation import format_position, parse_dice, parse_position
from controller.games.cosmic_cows.outcome import outcome
from controller.games.cosmic_cows.position import Position
from controller.games.cosmic_cows.pulls import Pull, apply_pull, is_forced, legal_pulls
from controller.games.cosmic_cows.rules import DEFAULT_RULES, Rules, parse_rules
from controller.games.game import GAME_NAMES

LONGEST_LINE = 65_536  # bytes; a question with every house rule has about 400

_LINE_FORM = '{"position": "0,0,0,0,0,0,0,0,0 w", "dice": "12343"}'
_LINE_KEYS = ("position", "dice", "rules")

_EXAMPLES = """
\b
Examples:
  cowboard moves --position "0,0,2,0,-1,0,-3,0,8 w" --dice 12343
  cowboard moves --position "0,0,2,0,-1,0,-3,0,8 w" --dice 12343 --json
  cowboard moves --batch questions.jsonl
"""


@click.command(name="moves", epilog=_EXAMPLES, short_help="The pulls these final dice allow.")
@click.option("--position", metavar="P", help='Nine places and the mover: "0,0,2,0,-1,0,-3,0,8 w".')
@click.option("--dice", metavar="D", help="Five digits, any order: 12343.")
@click.option("--batch", metavar="F", help="JSON lines with position and dice from a file, or - for standard input.")
@click.option("--rules", metavar="R", help="House rules: a JSON object, or a file that holds one.")
@click.option("--game", default=GAME_NAMES[0], show_default=True, help="The game to answer for.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one object a line.")
def command(
    position: str | None, dice: str | None, batch: str | None, rules: str | None, game: str, as_json: bool
) -> None:
    """The pulls these final dice allow, and the position after each."""
    if game not in GAME_NAMES:
        raise InputError("game", game, " or ".join(GAME_NAMES))
    house_rules = _read_rules(rules)
    if batch is not None and (position is not None or dice is not None):
        raise InputError("batch", batch, "either --batch, or --position and --dice")
    try:
        if batch is None:
            _answer_one(position, dice, house_rules, as_json)
        else:
            _answer_batch(batch, house_rules)
    except BrokenPipeError:
        _leave_quietly()


def _answer_one(position_text: str | None, dice_text: str | None, rules: Rules, as_json: bool) -> None:
    if position_text is None or dice_text is None:
        missing = "position" if position_text is None else "dice"
        raise InputError(missing, None, "--position and --dice together, or --batch")
    position, dice = parse_position(position_text, rules), parse_dice(dice_text)
    text = answer_json(position, dice, dice_text, rules) if as_json else _table(position, dice, rules)
    click.echo(text)


def answer_json(position: Position, dice: Dice, dice_text: str, rules: Rules = DEFAULT_RULES) -> str:
    """One answer as JSON text on one line, as controller/schemas/moves.json describes it.

    Args:
        dice_text: the dice as they were given, which the answer repeats.
    """
    won = outcome(position, rules)
    pulls = legal_pulls(position, dice, rules)
    listed = ", ".join([_pull_json(position, pull, rules) for pull in pulls])
    forced = "true" if is_forced(position, dice, rules) else "false"
    forfeit = "true" if won is None and not pulls else "false"
    winner = "null" if won is None or won.side is None else f'"{won.side.value}"'
    return (
        f'{{"position": "{format_position(position)}", "dice": "{dice_text}", "pulls": [{listed}],'
        f' "forced": {forced}, "forfeit": {forfeit}, "winner": {winner}}}'
    )


def _pull_json(position: Position, pull: Pull, rules: Rules) -> str:
    after = format_position(apply_pull(position, pull, rules))
    cows = ", ".join([f'"{beam.value}": {spaces}' for beam, spaces in pull.cows])
    return f'{{"name": "{pull.name}", "cows": {{{cows}}}, "position": "{after}"}}'


def _table(position: Position, dice: Dice, rules: Rules) -> str:
    """The same for people: a line for each pull, then what else must be said."""
    mover = position.mover.value.capitalize()
    lines = [f"{mover} to move, dice {' '.join(map(str, dice.faces))}"]
    pulls = legal_pulls(position, dice, rules)
    for pull in pulls:
        cows = ", ".join(f"{beam.value} by {spaces}" for beam, spaces in pull.cows)
        lines.append(f"  {pull.name:<16}{cows:<26}{format_position(apply_pull(position, pull, rules))}")
    won = outcome(position, rules)
    if won is not None and won.side is not None:
        lines.append(f"  The game is over: {won.side.value.capitalize()} has won.")
    elif not pulls:
        lines.append("  No pull moves a cow: roll on, or after the last roll forfeit it.")
    elif is_forced(position, dice, rules):
        lines.append("  Five alike must pull the super cow.")
    return "\n".join(lines)


def _answer_batch(source: str, rules: Rules) -> None:
    """Answers every line; a bad one gets an error in its place, and the exit status is 2 at the end."""
    answers = sys.stdout.buffer
    bad_count = first_bad = 0
    with ExitStack() as open_files:
        for number, line in _lines(_open_batch(source, open_files)):
            try:
                answer = _answer_line(line, rules)
            except InputError as error:
                answer = json.dumps({"error": str(error), "line": number})
                bad_count += 1
                first_bad = first_bad or number
            answers.write(answer.encode("ascii") + b"\n")
            answers.flush()
    if bad_count:
        lines = "1 bad line" if bad_count == 1 else f"{bad_count} bad lines, the first"
        click.echo(f"cowboard moves: batch: {lines} at line {first_bad}; its answer names the fault", err=True)
        sys.exit(2)


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


def _answer_line(line: bytes, default_rules: Rules) -> str:
    question = _parse_object("line", _decoded(line), _LINE_FORM)
    for key in question:
        if key not in _LINE_KEYS:
            raise InputError("line", key, f"the keys {', '.join(_LINE_KEYS)}")
    rules = parse_rules(question["rules"]) if "rules" in question else default_rules
    position_text, dice_text = _text(question, "position"), _text(question, "dice")
    return answer_json(parse_position(position_text, rules), parse_dice(dice_text), dice_text, rules)


def _decoded(line: bytes) -> str:
    if len(line) > LONGEST_LINE:
        raise InputError("line", line[:40], f"a line of at most {LONGEST_LINE} bytes")
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError("line", line[:40], "text in UTF-8") from error


def _text(question: Mapping[str, Any], key: str) -> str:
    value = question.get(key)
    if not isinstance(value, str):
        raise InputError(key, value, f"text, as in {_LINE_FORM}")
    return value


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


def _read_rules(source: str | None) -> Rules:
    if source is None:
        return DEFAULT_RULES
    text = source
    if not source.lstrip().startswith("{"):
        try:
            text = Path(source).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:  # ValueError: not UTF-8, or a null byte in the name
            raise InputError("rules", source, f"a JSON object, or a file of one ({_why(error)})") from error
    return parse_rules(_parse_object("rules", text, '{"cows_to_win": 2}'))


def _why(error: OSError | ValueError) -> str:
    return error.strerror or "can't be read" if isinstance(error, OSError) else "can't be read"


def _leave_quietly() -> NoReturn:
    """The reader of our answers has gone, which is its right; left to click, that would count as a failure."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what's still buffered must not fail at exit
    sys.exit(0)
