"""The board's firmware in the emulator, with cows and hands: what `VirtualBoard` is, but the compiled image runs.

How it works: `CowWorld` knows where the cows are, as for the virtual board. A hand changes it and sends the emulator
which switches that cow closes and opens from now on, and when: the emulator carries that out in the chip's own time.
The rest (buttons, faults, cable) are orders of the emulator's.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Mapping

from firmware_bridge.emulator.closures import Closure, closed_cell, slide_closures
from firmware_bridge.emulator.process import Emulator, EmulatorPlan
from firmware_bridge.errors import AddressError
from firmware_bridge.geometry import BEAMS, CELL_COUNT, CellNumber, load_board
from firmware_bridge.virtual.board import SLIDE_S
from firmware_bridge.virtual.cows import CowStanding, CowState, CowWorld
from firmware_bridge.virtual.faults import CLEAR, UNPLUGGED_S, BoardFaultOrder, parse_fault

BROWN_OUT_MV = 2000
BROWN_OUT_MS = 40
BOUNCE_US = 600  # a reed switch's contacts under a magnet that comes and goes
RGBValue = tuple[int, int, int]
_CELL_FAULTS = {"stuck": "closed", "weak": "weak", "ghost": "ghost", "chatter": "chatter"}


class EmulatedBoard:
    """Start, stop, hands and faults; every method may be called from any thread.

    Args:
        plan: which image, and how it runs.
        variant: `led` or `magnet`: how the board is wired, and whether cows stand on it.
    """

    def __init__(self, plan: EmulatorPlan, variant: str = "magnet") -> None:
        self.variant = variant
        self.emulator = Emulator(plan)
        self._layout = load_board(variant)
        self._lock = threading.RLock()
        self._world = CowWorld()
        self._touched: dict[str, frozenset[CellNumber]] = {cow: frozenset() for cow in BEAMS}
        self._faults: dict[str, BoardFaultOrder] = {}
        self._is_started = False

    # --- life ---

    @property
    def has_cows(self) -> bool:
        """Whether cows stand on this variant."""
        return bool(self._layout.sensors)

    def start(self) -> None:
        """Start the emulator, the cows where they are; raises as `Emulator.start`."""
        self.emulator.start()
        with self._lock:
            self._is_started = True
            self.emulator.control.order("bounce", BOUNCE_US)
            self._stand(BEAMS)

    def stop(self) -> None:
        """End the emulator; harmless when it doesn't run."""
        with self._lock:
            self._is_started = False
        self.emulator.stop()

    @property
    def port(self) -> str:
        """The device path the host has to open now; raises PortMissingError while unplugged."""
        return self.emulator.port

    # --- eyes ---

    def leds(self) -> tuple[RGBValue, ...]:
        """What the LED of each cell shows now, red, green and blue 0..255, by cell number."""
        answer = self.emulator.control.order("leds")
        strip = bytes.fromhex(answer.get("rgb", "")).ljust(3 * CELL_COUNT, b"\0")
        return tuple(_rgb(strip, self._layout.led(CellNumber(cell))) for cell in range(CELL_COUNT))

    def cows(self) -> tuple[CowStanding, ...]:
        """The nine cows in beam order; none on an LED board."""
        with self._lock:
            return self._world.cows(time.monotonic()) if self.has_cows else ()

    def faults(self) -> tuple[str, ...]:
        """The lasting faults it has now."""
        with self._lock:
            return tuple(str(fault) for fault in self._faults.values())

    # --- hands ---

    def slide(self, cow: str, to_place: int, seconds: float = SLIDE_S) -> None:
        """Slide a cow along the beam it stands on; raises AddressError as `CowWorld.slide`."""
        self._need_cows()
        with self._lock:
            at = time.monotonic()
            before = {standing.cow: standing for standing in self._world.cows(at)}.get(cow)
            self._world.slide(cow, to_place, seconds, at)
            assert before is not None  # else the world would have refused
            if before.beam is None or before.place is None or seconds <= 0:
                self._stand((cow,))
            else:
                self._send(cow, closed_cell(before), slide_closures(before.beam, before.place, to_place, seconds))

    def lift(self, cow: str) -> None:
        """Take a cow off the board."""
        self._need_cows()
        with self._lock:
            self._world.lift(cow)
            self._stand((cow,))

    def put(self, cow: str, beam: str, place: int) -> None:
        """Stand a cow on any free cell, also of another beam; raises AddressError as `CowWorld.put`."""
        self._need_cows()
        with self._lock:
            self._world.put(cow, beam, place, time.monotonic())
            self._stand((cow,))

    def knock(self, cow: str) -> None:
        """Topple a cow where it stands; raises AddressError as `CowWorld.knock`."""
        self._need_cows()
        with self._lock:
            self._world.knock(cow, time.monotonic())
            self._stand((cow,))

    def set_up(self, places: Mapping[str, int] | None = None) -> None:
        """Somebody sets all cows on their own beams: at these places, or 0 where none is given."""
        self._need_cows()
        with self._lock:
            self._world.set_up(places or {})
            self._stand(BEAMS)

    def press(self, button: str) -> None:
        """Press the board's one button.

        Raises:
            AddressError: it has another name than `done`.
        """
        if button != "done":
            raise AddressError("button", button, "done; this controller has no other")
        self.emulator.control.order("press", 120, 2000)

    def fault(self, text: str) -> None:
        """Bring a fault by name, `none` to end all lasting ones; raises AddressError naming the known ones."""
        fault = parse_fault(text)
        with self._lock:
            self._bring(fault)

    # --- below ---

    def _need_cows(self) -> None:
        if not self.has_cows:
            raise AddressError("hands", f"a cow on the {self.variant} board", "a magnet board; here cows are light")

    def _stand(self, cows: Iterable[str]) -> None:
        """Tell the emulator what these cows close where they are, now that none of them slides."""
        standings = {standing.cow: standing for standing in self._world.cows(time.monotonic())}
        for cow in cows:
            if standings[cow].state is not CowState.SLIDING:
                self._send(cow, closed_cell(standings[cow]), ())

    def _send(self, cow: str, now_closed: CellNumber | None, closures: tuple[Closure, ...]) -> None:
        """This cow closes one cell now and does that next; what its last slide still had to do is dropped."""
        if not self._is_started or not self.has_cows:
            return
        others = frozenset[CellNumber]().union(*(cells for other, cells in self._touched.items() if other != cow))
        opened = self._touched[cow] - others - {now_closed}
        told = [(0.0, cell, False) for cell in sorted(opened)]
        if now_closed is not None:
            told.append((0.0, now_closed, True))
        told += [(closure.after_ms, closure.cell, closure.is_closed) for closure in closures]
        self.emulator.control.order("plan", BEAMS.index(cow), *(self._planned(*one) for one in told))
        touched = {closure.cell for closure in closures} | ({now_closed} if now_closed is not None else set())
        self._touched[cow] = frozenset(touched)

    def _planned(self, after_ms: float, cell: CellNumber, is_closed: bool) -> str:
        return f"{after_ms:g}:{self._layout.sensor(cell)}:{'on' if is_closed else 'off'}"

    def _bring(self, fault: BoardFaultOrder) -> None:
        order = self.emulator.control.order
        match fault.name:
            case "reboot":
                order("reset")
            case "brown-out":
                order("supply", BROWN_OUT_MV, BROWN_OUT_MS)
            case "unplug":
                order("unplug", 1000 * (fault.argument or UNPLUGGED_S))
            case name if name == CLEAR:
                for lasting in self._faults.values():
                    if lasting.name in _CELL_FAULTS:
                        order("spoil", self._input(lasting), "free")
                self._faults.clear()
                order("line", "both", 0)
            case name if name in _CELL_FAULTS:
                self._faults[str(fault)] = fault
                order("spoil", self._input(fault), _CELL_FAULTS[name])
            case _:
                self._faults[fault.name] = fault
                self._spoil_line()

    def _spoil_line(self) -> None:
        """`silent`, `drop` and `corrupt` together."""
        dropped = 100 if "silent" in self._faults else self._percent("drop")
        self.emulator.control.order("line", "both", self._percent("corrupt"), dropped)

    def _percent(self, name: str) -> int:
        fault = self._faults.get(name)
        return fault.argument or 0 if fault else 0

    def _input(self, fault: BoardFaultOrder) -> int:
        return self._layout.sensor(CellNumber(fault.argument or 0))


def _rgb(strip: bytes, led: int) -> RGBValue:
    red, green, blue = strip[3 * led : 3 * led + 3]
    return red, green, blue
