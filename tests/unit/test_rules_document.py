"""docs/notation.md says what the engine does."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.cli.moves import command
from controller.errors import InputError
from controller.games.cosmic_cows import (
    BEAMS,
    DEFAULT_RULES,
    Cell,
    Rules,
    Side,
    find_pull,
    format_position,
    format_rules,
    parse_dice,
    parse_position,
    start_position,
)
from controller.games.cosmic_cows.beams import Beam

PAGE = (Path(__file__).parents[2] / "docs/notation.md").read_text("utf-8")


def blocks(kind: str) -> list[str]:
    """The lines of every fenced block of this kind."""
    return [line for block in re.findall(rf"```{kind}\n(.*?)```", PAGE, re.S) for line in block.splitlines()]


def rows(heading: str) -> list[list[str]]:
    """The cells of the table under this heading, without its head."""
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_page_lists_the_beams_in_board_order() -> None:
    assert f"    {' '.join(BEAMS)}\n" in PAGE


@pytest.mark.parametrize("text", ["3:+2", "3:0", "super:-1"])
def test_the_pages_cells_are_cells(text: str) -> None:
    assert f"`{text}`" in PAGE
    assert str(Cell.parse(text)) == text


def test_the_pages_positions_read_back() -> None:
    plain, locked = blocks("position"), blocks("position lock_in")

    assert len(plain) == 3
    assert len(locked) == 2
    assert [format_position(parse_position(text)) for text in plain] == plain
    assert [format_position(parse_position(text, Rules(lock_in=True))) for text in locked] == locked


@pytest.mark.parametrize("row", rows("Pulls"), ids=lambda row: row[0])
def test_the_pages_pulls_move_what_it_says(row: list[str]) -> None:
    name, dice, cows = (re.findall(r"`(.*?)`", cell)[0] for cell in row)
    position = start_position(Side.WHITE)
    if row[1].endswith("super cow home"):
        position = position.with_places({Beam.SUPER: 1})

    pull = find_pull(position, parse_dice(dice), name)

    assert {beam.value: spaces for beam, spaces in pull.cows} == json.loads(cows)


def test_the_page_lists_every_house_rule_with_its_default() -> None:
    listed = {key.strip("`"): json.loads(default.strip("`")) for key, default, _ in rows("House rules")}

    assert listed == format_rules(DEFAULT_RULES)
    assert list(listed) == list(format_rules(DEFAULT_RULES))


def test_the_pages_command_answers_what_it_says() -> None:
    asked, answer = blocks("console")

    result = CliRunner().invoke(command, shlex.split(asked.removeprefix("$ cowboard moves")))

    assert result.stdout == answer + "\n"


def test_the_pages_fault_is_what_the_stream_says() -> None:
    (fault,) = blocks("json")

    with pytest.raises(InputError) as refusal:
        parse_dice("12347")
    assert json.loads(fault) == {"error": str(refusal.value), "line": 3}
