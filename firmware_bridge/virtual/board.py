"""A whole virtual board: controller, cows and hands behind a pseudo-terminal that speaks the real packets.

How it works: the thread "virtual-board" owns the pseudo-terminal's master; the host opens the slave as it
would open any serial port. Hands and faults come from other threads: they change the world under a lock
that is held for microseconds and wake the thread. The thread sleeps until bytes come, the link's deadline
passes or it is woken; it scans every 4 ms only while something moves, settles or flickers.
"""

from __future__ import annotations

import contextlib
import os
import select
import threading
import time
import tty
from collections.abc import Iterator, Mapping
from random import Random

from firmware_bridge.errors import AddressError, LocalProtocolError, PortMissingError
from firmware_bridge.geometry import load_board
from firmware_bridge.lights import DARK_PLAN, LightPlan
from firmware_bridge.messages import BootReason, Button
from firmware_bridge.transport import READ_BYTES, Waker
from firmware_bridge.virtual.cows import CowStanding, CowState, CowWorld
from firmware_bridge.virtual.faults import CLEAR, BoardFaultOrder, FaultSet, parse_fault
from firmware_bridge.virtual.mcu import Mcu
from firmware_bridge.virtual.scan import SCAN_S

STOP_S = 1.0
SLIDE_S = 0.6  # a cow moved by a calm hand over a few cells

__all__ = ["CowStanding", "CowState", "VirtualBoard"]


class VirtualBoard:
    """Start, stop, hands and faults; every method may be called from any thread.

    Args:
        variant: `led` or `magnet`.
        seed: of everything that looks random in the faults.
        faults: to begin with, in text form.

    Raises:
        AddressError: no such variant or fault.
    """

    def __init__(self, variant: str = "magnet", *, seed: int = 0, faults: tuple[str, ...] = ()) -> None:
        self.variant = variant
        self._layout = load_board(variant)
        self._lock = threading.Lock()
        self._faults = FaultSet(seed)
        self._world = CowWorld()
        boot = Random(seed).randrange(1, 0x10000)
        self._mcu = Mcu(self._layout, f"VB-{seed}", time.monotonic(), boot=boot)
        self._line: _Line | None = None
        self._hung: _Line | None = None
        self._plug_at: float | None = None
        self._thread: threading.Thread | None = None
        self._waker: Waker | None = None
        for text in faults:
            self.fault(text)

    # --- life ---

    @property
    def has_cows(self) -> bool:
        """Whether cows stand on this variant; on an LED board they are light."""
        return self.variant != "led"

    def start(self) -> None:
        """Open the pseudo-terminal and start the thread; raises LocalProtocolError when it runs already."""
        if self._thread is not None:
            raise LocalProtocolError("the virtual board was started twice")
        with self._lock:
            self._line = self._line or _Line()
            self._waker = Waker()
        self._thread = threading.Thread(target=self._run, args=(self._waker,), name="virtual-board", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop and join the thread, close the pseudo-terminal; harmless when it doesn't run."""
        thread, self._thread = self._thread, None
        if thread is None or self._waker is None:
            return
        waker = self._waker
        with self._lock:
            self._waker = None
        waker.wake()
        thread.join(STOP_S)
        waker.close()
        with self._lock:
            for line in (self._line, self._hung):
                if line is not None:
                    line.close()
            self._line = self._hung = None

    @property
    def port(self) -> str:
        """The device path the host has to open now; changes with every `unplug`.

        Raises:
            PortMissingError: not started, or unplugged at the moment.
        """
        with self._lock:
            if self._line is None:
                raise PortMissingError(f"virtual://{self.variant}", "it is unplugged", "it comes back by itself")
            return self._line.path

    # --- eyes ---

    def lights(self) -> LightPlan:
        """What the board shows now; dark while it is unplugged."""
        with self._lock:
            return DARK_PLAN if self._line is None else self._mcu.shown

    def level(self) -> int:
        """At which brightness 0..255 it shows that."""
        with self._lock:
            return self._mcu.level

    def sounds(self) -> tuple[str, ...]:
        """The last sounds the buzzer made, the newest last."""
        with self._lock:
            return tuple(sound.name.lower() for sound in self._mcu.sounds)

    def cows(self) -> tuple[CowStanding, ...]:
        """The nine cows in beam order; none on an LED board."""
        with self._lock:
            return self._world.cows(time.monotonic()) if self._layout.sensors else ()

    def faults(self) -> tuple[str, ...]:
        """The lasting faults it has now."""
        with self._lock:
            return self._faults.names()

    # --- hands ---

    def slide(self, cow: str, to_place: int, seconds: float = SLIDE_S) -> None:
        """Slide a cow along the beam it stands on; cells on the way fire, with gaps between them."""
        with self._hand():
            self._world.slide(cow, to_place, seconds, time.monotonic())

    def lift(self, cow: str) -> None:
        """Take a cow off the board."""
        with self._hand():
            self._world.lift(cow)

    def put(self, cow: str, beam: str, place: int) -> None:
        """Stand a cow on any free cell, also of another beam; sets a toppled one up again."""
        with self._hand():
            self._world.put(cow, beam, place, time.monotonic())

    def knock(self, cow: str) -> None:
        """Topple a cow where it stands: its magnet leaves the cell."""
        with self._hand():
            self._world.knock(cow, time.monotonic())

    def set_up(self, places: Mapping[str, int] | None = None) -> None:
        """Somebody sets all cows on their own beams: at these places, or 0 where none is given."""
        with self._hand():
            self._world.set_up(places or {})

    def press(self, button: str) -> None:
        """Press a button: `done`, `undo` or `new-game`."""
        name = button.upper().replace("-", "_")
        if name not in Button.__members__:
            raise AddressError("button", button, "done, undo, new-game")
        with self._lock:
            self._mcu.press(Button[name], time.monotonic())
        self._wake()

    def turn(self, steps: int) -> None:
        """Turn the knob; positive is clockwise."""
        with self._lock:
            self._mcu.turn(steps, time.monotonic())
        self._wake()

    def fault(self, text: str) -> None:
        """Bring a fault by name, `none` to end all lasting ones; raises AddressError naming the known
        ones."""
        fault = parse_fault(text)
        with self._lock:
            self._bring(fault, time.monotonic())
        self._wake()

    @contextlib.contextmanager
    def _hand(self) -> Iterator[None]:
        """Do something to the cows: under the lock, and the thread looks at once."""
        if not self._layout.sensors:
            raise AddressError("hands", f"a cow on the {self.variant} board", "a magnet board; here cows are light")
        with self._lock:
            yield
        self._wake()

    def _bring(self, fault: BoardFaultOrder, at: float) -> None:
        match fault.name:
            case "reboot":
                self._mcu.reboot(BootReason.RESET, at)
            case "brown-out":
                self._mcu.reboot(BootReason.BROWN_OUT, at)
            case "unplug":
                self._plug_at = at + (fault.argument or 0)
            case _:
                if fault.name == CLEAR and self._plug_at is not None:
                    self._plug_at = at
                self._faults.bring(fault)

    def _wake(self) -> None:
        waker = self._waker
        if waker is not None:
            waker.wake()

    # --- the thread ---

    def _run(self, waker: Waker) -> None:
        while self._waker is waker:
            with self._lock:
                line, wait_s = self._line, self._wait_s(time.monotonic())
            fds = [waker.fileno(), *(line.fds() if line else [])]
            ready, _, _ = select.select(fds, [], [], wait_s)
            if waker.fileno() in ready:
                waker.drain()
            with self._lock:
                self._turn(time.monotonic())

    def _turn(self, at: float) -> None:
        """One turn of the main loop: plug, bytes in, scan, bytes out."""
        self._plug(at)
        if self._line is None:
            return  # the cable is the board's supply too
        data = self._line.read()
        self._mcu.receive(self._faults.carried(data), at)
        self._mcu.scan(self._faults.sensed(self._world.occupied(at), at), at)
        out = self._faults.carried(self._mcu.data_to_send(at))
        self._line.write(out)

    def _plug(self, at: float) -> None:
        """The cable, after `unplug`: out at once, back in when the time has come, under another name."""
        if self._plug_at is None:
            return
        if self._line is not None:
            # the system gives a free name again at once: it is kept busy until the new line has one
            self._line.hang_up()
            self._hung, self._line = self._line, None
        if at >= self._plug_at:
            self._plug_at = None
            self._line = _Line()
            self._mcu.reboot(BootReason.POWER, at)
            if self._hung is not None:
                self._hung.close()
                self._hung = None

    def _wait_s(self, at: float) -> float | None:
        if self._line is None:
            return None if self._plug_at is None else max(0.0, self._plug_at - at)
        is_busy = self._world.is_moving(at) or self._faults.is_restless or self._mcu.is_settling
        times = [self._mcu.deadline(at), self._plug_at, at + SCAN_S if is_busy else None]
        nearest = min((when for when in times if when is not None), default=None)
        return None if nearest is None else max(0.0, nearest - at)


class _Line:
    """A pseudo-terminal: the master is ours, the slave is what the host opens.

    We hold the slave open too: else the master would report an error whenever the host isn't there.
    """

    def __init__(self) -> None:
        self._master: int | None
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path = os.ttyname(self._slave)

    def fds(self) -> list[int]:
        """What to wait on."""
        return [] if self._master is None else [self._master]

    def read(self) -> bytes:
        """The bytes the host wrote."""
        if self._master is not None:
            with contextlib.suppress(BlockingIOError):
                return os.read(self._master, READ_BYTES)
        return b""

    def write(self, data: bytes) -> None:
        """Write what fits; the rest is lost, as on a line nobody reads."""
        if self._master is not None and data:
            with contextlib.suppress(BlockingIOError):
                os.write(self._master, data)

    def hang_up(self) -> None:
        """The port vanishes; its name stays taken until `close`."""
        if self._master is not None:
            os.close(self._master)
            self._master = None

    def close(self) -> None:
        """Close both ends and give the name back."""
        self.hang_up()
        os.close(self._slave)
