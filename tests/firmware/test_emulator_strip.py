"""The emulator's LED decoder: a right picture is read right, and each wrong timing is found out."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.support.emulated import image, needs_emulator, running

pytestmark = needs_emulator
LEDS = 139
BITS = 24 * LEDS
EXPECTED = b"".join(bytes([led, 255 - led, led ^ 0x55]) for led in range(LEDS))
ONES = sum(byte.bit_count() for byte in EXPECTED)


def seen(fault: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The counts of the strip and the newest picture after a few pictures with this fault."""
    with running(image("strip", f"FAULT={fault}"), pace=0) as bench:
        bench.until("leds", "pictures", 12)
        return bench.control.order("stats")["leds"], bench.control.order("leds")


def test_a_right_picture_is_read_bit_for_bit_and_has_no_fault() -> None:
    counts, picture = seen(0)

    assert bytes.fromhex(picture["rgb"]) == EXPECTED
    assert picture["whole"]
    assert counts["bad_bits"] == counts["gaps"] == counts["broken_pictures"] == 0
    assert counts["bits"] >= 12 * BITS
    assert (counts["shortest_0_ns"], counts["longest_0_ns"]) == (375, 375)
    assert (counts["shortest_1_ns"], counts["longest_1_ns"]) == (750, 750)


def test_the_current_of_a_picture_follows_from_its_colours() -> None:
    _, picture = seen(0)

    assert picture["ma"] == pytest.approx(LEDS + sum(EXPECTED) / 255 * 18, rel=1e-5)


@pytest.mark.parametrize(
    ("fault", "per_picture"), [(1, ONES), (2, BITS - ONES)], ids=["ones too short", "zeros too long"]
)
def test_pulses_outside_the_data_sheet_are_counted_bit_by_bit(fault: int, per_picture: int) -> None:
    counts, picture = seen(fault)

    assert picture["bad_bits"] == per_picture
    assert counts["bad_highs"] == counts["bad_bits"] >= 12 * per_picture


def test_lows_too_short_are_found_out() -> None:
    counts, _ = seen(3)

    assert counts["bad_lows"] > 100


def test_a_pause_inside_a_picture_breaks_it_in_two() -> None:
    counts, picture = seen(4)

    assert counts["broken_pictures"] == counts["pictures"]
    assert not picture["whole"]


def test_a_missing_led_is_found_out() -> None:
    counts, picture = seen(5)

    assert counts["broken_pictures"] == counts["pictures"]
    assert counts["bad_bits"] == 0
    assert picture["bits"] == BITS - 24


def test_a_gap_that_older_strips_take_for_the_end_is_flagged() -> None:
    counts, picture = seen(6)

    assert picture["gaps"] == 1
    assert picture["longest_low_ns"] > 10_000
    assert picture["whole"]
    assert counts["bad_bits"] == 0


def test_each_picture_is_told_once_with_its_time(tmp_path: Path) -> None:
    log = tmp_path / "pictures.jsonl"
    with running(image("strip"), "--pictures", str(log)) as bench:
        bench.until("leds", "pictures", 6)
        told = bench.control.order("pictures", 2)
        ended = [picture["ended_ns"] for picture in told["pictures"]]
        assert [picture["n"] for picture in told["pictures"]] == list(range(3, told["newest"] + 1))
        assert all(8e6 < later - sooner < 20e6 for sooner, later in pairwise(ended))
        bench.control.order("forget")
        assert bench.count("leds", "pictures") <= 1
    lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()]

    assert [line["n"] for line in lines[:6]] == [1, 2, 3, 4, 5, 6]
    assert {line["bits"] for line in lines} == {BITS}
