"""What the page asks of the table, and what the table asks of its devices, as Protocols in our own words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole public state at one version: `body` is its JSON text, ready to send."""

    version: int
    body: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a command.

    `status` is an HTTP-like number: 200 taken, 400 unusable, 409 stale or not possible now, 503 table stopped.
    `sentence` is one line for a person; `version` is the state's version after it.
    """

    status: int
    sentence: str
    version: int


class TablePort(Protocol):
    """Everything the web package may ask of the running table; each method may be called from any thread."""

    def snapshot(self) -> Snapshot:
        """The newest public state."""

    def wait_newer(self, version: int, timeout_s: float) -> Snapshot | None:
        """Block until a state newer than `version` exists; None after `timeout_s` seconds."""

    def command(self, name: str, arguments: Mapping[str, Any], version: int, who: str) -> Answer:
        """Give the table one command made for `version`; returns after the table took or refused it."""

    def picture(self) -> bytes | None:
        """The newest camera picture with boxes as JPEG bytes, or None where there is no camera."""

    def hands(self, request: Mapping[str, Any]) -> Answer:
        """Do something with the virtual table's hands (throw, slide a cow …); 400 on a table without them."""

    def health(self) -> Mapping[str, Any]:
        """Liveness: `{"ok": bool, "version": str, "missing": [{"what", "since_s", "mend"}]}`."""
