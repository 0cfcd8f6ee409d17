"""Buttons, knob, lamp and buzzer over gpiozero's mock pins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from controller.config import PanelConfig
from controller.runtime.panel import RHYTHMS, KnobTurned, Panel, PanelEvent, PanelPressed
from controller.table.effects import Sound

pytest.importorskip("gpiozero", reason="the panel extra isn't installed")
from gpiozero.pins.mock import MockFactory

ALL = PanelConfig(enabled=True, done=2, undo=3, new_game=4, knob_a=5, knob_b=6, knob_press=7, lamp=8, buzzer=9)


@pytest.fixture
def pins() -> Iterator[Any]:
    factory = MockFactory()
    yield factory
    factory.reset()


def started(config: PanelConfig, pins: Any) -> tuple[Panel, list[PanelEvent]]:
    told: list[PanelEvent] = []
    panel = Panel(config, told.append, lambda: pins)
    assert panel.start().state == "ready"
    return panel, told


def test_each_button_tells_its_name(pins: Any) -> None:
    panel, told = started(ALL, pins)
    for number in (2, 3, 7):
        pins.pin(number).drive_low()
        pins.pin(number).drive_high()
    panel.stop()
    assert told == [PanelPressed("done"), PanelPressed("undo"), PanelPressed("done")]


def test_a_short_press_on_new_game_does_nothing(pins: Any) -> None:
    panel, told = started(ALL, pins)
    pins.pin(4).drive_low()
    pins.pin(4).drive_high()
    panel.stop()
    assert told == []


def test_the_knob_counts_both_ways(pins: Any) -> None:
    panel, told = started(ALL, pins)
    for first, second in ((5, 6), (6, 5)):
        pins.pin(first).drive_low()
        pins.pin(second).drive_low()
        pins.pin(first).drive_high()
        pins.pin(second).drive_high()
    panel.stop()
    assert [type(event) for event in told] == [KnobTurned, KnobTurned]
    assert sum(event.steps for event in told if isinstance(event, KnobTurned)) == 0


def test_the_lamp_follows(pins: Any) -> None:
    panel, _ = started(ALL, pins)
    panel.lamp(True)
    assert pins.pin(8).state
    panel.lamp(False)
    assert not pins.pin(8).state
    panel.stop()


def test_every_part_is_optional(pins: Any) -> None:
    panel, told = started(PanelConfig(enabled=True, undo=3), pins)
    panel.lamp(True)
    panel.buzz("read")
    pins.pin(3).drive_low()
    panel.stop()
    assert told == [PanelPressed("undo")]


def test_switched_off_it_opens_nothing() -> None:
    def never() -> Any:
        raise AssertionError("opened pins")

    panel = Panel(PanelConfig(done=2), lambda event: None, never)
    assert panel.start().state == "off"
    panel.stop()


def test_without_gpio_it_is_a_state_with_a_mend() -> None:
    def nowhere() -> Any:
        raise OSError("no gpiochip")

    state = Panel(ALL, lambda event: None, nowhere).start()
    assert state.state == "missing"
    assert "no gpiochip" in state.sentence
    assert state.mend


def test_without_the_library_it_names_what_to_install() -> None:
    def absent() -> Any:
        raise ImportError("lgpio")

    state = Panel(ALL, lambda event: None, absent).start()
    assert (state.state, state.mend) == ("missing", "pip install 'cowboard[panel]'")


def test_every_sound_has_a_rhythm_of_its_own() -> None:
    assert set(RHYTHMS) == {sound.value for sound in Sound}
    assert len(set(RHYTHMS.values())) == len(RHYTHMS)
