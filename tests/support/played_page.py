"""A fake table, its page server and the browser that looks at it, for the page's tests."""

from __future__ import annotations

from typing import Any

from tests.support.browser import DESK, Browser
from tests.support.fake_table import FakeTable
from web.app import create_app
from web.serve import PageServer


class Played:
    """A fake table, its server and the browser that looks at it."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.table = FakeTable()
        self.start(0)

    def start(self, port: int) -> None:
        self.server = PageServer(create_app(self.table), "127.0.0.1", port, 4)
        host, self.port = self.server.start()
        self.url = f"http://{host}:{self.port}/"

    def show(self, state: dict[str, Any]) -> int:
        """Publish a state and wait until the page shows it."""
        version = self.table.show(state)
        self.browser.wait_version(version)
        return version

    def open(self, state: dict[str, Any], size: tuple[int, int] = DESK, **how: str) -> Browser:
        """Publish a state and open the page on it."""
        version = self.table.show(state)
        self.browser.open(self.url, size, **how)
        self.browser.wait_version(version)
        return self.browser
