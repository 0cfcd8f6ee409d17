"""The doctor: each thing that can be wrong is found and named with its mend, and nothing that runs is disturbed."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from controller import __version__
from controller.cli import FAILED, OK, run
from controller.config import Config, load_config
from controller.games.cosmic_cows import Rules
from controller.journal.header import Header
from controller.journal.store import Journal
from controller.runtime.clock import ManualClock
from controller.runtime.doctor import machine, service
from controller.runtime.doctor.check import Check, Told, Verdict, World
from controller.runtime.doctor.devices import board_check, camera_check, look, modem_manager
from controller.runtime.doctor.examination import ask_program, examine, read_config
from controller.runtime.doctor.journal import journal_check
from controller.runtime.doctor.service import Found, find_service, port_check, service_check, told_by_service
from controller.runtime.doctor.virtual import virtual_checks
from controller.runtime.wiring import build
from firmware_bridge.virtual.board import VirtualBoard
from vision.errors import CameraGoneError
from vision.sources.source import Picture
from vision.sources.virtual import VirtualSource, VirtualTray

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "controller/schemas/doctor.json").read_text("utf-8"))


def world(root: Path = Path("/"), answer: Told | None = None, clock: ManualClock | None = None) -> World:
    """A machine whose files lie below a folder, whose programs give one answer, and whose time passes by waiting."""
    passing = clock or ManualClock()
    return World(passing, lambda words: answer, passing.advance, root)


def files(root: Path, **content: str | bytes) -> Path:
    """Files below a root; a double underscore in a name is a slash."""
    for name, text in content.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


def said(check: Check, verdict: Verdict, *words: str) -> None:
    """The verdict, and words of sentence and mend; what is wrong always has a mend."""
    jsonschema.validate(check.public(), SCHEMA)
    assert check.verdict is verdict, check
    for word in words:
        assert word in f"{check.sentence} {check.mend}", check
    assert check.sentence.endswith(".")
    assert check.mend or check.verdict is not Verdict.WRONG


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


# --- a running service ---


def table(tmp_path: Path, **page: Any) -> Config:
    settings = {"port": 0, "host": "127.0.0.1", **page}
    return load_config(
        None,
        {
            "page": settings,
            "journal": {"path": str(tmp_path / "journal.sqlite")},
            "board": {"url": "virtual://magnet"},
            "camera": {"url": "virtual"},
        },
    )


@pytest.fixture
def free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        port: int = trial.getsockname()[1]
        return port


def test_a_running_service_is_found_by_lock_and_page_and_its_devices_are_left_alone(
    tmp_path: Path, free_port: int
) -> None:
    config = table(tmp_path, port=free_port)
    running = build(config)
    running.start()
    port = running.page.address[1]
    try:
        found = find_service(world(), config)
        checks = {check.name: check for check in examine_with(config, tmp_path)}
    finally:
        running.stop()

    assert found.port == port
    assert found.version == __version__
    assert found.holder is None or str(os.getpid()) in found.holder
    said(checks["service"], Verdict.OK, "its devices are left to it")
    said(checks["port"], Verdict.OK, "served by the running table")
    for name in ("board", "camera", "panel"):
        assert checks[name].sentence.startswith("The running service"), checks[name]
    assert "modem manager" not in checks
    assert not find_service(world(), config).is_running


def examine_with(config: Config, folder: Path) -> Iterator[Check]:
    """The whole examination with these settings, as a file."""
    path = folder / "table.toml"
    path.write_text(
        f'[page]\nport = {config.page.port}\nhost = "{config.page.host}"\n'
        f'[journal]\npath = "{config.journal.path}"\n'
        '[board]\nurl = "virtual://magnet"\n[camera]\nurl = "virtual"\n',
        "utf-8",
    )
    return examine(world(answer=Told(0, "here", "")), path)


def test_a_lock_without_a_page_is_told(tmp_path: Path) -> None:
    config = table(tmp_path)
    with Journal(config.journal_path):
        found = find_service(world(), config)

    assert found.port is None
    if found.holder is not None:  # where the system lists its locks
        said(service_check(found, __version__), Verdict.UNKNOWN, "holds the journal")
    assert find_service(world(), config).holder is None


def test_the_lock_is_looked_up_and_never_taken(tmp_path: Path) -> None:
    lock = tmp_path / "journal.sqlite.lock"
    lock.write_text("1\n", "utf-8")
    listed = f"1: FLOCK  ADVISORY  WRITE 4711 fe:01:{lock.stat().st_ino} 0 EOF\n"
    here = world(files(tmp_path, proc__locks=listed, proc__4711__comm="python3\n"))

    with lock.open("r+") as held:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        assert service.lock_holder(here, tmp_path / "journal.sqlite") == "python3 (process 4711)"
    assert service.lock_holder(here, tmp_path / "other.sqlite") is None
    assert service.lock_holder(world(tmp_path / "nowhere"), tmp_path / "journal.sqlite") is None


def test_a_service_of_another_version_wants_a_new_start() -> None:
    found = Found(None, 8000, "0.0.9")

    said(service_check(found, "0.1.0"), Verdict.WRONG, "0.0.9", "0.1.0")
    said(service_check(Found(), "0.1.0"), Verdict.OK, "No service runs")


@pytest.mark.parametrize(
    ("state", "verdict"),
    [
        ("ready", Verdict.OK),
        ("off", Verdict.NOT_HERE),
        ("starting", Verdict.UNKNOWN),
        ("lost", Verdict.WRONG),
        ("missing", Verdict.WRONG),
    ],
)
def test_what_the_service_says_of_a_device_is_handed_on(state: str, verdict: Verdict) -> None:
    device = {"state": state, "name": "x", "sentence": "It went away.", "mend": "Plug it in."}
    check = told_by_service("board", Found(None, 8000, "0.1.0", {"board": device}))

    said(check, verdict, "It went away.")
    assert bool(check.mend) is (verdict is Verdict.WRONG)
    said(told_by_service("camera", Found("me")), Verdict.UNKNOWN)


@pytest.fixture
def stranger() -> Iterator[int]:
    """Another program's page on some port, which answers everything with a list."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'["not", "ours"]')

        def log_message(self, *_: object) -> None:
            """Quiet."""

    server = HTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever, name="stranger", kwargs={"poll_interval": 0.01})
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_port_of_another_program_is_taken_and_no_service_of_ours(tmp_path: Path, stranger: int) -> None:
    config = table(tmp_path, port=stranger)
    found = find_service(world(), config)

    assert not found.is_running
    said(port_check(world(), config, found), Verdict.WRONG, str(stranger), f"process {os.getpid()}")


def test_a_free_port_and_a_wrong_host(tmp_path: Path, free_port: int) -> None:
    said(port_check(world(), table(tmp_path, port=free_port), Found()), Verdict.OK, "free")
    said(port_check(world(), table(tmp_path), Found()), Verdict.OK, "The system chooses")
    away = table(tmp_path, port=free_port, host="192.0.2.1")
    said(port_check(world(), away, Found()), Verdict.WRONG, "no address of this machine")


def test_who_listens_is_found_only_among_listeners(tmp_path: Path) -> None:
    head = "sl local_address rem_address st tx:rx tr:tm retrnsmt uid timeout inode\n"
    row = "0: 00000000:1F40 00000000:0000 {state} 0:0 00:0 0 0 0 77 1\n"
    files(tmp_path, proc__net__tcp=head + row.format(state="0A"), proc__9__comm="nginx\n", proc__9__fd__x="")
    (tmp_path / "proc/9/fd/3").symlink_to("socket:[77]")
    (tmp_path / "proc/9/fd/x").unlink()

    assert service.port_holder(world(tmp_path), 8000) == "nginx (process 9)"
    assert service.port_holder(world(tmp_path), 8001) is None
    files(tmp_path, proc__net__tcp=head + row.format(state="01"))
    assert service.port_holder(world(tmp_path), 8000) is None


# --- devices ---


@pytest.mark.parametrize(
    ("url", "ports", "verdict", "words"),
    [
        ("virtual://magnet", (), Verdict.NOT_HERE, ("virtual",)),
        ("auto", (), Verdict.NOT_HERE, ("no board",)),
        ("serial://auto", (), Verdict.WRONG, ("Plug the board in",)),
        ("/dev/ttyNOWHERE", (), Verdict.WRONG, ("no such port", "Plug the board in")),
        ("bluetooth://x", (), Verdict.WRONG, ("board.url", "accepted")),
    ],
)
def test_a_board_that_isnt_there_is_a_fault_only_where_it_was_named(
    url: str, ports: tuple[str, ...], verdict: Verdict, words: tuple[str, ...]
) -> None:
    said(board_check(url, ports), verdict, *words)


def test_a_board_on_a_port_says_hello() -> None:
    virtual = VirtualBoard("magnet", seed=7)
    virtual.start()
    try:
        said(board_check(virtual.port, ()), Verdict.OK, "VB-7", virtual.port, "sensors")
    finally:
        virtual.stop()


def test_modem_manager_is_wrong_only_beside_a_port(tmp_path: Path) -> None:
    here = world(files(tmp_path, proc__12__comm="ModemManager\n"))

    said(modem_manager(here, ("/dev/ttyACM0",)), Verdict.WRONG, "disable --now ModemManager")
    said(modem_manager(here, ()), Verdict.OK)
    said(modem_manager(world(files(tmp_path / "b", proc__12__comm="bash\n")), ("x",)), Verdict.NOT_HERE)


@pytest.mark.parametrize(
    ("url", "verdict", "words"),
    [
        ("virtual", Verdict.NOT_HERE, "virtual camera"),
        ("v4l2:/dev/video99", Verdict.WRONG, "/dev/video99"),
        ("telescope", Verdict.WRONG, "camera.url"),
    ],
)
def test_a_camera_that_isnt_there_is_told(url: str, verdict: Verdict, words: str) -> None:
    said(camera_check(world(), load_config(None, {"camera": {"url": url}})), verdict, words)


@pytest.mark.parametrize(
    ("fault", "verdict", "words"),
    [
        ("none", Verdict.OK, "640x480"),
        ("dark", Verdict.WRONG, "too dark"),
        ("blur", Verdict.WRONG, "blurred"),
        ("frozen", Verdict.WRONG, "no picture"),
    ],
)
def test_a_camera_is_judged_by_its_picture_and_closed(fault: str, verdict: Verdict, words: str) -> None:
    clock = ManualClock()
    tray = VirtualTray(clock.monotonic)
    tray.throw((1, 2, 3, 4, 5), at_s=-10.0)
    tray.fault(fault)
    camera = Closing(tray, clock.monotonic)

    said(look(world(clock=clock), camera), verdict, words)
    assert camera.closed_count == 1


class Closing(VirtualSource):
    """A virtual camera that counts how often it was closed."""

    closed_count = 0

    def close(self) -> None:
        self.closed_count += 1


def test_a_camera_that_goes_away_is_closed_too() -> None:
    class Going(Closing):
        def newest(self, after_s: float) -> Picture | None:
            raise CameraGoneError("x", "went away", "plug it in")

    clock = ManualClock()
    camera = Going(VirtualTray(clock.monotonic), clock.monotonic)
    with pytest.raises(CameraGoneError):
        look(world(clock=clock), camera)
    assert camera.closed_count == 1


# --- the virtual walk, and all together ---


def test_the_walk_round_the_virtual_table_finds_it_whole(real_waits: World) -> None:
    checks = list(virtual_checks(real_waits))

    assert [check.name for check in checks] == ["virtual hello", "virtual cows", "virtual lights", "virtual throw"]
    for check in checks:
        said(check, Verdict.OK)


@pytest.fixture
def real_waits() -> World:
    """A world with real time, for the threads of the virtual board."""
    from controller.runtime.clock import RealClock

    return World(RealClock(), ask_program, threading.Event().wait)


def test_programs_are_asked_and_those_that_arent_there_say_nothing() -> None:
    assert ask_program(("cowboard-has-no-such-program",)) is None
    assert ask_program(("true",)) == Told(0, "", "")


def lines(capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, Any]]:
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for line in found:
        jsonschema.validate(line, SCHEMA)
    assert len({line["name"] for line in found}) == len(found)
    return {line["name"]: line for line in found}


@pytest.fixture
def config_file(tmp_path: Path, free_port: int) -> Callable[[str], str]:
    def write(more: str) -> str:
        path = tmp_path / "table.toml"
        place = f'[page]\nport = {free_port}\nhost = "127.0.0.1"\n[journal]\npath = "{tmp_path}/j.sqlite"\n'
        path.write_text(place + more, "utf-8")
        return str(path)

    return write


def test_the_command_walks_the_virtual_table(
    capsys: pytest.CaptureFixture[str], config_file: Callable[[str], str]
) -> None:
    status = run(["doctor", "--virtual", "--json", "--config", config_file("")])
    found = lines(capsys)

    assert status == OK, found
    assert all(found[name]["verdict"] == "ok" for name in ("virtual hello", "virtual throw", "journal", "port"))


def test_the_command_ends_with_one_and_names_what_is_wrong(
    capsys: pytest.CaptureFixture[str], config_file: Callable[[str], str]
) -> None:
    wrong = '[board]\nurl = "/dev/ttyNOWHERE"\n[camera]\nurl = "virtual"\n'

    assert run(["doctor", "--config", config_file(wrong)]) == FAILED
    told = capsys.readouterr()
    assert told.err == "cowboard doctor: wrong: board\n"
    assert "→ Plug the board in" in told.out


def test_without_vision_packages_the_rest_is_still_looked_at(config_file: Callable[[str], str]) -> None:
    lacking = world(answer=Told(1, "", "No module named 'cv2'"))
    checks = {check.name: check for check in examine(lacking, Path(config_file("")), is_virtual=True)}

    said(checks["vision packages"], Verdict.WRONG, "cv2")
    said(checks["devices"], Verdict.UNKNOWN)
    assert {"journal", "port", "clock"} <= set(checks)
    assert not any(name.startswith("virtual") for name in checks)
