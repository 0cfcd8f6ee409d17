"""The tools that read all of the code: types, lint and layout, as `make check` runs them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.tree import PACKAGES, ROOT

TOOL_LIMIT_S = 600  # the first run of the type checker, on one core of a Pi, with an empty cache


def findings(*command: str) -> str:
    """What a tool found; empty when it was content."""
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return "" if done.returncode == 0 else done.stdout


@pytest.mark.timeout(TOOL_LIMIT_S)
def test_types_are_strict_everywhere() -> None:
    assert findings("mypy", *PACKAGES, "tests") == ""


def test_the_linter_finds_nothing() -> None:
    assert findings("ruff", "check", "--quiet") == ""


def test_the_layout_is_the_formatters() -> None:
    assert findings("ruff", "format", "--check", "--quiet") == ""
