"""Figures as people read them: an aligned table for the terminal, a page in Markdown for the documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from controller.bench.figure import Figure, Verdict, plain
from controller.bench.machine import Machine

_HEAD = ("figure", "measured", "target", "", "ratio", "baseline")
_PAGE_HEAD = """\
# Figures

What the program has to keep, and what was measured. A ratio compares a value with its baseline, a plain piece of work
measured in the same run, so that a slow machine isn't taken for a slow program.
"""


@dataclass(frozen=True, slots=True)
class Report:
    """One whole run."""

    figures: tuple[Figure, ...]
    machine: Machine
    version: str
    at: datetime
    command: str


def table(figures: Sequence[Figure]) -> str:
    """One line a figure, columns aligned; notes below their figure, indented."""
    rows = [_HEAD, *(_cells(figure) for figure in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    lines = [_line(_HEAD, widths)]
    for figure, row in zip(figures, rows[1:], strict=True):
        lines.append(_line(row, widths))
        lines += [f"    {note}" for note in figure.notes]
    return "\n".join(lines)


def page(report: Report) -> str:
    """The page docs/figures.md."""
    lines = [
        _PAGE_HEAD,
        f"Measured on {report.at:%Y-%m-%d} with Cowboard {report.version}, by `{report.command}`:\n",
        *(f"- {line}" for line in report.machine.lines()),
        "\n| figure | measured | target | | ratio | baseline | shown by |",
        "|---|---:|---:|---|---:|---|---|",
    ]
    lines += [f"| {' | '.join(_cells(figure))} | `{figure.command}` |" for figure in report.figures]
    lines.append("\n## What each one is\n")
    for figure in report.figures:
        lines.append(f"- **{figure.name}**: {figure.what}" + "".join(f" {note}." for note in figure.notes))
    return "\n".join(lines) + "\n"


def _cells(figure: Figure) -> tuple[str, str, str, str, str, str]:
    target = "" if figure.target is None else f"{figure.target} {figure.unit}".rstrip()
    verdict = "" if figure.verdict is Verdict.NO_TARGET else figure.verdict.value
    baseline = f"{figure.baseline.name}: {_value(figure.baseline.value, figure.unit)}"
    ratio = "" if figure.ratio is None else f"{plain(figure.ratio)}x"
    return figure.name, _value(figure.value, figure.unit), target, verdict, ratio, baseline


def _value(value: float, unit: str) -> str:
    return f"{plain(value)} {unit}".rstrip()


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    name, measured, target, verdict, ratio, baseline = (
        cell.rjust(width) if column in (1, 2, 4) else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    )
    return "  ".join((name, measured, target, verdict, ratio, baseline)).rstrip()
