"""`cowboard serve`: the table itself: board, camera, journal and page, until it is told to stop."""

from __future__ import annotations

import json
import logging
import signal
import threading
from pathlib import Path
from typing import Any

import click

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
    """Build the service from config and options, run it, and stop it cleanly on SIGTERM or Ctrl-C."""
    from controller.config import load_config
    from controller.runtime.wiring import build

    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    config = load_config(config_path, _overrides(virtual, port, host, camera, board, journal))
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    service = build(config)
    service.start()
    try:
        _say(service.announcement(), as_json)
        stopping.wait()
    finally:
        service.stop()


def _overrides(
    virtual: bool, port: int | None, host: str | None, camera: str | None, board: str | None, journal: Path | None
) -> dict[str, dict[str, Any]]:
    """The options as config tables; an explicit board or camera wins over `--virtual`."""
    overrides: dict[str, dict[str, Any]] = {}
    board_url = board or ("virtual://magnet" if virtual else None)
    camera_url = camera or ("virtual" if virtual else None)
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
    if as_json:
        click.echo(json.dumps(announcement))
        return
    click.echo(f"The table is at {announcement['address']}")
    for line in announcement["notes"]:
        click.echo(line)
