"""Draws how the value was learned: `python -m tests.support.learning_curve` writes docs/pictures/learning.svg."""

from __future__ import annotations

import csv

from controller.advice.value import WEIGHTS
from tests.support.tree import ROOT

PICTURE = ROOT / "docs" / "pictures" / "learning.svg"
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 720, 300, 56, 44, 20
COLOURS = {"cells": "#1f5fbf", "race": "#c05a00"}
DASHES = {"cells": "", "race": ' stroke-dasharray="6 4"'}


def curve(name: str) -> list[tuple[int, float]]:
    """Iterations and the share of games won against greedy."""
    with (WEIGHTS / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return [(int(row["iteration"]), float(row["wins_against_greedy"])) for row in csv.DictReader(file)]


def svg() -> str:
    """The picture as text."""
    curves = {name: curve(name) for name in COLOURS}
    last = max(points[-1][0] for points in curves.values())

    def at(iteration: float, share: float) -> str:
        x = LEFT + (WIDTH - LEFT - 20) * iteration / last
        y = HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * share
        return f"{x:.1f},{y:.1f}"

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"',
        'font-family="sans-serif" font-size="13">',
        "<title>Games won against greedy while the value was learned</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
    ]
    for percent in range(0, 101, 25):
        x1, y1 = at(0, percent / 100).split(",")
        x2 = at(last, 0).split(",")[0]
        lines.append(f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y1}" stroke="#ccc"/>')
        lines.append(f'<text x="{LEFT - 8}" y="{float(y1) + 4:.1f}" text-anchor="end" fill="#333">{percent} %</text>')
    for iteration in range(0, last + 2, 1000):
        x = at(iteration, 0).split(",")[0]
        lines.append(f'<text x="{x}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle" fill="#333">{iteration}</text>')
    middle = (WIDTH + LEFT) / 2
    lines.append(
        f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle" fill="#333">turns played in all games</text>'
    )
    for number, (name, points) in enumerate(curves.items()):
        path = " ".join(at(iteration, share) for iteration, share in points)
        stroke = f'stroke="{COLOURS[name]}" stroke-width="2"{DASHES[name]}'
        lines.append(f'<polyline points="{path}" fill="none" {stroke}/>')
        y = HEIGHT - BOTTOM - 50 + 22 * number
        lines.append(f'<line x1="540" y1="{y}" x2="580" y2="{y}" {stroke}/>')
        lines.append(f'<text x="588" y="{y + 4}" fill="#333">{name}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(svg(), encoding="utf-8")
