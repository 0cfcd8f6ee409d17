"""The board as the rest of the program knows it, and the factory that makes one from an address.

`virtual://magnet?seed=3&fault=weak:4`, `virtual://led`, `serial://auto`, `serial:///dev/ttyUSB0`,
`/dev/ttyUSB0`. An explicit choice never falls through to another kind of board.
"""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

from firmware_bridge.errors import AddressError
from firmware_bridge.geometry import VARIANTS
from firmware_bridge.lights import LightPlan
from firmware_bridge.link import Link, LinkState, Post
from firmware_bridge.ports import PortFinder
from firmware_bridge.transport import SerialTransport
from firmware_bridge.virtual.board import VirtualBoard

ACCEPTED = "virtual://led, virtual://magnet?seed=N&fault=NAME, serial://auto, serial:///dev/NAME or /dev/NAME"


class Board:
    """One board and its link; `virtual` is the virtual board behind it, None for a real one."""

    def __init__(self, url: str, link: Link, virtual: VirtualBoard | None = None) -> None:
        self.url = url
        self.virtual = virtual
        self._link = link

    def start(self, post: Post) -> None:
        """Start the threads; `post` is called from the thread "board" for every event and must return
        quickly.

        Raises:
            LocalProtocolError: it runs already.
        """
        if self.virtual is not None:
            self.virtual.start()
        self._link.start(post)

    def stop(self) -> None:
        """Stop and join the threads, within a second each; harmless when they don't run."""
        self._link.stop()
        if self.virtual is not None:
            self.virtual.stop()

    def show(self, plan: LightPlan) -> None:
        """Let this plan hold from now on; any thread, any rate: only the newest plan counts.

        Raises:
            AddressError: it hasn't 139 lights.
        """
        self._link.show(plan)

    def buzz(self, sound: str) -> None:
        """Sound the buzzer: `read`, `accepted`, `wrong`, `refused`, `forfeit` or `win`; any thread.

        Raises:
            AddressError: no such sound.
        """
        self._link.buzz(sound)

    @property
    def state(self) -> LinkState:
        """Where the link stands, for health and page."""
        return self._link.state


def open_board(url: str) -> Board:
    """A board by address, not started yet.

    Raises:
        AddressError: unknown scheme, variant, parameter or fault; names what is accepted.
    """
    if url.startswith("/"):
        return _serial_board(url, url)
    parts = urlsplit(url)
    match parts.scheme:
        case "virtual":
            return _virtual_board(url, parts.netloc + parts.path, parts.query)
        case "serial" if parts.netloc == "auto" and not parts.path and not parts.query:
            finder = PortFinder()
            return Board(url, Link(finder.open))
        case "serial" if not parts.netloc and len(parts.path) > 1 and not parts.query:
            return _serial_board(url, parts.path)
        case _:
            raise AddressError("board", url, ACCEPTED)


def _serial_board(url: str, path: str) -> Board:
    return Board(url, Link(lambda stopping: SerialTransport(path)))


def _virtual_board(url: str, variant: str, query: str) -> Board:
    if variant not in VARIANTS:
        raise AddressError("board", url, ", ".join(f"virtual://{name}" for name in VARIANTS))
    seed = 0
    faults: list[str] = []
    for name, value in parse_qsl(query, keep_blank_values=True):
        if name == "seed" and value.isascii() and value.isdigit():
            seed = int(value)
        elif name == "fault":
            faults.append(value)
        else:
            raise AddressError(f"board: {name}", value, "seed=N (a whole number), fault=NAME or fault=NAME:ARGUMENT")
    virtual = VirtualBoard(variant, seed=seed, faults=tuple(faults))
    return Board(url, Link(lambda stopping: SerialTransport(virtual.port)), virtual)
