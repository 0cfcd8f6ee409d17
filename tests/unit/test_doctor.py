"""The doctor on what runs and what is plugged in: service, port, board, camera; nothing that runs is disturbed."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from controller import __version__
from controller.cli import FAILED, OK, run
from controller.config import Config, load_config
from controller.journal.store import Journal
from controller.runtime.clock import ManualClock
from controller.runtime.doctor import service
from controller.runtime.doctor.check import Check, Told, Verdict, World
from controller.runtime.doctor.devices import board_check, camera_check, look, modem_manager
from controller.runtime.doctor.examination import ask_program, examine
from controller.runtime.doctor.service import Found, find_service, port_check, service_check, told_by_service
from controller.runtime.doctor.virtual import virtual_checks
from controller.runtime.wiring import build
from firmware_bridge.virtual.board import VirtualBoard
from tests.support.doctor import SCHEMA, files, said, world
from vision.errors import CameraGoneError
from vision.sources.source import Picture
from vision.sources.virtual import VirtualSource, VirtualTray

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
