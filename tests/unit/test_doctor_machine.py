"""The doctor on the machine under the table: packages, power, disk, clock, config and journal."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller import __version__
from controller.config import load_config
from controller.games.cosmic_cows import Rules
from controller.journal.header import Header
from controller.journal.store import Journal
from controller.runtime.clock import ManualClock
from controller.runtime.doctor import machine
from controller.runtime.doctor.check import Told, Verdict
from controller.runtime.doctor.examination import read_config
from controller.runtime.doctor.journal import journal_check
from tests.support.doctor import files, said, world

# --- the machine ---


def test_an_old_python_is_wrong() -> None:
    said(machine.python((3, 10, 2)), Verdict.WRONG, "3.10.2")
    said(machine.python((3, 11, 0)), Verdict.OK)


@pytest.mark.parametrize(
    ("answer", "verdict", "words"),
    [
        (Told(0, "OpenCV 5, numpy 2\n", ""), Verdict.OK, "OpenCV 5, numpy 2."),
        (Told(1, "", "Traceback\nImportError: libGL.so.1 is missing\n"), Verdict.WRONG, "libGL.so.1 is missing"),
        (Told(-4, "", ""), Verdict.WRONG, "status -4"),
        (None, Verdict.WRONG, "don't end"),
    ],
)
def test_packages_that_dont_load_are_told_with_their_own_words(
    answer: Told | None, verdict: Verdict, words: str
) -> None:
    said(machine.packages(world(answer=answer)), verdict, words)


def test_the_pins_packages_are_missed_only_where_a_panel_is_set_up() -> None:
    lacking = world(answer=Told(1, "", "ModuleNotFoundError: No module named 'lgpio'"))

    said(machine.panel_packages(lacking, is_wanted=False), Verdict.NOT_HERE)
    said(machine.panel_packages(lacking, is_wanted=True), Verdict.WRONG, "'lgpio'", "pip install '.[panel]'")
    said(machine.panel_packages(world(answer=Told(0, "2.0.1\n", "")), is_wanted=True), Verdict.OK, "2.0.1")


@pytest.mark.parametrize(
    ("model", "verdict"),
    [
        ("Raspberry Pi 5 Model B Rev 1.0", Verdict.OK),
        ("Some Other Board", Verdict.NOT_HERE),
        (None, Verdict.NOT_HERE),
    ],
)
def test_only_a_pi_is_a_pi(model: str | None, verdict: Verdict) -> None:
    said(machine.model_check(model), verdict)


@pytest.mark.parametrize(
    ("answer", "verdict", "words"),
    [
        (None, Verdict.NOT_HERE, ()),
        (Told(0, "throttled=0x0\n", ""), Verdict.OK, ()),
        (Told(0, "throttled=0x1\n", ""), Verdict.WRONG, ("voltage is too low now", "supply")),
        (Told(0, "throttled=0x50000\n", ""), Verdict.WRONG, ("voltage is too low at times", "throttled at times")),
        (Told(0, "throttled=0x80008\n", ""), Verdict.WRONG, ("heat limit now", "fan")),
        (Told(255, "", "VCHI initialization failed\n"), Verdict.UNKNOWN, ("VCHI", "group video")),
    ],
)
def test_throttle_flags_are_told_in_words(answer: Told | None, verdict: Verdict, words: tuple[str, ...]) -> None:
    said(machine.throttling(world(answer=answer)), verdict, *words)


@pytest.mark.parametrize(
    ("content", "verdict", "words"),
    [
        ({}, Verdict.NOT_HERE, ()),
        ({"proc__device-tree__chosen__power__max_current": (5000).to_bytes(4, "big")}, Verdict.OK, ("5000 mA.",)),
        ({"proc__device-tree__chosen__power__max_current": (3000).to_bytes(4, "big")}, Verdict.OK, ("600 mA",)),
        ({"proc__device-tree__chosen__power__max_current": (900).to_bytes(4, "big")}, Verdict.WRONG, ("only 900",)),
        (
            {"sys__class__hwmon__hwmon1__name": "rpi_volt\n", "sys__class__hwmon__hwmon1__in0_lcrit_alarm": "1\n"},
            Verdict.WRONG,
            ("too low",),
        ),
        (
            {"sys__class__hwmon__hwmon1__name": "rpi_volt\n", "sys__class__hwmon__hwmon1__in0_lcrit_alarm": "0\n"},
            Verdict.OK,
            (),
        ),
        ({"sys__class__hwmon__hwmon0__name": "cpu_thermal\n"}, Verdict.NOT_HERE, ()),
    ],
)
def test_the_supply_is_told_as_far_as_the_pi_knows_it(
    tmp_path: Path, content: Mapping[str, str | bytes], verdict: Verdict, words: tuple[str, ...]
) -> None:
    said(machine.supply(world(files(tmp_path, **content))), verdict, *words)


def test_a_disk_has_room_or_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said(machine.disk(tmp_path / "not" / "there" / "journal.sqlite"), Verdict.OK, str(tmp_path))

    monkeypatch.setattr(machine, "LEAST_FREE_MB", float("inf"))
    said(machine.disk(tmp_path / "journal.sqlite"), Verdict.WRONG, "Only")


def test_a_clock_before_the_program_isnt_set() -> None:
    early = ManualClock(wall=datetime(1970, 1, 1, tzinfo=UTC))

    said(machine.clock(world(clock=early)), Verdict.WRONG, "1970-01-01")
    said(machine.clock(world()), Verdict.OK)


# --- config, journal ---


def test_a_bad_config_is_told_and_the_rest_is_looked_at_with_the_defaults(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("[page]\nprot = 8000\n", "utf-8")
    config, check = read_config(path, {})

    said(check, Verdict.WRONG, "'prot'", "the nearest is port", str(path))
    assert config == load_config()

    path.write_text('[rules]\nrolls = "many"\n', "utf-8")
    said(read_config(path, {})[1], Verdict.WRONG, "rolls")
    said(read_config(tmp_path / "none.toml", {})[1], Verdict.WRONG, "none.toml")
    said(read_config(None, {})[1], Verdict.OK)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "table" / "journal.sqlite"
    with Journal(path) as opened:
        opened.start_game(Header(rules=Rules(), start=None, program=__version__))
    return path


def test_a_sound_journal_is_ok_and_isnt_changed(journal: Path) -> None:
    before = journal.read_bytes()

    said(journal_check(journal), Verdict.OK, "holds 1 game.")
    assert journal.read_bytes() == before


def test_a_journal_that_isnt_there_yet_is_no_fault_and_isnt_made(tmp_path: Path) -> None:
    path = tmp_path / "new" / "journal.sqlite"

    said(journal_check(path), Verdict.OK, "None yet")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_journal_is_wrong(tmp_path: Path) -> None:
    path = files(tmp_path, garbage="something else entirely, and long enough to be read as a page") / "garbage"

    said(journal_check(path), Verdict.WRONG, "isn't a journal", "Set journal.path")
    said(journal_check(tmp_path), Verdict.WRONG, "folder")
    said(journal_check(path / "journal.sqlite"), Verdict.WRONG, "can't be made")


def test_damage_inside_a_journal_is_found(journal: Path) -> None:
    content = journal.read_bytes()
    assert b'"cosmic-cows"' in content
    journal.write_bytes(content.replace(b'"cosmic-cows"', b'"cosmic-c0ws"'))

    said(journal_check(journal), Verdict.WRONG, "damaged")
