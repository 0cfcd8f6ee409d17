"""What a connection tells its holder, frozen, and the few words it uses for where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum

from firmware_bridge.messages import MAJOR, Hello, HelloRequest, Message, Refusal


class Role(Enum):
    """Which side of the link this is."""

    HOST = "host"
    BOARD = "board"


class LinkPhase(Enum):
    """Where the conversation stands; the board's ALONE is the host's GREETING."""

    GREETING = "greeting"
    READY = "ready"
    REFUSED = "refused"


class Loss(StrEnum):
    """Why the peer counts as lost."""

    SILENT = "silent"
    REBOOTED = "rebooted"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class PeerArrived:
    """A session begins: the board's hello (on the host) or the host's hello request (on the board)."""

    hello: Hello | HelloRequest


@dataclass(frozen=True, slots=True)
class PeerRefused:
    """The board speaks another major version; nothing but hellos goes to and fro."""

    hello: Hello

    @property
    def is_board_old(self) -> bool:
        """Whether it is the board that is behind."""
        return self.hello.major < MAJOR


@dataclass(frozen=True, slots=True)
class PeerLost:
    """The session is over; what was under way or waiting is forgotten."""

    loss: Loss


@dataclass(frozen=True, slots=True)
class MessageReceived:
    """A message of the peer, each once and in order."""

    message: Message


@dataclass(frozen=True, slots=True)
class MessageTaken:
    """The peer acknowledged a message of ours."""

    message: Message


@dataclass(frozen=True, slots=True)
class MessageRefused:
    """The peer refused a message of ours."""

    message: Message
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class ChangesMissed:
    """The board had to drop change events; a snapshot is asked for already."""

    missed_count: int


LinkEvent = PeerArrived | PeerRefused | PeerLost | MessageReceived | MessageTaken | MessageRefused | ChangesMissed


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkStats:
    """Counts since the connection was made; latencies over the last messages, None before the first."""

    packets_received: int
    packets_dropped: int
    resends: int
    duplicates: int
    sessions: int
    latency_p50_s: float | None
    latency_p95_s: float | None
