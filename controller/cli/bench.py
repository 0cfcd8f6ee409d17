"""`cowboard bench`: the project's figures measured here, each against its target and a named baseline."""

from __future__ import annotations

import json
import shlex
import time
from pathlib import Path

import click

from controller import __version__
from controller.errors import InputError

_EXAMPLES = """
\b
Examples:
  cowboard bench
  cowboard bench step moves
  cowboard bench --json --full
  cowboard bench --write docs/figures.md
"""


@click.command(name="bench", epilog=_EXAMPLES, short_help="The project's figures, measured here.")
@click.argument("names", nargs=-1, metavar="[NAME...]")
@click.option("--full", "is_full", is_flag=True, help="Read every labelled picture, not one in six.")
@click.option("--write", metavar="F", help="Also write the figures as a page in Markdown.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one object a line.")
def command(names: tuple[str, ...], is_full: bool, write: str | None, as_json: bool) -> int:
    """The project's figures, measured here: step, ready, idle, moves, single, vision, labelled, link,
    advise, games, strength, calibration.

    Ends with 1 when a target is missed. Let the machine rest meanwhile: what else runs is measured too.
    """
    from controller.bench.dice import labelled_lack
    from controller.bench.figure import Run, Verdict
    from controller.bench.machine import this_machine
    from controller.bench.plan import BENCHES
    from controller.bench.report import Report, page, table
    from controller.runtime.clock import RealClock

    for name in names:
        if name not in BENCHES:
            raise InputError("name", name, f"one or more of {', '.join(BENCHES)}")
    chosen = names or tuple(BENCHES)
    run, machine = Run(time.perf_counter, is_whole=is_full), this_machine()
    figures = []
    for name in dict.fromkeys(chosen):
        if not as_json:
            click.echo(f"measuring {name} ...", err=True)
        for figure in BENCHES[name](run):
            figures.append(figure)
            if as_json:
                click.echo(json.dumps(figure.public(), ensure_ascii=False))
    if not as_json:
        click.echo(table(figures))
    for lack in labelled_lack() if "labelled" in chosen else ():
        click.echo(f"cowboard bench: {lack}", err=True)
    if write is not None:
        words = shlex.join(["cowboard", "bench", *names, *(["--full"] if is_full else []), "--write", write])
        _write(Path(write), page(Report(tuple(figures), machine, __version__, RealClock().wall(), words)))
    missed = [figure.name for figure in figures if figure.verdict is Verdict.MISS]
    if missed:
        click.echo(f"cowboard bench: target missed: {', '.join(missed)}", err=True)
    return 1 if missed else 0


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:  # ValueError: a null byte in the name
        raise InputError("write", str(path), "a file that can be written, in a folder that is there") from error
