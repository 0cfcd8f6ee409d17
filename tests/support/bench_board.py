"""A host side and a virtual controller joined without port or thread, on a clock that only the test moves."""

from __future__ import annotations

from firmware_bridge.delivery import Timing
from firmware_bridge.events import BoardEvent, BoardLost, CellsSeen
from firmware_bridge.geometry import CellNumber, load_board
from firmware_bridge.host import HostSide
from firmware_bridge.messages import BootReason
from firmware_bridge.virtual.cows import CowWorld
from firmware_bridge.virtual.faults import FaultSet, parse_fault
from firmware_bridge.virtual.mcu import Mcu
from firmware_bridge.virtual.scan import SCAN_S


class BenchBoard:
    """Cows, faults, controller and host side; `run` lets time pass in scans of 4 ms."""

    def __init__(self, variant: str = "magnet", seed: int = 3, timing: Timing | None = None) -> None:
        self.at = 200.0
        self.world = CowWorld()
        self.faults = FaultSet(seed)
        self.mcu = Mcu(load_board(variant), "T-1", self.at, boot=5)
        self.host = HostSide(session=9, timing=timing)
        self.events: list[BoardEvent] = []
        self.bytes_down = 0
        self.packets_down = 0

    def run(self, seconds: float) -> None:
        """Let time pass."""
        end = self.at + seconds
        while self.at < end:
            self.turn()
            self.at += SCAN_S

    def turn(self) -> None:
        """Everything that can happen at this moment."""
        for _ in range(20):
            down = self.host.data_to_send(self.at)
            self.bytes_down += len(down)
            self.packets_down += down.count(0)
            self.mcu.receive(self.faults.carried(down), self.at)
            self.mcu.scan(self.faults.sensed(self.world.occupied(self.at), self.at), self.at)
            up = self.faults.carried(self.mcu.data_to_send(self.at))
            self.events += self.host.receive(up, self.at)
            if not down and not up:
                return

    def fault(self, text: str) -> None:
        """Bring a lasting fault."""
        self.faults.bring(parse_fault(text))

    def reboot(self, reason: BootReason = BootReason.RESET) -> None:
        """The controller starts anew."""
        self.mcu.reboot(reason, self.at)

    def scans(self) -> list[frozenset[int]]:
        """The occupancies seen, in order."""
        return [event.occupied for event in self.events if isinstance(event, CellsSeen)]

    def losses(self) -> list[str]:
        """The reasons told for losing the board."""
        return [event.reason for event in self.events if isinstance(event, BoardLost)]

    def truth(self) -> frozenset[CellNumber]:
        """Where the magnets really are."""
        return self.world.occupied(self.at)
