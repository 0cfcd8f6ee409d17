"""The `cowboard` command: sub-commands loaded only when used, one line for every failure, exit 0, 1 or 2."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module

import click

from controller import __version__
from controller.errors import CowboardError, InputError

# Name → the help line. The module is `controller.cli.NAME`; only the one that is called gets imported, so that
# `moves` answers without OpenCV, numpy or Flask.
COMMANDS: dict[str, str] = {
    "serve": "Run the table: board, camera, journal and page.",
    "moves": "The pulls that final dice allow.",
    "read": "Read the dice in pictures, folders or videos.",
    "replay": "Step through a game record and check every move.",
    "games": "The games in the journal.",
    "export": "Write a game's record.",
    "doctor": "Find what is wrong with this table, and the mend.",
    "bench": "The project's figures, measured here.",
}

OK, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


class LazyGroup(click.Group):
    """A group whose sub-commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The sub-command, imported now; None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"controller.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, but an unknown name gets the nearest known one."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = get_close_matches(args[0], COMMANDS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"accepted: {', '.join(COMMANDS)}"
            raise click.UsageError(f"command: {args[0]!r} is unknown; {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands from the table, so that help imports nothing."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group("cowboard", cls=LazyGroup, epilog="Example:  cowboard moves --position '0,0,0,0,0,0,0,0,0 w' --dice 33551")
@click.version_option(__version__, prog_name="cowboard")
def cowboard() -> None:
    """Cosmic Cows on a real board: dice by camera, cows by sensors, help by light."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and exit: 0 done, 1 the work failed, 2 bad input. No traceback ever reaches a user."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """The exit status of a command line; messages go to stderr, one line each."""
    try:
        status = cowboard.main(args=list(arguments), prog_name="cowboard", standalone_mode=False)
        return status if isinstance(status, int) else OK
    except click.exceptions.Exit as done:
        return done.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except click.ClickException as error:
        return _tell(arguments, error.format_message(), BAD_INPUT)
    except InputError as error:
        return _tell(arguments, str(error), BAD_INPUT)
    except CowboardError as error:
        return _tell(arguments, str(error), FAILED)
    except BrokenPipeError:
        # Whoever read our output has enough; what is still buffered must not fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except Exception as error:  # noqa: BLE001  the command line's top: a bug is told in one line, its traceback on request
        if os.environ.get("COWBOARD_DEBUG"):
            traceback.print_exc()
        line = f"this is a bug: {type(error).__name__}: {error}; COWBOARD_DEBUG=1 shows where"
        return _tell(arguments, line, FAILED)


def _tell(arguments: Sequence[str], message: str, status: int) -> int:
    name = arguments[0] if arguments and arguments[0] in COMMANDS else ""
    line = " ".join(message.split())
    click.echo(f"cowboard {name}: {line}" if name else f"cowboard: {line}", err=True)
    return status
