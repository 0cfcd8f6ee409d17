"""`cowboard serve` as a process: its options, what it says, bad input in one line, a clean stop."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

LIMIT_S = 30


@contextmanager
def served(*options: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """A running service and what it announced; stopped at the end by SIGTERM."""
    process = subprocess.Popen(
        [sys.executable, "-m", "controller.cli", "serve", "--json", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    try:
        yield process, json.loads(process.stdout.readline())
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=LIMIT_S)


def refused(*options: str) -> str:
    """The one line with which `serve` refuses, exit status 2."""
    done = subprocess.run(
        [sys.executable, "-m", "controller.cli", "serve", *options],
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, lines
    return lines[0]


def get(announced: dict[str, Any], path: str) -> Any:
    with urllib.request.urlopen(announced["address"].rstrip("/") + path, timeout=LIMIT_S) as answer:
        return json.load(answer)


def test_with_every_option_it_serves_and_stops_cleanly(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text('[players]\nwhite = "Ada"\n[rules]\ncows_to_win = 2\n', encoding="utf-8")
    journal = tmp_path / "deep" / "journal.sqlite"
    with served(
        *("--config", str(config), "--board", "virtual://led", "--camera", "virtual"),
        *("--host", "127.0.0.1", "--port", "0", "--journal", str(journal)),
    ) as (process, announced):
        state = get(announced, "/api/state")
        assert state["game"]["players"]["white"] == "Ada"
        assert state["score"]["to_win"] == 2
        assert get(announced, "/healthz")["ok"]
    assert process.returncode == 0
    assert journal.exists()


def test_the_virtual_table_says_what_is_simulated(tmp_path: Path) -> None:
    with served("--virtual", "--port", "0", "--journal", str(tmp_path / "j.sqlite")) as (_, announced):
        notes = " ".join(announced["notes"])
        assert "virtual" in notes
        assert get(announced, "/api/state")["virtual"]["hands"] is True


def test_a_taken_port_is_told_and_the_next_one_used(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with served(
            *("--virtual", "--host", "127.0.0.1", "--port", str(port), "--journal", str(tmp_path / "j.sqlite"))
        ) as (_, announced):
            assert announced["port"] != port
            assert f"Port {port} is taken" in announced["notes"][0]


def test_a_second_service_on_the_same_journal_is_refused(tmp_path: Path) -> None:
    journal = str(tmp_path / "j.sqlite")
    with served("--virtual", "--port", "0", "--journal", journal):
        done = subprocess.run(
            [sys.executable, "-m", "controller.cli", "serve", "--virtual", "--port", "0", "--journal", journal],
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
    assert done.returncode == 1
    assert len(done.stderr.strip().splitlines()) == 1
    assert journal in done.stderr


@pytest.mark.parametrize(
    ("options", "names"),
    [
        (("--port", "70000"), "70000"),
        (("--board", "virtual://cardboard"), "board.url"),
        (("--camera", "/nowhere/at/all.avi"), "camera.url"),
        (("--config", "/nowhere/at/all.toml"), "config"),
        (("--colour", "red"), "--colour"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_line(options: tuple[str, ...], names: str) -> None:
    assert names in refused(*options)


def test_a_house_rule_that_nobody_knows_is_refused_by_name(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text("[rules]\ncow_to_win = 2\n", encoding="utf-8")
    line = refused("--config", str(config))
    assert "cow_to_win" in line
    assert "cows_to_win" in line
