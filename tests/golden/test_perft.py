"""Move counts of chosen positions: one wrong rule changes a number. The positions stand in perft/*.txt."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from controller.games.cosmic_cows import (
    ALL_DICE,
    Position,
    Rules,
    apply_pull,
    is_forfeit,
    legal_pulls,
    parse_position,
    parse_rules,
)
from tests.support.plain_rules import PlainRules, plain_pulls

FOLDER = Path(__file__).parent / "perft"
FILES = ("printed.txt", "house.txt")
RENEW = os.environ.get("COWBOARD_RENEW_GOLDEN") == "1"


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    position: str
    rules: str
    counts: str

    @property
    def parsed(self) -> tuple[Position, Rules]:
        rules = parse_rules(json.loads(self.rules))
        return parse_position(self.position, rules), rules


def read_row(line: str) -> Row:
    return Row(*(part.strip() for part in line.split("|")))


@cache
def rows() -> dict[str, Row]:
    lines = [line for file in FILES for line in (FOLDER / file).read_text("utf-8").splitlines()]
    found = [read_row(line) for line in lines if line and not line.startswith("#")]
    return {row.name: row for row in found}


def outcomes(position: Position, rules: Rules) -> set[tuple[str, Position]]:
    """Every pair of pull name and position after it, over all throws."""
    pulls = {
        (pull.name, pull.cows, pull.locks): pull for dice in ALL_DICE for pull in legal_pulls(position, dice, rules)
    }
    return {(pull.name, apply_pull(position, pull, rules)) for pull in pulls.values()}


def count(row: Row) -> str:
    position, rules = row.parsed
    listed = sum(len(legal_pulls(position, dice, rules)) for dice in ALL_DICE)
    first = outcomes(position, rules)
    answers = {after: len(outcomes(after, rules)) for after in {after for _, after in first}}
    two = sum(answers[after] for _, after in first)
    nothing = sum(dice.weight for dice in ALL_DICE if is_forfeit(position, dice, rules))
    return f"listed {listed} distinct {len(first)} two {two} nothing {nothing}"


def renew(file: Path) -> None:
    lines = []
    for line in file.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            row = read_row(line)
            line = f"{row.name} | {row.position} | {row.rules} | {count(row)}"
        lines.append(line)
    file.write_text("\n".join(lines) + "\n", "utf-8")


@pytest.mark.skipif(not RENEW, reason="COWBOARD_RENEW_GOLDEN=1 writes the counts anew")
@pytest.mark.parametrize("file", FILES)
def test_the_counts_are_renewed_on_demand(file: str) -> None:
    renew(FOLDER / file)

    assert "two" in (FOLDER / file).read_text("utf-8")


@pytest.mark.skipif(RENEW, reason="the counts are being renewed")
@pytest.mark.parametrize("name", rows())
def test_the_counts_of_a_position_are_those_on_file(name: str) -> None:
    assert count(rows()[name]) == rows()[name].counts


def test_every_row_has_a_name_of_its_own_and_there_are_enough() -> None:
    lines = [line for file in FILES for line in (FOLDER / file).read_text("utf-8").splitlines()]

    assert len(rows()) == len([line for line in lines if line and not line.startswith("#")]) >= 30


def test_at_the_start_68_different_pulls_exist_as_counted_by_hand() -> None:
    alike, two_pairs, full_houses, straights, chances, super_cow = 3 * 6, 15, 30, 2, 2, 1

    position, rules = rows()["start, White"].parsed

    assert len(outcomes(position, rules)) == alike + two_pairs + full_houses + straights + chances + super_cow


@pytest.mark.parametrize("name", [name for name, row in rows().items() if row.rules == "{}"])
def test_the_plain_engine_lists_as_many_pulls(name: str) -> None:
    position, _ = rows()[name].parsed
    places, letter = list(position.places), position.mover.letter
    plain = [plain_pulls(places, letter, list(dice.faces), PlainRules()) for dice in ALL_DICE]
    different = {(pull_name, *pull.places) for pulls in plain for pull_name, pull in pulls.items()}
    counts = rows()[name].counts.split()

    assert sum(map(len, plain)) == int(counts[1])
    assert len(different) == int(counts[3])
