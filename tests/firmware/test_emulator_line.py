"""The emulator's serial line against the data sheet: speeds, overrun, framing, the cable and its faults."""

from __future__ import annotations

from random import Random

import pytest
import serial

from firmware_bridge.errors import PortMissingError
from tests.support.emulated import image, needs_emulator, pause, running

pytestmark = needs_emulator
TWO_HUNDRED = Random(1).randbytes(200)


@pytest.mark.parametrize("baud", [115_200, 250_000, 500_000, 1_000_000])
def test_every_byte_comes_back_at_each_speed(baud: int) -> None:
    with running(image("echo", f"BAUD={baud}UL")) as bench:
        bench.open(baud)
        bench.until("line", "opens", 1)
        assert [bench.ask(TWO_HUNDRED, 200) for _ in range(5)] == [TWO_HUNDRED] * 5
        stats = bench.control.stats()["line"]

    assert stats["heard"] == 1000
    assert (stats["lost"], stats["board_framing_errors"], stats["host_framing_errors"]) == (0, 0, 0)


def test_a_byte_lasts_ten_bits_on_the_line() -> None:
    with running(image("echo", "BAUD=115200UL"), pace=0) as bench:
        bench.open(115_200)
        before = bench.count("chip", "us")
        bench.ask(bytes(100), 100)
        took = bench.count("chip", "us") - before

    assert took >= 101 * 10 / 115_200 * 1e6  # the last one has to come back, too


def test_a_host_at_the_wrong_speed_gets_garbage() -> None:
    with running(image("echo", "BAUD=500000UL")) as bench:
        line = bench.open(115_200)
        line.timeout = 0.1
        line.write(TWO_HUNDRED)
        heard = line.read(400)
        stats = bench.control.stats()["line"]

    assert stats["host_baud"] == 115_200
    assert stats["board_framing_errors"] > 50
    assert TWO_HUNDRED[:20] not in heard


def test_two_per_cent_off_is_still_understood_and_six_is_not() -> None:
    with running(image("echo", "BAUD=500000UL")) as bench:
        bench.open(510_000)
        assert bench.ask(TWO_HUNDRED, 200) == TWO_HUNDRED
    with running(image("echo", "BAUD=500000UL")) as bench:
        line = bench.open(540_000)
        line.timeout = 0.1
        line.write(TWO_HUNDRED)
        assert line.read(200) != TWO_HUNDRED


def test_a_program_that_does_not_read_keeps_two_bytes_and_the_newest() -> None:
    with running(image("overrun")) as bench:
        bench.open()
        answer = bench.ask(b"abcdef", 7)
        lost = bench.count("line", "lost")

    assert answer == b"\x00a\x00b\x08f\xee"
    assert lost == 3


def test_three_unread_bytes_are_none_too_many() -> None:
    with running(image("overrun")) as bench:
        bench.open()

        assert bench.ask(b"abc", 7) == b"\x00a\x00b\x00c\xee"
        assert bench.count("line", "lost") == 0


def test_a_break_is_one_zero_with_a_framing_error() -> None:
    with running(image("overrun")) as bench:
        bench.open()
        bench.until("line", "opens", 1)
        bench.control.order("break", 30)

        assert bench.ask(b"", 3) == b"\x10\x00\xee"


def test_damage_and_loss_on_the_cable_come_at_the_rate_that_was_asked_for() -> None:
    with running(image("echo")) as bench:
        line = bench.open()
        line.timeout = 0.2
        bench.control.order("seed", 7)
        bench.control.order("line", "in", 10, 20)
        data = bytes(2000)
        for at in range(0, 2000, 100):
            line.write(data[at : at + 100])
        heard = line.read(2000)
        bench.control.order("line", "both", 0)
        assert bench.ask(b"clean again", 11) == b"clean again"

    assert 1500 < len(heard) < 1700
    assert 100 < len(heard.replace(b"\0", b"")) < 220


def test_the_same_seed_spoils_the_same_bytes() -> None:
    def spoilt() -> bytes:
        with running(image("echo")) as bench:
            line = bench.open()
            bench.control.order("seed", 3)
            bench.control.order("line", "out", 5)
            line.write(bytes(255))
            heard: bytes = line.read(255)
            return heard

    assert spoilt() == spoilt() != bytes(255)


def test_an_unplugged_port_is_lost_and_comes_back_under_another_name() -> None:
    with running(image("echo")) as bench:
        line = bench.open()
        first = bench.emulator.port
        assert bench.ask(b"here", 4) == b"here"
        bench.control.order("unplug")
        with pytest.raises(PortMissingError):
            _ = bench.emulator.port
        with pytest.raises((serial.SerialException, OSError)):
            line.read(1)
        line.close()
        bench.control.order("replug")
        assert bench.emulator.port != first
        bench.open()
        assert bench.ask(b"back", 4) == b"back"
        resets = bench.control.stats()["chip"]["resets"]

    assert resets["power"] == 2


def test_a_cable_pulled_for_a_time_plugs_itself_in_again() -> None:
    with running(image("echo")) as bench:
        bench.control.order("unplug", "powered", 30)
        pause(0.06)
        bench.open()

        assert bench.ask(b"x", 1) == b"x"
        assert bench.control.stats()["chip"]["resets"]["power"] == 1


def test_opening_the_port_resets_a_board_that_is_wired_so() -> None:
    with running(image("probe"), "--reset-on-open") as bench:
        first = bench.open()
        bench.until("line", "opens", 1)
        first.close()
        pause(0.01)
        bench.open()
        bench.until("line", "opens", 2)
        pause(0.01)

        assert bench.ask(b"m", 1) == b"\x02"
        assert bench.control.stats()["chip"]["resets"] == {"power": 1, "pin": 2, "brown_out": 0, "watchdog": 0}


def test_what_the_board_says_to_nobody_is_gone() -> None:
    with running(image("echo")) as bench:
        bench.until("line", "sent", 1)  # it says B at its start
        line = bench.open()
        line.timeout = 0.05

        assert line.read(10) == b""
        assert bench.count("line", "unread") == 1
