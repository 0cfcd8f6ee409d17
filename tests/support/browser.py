"""A headless Chromium for the page's tests: a fresh profile each, no background traffic, the console kept."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.command import Command
from selenium.webdriver.support.ui import WebDriverWait

from tests.support.machine import is_emulated

PATIENCE_S = 8.0
PHONE = (360, 640)
DESK = (1280, 800)
_ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


class Browser:
    """A page in Chromium, asked in CSS selectors."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def open(
        self, url: str, size: tuple[int, int] = DESK, *, scheme: str = "dark", motion: str = "no-preference"
    ) -> None:
        """Load a page at this size of its viewport, in this colour scheme."""
        is_phone = size[0] < 600
        features = [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": motion},
        ]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": is_phone}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.driver.get(url)

    def run(self, script: str, *arguments: Any) -> Any:
        """What a script returns."""
        return self.driver.execute_script(script, *arguments)

    def find(self, selector: str) -> Any:
        return self.driver.find_element("css selector", selector)

    def has(self, selector: str) -> bool:
        return bool(self.driver.find_elements("css selector", selector))

    def text(self, selector: str) -> str:
        return str(self.find(selector).text)

    def click(self, selector: str) -> None:
        self.find(selector).click()

    def wait(self, is_so: Callable[[], Any], what: str = "", patience_s: float = PATIENCE_S) -> Any:
        """Until it is so; the page's console goes into the failure."""
        waiting = WebDriverWait(self.driver, patience_s, poll_frequency=0.05)
        try:
            return waiting.until(lambda _: is_so())
        except TimeoutException as error:
            error.msg = f"{what} console: {self.console()}"
            raise

    def wait_version(self, version: int) -> None:
        """Until the page shows this version of the state."""
        self.wait(lambda: self.has(f'body[data-version="{version}"]'), f"version {version} not shown;")

    def console(self) -> list[str]:
        """Errors and warnings since the last call: scripts' and the content policy's."""
        lines: list[dict[str, str]] = self.driver.execute(Command.GET_LOG, {"type": "browser"})["value"]
        return [line["message"] for line in lines if line["level"] in ("SEVERE", "WARNING")]

    def middle(self, selector: str) -> tuple[float, float]:
        """The middle of an element in the viewport."""
        box = self.run("return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()", selector)
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        return x, y

    def drag(self, selector: str, to: tuple[float, float], steps: int = 6) -> None:
        """Press the mouse on an element's middle, move it there, let go."""
        x, y = self.middle(selector)
        self._mouse("mousePressed", x, y)
        for step in range(1, steps + 1):
            self._mouse("mouseMoved", x + (to[0] - x) * step / steps, y + (to[1] - y) * step / steps)
        self._mouse("mouseReleased", *to)

    def _mouse(self, kind: str, x: float, y: float) -> None:
        event = {"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1}
        self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", event)


@contextmanager
def opened_browser(profile: Path) -> Iterator[Browser]:
    """A browser with its profile in this empty folder; skips where there is no Chromium."""
    if is_emulated():
        pytest.skip("an emulated processor can't run Chromium; on a machine of its own it can")
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        pytest.skip("chromium and chromedriver aren't installed")
    options = Options()
    options.binary_location = chromium
    for argument in (*_ARGUMENTS, f"--user-data-dir={profile}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(chromedriver))
    try:
        yield Browser(driver)
    finally:
        driver.quit()
