"""Programs started for measuring: commands timed from outside, and the service with what it costs."""

from __future__ import annotations

import http.client
import json
import os
import re
import select
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from controller.errors import CowboardError

ROOT = Path(__file__).parents[2]  # where the packages lie, so that -m finds them also where they aren't installed
START_LIMIT_S = 30.0
STOP_LIMIT_S = 10.0
ANSWER_LIMIT_S = 5.0
COMMAND_LIMIT_S = 120.0
_TICKS_HZ = os.sysconf("SC_CLK_TCK")


class BenchError(CowboardError, OSError):
    """A program that was to be measured didn't do its work."""


def run_python(*arguments: str) -> None:
    """Run this interpreter to its end.

    Raises:
        BenchError: it failed, or took too long.
    """
    try:
        done = subprocess.run(
            [sys.executable, *arguments], cwd=ROOT, capture_output=True, check=False, timeout=COMMAND_LIMIT_S
        )
    except subprocess.TimeoutExpired as error:
        raise BenchError(f"{' '.join(arguments)}: didn't end within {COMMAND_LIMIT_S:.0f} s") from error
    if done.returncode:
        raise BenchError(f"{' '.join(arguments)}: ended with {done.returncode}: {_last_line(done.stderr)}")


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process has used: seconds of processor since its start, and memory it holds now."""

    cpu_s: float
    resident_mb: float


def usage(pid: int, proc: Path = Path("/proc")) -> Usage:
    """What this process has used so far.

    Raises:
        BenchError: there is no such process.
    """
    try:
        stat = (proc / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
        status = (proc / str(pid) / "status").read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise BenchError(f"process {pid}: it ended before it was measured") from error
    # The name in brackets may hold spaces and brackets; user and system time are fields 14 and 15.
    fields = stat.rpartition(")")[2].split()
    resident = re.search(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)
    return Usage((int(fields[11]) + int(fields[12])) / _TICKS_HZ, int(resident[1]) / 1024 if resident else 0.0)


class Started:
    """A process that runs while it is measured; use it with `with`."""

    def __init__(self, now: Callable[[], float], *arguments: str) -> None:
        self._now = now
        self._words = [sys.executable, *arguments]
        self.started_at = 0.0

    def __enter__(self) -> Self:
        self.started_at = self._now()
        self.process = subprocess.Popen(
            self._words,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.process.terminate()
        try:
            self.process.wait(STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()

    def first_line(self) -> str:
        """The first line it says.

        Raises:
            BenchError: it ended or says nothing for long.
        """
        assert self.process.stdout is not None
        if not select.select([self.process.stdout], [], [], START_LIMIT_S)[0]:
            raise BenchError(f"{' '.join(self._words[1:])}: said nothing for {START_LIMIT_S:.0f} s")
        line = self.process.stdout.readline().decode("utf-8", "replace")
        if not line:
            raise BenchError(f"{' '.join(self._words[1:])}: ended with {self.process.wait()} and said nothing")
        return line

    def used(self) -> Usage:
        """What it has used so far."""
        return usage(self.process.pid)

    def busy_share(self, seconds: float) -> float:
        """Per cent of one core that it uses during the next so many seconds.

        Raises:
            BenchError: it ended meanwhile.
        """
        begun, before = self._now(), self.used()
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            after = self.used()
            return 100 * (after.cpu_s - before.cpu_s) / (self._now() - begun)
        raise BenchError(f"{' '.join(self._words[1:])}: ended with {status} while it was measured")


class RunningService(Started):
    """`cowboard serve --virtual` on a free port, with a journal and settings in a folder of its own."""

    def __init__(self, now: Callable[[], float], folder: Path) -> None:
        config = folder / "bench.toml"
        config.write_text('[rules]\nopening = "all five"\n', encoding="utf-8")  # so that the first throw has five dice
        words = ("serve", "--virtual", "--port", "0", "--host", "127.0.0.1", "--json", "--config", str(config))
        super().__init__(now, "-m", "controller.cli", *words, "--journal", str(folder / "journal.sqlite"))
        self.port = 0
        self.ready_s = 0.0

    def __enter__(self) -> Self:
        super().__enter__()
        with ExitStack() as unless_ready:
            unless_ready.push(self)
            self.port = int(json.loads(self.first_line())["port"])
            self.ask("GET", "/healthz")
            self.ready_s = self._now() - self.started_at
            unless_ready.pop_all()
        return self

    def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> bytes:
        """One request's answer.

        Raises:
            BenchError: no answer, or not 200.
        """
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_LIMIT_S)
        headers = {"X-Cowboard": "1", "Content-Type": "application/json"}
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise BenchError(f"{method} {path}: no answer ({error})") from error
        finally:
            connection.close()
        if answer.status != 200:
            raise BenchError(f"{method} {path}: answered {answer.status}: {_last_line(content)}")
        return content

    def state(self) -> dict[str, Any]:
        """The public state."""
        found: dict[str, Any] = json.loads(self.ask("GET", "/api/state"))
        return found


def _last_line(text: bytes) -> str:
    return (text.decode("utf-8", "replace").strip().splitlines() or ["nothing was said"])[-1]
