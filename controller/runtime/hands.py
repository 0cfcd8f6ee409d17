"""The virtual table's hands: throw, keep, slide, lift and knock, each taking the time a real hand would.

Rules of this file: the hands touch only the virtual tray and the virtual board, never the game. What they did reaches
the table through pictures and packets, as on the real one.

How it works: a request becomes a few acts with delays (`acts_for`, pure); `Hands` keeps them in order of their time
and carries out those that are due, in its own thread or when a test with a manual clock says so. Dice that were taken
up fall once the camera has had the pictures it needs to see that, however busy the machine is.
"""

from __future__ import annotations

import heapq
import itertools
import logging
import math
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from controller.errors import InputError
from controller.games.cosmic_cows import BEAMS
from controller.runtime.clock import Clock

log = logging.getLogger(__name__)

PICK_UP_S = 0.9  # dice are out of the tray this long before they fall: three still pictures at 5 a second and one more
PICTURES_WITHOUT = 5  # one that shows the motion and three alike have been looked at when the fifth is given
LONGEST_PICK_UP_S = 4.0  # then they fall even unseen: the camera may be unplugged
PEEK_S = 0.05
SLIDE_S_PER_CELL = 0.12
PLACE_RANGE = range(-8, 9)
PICTURE_SHAPE = 0.75  # height by width of the virtual tray and its pictures


class Tray(Protocol):
    """What the hands can do to the virtual tray."""

    def throw(self, *, colour: str, keep: frozenset[int], count: int) -> None: ...
    def pick_up(self, indices: frozenset[int]) -> None: ...
    def put_in_rail(self, index: int) -> None: ...
    def nudge(self, index: int) -> None: ...
    def clear(self) -> None: ...
    def fault(self, name: str) -> None: ...
    def dice(self) -> tuple[Any, ...]: ...


class Cows(Protocol):
    """What the hands can do to the virtual board."""

    @property
    def has_cows(self) -> bool: ...
    def slide(self, cow: str, to_place: int, seconds: float) -> None: ...
    def lift(self, cow: str) -> None: ...
    def put(self, cow: str, beam: str, place: int) -> None: ...
    def knock(self, cow: str) -> None: ...
    def set_up(self, places: Mapping[str, int]) -> None: ...
    def press(self, button: str) -> None: ...
    def fault(self, text: str) -> None: ...


Act = Callable[[], None]


@dataclass(frozen=True, slots=True)
class ThrowWish:
    """Whose dice are thrown and how many; told by the game's state, since each side has its own set."""

    colour: str = "white"
    count: int = 5


class Hands:
    """Carries out requests over time; `request` may be called from any thread."""

    def __init__(
        self,
        tray: Tray | None,
        cows: Cows | None,
        clock: Clock,
        wish: Callable[[], ThrowWish],
        record_places: Callable[[], Mapping[str, int]],
    ) -> None:
        """`cows` is the virtual board; on one without cows (an LED board) only its buttons and faults are at hand."""
        self._tray, self._cows, self._clock = tray, cows, clock
        self._wish, self._record_places = wish, record_places
        self._pictures: Callable[[], int] | None = None
        self._throw_number = 0
        self._order = itertools.count()
        self._due: list[tuple[float, int, Act]] = []
        self._wake = threading.Condition()
        self._is_stopping = False
        self._thread = threading.Thread(target=self._run, name="hands", daemon=True)

    def watched_by(self, picture_count: Callable[[], int]) -> None:
        """From now on dice fall only after a camera, which has given so many pictures, can have seen them taken up."""
        self._pictures = picture_count

    def start(self) -> None:
        """Start the hands' own thread."""
        self._thread.start()

    def stop(self) -> None:
        """Let go of what is still to be done, and end the thread."""
        with self._wake:
            self._is_stopping = True
            self._wake.notify()
        if self._thread.is_alive():
            self._thread.join()

    def request(self, request: Mapping[str, Any]) -> None:
        """Begin what is asked.

        Raises:
            InputError: names the field, what was seen and what is accepted; nothing was done.
        """
        self._plan(self.acts_for(request))
        self.run_due()  # what begins at once has begun when the next request comes

    def after(self, delay_s: float, request: Mapping[str, Any]) -> None:
        """Begin what is asked so many seconds from now; raises InputError at once."""
        self._plan(tuple((delay_s + later_s, act) for later_s, act in self.acts_for(request)))
        if not self._thread.is_alive():
            self.run_due()

    def nearest_die(self, x: float, y: float) -> int | None:
        """The number of the die that lies nearest to this place (shares of the picture's width), None for none."""
        lying = [die for die in self._tray.dice() if not die.in_hand] if self._tray is not None else []
        by_way = {die.id: math.hypot(die.x - x, die.y * PICTURE_SHAPE - y) for die in lying}
        return min(by_way, key=lambda number: by_way[number], default=None)

    def _plan(self, acts: tuple[tuple[float, Act], ...]) -> None:
        now = self._clock.monotonic()
        with self._wake:
            for delay_s, act in acts:
                heapq.heappush(self._due, (now + delay_s, next(self._order), act))
            self._wake.notify()

    def run_due(self) -> None:
        """Carry out everything whose time has come."""
        while True:
            with self._wake:
                if not self._due or self._due[0][0] > self._clock.monotonic():
                    return
                act = heapq.heappop(self._due)[2]
            try:
                act()
            except (ValueError, IndexError) as error:
                # A die or cow that was there when it was asked for may be gone by now, as in life.
                log.info("the hands could not do that: %s", error)

    def acts_for(self, request: Mapping[str, Any]) -> tuple[tuple[float, Act], ...]:
        """The acts of a request with their delays in seconds; raises InputError."""
        name = request.get("do")
        if not isinstance(name, str):
            raise InputError("do", name, ", ".join((*_TRAY_REQUESTS, *_COW_REQUESTS, "fault")))
        if name in _TRAY_REQUESTS:
            if self._tray is None:
                raise InputError("do", name, "nothing here: the tray is real, use your hands")
            return _TRAY_REQUESTS[name](self, self._tray, request)
        if name in _COW_REQUESTS:
            if self._cows is None or (name != "press" and not self._cows.has_cows):
                raise InputError("do", name, "nothing here: the board has no virtual cows")
            return _COW_REQUESTS[name](self, self._cows, request)
        if name == "fault":
            return self._fault(request)
        raise InputError("do", name, ", ".join((*_TRAY_REQUESTS, *_COW_REQUESTS, "fault")))

    def _throw(self, tray: Tray, request: Mapping[str, Any]) -> tuple[tuple[float, Act], ...]:
        ids = {die.id for die in tray.dice()}
        keep = _dice(request, "keep", ids)
        wish = self._wish()
        taken = frozenset(die.id for die in tray.dice() if die.id not in keep and not die.in_rail)
        return self._pick_up_and_let_fall(
            tray.clear if wish.count < 5 else lambda: tray.pick_up(taken),
            lambda: tray.throw(colour=wish.colour, keep=keep, count=wish.count),
        )

    def _pick_up_and_let_fall(self, pick_up: Act, let_fall: Act) -> tuple[tuple[float, Act], ...]:
        """Two acts, the second put off until the first was seen; a throw begun meanwhile takes over what is in hand."""
        number, begun_at, begun_with = 0, 0.0, 0

        def begin() -> None:
            nonlocal number, begun_at, begun_with
            pick_up()
            number = self._throw_number = self._throw_number + 1
            begun_at, begun_with = self._clock.monotonic(), self._pictures() if self._pictures else 0

        def end() -> None:
            if number != self._throw_number:
                return
            was_seen = self._pictures is None or self._pictures() - begun_with >= PICTURES_WITHOUT
            if was_seen or self._clock.monotonic() - begun_at >= LONGEST_PICK_UP_S:
                let_fall()
            else:
                self._plan(((PEEK_S, end),))

        return ((0.0, begin), (PICK_UP_S, end))

    def _pick_up(self, tray: Tray, request: Mapping[str, Any]) -> tuple[tuple[float, Act], ...]:
        taken = _dice(request, "dice", {die.id for die in tray.dice()})
        return ((0.0, lambda: tray.pick_up(taken)),)

    def _rail(self, tray: Tray, request: Mapping[str, Any]) -> tuple[tuple[float, Act], ...]:
        kept = sorted(_dice(request, "dice", {die.id for die in tray.dice()}))
        return tuple((0.0, lambda die=die: tray.put_in_rail(die)) for die in kept)

    def _nudge(self, tray: Tray, request: Mapping[str, Any]) -> tuple[tuple[float, Act], ...]:
        ids = {die.id for die in tray.dice()}
        die = request.get("die")
        if not isinstance(die, int) or isinstance(die, bool) or die not in ids:
            raise InputError("die", die, f"one of {sorted(ids)}")
        return ((0.0, lambda: tray.nudge(die)),)

    def _slide(self, cows: Cows, request: Mapping[str, Any]) -> tuple[tuple[float, Act], ...]:
        beam = _beam(request, "beam")
        place = _place_on(beam, request)
        start = self._record_places().get(beam, 0)
        seconds = min(1.2, max(1, abs(place - start)) * SLIDE_S_PER_CELL)
        return ((0.0, lambda: cows.slide(beam, place, seconds)),)

    def _lift(self, cows: Cows, request: Mapping[str, Any]) -> tuple[tuple[float, Act], ...]:
        beam = _beam(request, "beam")
        return ((0.0, lambda: cows.lift(beam)),)

    def _put(self, cows: Cows, request: Mapping[str, Any]) -> tuple[tuple[float, Act], ...]:
        beam = _beam(request, "beam")
        on = _beam(request, "on") if request.get("on") is not None else beam
        place = _place_on(on, request)
        return ((0.0, lambda: cows.put(beam, on, place)),)

    def _knock(self, cows: Cows, request: Mapping[str, Any]) -> tuple[tuple[float, Act], ...]:
        beam = _beam(request, "beam")
        return ((0.0, lambda: cows.knock(beam)),)

    def _tidy(self, cows: Cows, request: Mapping[str, Any]) -> tuple[tuple[float, Act], ...]:
        del request
        return ((0.0, lambda: cows.set_up(self._record_places())),)

    def _press(self, cows: Cows, request: Mapping[str, Any]) -> tuple[tuple[float, Act], ...]:
        button = request.get("button")
        if button not in ("done", "undo", "new-game"):
            raise InputError("button", button, "done, undo, new-game")
        return ((0.0, lambda: cows.press(button)),)

    def _fault(self, request: Mapping[str, Any]) -> tuple[tuple[float, Act], ...]:
        """Faults are tried at once, so that a wrong name is refused at once."""
        of, name = request.get("of"), request.get("name")
        if not isinstance(name, str):
            raise InputError("name", name, "the name of a fault")
        device = {"camera": self._tray, "board": self._cows}.get(of) if isinstance(of, str) else None
        if device is None:
            raise InputError("of", of, "camera or board, where virtual")
        try:
            device.fault(name)
        except ValueError as error:
            raise InputError("name", name, str(error)) from error
        return ()

    def _run(self) -> None:
        while True:
            self.run_due()
            with self._wake:
                if self._is_stopping:
                    return
                wait_s = self._due[0][0] - self._clock.monotonic() if self._due else None
                if wait_s is None or wait_s > 0:
                    self._wake.wait(wait_s)


_Maker = Callable[[Hands, Any, Mapping[str, Any]], tuple[tuple[float, Act], ...]]
_TRAY_REQUESTS: dict[str, _Maker] = {
    "throw": Hands._throw,
    "pick_up": Hands._pick_up,
    "rail": Hands._rail,
    "nudge": Hands._nudge,
}
_COW_REQUESTS: dict[str, _Maker] = {
    "slide": Hands._slide,
    "lift": Hands._lift,
    "put": Hands._put,
    "knock": Hands._knock,
    "tidy": Hands._tidy,
    "press": Hands._press,
}


def _dice(request: Mapping[str, Any], key: str, ids: set[int]) -> frozenset[int]:
    value = request.get(key, [])
    if not isinstance(value, list) or any(
        not isinstance(one, int) or isinstance(one, bool) or one not in ids for one in value
    ):
        raise InputError(key, value, f"a list of dice out of {sorted(ids)}")
    return frozenset(value)


def _beam(request: Mapping[str, Any], key: str) -> str:
    value = request.get(key)
    if not isinstance(value, str) or value not in tuple(BEAMS):
        raise InputError(key, value, ", ".join(BEAMS))
    return value


def _place_on(beam: str, request: Mapping[str, Any]) -> int:
    value = request.get("place")
    if not isinstance(value, int) or isinstance(value, bool) or value not in PLACE_RANGE:
        raise InputError("place", value, "a whole number from -8 to 8")
    if beam == "super" and abs(value) > 1:
        raise InputError("place", value, "a whole number from -1 to 1 on the super beam")
    return value
