"""What devices the table has, which are missing since when, and the mend; written by any thread, read by any thread."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

STATES = ("ready", "starting", "missing", "lost", "off")


@dataclass(frozen=True, slots=True)
class Device:
    """One device as people see it: `state` is one of STATES, `since` monotonic seconds."""

    state: str = "starting"
    name: str = ""
    can: tuple[str, ...] = ()
    sentence: str = ""
    mend: str = ""
    since: float = 0.0

    def public(self) -> dict[str, Any]:
        """The JSON form for the page."""
        shown: dict[str, Any] = {"state": self.state, "name": self.name, "sentence": self.sentence}
        if self.can:
            shown["can"] = list(self.can)
        if self.mend:
            shown["mend"] = self.mend
        return shown


class Health:
    """The devices by name (`board`, `camera`, `panel`, `journal`). Thread-safe; holds no device."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._devices: dict[str, Device] = {}

    def report(self, what: str, device: Device) -> bool:
        """Set a device's state; True when that changed anything but the time."""
        with self._lock:
            old = self._devices.get(what)
            if old is not None and replace(old, since=device.since) == device:
                return False
            self._devices[what] = device
            return True

    def devices(self) -> Mapping[str, Device]:
        """A copy of the devices as they are now."""
        with self._lock:
            return dict(self._devices)

    def missing(self, now: float) -> list[dict[str, Any]]:
        """What isn't there, since how many seconds, and the mend; a device that is off isn't missed."""
        return [
            {
                "what": what,
                "since_s": round(now - device.since, 1),
                "sentence": device.sentence,
                "mend": device.mend,
            }
            for what, device in self.devices().items()
            if device.state in ("missing", "lost")
        ]
