"""The board as the rest of the program knows it, and the factory that makes one from a URL.

`virtual://magnet?seed=3&fault=weak:4`, `virtual://led`, `serial://auto`, `serial:///dev/ttyUSB0`,
`/dev/ttyUSB0`.
"""

from __future__ import annotations

from collections.abc import Callable

from firmware_bridge.events import BoardEvent
from firmware_bridge.lights import LightPlan
from firmware_bridge.virtual.board import VirtualBoard


class Board:
    """One board link with its own thread; `virtual` is the virtual board behind it, None for a real one."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.virtual: VirtualBoard | None = None

    def start(self, post: Callable[[BoardEvent], None]) -> None:
        """Start the thread; `post` is called from it for every event and must return quickly."""
        raise NotImplementedError

    def stop(self) -> None:
        """Stop and join the thread, within a second."""
        raise NotImplementedError

    def show(self, plan: LightPlan) -> None:
        """Let this plan hold from now on; any thread, any rate: only the newest plan counts."""
        raise NotImplementedError

    def buzz(self, sound: str) -> None:
        """Sound the buzzer: `read`, `accepted`, `wrong`, `refused`, `forfeit` or `win`; any thread."""
        raise NotImplementedError


def open_board(url: str) -> Board:
    """A board by URL, not started yet.

    Raises:
        AddressError: unknown scheme, variant, parameter or fault; names what is accepted.
    """
    return Board(url)
