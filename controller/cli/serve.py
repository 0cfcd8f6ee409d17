"""`cowboard serve`: the table itself: board, camera, journal and page, until it is told to stop."""

from __future__ import annotations

import json
import logging
import signal
import threading
from pathlib import Path
from typing import Any

import click

from controller.cli import drop_output

log = logging.getLogger(__name__)

EXAMPLE = """\b
Example:
  cowboard serve --virtual --port 8000"""


@click.command("serve", help="Run the table: board, camera, journal and page.", epilog=EXAMPLE)
@click.option(
    "--config", "config_path", type=click.Path(path_type=Path), help="A TOML file; see cowboard.example.toml."
)
@click.option("--virtual", is_flag=True, help="Use the virtual board and camera, whatever is plugged in.")
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Where the page is served [8000; taken: the next free one]."
)
@click.option("--host", help="The address the page listens on.")
@click.option("--camera", help="virtual, picamera, v4l2:DEVICE, or the path of a video or a folder of pictures.")
@click.option("--board", help="virtual://magnet, virtual://led, serial://auto or a device path.")
@click.option("--journal", type=click.Path(path_type=Path), help="The journal's file.")
@click.option("--json", "as_json", is_flag=True, help="Say where the page is as one JSON object.")
def command(
    config_path: Path | None,
    virtual: bool,
    port: int | None,
    host: str | None,
    camera: str | None,
    board: str | None,
    journal: Path | None,
    as_json: bool,
) -> None:
    """Build the service from config and options, run it; SIGTERM, Ctrl-C or a closed terminal stop it cleanly."""
    from controller.config import load_config
    from controller.runtime.wiring import build

    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("waitress").setLevel(logging.WARNING)  # a watcher that leaves is daily life, not a line each
    config = load_config(config_path, _overrides(virtual, port, host, camera, board, journal))
    stopping = threading.Event()
    for number in _stop_signals():
        signal.signal(number, lambda *_: stopping.set())
    service = build(config)
    try:
        service.start()
        _say(service.announcement(), as_json)
        stopping.wait()
    finally:
        service.stop()


def _stop_signals() -> tuple[signal.Signals, ...]:
    """What ends the service; a closed terminal too, unless it was started to outlive that (nohup)."""
    outlives = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    return (signal.SIGTERM, signal.SIGINT, *(() if outlives else (signal.SIGHUP,)))


def _overrides(
    virtual: bool, port: int | None, host: str | None, camera: str | None, board: str | None, journal: Path | None
) -> dict[str, dict[str, Any]]:
    """The options as config tables; an explicit board or camera wins over `--virtual`."""
    overrides: dict[str, dict[str, Any]] = {}
    board_url = "virtual://magnet" if virtual and board is None else board
    camera_url = "virtual" if virtual and camera is None else camera
    for table, key, value in (
        ("page", "port", port),
        ("page", "host", host),
        ("board", "url", board_url),
        ("camera", "url", camera_url),
        ("journal", "path", None if journal is None else str(journal)),
    ):
        if value is not None:
            overrides.setdefault(table, {})[key] = value
    return overrides


def _say(announcement: dict[str, Any], as_json: bool) -> None:
    """Tell where the page is; that nobody can hear it any more is no reason to end the game."""
    lines = [f"The table is at {announcement['address']}", *announcement["notes"]]
    try:
        click.echo(json.dumps(announcement) if as_json else "\n".join(lines))
    except OSError as error:
        drop_output()
        log.warning("can't write where the page is: %s", error.strerror)
