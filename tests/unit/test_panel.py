"""The panel on gpiozero's mock pins: presses, turns, lamp and buzzer, and what is said when there are no pins."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from controller.config import PanelConfig
from controller.runtime.devices import BUTTONS
from controller.runtime.panel import RHYTHMS, KnobTurned, Lamp, Panel, PanelEvent, PanelPressed, header_chip
from controller.table.effects import Sound

PINS: dict[str, Any] = {
    "done": 5,
    "undo": 6,
    "new_game": 13,
    "knob_a": 17,
    "knob_b": 27,
    "knob_press": 22,
    "lamp": 23,
    "buzzer": 24,
}
WHOLE = PanelConfig(enabled=True, **PINS)
PATIENCE_S = 5.0


class Bench:
    """A panel on mock pins, with the events it told; pins are pulled up, so low is pressed."""

    def __init__(self, config: PanelConfig, hold_s: float = 60.0) -> None:
        self.factory = MockFactory()
        self.told: list[PanelEvent] = []
        self._telling = threading.Condition()
        self.panel = Panel(config, self._tell, lambda: self.factory, hold_s)
        self.state = self.panel.start()

    def _tell(self, event: PanelEvent) -> None:
        with self._telling:
            self.told.append(event)
            self._telling.notify_all()

    def pin(self, name: str) -> Any:
        return self.factory.pin(PINS[name])

    def press(self, name: str) -> None:
        self.pin(name).drive_low()
        self.pin(name).drive_high()

    def wait_told(self, count: int) -> bool:
        with self._telling:
            return self._telling.wait_for(lambda: len(self.told) >= count, PATIENCE_S)


@pytest.fixture
def bench() -> Iterator[Callable[..., Bench]]:
    made: list[Bench] = []

    def make(config: PanelConfig = WHOLE, hold_s: float = 60.0) -> Bench:
        made.append(Bench(config, hold_s))
        return made[-1]

    yield make
    for one in made:
        one.panel.stop()


def test_a_whole_panel_is_ready_and_names_its_parts(bench: Callable[..., Bench]) -> None:
    state = bench().state

    assert state.state == "ready"
    assert state.sentence == "done, undo, new game, knob a, knob b, knob press, lamp, buzzer"


@pytest.mark.parametrize(("button", "name"), [("done", "done"), ("undo", "undo"), ("knob_press", "done")])
def test_a_press_is_told_once(bench: Callable[..., Bench], button: str, name: str) -> None:
    table = bench()
    table.press(button)

    assert table.told == [PanelPressed(name)]


def test_a_new_game_is_told_only_when_its_button_is_held(bench: Callable[..., Bench]) -> None:
    pressed, held = bench(hold_s=60.0), bench(hold_s=0.01)
    pressed.press("new_game")
    held.pin("new_game").drive_low()

    assert held.wait_told(1)
    assert held.told == [PanelPressed("new game")]
    assert pressed.told == []


def test_every_button_has_its_command() -> None:
    assert {"done", "undo", "new game"} <= set(BUTTONS)


@pytest.mark.parametrize(("first", "second", "steps"), [("knob_a", "knob_b", 1), ("knob_b", "knob_a", -1)])
def test_a_turn_of_the_knob_is_a_step_with_its_direction(
    bench: Callable[..., Bench], first: str, second: str, steps: int
) -> None:
    table = bench()
    for name, drive in ((first, "low"), (second, "low"), (first, "high"), (second, "high")):
        getattr(table.pin(name), f"drive_{drive}")()

    assert table.told == [KnobTurned(steps)]


def test_the_lamp_goes_on_blinks_and_goes_out(bench: Callable[..., Bench]) -> None:
    table = bench()
    pin = table.pin("lamp")
    table.panel.lamp(Lamp.ON)
    lit = bool(pin.state)
    table.panel.lamp(Lamp.OFF)
    before = len(pin.states)
    table.panel.lamp(Lamp.BLINK)
    blinked = len(_settled(pin, before)) - before
    table.panel.lamp(Lamp.OFF)

    assert lit
    assert blinked >= 1
    assert not pin.state


def test_every_sound_of_the_table_has_a_rhythm_of_its_own() -> None:
    assert set(RHYTHMS) == {sound.value for sound in Sound}
    assert len(set(RHYTHMS.values())) == len(RHYTHMS)


def test_a_sound_goes_on_and_off_as_often_as_its_rhythm_says(bench: Callable[..., Bench]) -> None:
    table = bench()
    table.panel.buzz("accepted")

    states = [bool(state.state) for state in _settled(table.pin("buzzer"), changes=4)]

    assert states[-4:] == [True, False, True, False]


def _settled(pin: Any, changes: int) -> list[Any]:
    """The states of a pin once it has changed so often; gpiozero turns it from a thread of its own."""
    waiting = threading.Event()
    for _ in range(100):
        if len(pin.states) > changes:
            break
        waiting.wait(PATIENCE_S / 100)
    return list(pin.states)


@pytest.mark.parametrize(
    "config", [PanelConfig(**PINS), PanelConfig(enabled=True)], ids=["switched off", "without parts"]
)
def test_a_panel_that_is_off_touches_no_pin(config: PanelConfig) -> None:
    made: list[int] = []
    panel = Panel(config, made.append, lambda: made.append(1))  # type: ignore[arg-type]  # must not be called

    assert panel.start().state == "off"
    panel.buzz("win")
    panel.lamp(Lamp.ON)
    panel.stop()

    assert made == []


@pytest.mark.parametrize("part", ["done", "lamp", "buzzer"])
def test_every_part_is_optional(bench: Callable[..., Bench], part: str) -> None:
    table = bench(PanelConfig(enabled=True, **{part: PINS[part]}))
    table.panel.buzz("win")
    table.panel.lamp(Lamp.ON)

    assert (table.state.state, table.state.sentence) == ("ready", part)


def test_a_pin_that_is_in_use_is_a_state_and_lets_the_others_go(bench: Callable[..., Bench]) -> None:
    factory = MockFactory()
    first = Panel(PanelConfig(enabled=True, undo=6), lambda _: None, lambda: factory)
    second = Panel(PanelConfig(enabled=True, done=5, undo=6), lambda _: None, lambda: factory)
    first.start()
    try:
        state = second.start()
    finally:
        first.stop()
        second.stop()

    assert state.state == "missing"
    assert "pin" in state.sentence
    assert state.mend == "Check the pin numbers in [panel]."


def test_stopping_twice_and_starting_again_does_no_harm() -> None:
    panel = Panel(WHOLE, lambda _: None, MockFactory)
    for _ in range(2):
        assert panel.start().state == "ready"
        panel.stop()
        panel.stop()


def test_without_the_library_the_panel_says_what_to_install() -> None:
    def missing() -> Any:
        raise ModuleNotFoundError("No module named 'lgpio'", name="lgpio")

    state = Panel(WHOLE, lambda _: None, missing).start()

    assert (state.state, state.sentence) == ("missing", "lgpio isn't installed.")
    assert "panel" in state.mend


def test_a_machine_without_pins_is_a_state_with_a_mend() -> None:
    def refusing() -> Any:
        raise OSError("no pin header found among 0 GPIO chips")

    state = Panel(WHOLE, lambda _: None, refusing).start()

    assert state.state == "missing"
    assert state.sentence == "The Pi's pins can't be used: no pin header found among 0 GPIO chips."
    assert "group gpio" in state.mend


class Chips:
    """What lgpio says of chips with these labels; None for one that may not be opened."""

    error = RuntimeError

    def __init__(self, *labels: str | None) -> None:
        self._labels = labels
        self.open_count = 0

    def gpiochip_open(self, number: int) -> int:
        if self._labels[number] is None:
            raise self.error("can not open gpiochip")
        self.open_count += 1
        return number

    def gpio_get_chip_info(self, handle: int) -> list[Any]:
        return [0, 54, f"gpiochip{handle}", self._labels[handle]]

    def gpiochip_close(self, handle: int) -> None:
        self.open_count -= 1


@pytest.mark.parametrize(
    ("labels", "number"),
    [
        pytest.param(("pinctrl-bcm2711", "raspberrypi-exp-gpio"), 0, id="Pi 4"),
        pytest.param(("gpio-brcmstb@107d508500", "pinctrl-rp1"), 1, id="Pi 5, header behind another chip"),
        pytest.param((None, "pinctrl-rp1"), 1, id="a chip that may not be opened before it"),
    ],
)
def test_the_header_is_found_by_its_label(labels: tuple[str | None, ...], number: int) -> None:
    chips = Chips(*labels)

    assert header_chip(chips, list(range(len(labels)))) == number
    assert chips.open_count == 0


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        pytest.param((), "no pin header found among 0 GPIO chips", id="none"),
        pytest.param((None,), "no pin header found among 1 GPIO chips; can not open gpiochip", id="no permission"),
        pytest.param(("amd_gpio",), "no pin header found among 1 GPIO chips", id="a PC's"),
    ],
)
def test_without_a_header_the_reason_is_told(labels: tuple[str | None, ...], sentence: str) -> None:
    with pytest.raises(OSError, match=sentence):
        header_chip(Chips(*labels), list(range(len(labels))))


def test_importing_the_panel_loads_no_pin_library() -> None:
    script = "import sys, controller.runtime.panel; assert not {'gpiozero', 'lgpio'} & set(sys.modules)"

    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
