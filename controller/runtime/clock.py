"""The time, as an argument: monotonic seconds for every timer and order, wall time for people's records only."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """What the service asks of a clock; both methods may be called from any thread."""

    def monotonic(self) -> float:
        """Seconds that never go back; for timers and order."""

    def wall(self) -> datetime:
        """The date and time in UTC; may be wrong until the network has set it, and may jump."""


class RealClock:
    """The machine's clock."""

    def monotonic(self) -> float:
        """Seconds since some fixed moment."""
        return time.monotonic()

    def wall(self) -> datetime:
        """Now, in UTC."""
        return datetime.now(UTC)


class ManualClock:
    """A clock that stands still until it is moved on; for tests and scripted games."""

    def __init__(self, at: float = 0.0, wall: datetime = datetime(2026, 6, 1, tzinfo=UTC)) -> None:
        self._at, self._wall = at, wall

    def monotonic(self) -> float:
        """The seconds it was moved on to."""
        return self._at

    def wall(self) -> datetime:
        """The start's wall time, moved on as far."""
        return self._wall + timedelta(seconds=self._at)

    def advance(self, seconds: float) -> float:
        """Move on, never back; returns the new time."""
        self._at += max(0.0, seconds)
        return self._at
