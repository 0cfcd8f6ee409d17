"""`cowboard odds`: how likely each combination is within three rolls when a player plays for it alone."""

from __future__ import annotations

import json

import click

from controller.advice.odds import PatternOdds, pattern_odds
from controller.cli.questions import read_rules
from controller.errors import InputError

DIGITS = 6
MOST_ROLLS = 3

_EXAMPLES = """
\b
Examples:
  cowboard odds
  cowboard odds --rolls 1 --json
  cowboard odds --rules '{"chance": {"5-12": 4}}'
"""


@click.command(name="odds", epilog=_EXAMPLES, short_help="How likely each combination is within three rolls.")
@click.option("--rolls", metavar="N", type=int, help="Within 1, 2 or 3 rolls; as many as a turn has, if not said.")
@click.option("--rules", metavar="R", help="House rules: a JSON object, or a file that holds one.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one object.")
def command(rolls: int | None, rules: str | None, as_json: bool) -> None:
    """The probability of having each combination within the rolls of a turn, playing for it alone."""
    house_rules = read_rules(rules)
    if rolls is None:
        rolls = house_rules.rolls
    if not 1 <= rolls <= MOST_ROLLS:
        raise InputError("rolls", rolls, "1, 2 or 3")
    odds = pattern_odds(rolls, house_rules)
    click.echo(answer_json(rolls, odds) if as_json else answer_text(rolls, odds))


def answer_json(rolls: int, odds: tuple[PatternOdds, ...]) -> str:
    """The odds as JSON text on one line, as controller/schemas/odds.json describes it."""
    patterns = [
        {
            "name": one.name,
            "probability": round(one.probability, DIGITS),
            "named": None if one.named is None else round(one.named, DIGITS),
        }
        for one in odds
    ]
    return json.dumps({"rolls": rolls, "patterns": patterns})


def answer_text(rolls: int, odds: tuple[PatternOdds, ...]) -> str:
    """The odds as a table for people."""
    within = "in one roll" if rolls == 1 else f"within {rolls} rolls, playing for it alone"
    lines = [f"{within:<40}{'any':>9}{'of given faces':>17}"]
    for one in odds:
        named = "" if one.named is None else f"{one.named:>17.6f}"
        name = f"{one.name} cells" if one.name.startswith("chance ") else one.name
        lines.append(f"  {name:<38}{one.probability:>9.6f}{named}")
    return "\n".join(lines)
