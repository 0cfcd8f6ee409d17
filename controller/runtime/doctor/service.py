"""Whether the service runs already: then its devices are its own, and it is asked instead of them. Also its port."""

from __future__ import annotations

import errno
import http.client
import json
import os
import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controller.config import Config
from controller.runtime.doctor.check import Check, Verdict, World

ANSWER_S = 1.0
PORTS_TRIED = 10  # as many as the service tries when its port is taken


@dataclass(frozen=True, slots=True)
class Found:
    """A service that runs: by whom its journal is held, where its page answers, what it says of its devices."""

    holder: str | None = None
    port: int | None = None
    version: str | None = None
    devices: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def is_running(self) -> bool:
        """Whether any sign of it was found."""
        return self.holder is not None or self.port is not None


def find_service(world: World, config: Config) -> Found:
    """Look for it without touching it: its lock in the system's list, an answer at its page."""
    holder = lock_holder(world, config.journal_path)
    port = config.page.port
    ports = range(port, min(port + (PORTS_TRIED if holder else 1), 65536)) if port else ()
    for candidate in ports:
        version = _version_at(reachable(config.page.host), candidate)
        if version is not None:
            return Found(holder, candidate, version, _devices_at(reachable(config.page.host), candidate))
    return Found(holder)


def lock_holder(world: World, journal: Path) -> str | None:
    """Who holds the journal's lock, from /proc/locks; None if nobody does."""
    lock = journal.with_name(f"{journal.name}.lock")
    try:
        inode = os.stat(lock).st_ino  # noqa: PTH116  # one stat, no Path needed
    except OSError:
        return None
    listed = re.search(rf"FLOCK +\S+ +WRITE +(-?\d+) \w+:\w+:{inode} ", world.text("proc/locks") or "")
    if listed is None:
        return None
    name = world.text(f"proc/{listed[1]}/comm")
    return f"{name} (process {listed[1]})" if name else "a process of another user"


def service_check(found: Found, version: str) -> Check:
    """Whether a service runs, where, and whether it is this version."""
    if not found.is_running:
        return Check("service", Verdict.OK, "No service runs; everything is asked directly.")
    holder = found.holder or "a process"
    if found.port is None:
        mend = "If the table doesn't answer on its page, stop that process and start the table again."
        return Check("service", Verdict.UNKNOWN, f"{holder} holds the journal, but no page was found.", mend)
    where = f"{holder} serves the page on port {found.port}"
    if found.version != version:
        mend = "Start the table again, so that the newer one runs."
        return Check("service", Verdict.WRONG, f"{where}: version {found.version}, while this is {version}.", mend)
    return Check("service", Verdict.OK, f"{where}; its devices are left to it.")


def told_by_service(name: str, found: Found) -> Check:
    """What the running service says of one of its devices."""
    device = found.devices.get(name)
    if device is None:
        return Check(name, Verdict.UNKNOWN, "The running service has it, and doesn't say how it is.")
    state, sentence = str(device.get("state", "")), str(device.get("sentence", ""))
    told = f"The running service says: {state}{f', {sentence}' if sentence else ''}".rstrip(".") + "."
    verdict = {"ready": Verdict.OK, "off": Verdict.NOT_HERE, "missing": Verdict.WRONG, "lost": Verdict.WRONG}
    mend = str(device.get("mend", "")) if state in ("missing", "lost") else ""
    return Check(name, verdict.get(state, Verdict.UNKNOWN), told, mend)


def port_check(world: World, config: Config, found: Found) -> Check:
    """Whether the page's port is free, or served by us already."""
    host, port = config.page.host, config.page.port
    if port == 0:
        return Check("port", Verdict.OK, "The system chooses a free port.")
    if found.port is not None:
        return Check("port", Verdict.OK, f"Port {found.port} is served by the running table.")
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, socket.SOCK_STREAM) as listening:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
            listening.listen(1)
    except OSError as error:  # a host that can't be found is one too
        return _port_refused(world, host, port, error)
    return Check("port", Verdict.OK, f"Port {port} is free.")


def _port_refused(world: World, host: str, port: int, error: OSError) -> Check:
    if error.errno == errno.EADDRINUSE:
        who = port_holder(world, port) or "another program"
        mend = "Stop it, or set page.port; the table takes the next free port meanwhile."
        return Check("port", Verdict.WRONG, f"Port {port} is taken by {who}.", mend)
    if error.errno == errno.EACCES:
        mend = "Set page.port to 1024 or more."
        return Check("port", Verdict.WRONG, f"Port {port} is for the system's own programs only.", mend)
    mend = "Set page.host to 0.0.0.0 or to an address of this machine."
    return Check("port", Verdict.WRONG, f"{host} is no address of this machine ({error.strerror}).", mend)


def port_holder(world: World, port: int) -> str | None:
    """Name and number of the process that listens on a port, where /proc lets us see it."""
    sockets = set()
    for table in ("proc/net/tcp", "proc/net/tcp6"):
        for line in (world.text(table) or "").splitlines()[1:]:
            fields = line.split()
            if len(fields) > 9 and fields[3] == "0A" and int(fields[1].rpartition(":")[2], 16) == port:
                sockets.add(f"socket:[{fields[9]}]")
    for process in sorted((world.root / "proc").glob("[0-9]*")) if sockets else ():
        try:
            is_it = any(os.readlink(handle) in sockets for handle in (process / "fd").iterdir())  # noqa: PTH115
        except OSError:  # gone meanwhile, or another user's
            continue
        if is_it:
            return f"{world.text(f'proc/{process.name}/comm')} (process {process.name})"
    return None


def reachable(host: str) -> str:
    """Where a page that listens on this host is asked from here."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)


def _version_at(host: str, port: int) -> str | None:
    """The version of our service at this port; None where there is none, or another program."""
    answer = _ask(host, port, "/healthz")
    version = None if answer is None else answer.get("version")
    return version if answer is not None and "missing" in answer and isinstance(version, str) else None


def _devices_at(host: str, port: int) -> Mapping[str, Mapping[str, Any]]:
    devices = (_ask(host, port, "/api/state") or {}).get("devices")
    return devices if isinstance(devices, dict) else {}


def _ask(host: str, port: int, path: str) -> dict[str, Any] | None:
    connection = http.client.HTTPConnection(host, port, timeout=ANSWER_S)
    try:
        connection.request("GET", path)
        answer = json.loads(connection.getresponse().read())
    except (OSError, http.client.HTTPException, ValueError):
        return None
    finally:
        connection.close()
    return answer if isinstance(answer, dict) else None
