"""The `cowboard` command: sub-commands loaded only when used, one line for every failure, exit 0, 1 or 2."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path

import click

from controller import __version__
from controller.errors import CowboardError, InputError

# Name → the help line. The module is `controller.cli.NAME`; only the one that is called gets imported, so that
# `moves` answers without OpenCV, numpy or Flask.
COMMANDS: dict[str, str] = {
    "serve": "Run the table: board, camera, journal and page.",
    "moves": "The pulls these final dice allow.",
    "advise": "What a throw is worth: every keep, every pull, the best.",
    "odds": "How likely each combination is within three rolls.",
    "read": "Read the dice in pictures, folders or videos.",
    "play": "Computer players against each other: who wins how often.",
    "replay": "Step through a game record and check every move.",
    "games": "The games in the journal.",
    "export": "Write a game's record.",
    "doctor": "Find what is wrong with this table, and the mend.",
    "bench": "The project's figures, measured here.",
}

# What brings a package that a command may lack; the plain installation has neither camera nor pins.
EXTRAS: dict[str, str] = {"cv2": "vision", "numpy": "vision", "gpiozero": "panel", "lgpio": "panel"}

# The packages that know nothing of the controller, and the root of each one's errors.
ERROR_ROOTS: dict[str, str] = {"firmware_bridge": "BridgeError", "vision": "VisionError", "web": "WebError"}

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
        if args[0] not in COMMANDS:
            near = get_close_matches(args[0], COMMANDS, n=1, cutoff=0.0)[0]
            raise InputError("command", args[0], f"{', '.join(COMMANDS)}; the nearest is {near}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands from the table, so that help imports nothing."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


_EXAMPLE = "Example:  cowboard moves --position '0,0,0,0,0,0,0,0,0 w' --dice 33551"


@click.group("cowboard", cls=LazyGroup, epilog=_EXAMPLE, invoke_without_command=True)
@click.version_option(__version__, prog_name="cowboard")
@click.pass_context
def cowboard(context: click.Context) -> None:
    """Cosmic Cows on a real board: dice by camera, cows by sensors, help by light."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and exit: 0 done, 1 the work failed, 2 bad input. No traceback ever reaches a user."""
    _hold_standard_files()
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str], command: click.Command = cowboard) -> int:
    """The exit status of a command line; messages go to stderr, one line each."""
    try:
        # Not through click's own main, which calls a reader that has gone away a failure.
        with command.make_context("cowboard", list(arguments)) as context:
            status = command.invoke(context)
        sys.stdout.flush()  # what can't be written any more has to be told here, not after the end
        return status if isinstance(status, int) else OK
    except click.exceptions.Exit as done:
        return done.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        drop_output()  # whoever read it has enough
        return OK
    except Exception as error:  # noqa: BLE001  # the command line's top
        message, status = _explained(error, arguments)
        return _tell(arguments, message, status)


def _explained(error: Exception, arguments: Sequence[str]) -> tuple[str, int]:
    """The sentence for an error, and the exit status."""
    match error:
        case click.UsageError():
            words = " ".join(["cowboard", *_command_name(arguments), "--help"])
            return f"{error.format_message()} See {words}", BAD_INPUT
        case click.ClickException():
            return error.format_message(), error.exit_code
        case InputError():
            return str(error), BAD_INPUT
        case CowboardError():
            return str(error), FAILED
        case _ if isinstance(error, _roots_of_other_packages()):
            return str(error), BAD_INPUT if isinstance(error, ValueError) else FAILED
        case ModuleNotFoundError(name=str(name)) if name.split(".")[0] in EXTRAS:
            extra = EXTRAS[name.split(".")[0]]
            return f"needs {name}, which isn't installed: pip install '.[{extra}]' in Cowboard's folder", FAILED
        case OSError():
            if error.errno == errno.ENOSPC:
                drop_output()
            where = f" ({error.filename})" if error.filename else ""
            return f"{error.strerror or error}{where}", FAILED
    if os.environ.get("COWBOARD_DEBUG"):
        traceback.print_exception(error)
    return f"this is a bug: {type(error).__name__}: {error}; COWBOARD_DEBUG=1 shows where", FAILED


def _roots_of_other_packages() -> tuple[type[Exception], ...]:
    """Their error families, of those packages that the command has loaded: what isn't loaded can't have failed."""
    loaded = [(sys.modules.get(f"{package}.errors"), root) for package, root in ERROR_ROOTS.items()]
    return tuple(getattr(module, root) for module, root in loaded if module is not None)


def drop_output() -> None:
    """Point stdout to nowhere, so that what is still buffered doesn't fail again when the program ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _hold_standard_files() -> None:
    """Put the null device where stdin, stdout or stderr was closed by whoever started us.

    Else the next file that is opened, a journal or a serial port, gets the number, and what is printed goes there.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        try:
            os.fstat(number)
        except OSError:
            held = os.open(os.devnull, os.O_RDWR)
            if held != number:
                os.dup2(held, number)
                os.close(held)
        if getattr(sys, name) is None:
            nowhere = Path(os.devnull).open(mode, encoding="utf-8", errors="replace")  # noqa: SIM115  # till the end
            setattr(sys, name, nowhere)


def _command_name(arguments: Sequence[str]) -> Sequence[str]:
    return arguments[:1] if arguments and arguments[0] in COMMANDS else []


def _tell(arguments: Sequence[str], message: str, status: int) -> int:
    speaker = " ".join(["cowboard", *_command_name(arguments)])
    click.echo(f"{speaker}: {' '.join(message.split())}", err=True)
    return status
