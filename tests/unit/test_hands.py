"""The virtual hands: each request becomes acts with delays; what isn't usable is refused and nothing is done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from controller.errors import InputError
from controller.runtime.clock import ManualClock
from controller.runtime.hands import PICK_UP_S, Hands, ThrowWish
from vision.sources.virtual import VirtualTray


class Cows:
    """Notes what hands do to cows."""

    has_cows = True

    def __init__(self) -> None:
        self.done: list[tuple[Any, ...]] = []

    def slide(self, cow: str, to_place: int, seconds: float) -> None:
        self.done.append(("slide", cow, to_place))

    def lift(self, cow: str) -> None:
        self.done.append(("lift", cow))

    def put(self, cow: str, beam: str, place: int) -> None:
        self.done.append(("put", cow, beam, place))

    def knock(self, cow: str) -> None:
        self.done.append(("knock", cow))

    def set_up(self, places: Mapping[str, int]) -> None:
        self.done.append(("set up", dict(places)))

    def press(self, button: str) -> None:
        self.done.append(("press", button))

    def fault(self, text: str) -> None:
        if text != "silent":
            raise ValueError("fault: only silent")
        self.done.append(("fault", text))


def made(wish: ThrowWish | None = None) -> tuple[Hands, VirtualTray, Cows, ManualClock]:
    clock, cows = ManualClock(), Cows()
    tray = VirtualTray(clock.monotonic)
    hands = Hands(tray, cows, clock, lambda: wish or ThrowWish("white", 5), lambda: {"3": 1})
    return hands, tray, cows, clock


def test_a_throw_takes_the_dice_up_first_and_lets_them_fall_later() -> None:
    hands, tray, _, clock = made()
    tray.throw((1, 2, 3, 4, 5), "white")
    hands.request({"do": "throw", "keep": [0, 1]})
    assert [die.id for die in tray.dice() if not die.in_hand] == [0, 1]
    clock.advance(PICK_UP_S)
    hands.run_due()
    assert [die.in_hand for die in tray.dice()] == [False] * 5


def test_one_die_is_thrown_for_the_start() -> None:
    hands, tray, _, clock = made(ThrowWish("black", 1))
    hands.request({"do": "throw"})
    clock.advance(PICK_UP_S)
    hands.run_due()
    assert len(tray.dice()) == 1


@pytest.mark.parametrize(
    ("request_", "done"),
    [
        ({"do": "slide", "beam": "3", "place": 3}, ("slide", "3", 3)),
        ({"do": "lift", "beam": "super"}, ("lift", "super")),
        ({"do": "put", "beam": "3", "place": -2}, ("put", "3", "3", -2)),
        ({"do": "put", "beam": "3", "on": "5", "place": 2}, ("put", "3", "5", 2)),
        ({"do": "knock", "beam": "chance"}, ("knock", "chance")),
        ({"do": "tidy"}, ("set up", {"3": 1})),
        ({"do": "press", "button": "done"}, ("press", "done")),
        ({"do": "fault", "of": "board", "name": "silent"}, ("fault", "silent")),
    ],
)
def test_cows_follow_the_hands(request_: dict[str, Any], done: tuple[Any, ...]) -> None:
    hands, _, cows, _ = made()
    hands.request(request_)
    assert cows.done == [done]


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        ({}, "do"),
        ({"do": []}, "do"),
        ({"do": "juggle"}, "do"),
        ({"do": "throw", "keep": "all"}, "keep"),
        ({"do": "throw", "keep": [7]}, "keep"),
        ({"do": "throw", "keep": [True]}, "keep"),
        ({"do": "throw", "keep": [{}]}, "keep"),
        ({"do": "nudge", "die": 9}, "die"),
        ({"do": "nudge", "die": False}, "die"),
        ({"do": "slide", "beam": "9", "place": 0}, "beam"),
        ({"do": "slide", "beam": ["3"], "place": 0}, "beam"),
        ({"do": "slide", "beam": "3", "place": 9}, "place"),
        ({"do": "slide", "beam": "3", "place": 1.5}, "place"),
        ({"do": "put", "beam": "3", "on": "super", "place": 4}, "place"),
        ({"do": "press", "button": "fire"}, "button"),
        ({"do": "fault", "of": "moon", "name": "silent"}, "of"),
        ({"do": "fault", "of": "board", "name": 3}, "name"),
        ({"do": "fault", "of": "board", "name": "nobody knows"}, "name"),
        ({"do": "fault", "of": "camera", "name": "nobody knows"}, "name"),
    ],
)
def test_an_unusable_request_names_its_field_and_does_nothing(request_: dict[str, Any], field: str) -> None:
    hands, tray, cows, _ = made()
    with pytest.raises(InputError) as caught:
        hands.request(request_)
    assert caught.value.field == field
    assert cows.done == []
    assert tray.dice() == ()


def test_a_board_of_lights_has_buttons_and_faults_but_no_cows() -> None:
    hands, _, cows, _ = made()
    cows.has_cows = False
    with pytest.raises(InputError, match="no virtual cows"):
        hands.request({"do": "lift", "beam": "3"})
    hands.request({"do": "press", "button": "done"})
    hands.request({"do": "fault", "of": "board", "name": "silent"})
    assert cows.done == [("press", "done"), ("fault", "silent")]


def test_a_die_that_went_meanwhile_stops_nothing() -> None:
    hands, tray, cows, clock = made()
    tray.throw((1, 2, 3, 4, 5), "white")
    hands.request({"do": "throw"})
    acts = hands.acts_for({"do": "nudge", "die": 4})
    tray.clear()
    with pytest.raises(IndexError):
        acts[0][1]()
    clock.advance(PICK_UP_S)
    hands.run_due()
    hands.request({"do": "lift", "beam": "3"})
    assert cows.done == [("lift", "3")]


def test_a_real_table_has_no_virtual_hands() -> None:
    hands = Hands(None, None, ManualClock(), ThrowWish, dict)
    for request in ({"do": "throw"}, {"do": "lift", "beam": "3"}):
        with pytest.raises(InputError, match=r"real|no virtual"):
            hands.request(request)


def test_the_thread_carries_out_what_is_due_and_stops_at_once() -> None:
    hands, _, cows, _ = made()
    hands.start()
    hands.request({"do": "lift", "beam": "3"})
    hands.stop()
    assert cows.done in ([], [("lift", "3")])
