"""Small programs for the emulated controller, built for the tests, and a host that speaks bytes with them."""

from __future__ import annotations

import contextlib
import select
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
import serial

from firmware_bridge.emulator.control import Control
from firmware_bridge.emulator.process import Emulator, EmulatorPlan
from firmware_bridge.emulator.tools import EMULATOR, PACKAGES, SIMAVR_HEADER, build_emulator

SOURCES = Path(__file__).parents[1] / "firmware" / "images"
BUILT = EMULATOR / "build" / "test-images"
FLAGS = ("-mmcu=atmega328p", "-DF_CPU=16000000UL", "-Os", "-Wall", "-Wextra", "-Werror", "-std=gnu11")
WAIT_S = 5.0


def why_not() -> str | None:
    """What is missing for these tests; None where nothing is."""
    missing = [tool for tool in ("cc", "make", "avr-gcc") if shutil.which(tool) is None]
    if not SIMAVR_HEADER.exists():
        missing.append("libsimavr-dev")
    return f"missing: {', '.join(missing)}; {PACKAGES}" if missing else None


needs_emulator = pytest.mark.skipif(why_not() is not None, reason=why_not() or "")


@cache
def program() -> Path:
    """The emulator, built once a run."""
    return build_emulator()


@cache
def image(name: str, *defines: str) -> Path:
    """A test program, built when its source is newer; `defines` like `BAUD=115200UL`."""
    source = SOURCES / f"{name}.c"
    built = BUILT / ("-".join([name, *defines]).replace("=", "_") + ".elf")
    if not built.exists() or built.stat().st_mtime < source.stat().st_mtime:
        BUILT.mkdir(parents=True, exist_ok=True)
        beside = built.with_suffix(".new")
        words = ["avr-gcc", *FLAGS, *(f"-D{define}" for define in defines), "-o", str(beside), str(source)]
        subprocess.run(words, check=True)
        beside.replace(built)
    return built


@dataclass
class Bench:
    """A running emulator and, once opened, its serial line."""

    emulator: Emulator
    control: Control
    line: serial.Serial | None = None

    def open(self, baud: int = 500_000) -> serial.Serial:
        """Open the port as a host does."""
        self.line = serial.Serial(self.emulator.port, baud, timeout=WAIT_S, write_timeout=WAIT_S, exclusive=True)
        return self.line

    def ask(self, request: bytes, count: int) -> bytes:
        """Send bytes and wait for so many."""
        assert self.line is not None
        self.line.write(request)
        answer: bytes = self.line.read(count)
        assert len(answer) == count, f"asked {request!r}, got {answer!r}"
        return answer

    def ask_number(self, request: bytes) -> int:
        """Send bytes and wait for a u16."""
        return int.from_bytes(self.ask(request, 2), "little")

    def count(self, group: str, name: str) -> int:
        """One of the emulator's counts."""
        value = self.control.stats()[group][name]
        assert isinstance(value, int)
        return value

    def until(self, group: str, name: str, least: int) -> int:
        """Wait until a count has grown so far, by the machine's own clock: for a few seconds at most."""
        for _ in range(int(WAIT_S / 0.005)):
            if (value := self.count(group, name)) >= least:
                return value
            pause(0.005)
        raise AssertionError(f"{group} {name} stayed below {least}: {self.control.stats()[group]}")


def pause(seconds: float) -> None:
    """Let the emulator's time pass."""
    select.select([], [], [], seconds)


@contextlib.contextmanager
def running(built: Path, *options: str, pace: float = 1.0, eeprom: Path | None = None) -> Iterator[Bench]:
    """An emulator that runs this image."""
    plan = EmulatorPlan(program=program(), image=built, pace=pace, eeprom=eeprom, options=options)
    emulator = Emulator(plan)
    emulator.start()
    bench = Bench(emulator, emulator.control)
    try:
        yield bench
    finally:
        if bench.line is not None:
            bench.line.close()
        emulator.stop()
