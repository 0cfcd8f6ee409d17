"""The virtual camera: a tray whose dice are thrown, picked up and nudged on command, seen only through its pictures.

How it works: `VirtualTray` holds where each die rests and since when it flies; any thread may command it. A picture
is drawn when the camera asks for one: a tray at rest is drawn once and only gets fresh noise for each picture.
The true values never leave this module but as pictures.
"""

from __future__ import annotations

import math
import random
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from vision.cv import Image
from vision.errors import CameraGoneError, FaultNameError
from vision.scene import DIE_COLOURS, EDGE_MM, Scene, SceneDie, add_noise, blend, draw_clean
from vision.scene_tray import TRAY_HEIGHT_MM, TRAY_WIDTH_MM
from vision.sources.source import Picture
from vision.tumble import RAIL_SLOTS, ROLL_S, rail_place, resting_place, tumbling

POSE_FAULTS = ("cocked", "touching", "stacked", "off tray", "sixth")
"""Faults of the dice: they last until the die is nudged or thrown. On an empty tray they wait for the next throw."""
SIGHT_FAULTS = ("glare", "hand", "dark", "blur")
"""Faults of the view: they last until "none"."""
CAMERA_FAULTS = ("frozen", "gone")
"""Faults of the camera itself: they last until "none"."""
FAULTS = (*POSE_FAULTS, *SIGHT_FAULTS, *CAMERA_FAULTS, "none")

_SHUTTER_S = 0.02
_HAIR_S = 1e-6
"""A clock that adds up tenths lands a hair before the moment a picture is due."""


@dataclass(frozen=True, slots=True)
class TrayDie:
    """What the page may know of a die: its number, and its middle as shares of the picture's width and height."""

    id: int
    x: float
    y: float
    in_rail: bool
    in_hand: bool


@dataclass(slots=True)
class _Die:
    """One die of the tray: where it rests, when it was thrown, and whether somebody holds it."""

    rest: SceneDie
    thrown_at_s: float | None = None
    salt: int = 0
    in_hand: bool = False
    slot: int | None = None
    is_lost: bool = False


class VirtualTray:
    """A tray with dice; every method may be called from any thread.

    Args:
        clock: monotonic time in seconds; used where `at_s` is left out.
        generator: where chance comes from; the system's by default, a seeded one in tests.
        ground: the felt's colour, one of `vision.scene_tray.GROUNDS`.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        generator: random.Random | None = None,
        ground: str = "green",
    ) -> None:
        self._clock = clock
        self._generator = generator if generator is not None else secrets.SystemRandom()
        self._ground = ground
        self._lock = threading.Lock()
        self._dice: list[_Die] = []
        self._faults: set[str] = set()
        self._drawn: tuple[Scene, tuple[int, int], Image] | None = None

    def throw(
        self,
        values: tuple[int, ...] | None = None,
        colour: str = "white",
        keep: frozenset[int] = frozenset(),
        count: int = 5,
        at_s: float | None = None,
    ) -> None:
        """Throw dice; those in `keep` and those in the rail stay, so long as they are of this colour and count.

        `values` are the faces to come, one for each thrown die in order of their numbers; fair chance by default.
        A throw with another colour or count clears the tray first.

        Raises:
            ValueError: an unknown colour, or values that don't fit the number of thrown dice.
        """
        if colour not in DIE_COLOURS:
            raise ValueError(f"colour: {colour!r} is not usable; accepted: {', '.join(DIE_COLOURS)}")
        now = self._clock() if at_s is None else at_s
        with self._lock:
            self._dice = self._dice[:count]
            if len(self._dice) != count or any(die.rest.colour != colour for die in self._dice):
                self._dice = [_Die(SceneDie(1, 0, 0, colour=colour), in_hand=True) for _ in range(count)]
            flying = [
                number
                for number, die in enumerate(self._dice)
                if die.in_hand or (number not in keep and die.slot is None)
            ]
            shown = self._faces(values, len(flying))
            for number in flying:
                self._dice[number].in_hand = True
            for number, value in zip(flying, shown, strict=True):
                self._land(self._dice[number], value, now)
            waiting = [name for name in POSE_FAULTS if name in self._faults]
            for name in waiting:
                self._faults.discard(name)
                self._pose(name)

    def pick_up(self, indices: frozenset[int] | tuple[int, ...], at_s: float | None = None) -> None:
        """Take dice into the hand: they vanish from the tray until the next throw."""
        del at_s  # a hand is quicker than the shutter
        with self._lock:
            for number in indices:
                die = self._die(number)
                die.in_hand, die.slot, die.thrown_at_s = True, None, None

    def put_in_rail(self, index: int) -> None:
        """Put a die into the keep rail with the face it shows."""
        with self._lock:
            die = self._die(index)
            taken = {other.slot for other in self._dice}
            die.slot = next(slot for slot in range(RAIL_SLOTS) if slot not in taken)
            x, y = rail_place(die.slot)
            turn = self._generator.uniform(-4, 4)
            die.rest = SceneDie(die.rest.value, x, y, turn, die.rest.colour)
            die.in_hand, die.thrown_at_s = False, None

    def nudge(self, index: int) -> None:
        """Push a die to a free place flat on the felt; it keeps its face. Mends a fault of its pose."""
        with self._lock:
            self._die(index)
            if len(self._dice) > 5 and index == 5:
                del self._dice[index]
                return
            die = self._dice[index]
            x, y = resting_place(self._lying(but=die), self._generator)
            die.rest = SceneDie(die.rest.value, x, y, self._generator.uniform(0, 360), die.rest.colour)
            die.in_hand, die.slot, die.thrown_at_s = False, None, None

    def turn_die(self, index: int, value: int) -> None:
        """Turn a die to another face where it lies, as a cheat would."""
        with self._lock:
            die = self._die(index)
            die.rest = replace(die.rest, value=value)

    def clear(self) -> None:
        """Take all dice away."""
        with self._lock:
            self._dice = []

    def dice(self) -> tuple[TrayDie, ...]:
        """The dice by number, for hands on the page; without their faces."""
        with self._lock:
            return tuple(
                TrayDie(
                    number,
                    die.rest.x_mm / TRAY_WIDTH_MM,
                    die.rest.y_mm / TRAY_HEIGHT_MM,
                    die.slot is not None,
                    die.in_hand,
                )
                for number, die in enumerate(self._dice)
            )

    def fault(self, name: str) -> None:
        """Let something go wrong, one of `FAULTS`; "none" ends every fault of view, camera and pose.

        Raises:
            FaultNameError: nobody knows this fault.
        """
        if name not in FAULTS:
            raise FaultNameError(name, ", ".join(FAULTS))
        with self._lock:
            if name == "none":
                self._faults.clear()
                self._mend()
            elif name in POSE_FAULTS and any(not die.in_hand for die in self._dice):
                self._pose(name)
            else:
                self._faults.add(name)

    @property
    def faults(self) -> frozenset[str]:
        """The faults of view and camera that last, and those the next throw will have."""
        with self._lock:
            return frozenset(self._faults)

    def is_rolling(self, at_s: float) -> bool:
        """Whether any die still flies."""
        with self._lock:
            return any(_flies(die, at_s) for die in self._dice)

    def image(self, at_s: float, seed: int, width: int = 640, height: int = 480) -> Image:
        """The picture at a time, with the sensor noise of `seed`."""
        with self._lock:
            moving = any(_flies(die, at_s) for die in self._dice)
            moments = (at_s, at_s + _SHUTTER_S / 2, at_s + _SHUTTER_S) if moving else (at_s,)
            scenes = tuple(self._scene(moment) for moment in moments)
        if moving:
            return add_noise(blend(tuple(draw_clean(scene, width, height) for scene in scenes)), seed)
        drawn = self._drawn
        if drawn is None or drawn[0] != scenes[0] or drawn[1] != (width, height):
            drawn = (scenes[0], (width, height), draw_clean(scenes[0], width, height))
            self._drawn = drawn
        return add_noise(drawn[2], seed)

    def _die(self, number: int) -> _Die:
        if not 0 <= number < len(self._dice):
            raise IndexError(f"die: {number} is not usable; accepted: 0 to {len(self._dice) - 1}")
        return self._dice[number]

    def _faces(self, values: tuple[int, ...] | None, count: int) -> tuple[int, ...]:
        if values is None:
            return tuple(self._generator.randint(1, 6) for _ in range(count))
        if len(values) != count or not all(1 <= value <= 6 for value in values):
            raise ValueError(f"values: {values!r} is not usable; accepted: {count} faces from 1 to 6")
        return values

    def _lying(self, but: _Die | None = None) -> list[SceneDie]:
        return [die.rest for die in self._dice if die is not but and not die.in_hand]

    def _land(self, die: _Die, value: int, now_s: float) -> None:
        x, y = resting_place(self._lying(but=die), self._generator)
        die.rest = SceneDie(value, x, y, self._generator.uniform(0, 360), die.rest.colour)
        die.thrown_at_s, die.salt = now_s, self._generator.randrange(1000)
        die.in_hand, die.slot, die.is_lost = False, None, False

    def _pose(self, name: str) -> None:
        """Put lying dice into a faulty pose."""
        lying = [die for die in self._dice if not die.in_hand and die.slot is None]
        if not lying:
            self._faults.add(name)
            return
        first = lying[0]
        if name == "cocked":
            first.rest = replace(first.rest, tilt_deg=38.0, tilt_to_deg=self._generator.uniform(0, 360))
        elif name == "off tray":
            first.in_hand = first.is_lost = True
        elif name == "sixth":
            x, y = resting_place(self._lying(), self._generator)
            turn = self._generator.uniform(0, 360)
            self._dice.append(_Die(SceneDie(self._generator.randint(1, 6), x, y, turn, first.rest.colour)))
        elif len(lying) > 1:
            _lean(lying[1], first, stacked=name == "stacked")

    def _mend(self) -> None:
        """Lay every die flat and apart again, with the face it shows; a sixth die goes, a lost one comes back."""
        del self._dice[5:]
        for die in self._dice:
            if die.rest.tilt_deg or die.rest.z_mm or die.is_lost:
                x, y = resting_place(self._lying(but=die), self._generator)
                die.rest = replace(die.rest, x_mm=x, y_mm=y, tilt_deg=0.0, z_mm=0.0)
                die.in_hand = die.is_lost = False

    def _scene(self, at_s: float) -> Scene:
        dice = tuple(
            tumbling(die.rest, at_s - die.thrown_at_s, die.salt) if die.thrown_at_s is not None else die.rest
            for die in self._dice
            if not die.in_hand
        )
        target = (dice[0].x_mm, dice[0].y_mm) if dice else (TRAY_WIDTH_MM * 0.45, TRAY_HEIGHT_MM * 0.4)
        glare = (target,) if "glare" in self._faults and dice else ()
        return Scene(
            dice,
            ground=self._ground,
            glare_mm=glare,
            hand_mm=(target[0], min(target[1], 60.0)) if "hand" in self._faults else None,
            light=0.1 if "dark" in self._faults else 1.0,
            blur_px=6.0 if "blur" in self._faults else 0.0,
        )


def _flies(die: _Die, at_s: float) -> bool:
    return not die.in_hand and die.thrown_at_s is not None and 0 <= at_s - die.thrown_at_s < ROLL_S


def _lean(upper: _Die, lower: _Die, *, stacked: bool) -> None:
    """Put one die on top of another, or let it lean against it so that its edge lies on the other's."""
    base = lower.rest
    if stacked:
        upper.rest = replace(
            base,
            value=upper.rest.value,
            z_mm=EDGE_MM,
            x_mm=base.x_mm + 6,
            y_mm=base.y_mm + 5,
            turn_deg=base.turn_deg + 25,
        )
    else:
        turn = math.radians(base.turn_deg)
        x, y = base.x_mm + math.cos(turn) * EDGE_MM * 0.8, base.y_mm + math.sin(turn) * EDGE_MM * 0.8
        upper.rest = replace(base, value=upper.rest.value, x_mm=x, y_mm=y, tilt_deg=14.0, tilt_to_deg=base.turn_deg)


class VirtualSource:
    """The camera above a `VirtualTray`: newest picture at a given pace."""

    def __init__(self, tray: VirtualTray, clock: Callable[[], float], pace_hz: float = 12.0) -> None:
        self.tray = tray
        self.name = "virtual"
        self.is_live = True
        self._clock = clock
        self._period_s = 1 / pace_hz
        self._taken = 0

    @property
    def picture_count(self) -> int:
        """How many pictures it has given; all but the newest have been looked at. From any thread."""
        return self._taken

    def open(self) -> None:
        """Start the camera.

        Raises:
            CameraGoneError: the fault "gone" is on.
        """
        self._check()

    def newest(self, after_s: float) -> Picture | None:
        """A picture of now, if one is due after `after_s`; none while "frozen".

        Raises:
            CameraGoneError: the fault "gone" is on.
        """
        self._check()
        now = self._clock()
        if now - after_s < self._period_s - _HAIR_S or "frozen" in self.tray.faults:
            return None
        self._taken += 1
        return self.tray.image(now, self._taken), now

    def close(self) -> None:
        """Nothing to let go of."""

    def describe(self) -> str:
        """One line for a person."""
        return f"virtual tray, 640x480, {1 / self._period_s:.0f} pictures a second"

    def _check(self) -> None:
        if "gone" in self.tray.faults:
            raise CameraGoneError("virtual", "unplugged by the fault 'gone'", "set the fault to 'none'")
