"""`cowboard advise`: what a throw is worth, every keep and every pull, for one question or a stream of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import click

from controller.advice.advise import Advice, KeepWorth, PullWorth, advise
from controller.advice.choose import KeepChoice, PullChoice, choose
from controller.advice.players import LEVELS
from controller.advice.question import Question
from controller.advice.value import Basis
from controller.cli.questions import LineForm, answer_batch, read_rules
from controller.errors import InputError
from controller.games.cosmic_cows import format_position, parse_dice, parse_position

DIGITS = 6  # of a chance; single precision, in which the net reckons, has seven
MOST_SHOWN = 10  # lines of the table for people

_FORM = LineForm(
    ("position", "dice", "roll", "rules", "level", "seed", "turns"),
    '{"position": "0,0,0,0,0,0,0,0,0 w", "dice": "12343", "roll": 1}',
)
_BASES = {
    Basis.NEAR: "The value of positions was learned for the printed game, from which these rules differ in the dice.",
    Basis.RACE: "The value of positions under these rules goes by how far each side has to go, not by every cell.",
}
_EXAMPLES = """
\b
Examples:
  cowboard advise --position "0,0,2,0,-1,0,-3,0,8 w" --dice 12343 --roll 1
  cowboard advise --position "0,0,2,0,-1,0,-3,0,8 w" --dice 12343 --roll 1 --level greedy --json
  cowboard advise --batch questions.jsonl
"""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it was put: the dice as they were given, and whose play is wanted (None: the best)."""

    question: Question
    dice_text: str
    level: str | None = None
    seed: int = 0


@click.command(name="advise", epilog=_EXAMPLES, short_help="What a throw is worth: every keep, every pull, the best.")
@click.option("--position", metavar="P", help='Nine places and the mover: "0,0,2,0,-1,0,-3,0,8 w".')
@click.option("--dice", metavar="D", help="Five digits, any order: 12343.")
@click.option("--roll", metavar="N", type=int, help="The roll that lies on the table: 1, 2 or 3.")
@click.option("--rules", metavar="R", help="House rules: a JSON object, or a file that holds one.")
@click.option("--level", metavar="L", help=f"Say what this computer player does: {', '.join(LEVELS)}.")
@click.option("--seed", metavar="S", type=int, default=0, show_default=True, help="The seed of that player's whims.")
@click.option("--turns", metavar="T", type=int, default=1, help="Turns finished before; 0 in the first of the game.")
@click.option("--batch", metavar="F", help="JSON lines with position, dice and roll from a file, or - for input.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one object a line.")
def command(
    position: str | None,
    dice: str | None,
    roll: int | None,
    rules: str | None,
    level: str | None,
    seed: int,
    turns: int,
    batch: str | None,
    as_json: bool,
) -> None:
    """The chance to win of every keep and every pull of the dice on the table, exact over the rolls to come."""
    house_rules = read_rules(rules)
    given = {"position": position, "dice": dice, "roll": roll}
    common = {"level": level, "seed": seed, "turns": turns}
    if batch is not None:
        if any(value is not None for value in given.values()):
            raise InputError("batch", batch, "either --batch, or --position, --dice and --roll")
        answer_batch(
            "advise",
            batch,
            _FORM,
            lambda line: answer_json(asked_for(common | dict(line) | {"rules": _FORM.rules(line, house_rules)})),
        )
        return
    for name, value in given.items():
        if value is None:
            raise InputError(name, None, "--position, --dice and --roll together, or --batch")
    asked = asked_for(given | common | {"rules": house_rules})
    click.echo(answer_json(asked) if as_json else answer_text(asked))


def asked_for(fields: Mapping[str, Any]) -> Asked:
    """The question of these values: those of a line with its defaults filled in and its rules read.

    Raises:
        InputError: a value that can't be used, or a game that is over.
    """
    rules, turns, level = fields["rules"], fields["turns"], fields["level"]
    position = parse_position(_FORM.text(fields, "position"), rules)
    dice_text = _FORM.text(fields, "dice")
    dice, roll = parse_dice(dice_text), fields.get("roll")
    if type(roll) is not int:
        raise InputError("roll", roll, f"the roll that lies on the table, a whole number, as in {_FORM.example}")
    if type(turns) is not int or turns < 0:
        raise InputError("turns", turns, "how many turns are finished, a whole number from 0")
    if level is not None and not isinstance(level, str):
        raise InputError("level", level, f"one of {', '.join(LEVELS)}")
    return Asked(Question(position, dice, roll, rules, turns), dice_text, level, fields["seed"])


def answer_json(asked: Asked) -> str:
    """One answer as JSON text on one line, as controller/schemas/advise.json describes it.

    Raises:
        InputError: no such level or seed.
        WeightsError: the file of weights can't be used.
    """
    question, best = asked.question, _choice(asked)
    advice = advise(question)
    fields: dict[str, Any] = {
        "position": format_position(question.position),
        "dice": asked.dice_text,
        "roll": question.roll,
        "win": _chance(advice.win),
        "keep": list(advice.keeps[0].faces) if advice.keeps else None,
        "keeps": [
            {"keep": list(keep.faces), "win": _chance(keep.win), "forfeit": _chance(keep.forfeit)}
            for keep in advice.keeps
        ],
        "pulls": [{"name": pull.name, "win": _chance(pull.win)} for pull in advice.pulls],
        "best": _best_json(best if asked.level is not None else advice.best),
        "level": asked.level,
        "improve": _chance(advice.improve),
        "basis": advice.basis.value,
    }
    return json.dumps(fields)


def answer_text(asked: Asked) -> str:
    """The same for people: a table, best first, and what to do in one sentence."""
    question, choice = asked.question, _choice(asked)
    advice = advise(question)
    mover = question.position.mover.value.capitalize()
    dice = " ".join(map(str, question.dice.faces))
    lines = [f"{mover} to move, roll {question.roll} of {question.rolls}, dice {dice}"]
    lines += _rows(advice)
    lines.append(_sentence(advice))
    if asked.level is not None:
        lines.append(f"{asked.level} does: {_deed(choice)}.")
    if advice.basis in _BASES:
        lines.append(_BASES[advice.basis])
    return "\n".join(lines)


def _choice(asked: Asked) -> KeepChoice | PullChoice | None:
    return None if asked.level is None else choose(asked.level, asked.question, asked.seed)


def _rows(advice: Advice) -> list[str]:
    if not advice.keeps and not advice.pulls:
        return []
    options: list[KeepWorth | PullWorth] = sorted(
        [*advice.pulls, *advice.keeps], key=lambda option: -option.win
    )  # of equals a pull comes first
    rows = [f"  {'':<24}{'wins':>8}{'no pull':>9}"]
    for option in options[:MOST_SHOWN]:
        forfeit = f"{100 * option.forfeit:>7.1f} %" if isinstance(option, KeepWorth) else ""
        rows.append(f"  {_name(option):<24}{100 * option.win:>6.1f} %{forfeit}".rstrip())
    if len(options) > MOST_SHOWN:
        rows.append(f"  ... and {len(options) - MOST_SHOWN} that win less often; --json shows all")
    return rows


def _sentence(advice: Advice) -> str:
    best = advice.best
    if best is None:
        return f"No pull moves a cow and no roll is left: the turn is forfeit; wins {100 * advice.win:.1f} %."
    others = advice.pulls if isinstance(best, KeepWorth) else advice.keeps
    other = f"; {_name(others[0])} wins {100 * others[0].win:.1f} %" if others else ""
    return f"Best: {_deed(best)}, wins {100 * best.win:.1f} %{other}."


def _name(option: KeepWorth | PullWorth) -> str:
    if isinstance(option, PullWorth):
        return f"pull {option.name}"
    return f"keep {' '.join(map(str, option.faces))}" if option.faces else "roll all five again"


def _deed(option: KeepWorth | PullWorth | KeepChoice | PullChoice | None) -> str:
    match option:
        case PullWorth(name=name) | PullChoice(name=name):
            return f"pull {name}"
        case KeepWorth(faces=()) | KeepChoice(faces=()):
            return "roll all five again"
        case KeepWorth(faces=faces) | KeepChoice(faces=faces):
            return f"keep {' '.join(map(str, faces))} and roll the others"
        case None:
            return "forfeit the turn"


def _best_json(option: KeepWorth | PullWorth | KeepChoice | PullChoice | None) -> dict[str, Any] | None:
    match option:
        case PullWorth(name=name) | PullChoice(name=name):
            return {"pull": name}
        case KeepWorth(faces=faces) | KeepChoice(faces=faces):
            return {"keep": list(faces)}
        case None:
            return None


def _chance(chance: float) -> float:
    return round(chance, DIGITS)
