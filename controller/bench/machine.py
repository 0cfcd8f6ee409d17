"""What the figures were measured on: processor, cores, system, and how busy it was with other things."""

from __future__ import annotations

import os
import platform
import re
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine of a run; `load` is how many programs wanted a core in the minute before."""

    cpu: str
    core_count: int
    system: str
    python: str
    load: float

    def lines(self) -> tuple[str, ...]:
        """What a reader of figures wants to know, a line each."""
        cores = "1 core" if self.core_count == 1 else f"{self.core_count} cores"
        return (
            f"Processor: {self.cpu}, {cores}",
            f"System: {self.system}, Python {self.python}",
            f"Busy: {self.load:.1f} programs wanted a core in the minute before the run",
        )


def this_machine(proc: Path = PROC) -> Machine:
    """The machine this runs on."""
    return Machine(
        cpu=cpu_model(_text(proc / "cpuinfo")) or _text(proc / "device-tree/model").strip("\0\n") or platform.machine(),
        core_count=len(os.sched_getaffinity(0)),
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        load=os.getloadavg()[0],
    )


def cpu_model(cpuinfo: str) -> str:
    """The processor's name out of /proc/cpuinfo; empty where it has none (a Pi names only its board)."""
    for key in ("model name", "Model"):
        if found := re.search(rf"^{key}\s*:\s*(.+)$", cpuinfo, re.MULTILINE):
            return found[1].strip()
    return ""


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
