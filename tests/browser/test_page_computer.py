"""The new-game dialog seats computers, and each level is then seen to play on the real service."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from tests.support.browser import DESK, Browser
from tests.support.service import ServiceProcess

BOARD = """
[board]
url = "virtual://led"
"""
MOST_S = 100
LEVELS = ("gentle", "greedy", "keen", "best")


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ServiceProcess]:
    with ServiceProcess(tmp_path, config=BOARD) as service:
        yield service


def state(browser: Browser) -> dict[str, Any]:
    """The public state, asked for by the page itself."""
    found: dict[str, Any] = browser.driver.execute_async_script(
        "const done = arguments[0]; fetch('/api/state').then((answer) => answer.json()).then(done);"
    )
    return found


def until(browser: Browser, is_so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The public state as soon as it is so."""
    seen: list[dict[str, Any]] = []

    def look() -> bool:
        seen.append(state(browser))
        return is_so(seen[-1])

    browser.wait(look, "the state that was waited for", MOST_S)
    return seen[-1]


def is_another_game_than(game_id: str) -> Callable[[dict[str, Any]], bool]:
    """Whether a new game has begun since."""
    return lambda found: bool(found["game"]["id"] != game_id)


def choose(browser: Browser, name: str, value: str) -> None:
    Select(browser.driver.find_element(By.CSS_SELECTOR, f'dialog select[name="{name}"]')).select_by_value(value)


@pytest.mark.timeout(300)
def test_each_level_is_seated_on_the_page_and_makes_its_moves(browser: Browser, service: ServiceProcess) -> None:
    browser.console()
    browser.open(service.url, DESK)
    until(browser, lambda state: state["phase"] == "opening")
    for level in LEVELS:
        before = state(browser)["game"]["id"]
        browser.driver.execute_script("document.querySelector('[data-do=\"new\"]').click()")
        throws = browser.driver.find_element(By.CSS_SELECTOR, 'dialog select[name="throws"]')
        choose(browser, "white-player", level)
        choose(browser, "black-player", level)
        assert throws.is_displayed()
        choose(browser, "throws", "generator")
        browser.driver.find_element(By.CSS_SELECTOR, 'dialog [data-do="new_game"]').click()

        started = until(browser, is_another_game_than(before))
        assert {side: seat["level"] for side, seat in started["game"]["computers"].items()} == {
            "white": level,
            "black": level,
        }
        until(browser, lambda state: len(state["history"]) >= 1)

    browser.driver.execute_script("document.querySelector('[data-do=\"new\"]').click()")
    choose(browser, "white-player", "")
    assert browser.driver.find_element(By.CSS_SELECTOR, 'dialog select[name="throws"]').is_displayed()
    choose(browser, "black-player", "")
    assert not browser.driver.find_element(By.CSS_SELECTOR, 'dialog select[name="throws"]').is_displayed()
    browser.driver.get("about:blank")
