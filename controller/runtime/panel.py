"""Buttons, a knob, a lamp and a buzzer on the Pi's own pins, through gpiozero; each part may be left out.

How it works: gpiozero calls back from its own thread; each press becomes a frozen event handed to `post`. The pin
factory is lgpio's, named explicitly, on the chip that drives the header: gpiozero's own choice falls through to
libraries that can't work on a Pi 5, and the chip's number has changed between kernels (field report 31). Without pins,
or without the library, the panel is a state with a sentence, never a crash.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from controller.config import PanelConfig

BOUNCE_S = 0.03  # a cheap push button bounces for up to 20 ms
HOLD_NEW_GAME_S = 2.0  # long, so that an elbow doesn't end an evening
BLINK_S = 0.5

# What kernels call the chip of the 40-pin header: Pi 5, Pi 4, Pi 3 and older.
HEADER_LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")

# Each sound differs in rhythm: (on, off) seconds, so many times.
RHYTHMS: dict[str, tuple[float, float, int]] = {
    "read": (0.04, 0.05, 1),
    "accepted": (0.08, 0.06, 2),
    "wrong": (0.35, 0.1, 1),
    "refused": (0.12, 0.12, 3),
    "forfeit": (0.25, 0.2, 2),
    "win": (0.1, 0.08, 6),
}


@dataclass(frozen=True, slots=True)
class PanelPressed:
    """A button was pressed: `done`, `undo` or `new game` (which has to be held)."""

    name: str


@dataclass(frozen=True, slots=True)
class KnobTurned:
    """The knob was turned; positive steps are clockwise."""

    steps: int


PanelEvent = PanelPressed | KnobTurned


class Lamp(StrEnum):
    """What the lamp does."""

    OFF = "off"
    ON = "on"
    BLINK = "blink"


@dataclass(frozen=True, slots=True)
class PanelState:
    """`state` is `off`, `ready` or `missing`; `sentence` and `mend` say more."""

    state: str
    sentence: str = ""
    mend: str = ""


class Panel:
    """The panel's parts, opened by `start` and let go by `stop`; both from one thread, the rest from any.

    Args:
        config: which parts there are, on which pins.
        post: called from gpiozero's thread for each event; must return quickly.
        factory: makes the pin factory; lgpio's by default, gpiozero's mock in tests.
        hold_s: seconds the new-game button has to be held.
    """

    def __init__(
        self,
        config: PanelConfig,
        post: Callable[[PanelEvent], None],
        factory: Callable[[], Any] | None = None,
        hold_s: float = HOLD_NEW_GAME_S,
    ) -> None:
        self._config, self._post, self._hold_s = config, post, hold_s
        self._make_factory = factory or lgpio_factory
        self._factory: Any = None
        self._parts: dict[str, Any] = {}

    def start(self) -> PanelState:
        """Open every part that is configured; the answer says how that went.

        Returns:
            `ready` with all parts, or `off` or `missing` with none: half a panel would be worse than a sentence.
        """
        pins = self._config.pins
        if not self._config.enabled or not pins:
            return PanelState("off")
        try:
            self._factory = self._make_factory()
        except ImportError as error:
            what = error.name or "gpiozero"
            return PanelState("missing", f"{what} isn't installed.", "pip install '.[panel]' in Cowboard's folder")
        except _pin_errors() as error:
            mend = "Run on a Raspberry Pi as a user of the group gpio, or set enabled = false in [panel]."
            return PanelState("missing", f"The Pi's pins can't be used: {error}.", mend)
        try:
            self._open(pins)
        except _pin_errors() as error:
            self.stop()
            return PanelState("missing", f"A pin can't be used: {error}.", "Check the pin numbers in [panel].")
        return PanelState("ready", ", ".join(part.replace("_", " ") for part in pins))

    def stop(self) -> None:
        """Let every pin go; more than once does no harm."""
        for part in self._parts.values():
            part.close()
        self._parts = {}
        if self._factory is not None:
            self._factory.close()
            self._factory = None

    def lamp(self, lamp: Lamp) -> None:
        """Let the lamp do this from now on."""
        part = self._parts.get("lamp")
        if part is None:
            return
        if lamp is Lamp.BLINK:
            part.blink(on_time=BLINK_S, off_time=BLINK_S, background=True)
        else:
            part.value = lamp is Lamp.ON

    def buzz(self, name: str) -> None:
        """Sound the buzzer in the rhythm of this sound, instead of what still sounds."""
        part = self._parts.get("buzzer")
        if part is not None:
            on_s, off_s, times = RHYTHMS[name]
            part.beep(on_time=on_s, off_time=off_s, n=times, background=True)

    def _open(self, pins: dict[str, int]) -> None:
        import gpiozero

        factory = self._factory
        for name in ("done", "undo", "new_game", "knob_press"):
            if name in pins:
                button = gpiozero.Button(pins[name], bounce_time=BOUNCE_S, hold_time=self._hold_s, pin_factory=factory)
                self._parts[name] = button
                self._listen(button, name)
        if "knob_a" in pins:
            knob = gpiozero.RotaryEncoder(pins["knob_a"], pins["knob_b"], max_steps=0, pin_factory=factory)
            self._parts["knob"] = knob
            knob.when_rotated_clockwise = lambda: self._post(KnobTurned(1))
            knob.when_rotated_counter_clockwise = lambda: self._post(KnobTurned(-1))
        if "lamp" in pins:
            self._parts["lamp"] = gpiozero.LED(pins["lamp"], pin_factory=factory)
        if "buzzer" in pins:
            self._parts["buzzer"] = gpiozero.Buzzer(pins["buzzer"], pin_factory=factory)

    def _listen(self, button: Any, name: str) -> None:
        """Pressing the knob means done; a new game has to be held for."""
        event = PanelPressed({"knob_press": "done", "new_game": "new game"}.get(name, name))
        if name == "new_game":
            button.when_held = lambda: self._post(event)
        else:
            button.when_pressed = lambda: self._post(event)


def lgpio_factory() -> Any:
    """Gpiozero's factory on lgpio and on the chip of the 40-pin header.

    Raises:
        ImportError: gpiozero or lgpio isn't installed.
        OSError: there is no such chip here; another error of gpiozero's or lgpio's: it can't be used.
    """
    # lgpio leaves its notification pipes in the working folder unless it is told another one.
    os.environ.setdefault("LG_WD", tempfile.gettempdir())
    import lgpio
    from gpiozero.pins.lgpio import LGPIOFactory

    numbers = sorted(int(path.name.removeprefix("gpiochip")) for path in Path("/dev").glob("gpiochip[0-9]*"))
    return LGPIOFactory(chip=header_chip(lgpio, numbers))


def header_chip(lgpio: Any, numbers: list[int]) -> int:
    """The number of the chip that drives the header, found by its label.

    Args:
        lgpio: the module, or what answers like it.
        numbers: the chips there are, `/dev/gpiochipN`.

    Raises:
        OSError: none of them does; the error of the last one that couldn't be opened, if any, as its cause.
    """
    refusal: Exception | None = None
    for number in numbers:
        try:
            handle = lgpio.gpiochip_open(number)
        except lgpio.error as error:  # often no permission
            refusal = error
            continue
        try:
            label = lgpio.gpio_get_chip_info(handle)[3]
        finally:
            lgpio.gpiochip_close(handle)
        if label in HEADER_LABELS:
            return number
    why = f"; {refusal}" if refusal else ""
    raise OSError(f"no pin header found among {len(numbers)} GPIO chips{why}") from refusal


def _pin_errors() -> tuple[type[Exception], ...]:
    """What opening pins may raise; asked for only after gpiozero was found."""
    from gpiozero import GPIOZeroError

    try:
        from lgpio import error as lgpio_error
    except ImportError:
        return (GPIOZeroError, OSError)
    return (GPIOZeroError, OSError, lgpio_error)
