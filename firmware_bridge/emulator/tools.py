"""The emulator and the board's firmware in this checkout: where they are, and building them when they are asked for.

Both need packages of Debian's and the source tree, which an installed package doesn't carry.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from firmware_bridge.errors import PortMissingError

ROOT = Path(__file__).parents[2]
EMULATOR = ROOT / "hardware" / "emulator"
FIRMWARE = ROOT / "hardware" / "firmware"
PROGRAM = EMULATOR / "build" / "cowboard-board"
IMAGE = FIRMWARE / "build" / "nano" / "cowboard-nano.elf"
PACKAGES = "sudo apt-get install --no-install-recommends gcc make libsimavr-dev gcc-avr binutils-avr avr-libc"
SIMAVR_HEADER = Path("/usr/include/simavr/sim_avr.h")
BUILD_LIMIT_S = 300


def build_emulator() -> Path:
    """The emulator, built if its sources are newer.

    Raises:
        PortMissingError: packages or sources are missing, or the compiler refuses; tells the mend.
    """
    if not SIMAVR_HEADER.exists():
        raise PortMissingError("the emulator", "libsimavr isn't installed", PACKAGES)
    _make(EMULATOR, ("cc", "make"))
    return PROGRAM


def build_image() -> Path:
    """The board's firmware, built if its sources are newer; the same errors as `build_emulator`."""
    _make(FIRMWARE, ("avr-gcc", "make"))
    return IMAGE


def _make(folder: Path, tools: tuple[str, ...]) -> None:
    if not (folder / "Makefile").exists():
        raise PortMissingError(str(folder), "there are no sources here", "use a checkout of the project")
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing:
        raise PortMissingError(str(folder), f"can't be built without {' and '.join(missing)}", PACKAGES)
    done = subprocess.run(
        ["make", "-s", "-C", str(folder)], capture_output=True, text=True, timeout=BUILD_LIMIT_S, check=False
    )
    if done.returncode:
        told = (done.stderr or done.stdout).strip().splitlines()
        raise PortMissingError(str(folder), f"doesn't build: {told[0] if told else 'make failed'}", "run make there")
