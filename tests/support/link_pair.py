"""Two ends of a link joined by a channel that a test may make lossy, with a clock that only the test moves."""

from __future__ import annotations

from collections.abc import Callable

from firmware_bridge.connection import Connection
from firmware_bridge.delivery import Timing
from firmware_bridge.link_events import LinkEvent, LinkPhase, MessageReceived, Role
from firmware_bridge.messages import BootReason, Hello, Message

Channel = Callable[[bytes], bytes]
SENSORS = frozenset({"sensors", "lights", "buzzer"})


def a_hello(boot: int = 7, **changed: object) -> Hello:
    """A board's hello."""
    values: dict[str, object] = {
        "boot": boot,
        "boot_reason": BootReason.POWER,
        "variant": "magnet",
        "capabilities": SENSORS,
        "supply_ma": 4000,
        "serial": "T-1",
        "build": "test-1",
    }
    return Hello(**(values | changed))  # type: ignore[arg-type]  # the values are checked by packing them


def clean(data: bytes) -> bytes:
    """A channel that carries all."""
    return data


class Pair:
    """A host and a board; `step` carries what there is, `run` lets time pass from deadline to deadline."""

    def __init__(self, to_board: Channel = clean, to_host: Channel = clean, timing: Timing | None = None) -> None:
        self.at = 100.0
        self.timing = timing
        self.to_board, self.to_host = to_board, to_host
        self.host = Connection(Role.HOST, session=1, timing=timing)
        self.board = Connection(Role.BOARD, hello=a_hello(), timing=timing)
        self.host_events: list[LinkEvent] = []
        self.board_events: list[LinkEvent] = []

    def step(self) -> bool:
        """Carry what both ends have to send now; whether there was anything."""
        out = self.host.data_to_send(self.at)
        back = self.board.data_to_send(self.at)
        self.board_events += self.board.receive(self.to_board(out), self.at)
        self.host_events += self.host.receive(self.to_host(back), self.at)
        return bool(out or back)

    def settle(self) -> None:
        """Carry all there is without letting time pass."""
        while self.step():
            pass

    def run(self, seconds: float) -> None:
        """Let time pass."""
        end = self.at + seconds
        self.settle()
        while True:
            deadlines = [when for when in (self.host.deadline(), self.board.deadline()) if when is not None]
            nearest = min(deadlines, default=end)
            if nearest >= end:
                break
            self.at = max(self.at, nearest)
            self.settle()
        self.at = end
        self.settle()

    def reboot(self, boot: int) -> None:
        """The board starts anew: whatever it knew is gone."""
        self.board = Connection(Role.BOARD, hello=a_hello(boot), timing=self.timing)

    def is_ready(self) -> bool:
        """Whether both ends are in a session."""
        return self.host.phase is LinkPhase.READY and self.board.phase is LinkPhase.READY

    def host_got(self) -> list[Message]:
        """The messages the host received, in order."""
        return [event.message for event in self.host_events if isinstance(event, MessageReceived)]

    def board_got(self) -> list[Message]:
        """The messages the board received, in order."""
        return [event.message for event in self.board_events if isinstance(event, MessageReceived)]
