"""Why a port wouldn't open, in words a builder can act on: missing, not allowed, or another program has
it."""

from __future__ import annotations

import contextlib
import errno
import grp
import os
from pathlib import Path

from firmware_bridge.errors import PortBusyError, PortDeniedError, PortError, PortMissingError

PROC = Path("/proc")


def explain_refusal(path: str, error: BaseException) -> PortError:
    """The error to raise for a port that an open failed on; `error` is what the system or pyserial said."""
    number = getattr(error, "errno", None)
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO) or not Path(path).exists():
        return PortMissingError(path, "there is no such port", "plug the board in, or name another port")
    if number in (errno.EACCES, errno.EPERM):
        return PortDeniedError(path, "this user may not open it", _permission_mend(path))
    # pyserial tells of its failed lock without an error number of the open itself
    if number in (errno.EBUSY, errno.EAGAIN) or "exclusively lock" in str(error):
        holder = holder_of(path)
        who = f"another program has the board: {holder}" if holder else "another program has the board"
        return PortBusyError(path, who, "stop that program; this one tries again by itself")
    return PortError(path, f"it can't be opened ({error})", "unplug the board and plug it in again")


def holder_of(path: str, proc: Path = PROC) -> str | None:
    """Name and number of another process that has this device open, where /proc lets us see it."""
    wanted = os.path.realpath(path)
    for entry in sorted(proc.glob("[0-9]*")):
        if entry.name == str(os.getpid()):
            continue
        with contextlib.suppress(OSError):  # gone meanwhile, or another user's
            if any(os.path.realpath(link) == wanted for link in (entry / "fd").iterdir()):
                name = (entry / "comm").read_text(encoding="utf-8", errors="replace").strip()
                return f"{name} (process {entry.name})"
    return None


def _permission_mend(path: str) -> str:
    try:
        group = grp.getgrgid(os.stat(path).st_gid).gr_name  # noqa: PTH116  # one stat, no Path needed
    except (OSError, KeyError):
        return "run: sudo usermod -aG dialout $USER, then log in anew"
    return f"run: sudo usermod -aG {group} $USER, then log in anew"
