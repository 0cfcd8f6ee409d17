"""The coach on the page: odds and graph for everybody, marks only while it may speak, its switch, and the review."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support import fake_table
from tests.support.browser import DESK, PHONE, Browser
from tests.support.played_page import Played

MARKS = "[data-best], [data-advised], [data-star], #coach-says:not([hidden])"


def marks(browser: Browser) -> int:
    return len(browser.driver.find_elements("css selector", MARKS))


def told(browser: Browser, selector: str) -> str:
    """An element's words on one line, every space a plain one."""
    return " ".join(browser.text(selector).split())


def stars(browser: Browser) -> list[str | None]:
    """The beams that carry a star."""
    return [star.get_attribute("data-star") for star in browser.driver.find_elements("css selector", "[data-star]")]


def asking(**changes: Any) -> dict[str, Any]:
    """The throw of `rolled`, the coach on request and not yet asked."""
    state = fake_table.rolled()
    return state | {"coach": fake_table.coach(mode="on request", **changes), "can": [*state["can"], "ask_coach"]}


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_with_the_coach_off_odds_are_told_and_nothing_is_marked(played: Played, size: tuple[int, int]) -> None:
    browser = played.open(fake_table.rolled(), size)
    assert marks(browser) == 0
    assert "Rolling on beats the best of these with 43 %." in told(browser, "#odds")
    assert "Ends with nothing: 2 %." in told(browser, "#odds")
    assert browser.find('[data-coach="off"]').get_attribute("aria-pressed") == "true"
    assert not browser.find("#ask-coach").is_displayed()
    assert browser.find("#graph").is_displayed()


def test_odds_are_told_by_what_lies_there(played: Played) -> None:
    one = fake_table.rolled()
    one["pulls"] = one["pulls"][:1]
    browser = played.open(one)
    assert "Rolling on beats this with 43 %." in told(browser, "#odds")
    played.show(one | {"pulls": [], "odds": {"improve": 0.9961, "nothing": 0.0039}})
    assert told(browser, "#odds") == "Rolling on finds a pull with over 99 %. Ends with nothing: under 1 %."
    played.show(one | {"odds": {"improve": 1, "nothing": 0}})
    assert told(browser, "#odds") == "Rolling on beats this with 100 %. Never ends with nothing."
    played.show(one | {"odds": None})
    assert not browser.find("#odds").is_displayed()


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_keep_is_marked_on_its_dice_and_its_cow_and_told(played: Played, size: tuple[int, int]) -> None:
    state = fake_table.coached()
    browser = played.open(state, size)
    marked = [die.get_attribute("data-key") for die in browser.driver.find_elements("css selector", "[data-advised]")]
    assert marked == ["0", "1", "2", "3"]  # 1 2 3 4 of 1 2 3 4 3
    assert browser.find('[data-die="0"]').get_attribute("aria-label") == "white die, 1, the coach would keep it"
    assert told(browser, "#coach-says") == state["coach"]["sentence"]
    assert stars(browser) == ["straights"]
    assert not browser.has("[data-best]")
    played.show(fake_table.rolled())
    assert marks(browser) == 0


def test_a_best_pull_is_marked_in_the_list_and_where_it_leads(played: Played) -> None:
    sentence = "Pull two pair 1 3 now: wins 0.71; the best keep (1 2 3 4) 0.66."
    spoken = fake_table.coach(mode="always", sentence=sentence, pull="two pair 1 3")
    browser = played.open(fake_table.rolled() | {"coach": spoken})
    assert browser.find("[data-best]").get_attribute("data-pull") == "two pair 1 3"
    assert "the coach’s pull" in browser.find("[data-best]").get_attribute("textContent")
    assert stars(browser) == ["1", "3"]
    assert not browser.has("[data-advised]")


def test_the_switch_asks_the_table_and_shows_what_it_says(played: Played) -> None:
    browser = played.open(fake_table.rolled())
    browser.click('[data-coach="always"]')
    browser.wait(lambda: played.table.commands)
    assert played.table.commands[0][:2] == ("coach", {"mode": "always"})
    assert browser.find('[data-coach="off"]').get_attribute("aria-pressed") == "true"
    played.show(fake_table.coached())
    assert browser.find('[data-coach="always"]').get_attribute("aria-pressed") == "true"
    browser.click('[data-coach="always"]')  # it is so already
    assert len(played.table.commands) == 1


def test_the_coach_is_asked_by_a_button_while_that_brings_something(played: Played) -> None:
    browser = played.open(asking())
    assert browser.find("#ask-coach").get_attribute("textContent") == "Ask the coach"
    browser.click("#ask-coach")
    browser.wait(lambda: played.table.commands)
    assert played.table.commands[0][:2] == ("ask_coach", {})
    played.show(fake_table.coached())
    assert not browser.find("#ask-coach").is_displayed()


def test_the_switch_is_reached_and_pressed_by_keys(played: Played) -> None:
    browser = played.open(fake_table.rolled())
    browser.find('[data-coach="on request"]').send_keys("\n")
    browser.wait(lambda: played.table.commands)
    assert played.table.commands[0][:2] == ("coach", {"mode": "on request"})


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("size", [DESK, PHONE])
def test_the_graph_is_drawn_labelled_and_told_in_words(played: Played, size: tuple[int, int], scheme: str) -> None:
    browser = played.open(fake_table.rolled(), size, scheme=scheme)
    assert told(browser, "#graph-white") == "Ada 62 % to win"
    assert told(browser, "#graph-black") == "Grace 38 %"
    line = browser.find(".graph-line").get_attribute("d")
    assert line.count("L") == 4  # from the start over four turns
    label = browser.find("#graph-picture").get_attribute("aria-label").replace("\u00a0", " ")
    assert label == (
        "Ada’s chance to win over 4 turns: 50 % at the start, at most 62 % after turn 4, at least 48 % after turn 1, "
        "62 % now. The rest is Grace’s."
    )
    box = browser.run("return document.querySelector('#graph-picture').getBoundingClientRect().toJSON()")
    assert box["width"] > 200
    assert box["right"] <= size[0]
    dot = browser.find(".graph-now")
    assert line.endswith(f"L{dot.get_attribute('cx')} {dot.get_attribute('cy')}")


def test_white_is_above_and_black_below(played: Played) -> None:
    """A higher chance of White's is a higher line; the middle is even."""
    browser = played.open(fake_table.rolled() | {"chances": [0.5, 1.0, 0.0]})
    heights = [float(point.split()[1]) for point in browser.find(".graph-line").get_attribute("d")[1:].split("L")]
    middle, white, black = heights
    assert white < middle < black
    assert middle - white == pytest.approx(black - middle)


def test_without_a_finished_turn_there_is_no_graph(played: Played) -> None:
    browser = played.open(fake_table.state(chances=[0.5]))
    assert not browser.find("#graph").is_displayed()


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_after_the_game_each_lesson_leads_to_its_turn(played: Played, size: tuple[int, int]) -> None:
    browser = played.open(fake_table.won(), size)
    lessons = browser.driver.find_elements("css selector", "#lessons li")
    assert len(lessons) == 2
    assert lessons[0].text.startswith("Turn 3")
    assert "Ada" in lessons[0].text
    assert fake_table.lessons()[0]["sentence"] in lessons[0].text
    browser.run("arguments[0].querySelector('a').click()", lessons[0])
    browser.wait(lambda: browser.has("#turn-3:target"))
    seen = """
      const item = document.querySelector("#turn-3").getBoundingClientRect();
      return item.top >= 0 && item.bottom <= innerHeight && item.height > 0;"""
    browser.wait(lambda: browser.run(seen))
    assert told(browser, "#graph-white") == "Ada won"


def test_a_watcher_sees_what_is_told_but_no_switch(played: Played) -> None:
    browser = played.open(fake_table.coached())
    browser.run("document.body.dataset.control = 'no'")
    played.show(fake_table.coached())
    assert not browser.find("#coach").is_displayed()
    assert browser.find("#coach-says").is_displayed()
