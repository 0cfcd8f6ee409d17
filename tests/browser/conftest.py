"""One browser for each test file, and a page that is fed by a fake table."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.browser import Browser, opened_browser
from tests.support.played_page import Played


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with opened_browser(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture
def played(browser: Browser) -> Iterator[Played]:
    browser.console()
    played = Played(browser)
    yield played
    browser.driver.get("about:blank")
    played.server.stop()
