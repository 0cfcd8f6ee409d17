"""The service as its own process, as a player starts it: `cowboard serve`, its address read from its first line."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.support.tree import ROOT

STOP_S = 3.0  # systemd asks, a player waits: longer than this is felt as hanging


class ServiceProcess:
    """A running `cowboard serve --virtual`; a context manager that leaves no process behind.

    `folder` holds the journal, the config and the log, so a second process in the same folder goes on with the game.
    """

    def __init__(self, folder: Path, *, config: str = "", port: int = 0) -> None:
        self._log = folder / "serve.log"
        config_path = folder / "table.toml"
        if config:
            config_path.write_text(config, "utf-8")
        self._command = [sys.executable, "-m", "controller.cli", "serve", "--virtual", "--json"]
        self._command += ["--host", "127.0.0.1", "--port", str(port), "--journal", str(folder / "journal.sqlite")]
        if config_path.exists():
            self._command += ["--config", str(config_path)]
        self.announced: dict[str, Any] = {}

    def __enter__(self) -> Self:
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(self._command, cwd=ROOT, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, f"the service said nothing: {self.log()}"
        self.announced = json.loads(line)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()

    @property
    def url(self) -> str:
        """Where the page is."""
        return str(self.announced["address"])

    @property
    def port(self) -> int:
        """The port that the page got."""
        return int(self.announced["port"])

    def log(self) -> str:
        """What the service wrote beside its answer."""
        return self._log.read_text("utf-8")

    def kill(self) -> None:
        """A power cut: the process gets no say."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Ask it to stop; the answer is its exit status. Fails when that takes longer than `STOP_S`."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(STOP_S)
