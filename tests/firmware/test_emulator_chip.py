"""The emulated controller against the data sheet: resets, supply, EEPROM, sensor chain, interrupts, stack."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.emulator.process import Emulator, EmulatorPlan
from firmware_bridge.errors import AddressError, LocalProtocolError, PortLostError, PortMissingError
from tests.support.emulated import Bench, image, needs_emulator, pause, program, running

pytestmark = needs_emulator
POWER, PIN, BROWN_OUT, WATCHDOG = b"\x01", b"\x02", b"\x04", b"\x08"


def chain(bench: Bench) -> set[int]:
    """The closed inputs as the program reads them; a closed switch reads 0."""
    read = bench.ask(b"r", 18)
    return {number for number in range(144) if not read[number // 8] >> (7 - number % 8) & 1}


def test_each_reset_tells_its_reason() -> None:
    with running(image("probe")) as bench:
        bench.open()
        seen = [bench.ask(b"m", 1)]
        bench.control.order("reset")
        pause(0.01)
        seen.append(bench.ask(b"m", 1))
        bench.control.order("supply", 2500, 5)
        pause(0.02)
        seen.append(bench.ask(b"m", 1))
        bench.line.write(b"h")  # type: ignore[union-attr]
        pause(0.05)
        seen.append(bench.ask(b"m", 1))
        bench.control.order("power", "cycle", 5)
        pause(0.02)
        seen.append(bench.ask(b"m", 1))
        resets = bench.control.stats()["chip"]["resets"]

    assert seen == [POWER, PIN, BROWN_OUT, WATCHDOG, POWER]
    assert resets == {"power": 2, "pin": 1, "brown_out": 1, "watchdog": 1}


def test_a_watchdog_bites_after_the_time_it_was_given() -> None:
    with running(image("probe"), pace=0) as bench:
        bench.open()
        bench.ask(b"m", 1)
        before = bench.count("chip", "us")
        assert bench.line is not None
        bench.line.write(b"h")
        while bench.control.stats()["chip"]["resets"]["watchdog"] == 0:
            assert bench.count("chip", "us") - before < 10e6
        assert bench.count("chip", "us") - before >= 15_000


def test_a_supply_above_the_brown_out_level_resets_nothing_and_is_read_by_the_program() -> None:
    with running(image("probe")) as bench:
        bench.open()
        bench.control.order("supply", 4500)
        read = bench.ask_number(b"a")
        resets = bench.control.stats()["chip"]["resets"]

    assert read == pytest.approx(4500 * 0.2 / 1100 * 1024, abs=2)
    assert resets["brown_out"] == 0


def test_a_chip_without_supply_does_nothing() -> None:
    with running(image("echo")) as bench:
        line = bench.open()
        line.timeout = 0.05
        bench.control.order("power", "off")
        line.write(b"anybody")
        assert line.read(7) == b""
        assert bench.control.stats()["chip"]["running"] is False
        bench.control.order("power", "on")
        line.timeout = 2
        assert bench.ask(b"", 1) == b"B"


def test_every_input_of_the_chain_has_its_own_bit() -> None:
    with running(image("probe")) as bench:
        bench.open()
        assert chain(bench) == set()
        for number in (0, 1, 7, 8, 69, 138, 143):
            bench.control.order("inputs", number)
            assert chain(bench) == {number}
        bench.control.order("inputs", *range(0, 144, 5))
        assert chain(bench) == set(range(0, 144, 5))
        assert bench.control.stats()["chain"]["collisions"] == 0


def test_closed_switches_read_one_where_the_board_is_built_so() -> None:
    with running(image("probe"), "--closed-high") as bench:
        bench.open()
        bench.control.order("input", 3, "on")

        assert bench.ask(b"r", 18) == bytes([0x10] + [0] * 17)


def test_a_slide_closes_the_inputs_one_after_the_other() -> None:
    with running(image("probe")) as bench:
        bench.open()
        bench.control.order("slide", 60, 20, 24)
        seen: list[set[int]] = []
        while not seen or seen[-1] != {24}:
            closed = chain(bench)
            assert len(closed) <= 1
            if closed and (not seen or seen[-1] != closed):
                seen.append(closed)
            assert len(seen) < 9

    assert seen == [{20}, {21}, {22}, {23}, {24}]


def test_a_new_plan_takes_the_place_of_what_the_old_one_still_had_to_do() -> None:
    with running(image("probe")) as bench:
        bench.open()
        bench.control.order("plan", 4, "0:9:on", "40:9:off", "40:10:on")
        bench.control.order("plan", 5, "0:30:on")
        bench.control.order("plan", 4, "0:9:off", "1:8:on")
        pause(0.06)

        assert chain(bench) == {8, 30}


def test_spoilt_inputs_read_what_their_fault_makes_of_them() -> None:
    with running(image("probe")) as bench:
        bench.open()
        bench.control.order("inputs", 3, 4)
        bench.control.order("spoil", 1, "closed")
        bench.control.order("spoil", 3, "open")
        assert chain(bench) == {1, 4}
        bench.control.order("spoil", 2, "chatter", 500)
        reads = [2 in chain(bench) for _ in range(40)]
        assert 5 < reads.count(True) < 35
        for number in (1, 2, 3):
            bench.control.order("spoil", number, "free")
        assert chain(bench) == {3, 4}


def test_contacts_bounce_for_as_long_as_they_were_told_to() -> None:
    with running(image("probe")) as bench:
        bench.open()
        bench.control.order("bounce", 20_000)
        bench.control.order("input", 5, "on")
        reads = [5 in chain(bench) for _ in range(20)]
        pause(0.03)

        assert False in reads
        assert True in reads
        assert chain(bench) == {5}


def test_the_button_is_seen_with_every_bounce() -> None:
    with running(image("probe")) as bench:
        bench.open()
        assert bench.ask(b"b", 2) == b"\x01\x00"
        bench.control.order("button", "on")
        assert bench.ask(b"b", 2) == b"\x00\x01"
        bench.control.order("button", "off")
        bench.control.order("press", 20, 2000)
        pause(0.04)
        level, edges = bench.ask(b"b", 2)

        assert level == 1
        assert edges > 3


def test_eeprom_takes_its_time_and_is_kept_in_its_file(tmp_path: Path) -> None:
    kept = tmp_path / "eeprom.bin"
    with running(image("probe"), eeprom=kept) as bench:
        bench.open()
        assert bench.ask(b"x\x05", 1) == b"\xff"
        assert bench.ask_number(b"e\x05\x42") == pytest.approx(3400, abs=20)
        assert bench.ask(b"x\x05", 1) == b"\x42"
    assert kept.read_bytes()[5] == 0x42
    with running(image("probe"), eeprom=kept) as bench:
        bench.open()
        assert bench.ask(b"x\x05", 1) == b"\x42"


def test_a_power_cut_spoils_the_byte_that_is_being_written(tmp_path: Path) -> None:
    with running(image("probe"), eeprom=tmp_path / "eeprom.bin") as bench:
        line = bench.open()
        bench.ask_number(b"e\x07\x00")
        line.write(b"e\x07\x01")
        pause(0.0015)
        bench.control.order("power", "cycle")
        pause(0.05)

        assert bench.ask(b"x\x07", 1) not in (b"\x00", b"\x01")


def test_an_interrupt_costs_what_the_data_sheet_says_and_comes_between_sei_and_cli() -> None:
    with running(image("probe")) as bench:
        bench.open()
        late, let_in = bench.ask(b"i", 2)

    assert 4 + 3 + 2 + 1 <= late <= 4 + 3 + 2 + 1 + 3  # response, JMP, PUSH, IN, and the instruction under way
    assert let_in == 1


def test_a_timer_that_clears_on_a_match_with_zero_runs() -> None:
    with running(image("probe")) as bench:
        bench.open()

        assert bench.ask_number(b"t") > 100  # 312 clocks in 20 ms


def test_the_stack_is_measured_to_its_deepest_byte() -> None:
    with running(image("probe")) as bench:
        bench.open()
        bench.ask(b"s\x10", 1)
        shallow = bench.count("chip", "ram_headroom")
        bench.ask(b"s\xf0", 1)
        deep = bench.count("chip", "ram_headroom")
        bench.control.order("reset")
        pause(0.01)

        assert 14 * 16 <= shallow - deep <= 14 * 40
        assert bench.count("chip", "ram_headroom") > deep
        assert bench.count("chip", "ram_headroom_least") == deep


def test_a_jump_to_nowhere_is_told_as_a_crash() -> None:
    with running(image("probe")) as bench:
        line = bench.open()
        line.write(b"j")
        bench.until("line", "heard", 1)
        pause(0.05)
        assert bench.control.stats()["chip"]["crashed"] is True
        bench.control.order("reset")
        pause(0.01)
        assert bench.ask(b"m", 1) == PIN


def test_orders_that_cannot_be_carried_out_are_refused_with_what_is_accepted() -> None:
    with running(image("echo")) as bench:
        for line in ("dance", "input 144 on", "input 3", "line sideways 5", "plan 0 5:200:on", "supply -1", "replug"):
            with pytest.raises(AddressError, match="accepted"):
                bench.control.order(*line.split())
        assert set(bench.control.order("help")) >= {"input", "slide", "leds", "stats", "supply", "reset", "unplug"}


def test_a_file_that_is_no_program_is_refused_with_the_reason(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.elf"
    wrong.write_bytes(b"not a program")

    with pytest.raises(PortMissingError, match="expected an ELF or hex file"):
        Emulator(EmulatorPlan(program=program(), image=wrong)).start()


def test_an_emulator_is_started_once_and_says_when_it_is_gone() -> None:
    with running(image("echo")) as bench:
        with pytest.raises(LocalProtocolError):
            bench.emulator.start()
        control = bench.control
    assert not bench.emulator.is_running
    with pytest.raises(PortLostError):
        control.order("hello")
