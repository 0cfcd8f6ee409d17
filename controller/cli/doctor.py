"""`cowboard doctor`: what is wrong with this table, and the mend."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import fill

import click

_EXAMPLES = """
\b
Examples:
  cowboard doctor
  cowboard doctor --config table.toml
  cowboard doctor --virtual --json
"""

_WIDTH = 100
_INDENT = " " * 27


@click.command(name="doctor", epilog=_EXAMPLES, short_help="Find what is wrong with this table, and the mend.")
@click.option("--config", "config_path", type=click.Path(path_type=Path), help="The table's TOML file.")
@click.option("--virtual", "is_virtual", is_flag=True, help="Walk round the virtual table; leave real devices alone.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one object a line.")
def command(config_path: Path | None, is_virtual: bool, as_json: bool) -> int:
    """Find what is wrong with this table, and the mend.

    Ends with 0 when nothing is, also where a device just isn't here; with 1 when something is. A service that runs is
    asked about its devices and otherwise left alone.
    """
    from controller.runtime.doctor.check import Verdict
    from controller.runtime.doctor.examination import examine, real_world

    wrong = []
    for check in examine(real_world(), config_path, is_virtual):
        if check.verdict is Verdict.WRONG:
            wrong.append(check.name)
        if as_json:
            click.echo(json.dumps(check.public(), ensure_ascii=False))
        else:
            click.echo(_block(f"{check.verdict.value:<10}{check.name:<17}", check.sentence))
            if check.mend:
                click.echo(_block(_INDENT, f"→ {check.mend}"))
    if wrong:
        click.echo(f"cowboard doctor: wrong: {', '.join(wrong)}", err=True)
    elif not as_json:
        click.echo("Nothing is wrong with this table.")
    return 1 if wrong else 0


def _block(head: str, text: str) -> str:
    """A finding of one or more lines, paths and commands kept whole."""
    return fill(
        text,
        _WIDTH,
        initial_indent=head,
        subsequent_indent=_INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )
