"""The emulator as a child process: started, watched, stopped; it ends with this program however that ends."""

from __future__ import annotations

import contextlib
import json
import logging
import select
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.emulator.control import Control
from firmware_bridge.errors import LocalProtocolError, PortLostError, PortMissingError

START_LIMIT_S = 20.0
STOP_LIMIT_S = 3.0
MEND = "see its message above the trace; `hardware/emulator/README.md` lists the options"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class EmulatorPlan:
    """What to run and how.

    `pace` 1 is real time, 0 as fast as it goes. `eeprom` keeps the board's memory over runs; None: begins erased.
    `options` are further words of the command line.
    """

    program: Path
    image: Path
    pace: float = 1.0
    eeprom: Path | None = None
    seed: int = 0
    is_reset_on_open: bool = False
    options: tuple[str, ...] = ()

    def words(self, control: Path) -> list[str]:
        """The command line, with the control socket there."""
        words = [str(self.program), "--image", str(self.image), "--control", str(control), "--with-parent"]
        words += ["--pace", f"{self.pace:g}", "--seed", str(self.seed)]
        if self.eeprom is not None:
            words += ["--eeprom", str(self.eeprom)]
        if self.is_reset_on_open:
            words.append("--reset-on-open")
        return [*words, *self.options]


class Emulator:
    """One run of the emulator. `start` and `stop` from one thread, the rest from any."""

    def __init__(self, plan: EmulatorPlan) -> None:
        self.plan = plan
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._control: Control | None = None

    def start(self) -> None:
        """Start it and wait until it listens.

        Raises:
            LocalProtocolError: it runs already.
            PortMissingError: it can't be started; tells its last words.
        """
        if self._process is not None:
            raise LocalProtocolError("the emulator was started twice")
        self._folder = tempfile.TemporaryDirectory(prefix="cowboard-emulator-")
        path = Path(self._folder.name, "control")
        words = self.plan.words(path)
        try:
            with self._errors(self._folder).open("wb") as errors:
                self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors)
        except OSError as error:
            self._tidy()
            raise PortMissingError(words[0], f"can't be started ({error.strerror})", "build it with make") from error
        try:
            self._wait_until_it_listens()
            self._control = Control(path)
        except PortLostError as error:
            told = self.last_words()
            self.stop()
            raise PortMissingError(words[0], told or error.reason, MEND) from error

    def stop(self) -> None:
        """End it, the EEPROM saved; harmless when it doesn't run."""
        if self._control is not None:
            with contextlib.suppress(PortLostError):
                self._control.order("quit")
            self._control.close()
            self._control = None
        process, self._process = self._process, None
        if process is not None:
            self._end(process)
        self._tidy()

    @property
    def control(self) -> Control:
        """Its control socket.

        Raises:
            PortLostError: it doesn't run.
        """
        if self._control is None:
            raise PortLostError(str(self.plan.program), "the emulator doesn't run", "start it")
        return self._control

    @property
    def port(self) -> str:
        """The path of the board's serial port now; another one after each `unplug`.

        Raises:
            PortMissingError: unplugged at the moment.
            PortLostError: it doesn't run any more.
        """
        path: str = self.control.order("hello")["port"]
        if not path:
            raise PortMissingError("the emulated board", "it is unplugged", "it comes back by itself")
        return path

    @property
    def is_running(self) -> bool:
        """Whether the process lives."""
        return self._process is not None and self._process.poll() is None

    def last_words(self) -> str:
        """What it wrote on its error output."""
        if self._folder is None:
            return ""
        return self._errors(self._folder).read_text("utf-8", "replace").strip()

    @staticmethod
    def _errors(folder: tempfile.TemporaryDirectory[str]) -> Path:
        return Path(folder.name, "errors")

    def _wait_until_it_listens(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], START_LIMIT_S)
        line = self._process.stdout.readline() if ready else b""
        if not line or not json.loads(line)["ok"]:
            raise PortLostError(str(self.plan.program), "the emulator ended at once", MEND)

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        if process.stdin is not None:
            process.stdin.close()  # it ends with its standard input, too
        try:
            process.wait(STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            _log.warning("the emulator didn't end within %.0f s and was killed", STOP_LIMIT_S)
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()

    def _tidy(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
