"""docs/turn.md is drawn from the transition table; COWBOARD_RENEW_GOLDEN=1 draws it anew."""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path

from controller.table.state import Phase
from controller.table.transitions import ROWS, TABLE, Goto, Happening

PAGE = Path(__file__).parents[2] / "docs" / "turn.md"
HEAD = """# A turn

Drawn from the transition table in `controller/table/transitions.py`; a test compares the two. An arrow to *rest* is to
the phase in which the game rests: opening, to roll (no dice read yet in this turn), rolled, or over.

"""


def diagram() -> str:
    """The state diagram as Mermaid text, happenings that lead the same way on one arrow, staying ones left out."""
    arrows: dict[tuple[str, str], list[str]] = defaultdict(list)
    for (phase, happening), to in TABLE.items():
        if to is Goto.STAY or to is phase:
            continue
        target = "rest" if to is Goto.REST else node(to)
        arrows[node(phase), target].append(happening.value)
    lines = ["stateDiagram-v2", "    [*] --> opening"]
    lines += [f'    state "{phase.value}" as {node(phase)}' for phase in Phase]
    lines += [f"    rest --> {name}" for name in ("opening", "to_roll", "rolled", "over")]
    lines += [f"    {source} --> {target}: {', '.join(names)}" for (source, target), names in arrows.items()]
    return "\n".join(lines)


def node(phase: object) -> str:
    return str(phase).replace(" ", "_")


def table() -> str:
    """The rows as a Markdown table."""
    lines = ["| what happened | in which phases | leads to |", "|---|---|---|"]
    for phases, happening, to in ROWS:
        where = "any" if set(phases) == set(Phase) else ", ".join(phase.value for phase in phases)
        lines.append(f"| {happening.value} | {where} | {to.value} |")
    return "\n".join(lines)


def page() -> str:
    return f"{HEAD}```mermaid\n{diagram()}\n```\n\n{table()}\n"


def test_the_diagram_of_the_turn_is_the_transition_table() -> None:
    if os.environ.get("COWBOARD_RENEW_GOLDEN"):
        PAGE.write_text(page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_happening_is_in_the_table_of_the_page() -> None:
    text = page()
    assert all(f"| {happening.value} |" in text for happening in Happening)
