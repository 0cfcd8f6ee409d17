"""Buttons, a knob, a lamp and a buzzer on the Pi's own pins, through gpiozero; each part may be left out.

How it works: gpiozero calls back from its own thread; each press becomes a frozen event handed to `post`. The pin
factory is lgpio's, named explicitly: gpiozero's own choice falls through to libraries that can't work on a Pi 5
(field report 31). Without GPIO, or without the library, the panel is a state with a sentence, never a crash.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from controller.config import PanelConfig

BUTTONS = ("done", "undo", "new_game")
BOUNCE_S = 0.03  # a cheap push button bounces for up to 20 ms
HOLD_NEW_GAME_S = 2.0  # long, so that an elbow doesn't end an evening

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


@dataclass(frozen=True, slots=True)
class PanelState:
    """`state` is `off`, `ready` or `missing`; `sentence` and `mend` say more."""

    state: str
    sentence: str = ""
    mend: str = ""


class Panel:
    """The panel's parts, opened by `start` and let go by `stop`.

    Args:
        config: which parts there are, on which pins.
        post: called from gpiozero's thread for each event; must return quickly.
        factory: makes the pin factory; lgpio's by default, gpiozero's mock in tests.
    """

    def __init__(
        self, config: PanelConfig, post: Callable[[PanelEvent], None], factory: Callable[[], Any] | None = None
    ) -> None:
        self._config, self._post, self._make_factory = config, post, factory or _lgpio_factory
        self._parts: list[Any] = []
        self._factory: Any = None
        self._lamp: Any = None
        self._buzzer: Any = None

    def start(self) -> PanelState:
        """Open every part that is configured; the answer says how that went."""
        if not self._config.enabled or not self._config.pins:
            return PanelState("off")
        try:
            self._factory = self._make_factory()
        except ImportError:
            return PanelState("missing", "gpiozero or lgpio isn't installed.", "pip install 'cowboard[panel]'")
        except _pin_errors() as error:
            mend = "Run on a Raspberry Pi as a user of group gpio, or set panel.enabled = false."
            return PanelState("missing", f"The Pi's pins can't be used: {error}.", mend)
        try:
            self._open()
        except _pin_errors() as error:
            self.stop()
            return PanelState("missing", f"A pin can't be used: {error}.", "Check the pin numbers in [panel].")
        return PanelState("ready", ", ".join(part.replace("_", " ") for part in self._config.pins))

    def stop(self) -> None:
        """Let every pin go; more than once does no harm."""
        for part in self._parts:
            part.close()
        self._parts.clear()
        self._lamp = self._buzzer = None
        if self._factory is not None:
            self._factory.close()
            self._factory = None

    def lamp(self, is_on: bool) -> None:
        """Light the lamp, or put it out."""
        if self._lamp is not None:
            self._lamp.value = is_on

    def buzz(self, name: str) -> None:
        """Sound the buzzer in the rhythm of this sound."""
        if self._buzzer is not None:
            on_s, off_s, times = RHYTHMS[name]
            self._buzzer.beep(on_time=on_s, off_time=off_s, n=times, background=True)

    def _open(self) -> None:
        import gpiozero

        pins = self._config.pins
        for name in BUTTONS:
            if name in pins:
                hold_s = HOLD_NEW_GAME_S if name == "new_game" else 1.0
                button = self._part(
                    gpiozero.Button(pins[name], bounce_time=self._bounce(), hold_time=hold_s, pin_factory=self._factory)
                )
                self._listen(button, name)
        if "knob_a" in pins:
            knob = gpiozero.RotaryEncoder(pins["knob_a"], pins["knob_b"], max_steps=0, pin_factory=self._factory)
            knob.when_rotated_clockwise = lambda: self._post(KnobTurned(1))
            knob.when_rotated_counter_clockwise = lambda: self._post(KnobTurned(-1))
            self._part(knob)
        if "knob_press" in pins:
            press = gpiozero.Button(pins["knob_press"], bounce_time=self._bounce(), pin_factory=self._factory)
            self._listen(self._part(press), "done")
        if "lamp" in pins:
            self._lamp = self._part(gpiozero.LED(pins["lamp"], pin_factory=self._factory))
        if "buzzer" in pins:
            self._buzzer = self._part(gpiozero.Buzzer(pins["buzzer"], pin_factory=self._factory))

    def _listen(self, button: Any, name: str) -> None:
        event = PanelPressed(name.replace("_", " "))
        if name == "new_game":
            button.when_held = lambda: self._post(event)
        else:
            button.when_pressed = lambda: self._post(event)

    def _part(self, part: Any) -> Any:
        self._parts.append(part)
        return part

    def _bounce(self) -> float | None:
        """Mock pins don't bounce, and gpiozero's debounce would need real time to pass."""
        return None if type(self._factory).__name__ == "MockFactory" else BOUNCE_S


def _lgpio_factory() -> Any:
    # lgpio leaves notification pipes in the working folder unless it is told another one.
    os.environ.setdefault("LG_WD", tempfile.gettempdir())
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory()


def _pin_errors() -> tuple[type[Exception], ...]:
    """What opening pins may raise; asked for only after gpiozero was found."""
    from gpiozero import GPIOZeroError

    try:
        from lgpio import error as lgpio_error
    except ImportError:
        return (GPIOZeroError, OSError)
    return (GPIOZeroError, OSError, lgpio_error)
