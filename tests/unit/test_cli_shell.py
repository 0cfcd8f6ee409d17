"""The shell of the command line: what it loads, and one line and a status for every way to end."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from controller.cli import BAD_INPUT, COMMANDS, FAILED, INTERRUPTED, OK, run
from controller.errors import DeviceMissingError, InputError
from firmware_bridge.errors import AddressError, PortMissingError

ROOT = Path(__file__).parents[2]


def cowboard(*arguments: str, stdout: int = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    """One run of the real entry."""
    return subprocess.run(
        [sys.executable, "-m", "controller.cli", *arguments],
        cwd=ROOT,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )


def raising(error: BaseException) -> click.Command:
    """A command that fails in this way."""

    @click.command()
    def failing() -> None:
        raise error

    return failing


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_in_the_table_exists_with_the_tables_help(name: str) -> None:
    command = import_module(f"controller.cli.{name}").command

    assert command.get_short_help_str(limit=200) == COMMANDS[name]
    assert command.help


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_shows_an_example_that_calls_the_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([name, "--help"]) == OK
    shown = capsys.readouterr().out

    assert re.search(rf"Examples?:\s+cowboard {name}\b", shown)


def test_no_arguments_and_help_list_every_command_and_load_none() -> None:
    script = (
        "import sys; from controller.cli import run; assert run(sys.argv[1:]) == 0;"
        "heavy = {'cv2', 'numpy', 'flask', 'pydantic', 'serial', 'sqlite3'} & set(sys.modules);"
        "ours = {name for name in sys.modules if name.startswith('controller.cli.')};"
        "assert not heavy | ours, heavy | ours"
    )
    for arguments in ([], ["--help"]):
        done = subprocess.run(
            [sys.executable, "-c", script, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
        )

        assert done.returncode == OK, done.stderr
        assert all(f"  {name} " in done.stdout and help_line in done.stdout for name, help_line in COMMANDS.items())


def test_a_moves_answer_loads_no_opencv_numpy_or_flask() -> None:
    script = (
        "import sys; from controller.cli import run;"
        "assert run(['moves', '--position', '0,0,0,0,0,0,0,0,0 w', '--dice', '33551']) == 0;"
        "assert not {'cv2', 'numpy', 'flask', 'pydantic'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == OK, done.stderr


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        pytest.param(
            ["mvoes"],
            "cowboard: command: 'mvoes' is not usable; accepted: .*moves.*; the nearest is moves",
            id="unknown command",
        ),
        pytest.param(
            ["--nothing"], "cowboard: No such option '?--nothing'?.* See cowboard --help", id="unknown option"
        ),
        pytest.param(
            ["moves", "--dcie", "12345"],
            "cowboard moves: No such option '?--dcie'?.*--dice.* See cowboard moves --help",
            id="unknown option of a command",
        ),
        pytest.param(
            ["moves", "--dice"],
            "cowboard moves: Option '--dice' requires an argument.* See cowboard moves --help",
            id="option without its value",
        ),
        pytest.param(
            ["moves", "--position", "x", "--dice", "1"], "cowboard moves: position: 'x' is not .*", id="field"
        ),
    ],
)
def test_bad_input_is_one_line_on_stderr_and_status_2(arguments: list[str], line: str) -> None:
    done = cowboard(*arguments)

    assert re.fullmatch(line + "\n", done.stderr)
    assert done.stdout == ""
    assert done.returncode == BAD_INPUT


@pytest.mark.parametrize(
    ("error", "line", "status"),
    [
        pytest.param(
            InputError("dice", "9", "1 to 6"), "dice: '9' is not usable; accepted: 1 to 6", BAD_INPUT, id="input"
        ),
        pytest.param(DeviceMissingError("no camera"), "no camera", FAILED, id="controller's own"),
        pytest.param(PortMissingError("serial://auto", "none", "plug it in"), None, FAILED, id="another package's"),
        pytest.param(AddressError("cell", 200, "0 to 138"), None, BAD_INPUT, id="another package's bad input"),
        pytest.param(click.FileError("f", "gone"), "Could not open file 'f': gone", FAILED, id="click's"),
        pytest.param(PermissionError(13, "Permission denied", "/x"), "Permission denied (/x)", FAILED, id="system"),
        pytest.param(
            ModuleNotFoundError("No module named 'cv2'", name="cv2"),
            "needs cv2, which isn't installed: pip install '.[vision]' in Cowboard's folder",
            FAILED,
            id="extra not installed",
        ),
        pytest.param(
            KeyError("a\nb"), "this is a bug: KeyError: 'a\\nb'; COWBOARD_DEBUG=1 shows where", FAILED, id="bug"
        ),
    ],
)
def test_every_failure_is_one_line_with_its_status(
    error: Exception, line: str | None, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([], raising(error)) == status
    told = capsys.readouterr()

    assert told.out == ""
    assert told.err == f"cowboard: {line or error}\n"


def test_the_traceback_of_a_bug_is_shown_on_request_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COWBOARD_DEBUG", "1")
    run([], raising(KeyError("x")))

    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize("error", [KeyboardInterrupt(), click.Abort()])
def test_an_interruption_is_quiet(error: BaseException, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([], raising(error)) == INTERRUPTED
    assert capsys.readouterr().err.strip() == ""


def test_a_commands_own_status_is_the_exit_status() -> None:
    @click.command()
    @click.pass_context
    def refusing(context: click.Context) -> None:
        context.exit(2)

    assert run([], refusing) == 2
    assert run([], click.Command("counting", callback=lambda: 1)) == 1


def test_a_reader_that_went_away_is_no_failure() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = cowboard("--help", stdout=writing)
    finally:
        os.close(writing)

    assert (done.returncode, done.stderr) == (OK, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, a disk that is always full")
def test_a_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        done = cowboard("--help", stdout=full.fileno())

    assert (done.returncode, done.stderr) == (FAILED, "cowboard: No space left on device\n")


def test_the_version_is_told() -> None:
    assert re.fullmatch(r"cowboard, version \d+\.\d+\.\d+\n", cowboard("--version").stdout)
