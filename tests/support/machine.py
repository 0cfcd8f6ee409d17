"""What kind of machine the tests run on, where that decides whether something can be shown at all."""

from __future__ import annotations

import platform
from pathlib import Path

# Where a kernel keeps the programs that run other processors' code, by the processor's name.
_FOREIGN = Path("/proc/sys/fs/binfmt_misc")


def is_emulated() -> bool:
    """Whether this processor is played by a program: the kernel knows an emulator for its very own code."""
    return (_FOREIGN / f"qemu-{platform.machine()}").exists()
