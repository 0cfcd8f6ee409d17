"""The page in a real Chromium, fed by a fake table: what it shows, and what it asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.support import fake_table
from tests.support.browser import DESK, PHONE, Browser
from tests.support.fake_table import FakeTable
from tests.support.played_page import Played
from web.app import create_app
from web.serve import PageServer

STATES = [
    fake_table.opening,
    fake_table.rolled,
    fake_table.wrong,
    fake_table.refused,
    fake_table.won,
    fake_table.coached,
]


def settle(browser: Browser) -> None:
    """Let every glide end, so that things are where they will stay."""
    browser.run("document.getAnimations().forEach(a => { if (a instanceof CSSTransition) a.finish(); });")


@pytest.mark.parametrize("make", STATES)
def test_each_state_is_shown_and_the_console_stays_empty(played: Played, make: Callable[[], dict[str, Any]]) -> None:
    state = make()
    browser = played.open(state)
    assert browser.text("#sentence") == state["sentence"]
    assert browser.has(f'body[data-phase="{state["phase"]}"]')
    assert len(browser.driver.find_elements("css selector", "[data-cow]")) == 9
    assert len(browser.driver.find_elements("css selector", "[data-cell]")) == 139
    assert browser.text("#simulated") == "virtual table: simulated camera and board"
    assert browser.console() == []


def test_news_comes_by_itself(played: Played) -> None:
    browser = played.open(fake_table.opening())
    played.show(fake_table.rolled())
    assert browser.find('[data-cow="1"]').get_attribute("data-place") == "6"
    assert browser.has('[data-cell="straights:+6"][data-target="small straight"]')
    assert [d.get_attribute("data-die") for d in browser.driver.find_elements("css selector", "[data-die]")] == list(
        "01234"
    )


def test_a_kept_die_stays_out_of_the_next_throw(played: Played) -> None:
    browser = played.open(fake_table.rolled())
    browser.click('[data-die="2"]')
    browser.click('[data-die="4"]')
    browser.click('[data-die="4"]')
    assert browser.find('[data-die="2"]').get_attribute("aria-pressed") == "true"
    assert browser.find('[data-die="4"]').get_attribute("aria-pressed") == "false"
    assert browser.text('[data-do="throw"]') == "Throw 4 again"
    browser.click('[data-do="throw"]')
    browser.wait(lambda: played.table.deeds)
    assert played.table.deeds == [{"do": "throw", "keep": [2]}]


def test_a_new_turn_forgets_what_was_kept(played: Played) -> None:
    browser = played.open(fake_table.rolled())
    browser.click('[data-die="2"]')
    played.show(fake_table.state(mover="black", history=[*fake_table.history(), fake_table.history()[0] | {"turn": 5}]))
    assert not browser.has('[data-die][aria-pressed="true"]')
    browser.click('[data-do="throw"]')
    browser.wait(lambda: played.table.deeds)
    assert played.table.deeds == [{"do": "throw", "keep": []}]


def test_a_die_dragged_to_the_rail_is_laid_there(played: Played) -> None:
    browser = played.open(fake_table.rolled())
    browser.drag('[data-die="1"]', browser.middle("#rail"))
    browser.wait(lambda: played.table.deeds)
    assert played.table.deeds == [{"do": "rail", "dice": [1]}]
    assert browser.find('[data-die="1"]').get_attribute("aria-pressed") == "true"


@pytest.mark.parametrize("size", [DESK, PHONE])
@pytest.mark.parametrize(
    ("cell", "deed"),
    [
        ('[data-cell="3:+2"]', {"do": "slide", "beam": "3", "place": 2}),
        ('[data-cell="2:-3"]', {"do": "put", "beam": "3", "on": "2", "place": -3}),
        ('[data-ship="black"] .dome', {"do": "lift", "beam": "3"}),
    ],
)
def test_a_cow_goes_where_it_is_dragged(played: Played, cell: str, deed: dict[str, Any], size: tuple[int, int]) -> None:
    browser = played.open(fake_table.rolled(), size)
    settle(browser)
    browser.drag('[data-cow="3"] .cow-ring', browser.middle(cell))
    browser.wait(lambda: played.table.deeds)
    assert played.table.deeds == [deed]


def test_a_dragged_cow_stays_where_it_was_let_go_until_the_table_knows_better(played: Played) -> None:
    browser = played.open(fake_table.rolled())
    settle(browser)
    browser.drag('[data-cow="3"] .cow-ring', browser.middle('[data-cell="3:+2"]'))
    browser.wait(lambda: played.table.deeds)
    assert browser.find('[data-cow="3"]').get_attribute("data-place") == "2"
    moved = fake_table.rolled()
    moved["virtual"]["cows"][3]["place"] = 2
    played.show(moved)
    assert browser.find('[data-cow="3"]').get_attribute("data-held") is None
    assert browser.find('[data-cow="3"]').get_attribute("data-place") == "2"


def test_a_cow_can_be_moved_by_keys_alone(played: Played) -> None:
    browser = played.open(fake_table.rolled())
    browser.run("document.querySelector('[data-cow=\"3\"]').focus()")
    ActionChains(browser.driver).send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN).perform()
    assert "2 towards Ada" in browser.find("#whisper").get_attribute("textContent")
    ActionChains(browser.driver).send_keys(Keys.ENTER).perform()
    browser.wait(lambda: played.table.deeds)
    assert played.table.deeds == [{"do": "slide", "beam": "3", "place": 2}]


def test_escape_puts_a_cow_back(played: Played) -> None:
    browser = played.open(fake_table.rolled())
    browser.run("document.querySelector('[data-cow=\"3\"]').focus()")
    ActionChains(browser.driver).send_keys(Keys.ARROW_DOWN, Keys.ESCAPE, Keys.ENTER).perform()
    assert browser.find('[data-cow="3"]').get_attribute("data-place") == "0"
    assert played.table.deeds == []


def test_everything_can_be_reached_by_the_tab_key(played: Played) -> None:
    browser = played.open(fake_table.rolled())
    reached = set()
    for _ in range(60):
        ActionChains(browser.driver).send_keys(Keys.TAB).perform()
        reached.add(
            browser.run(
                "const d = document.activeElement.dataset; return d.cow || d.do || d.pull || (d.die && 'die ' + d.die);"
            )
        )
    assert {"1", "super", "straights", "throw", "undo", "pair 3", "die 0", "die 4", "mishaps"} <= reached


def test_pointing_at_a_pull_shows_where_its_cows_land(played: Played) -> None:
    browser = played.open(fake_table.rolled())
    browser.run("document.querySelector('[data-pull=\"two pair 1 3\"]').focus()")
    shown = browser.driver.find_elements("css selector", "[data-cell][data-shown]")
    assert {cell.get_attribute("data-cell") for cell in shown} == {"1:+8", "3:+2"}
    assert len(browser.driver.find_elements("css selector", ".way")) == 2
    browser.click('[data-pull="two pair 1 3"]')
    assert played.table.commands == []


def test_dice_that_tumble_have_the_colour_of_who_throws_them(played: Played) -> None:
    state = fake_table.opening() | {"phase": "rolling", "opening": {"white": [], "black": []}, "dice": []}
    state["virtual"]["tray"] = state["virtual"]["tray"][:1]
    browser = played.open(state)
    assert browser.has('[data-die="0"] .face[data-colour="white"]:not([data-unsure])')
    state["opening"] = {"white": [4], "black": []}
    played.show(state)
    assert browser.has('[data-die="0"] .face[data-colour="black"]:not([data-unsure])')
    assert browser.text("#mover") == "Who starts?"
    assert browser.has('[data-opener="white"] .face[data-value="4"]')


def test_corrected_dice_are_shown_though_no_picture_says_which_lies_where(played: Played) -> None:
    state = fake_table.rolled()
    state["dice"] = [
        die | {"box": None, "value": value} for die, value in zip(state["dice"], (1, 6, 6, 6, 6), strict=True)
    ]
    browser = played.open(state)
    faces = browser.driver.find_elements("css selector", "[data-die] .face:not([data-unsure])")
    assert [face.get_attribute("data-value") for face in faces] == list("16666")


def test_without_sensors_a_pull_is_chosen_by_its_button(played: Played) -> None:
    state = fake_table.rolled() | {"virtual": None}
    state["can"] = [*state["can"], "choose_pull"]
    browser = played.open(state)
    version = played.table.snapshot().version
    browser.click('[data-pull="pair 3"]')
    browser.wait(lambda: played.table.commands)
    assert played.table.commands[0][:3] == ("choose_pull", {"pull": "pair 3"}, version)


def test_without_a_camera_dice_are_entered_on_the_page(played: Played) -> None:
    browser = played.open(fake_table.state(virtual=None, devices={}, can=["enter_dice"]))
    for face in "33461":
        browser.click(f'[data-face="{face}"]')
    browser.click('[data-do="enter_dice"]')
    browser.wait(lambda: played.table.commands)
    assert played.table.commands[0][:2] == ("enter_dice", {"dice": "33461"})


def test_a_refused_command_is_explained_by_the_tables_own_sentence(played: Played) -> None:
    browser = played.open(fake_table.rolled())
    played.table.next_answer = (409, "The table has moved on; look again.")
    browser.click('[data-do="undo"]')
    browser.wait(lambda: browser.text("#toast") == "The table has moved on; look again.")
    assert browser.find("#toast").get_attribute("role") == "alert"
    played.table.next_answer = (200, "Taken.")
    browser.click('[data-do="undo"]')
    browser.wait(lambda: not browser.find("#toast").is_displayed())
    browser.console()


def test_after_a_stale_command_the_newer_state_is_shown(browser: Browser) -> None:
    """The table publishes by `snapshot` alone here, so only asking again can bring the newer state."""
    table = FakeTable(fake_table.rolled())
    server = PageServer(create_app(table, watcher_limit=1), "127.0.0.1", 0, 1)
    host, port = server.start()
    try:
        browser.open(f"http://{host}:{port}/")
        browser.wait_version(1)
        table.hush()
        table.show(fake_table.won())
        browser.click('[data-do="undo"]')
        browser.wait_version(2)
        assert browser.text("#toast") == "The table has moved on; look again."
        assert table.commands[0][2] == 1
    finally:
        browser.driver.get("about:blank")
        server.stop()
        browser.console()


@pytest.mark.parametrize(
    ("state", "button", "name"),
    [
        (fake_table.rolled(), "undo", "undo"),
        (fake_table.rolled(), "pause", "pause"),
        (fake_table.state(phase="paused", can=["resume"]), "resume", "resume"),
        (fake_table.state(phase="touched", can=["done", "reroll"]), "reroll", "reroll"),
    ],
)
def test_a_control_sends_its_command(played: Played, state: dict[str, Any], button: str, name: str) -> None:
    browser = played.open(state)
    version = played.table.snapshot().version
    browser.click(f'[data-do="{button}"]')
    browser.wait(lambda: played.table.commands)
    assert played.table.commands[0][:3] == (name, {}, version)


def test_dice_mover_and_cows_can_be_set_right(played: Played) -> None:
    browser = played.open(fake_table.rolled())
    browser.click('[data-do="correct"]')
    box = browser.find('dialog [name="dice"]')
    box.clear()
    box.send_keys("66654")
    browser.click('[data-do="correct_dice"]')
    browser.wait(lambda: not browser.has("dialog"))
    browser.click('[data-do="correct"]')
    place = browser.find('dialog [name="cow-super"]')
    place.clear()
    place.send_keys("-1")
    browser.click('[data-do="correct_cows"]')
    browser.wait(lambda: len(played.table.commands) == 2)
    assert played.table.commands[0][:2] == ("correct_dice", {"dice": "66654"})
    assert played.table.commands[1][:2] == ("correct_cows", {"position": "0,6,2,0,-1,-3,-6,1,3 w"})


def test_a_new_game_takes_the_players_names(played: Played) -> None:
    browser = played.open(fake_table.won())
    browser.click('[data-do="again"]')
    box = browser.find('dialog [name="white"]')
    box.clear()
    box.send_keys("Zoë")
    browser.click('[data-do="new_game"]')
    browser.wait(lambda: played.table.commands)
    assert played.table.commands[0][:2] == ("new_game", {"white": "Zoë", "black": "Grace"})


def test_mishaps_are_marked_as_simulation_and_set_off(played: Played) -> None:
    browser = played.open(fake_table.rolled())
    browser.click('[data-do="mishaps"]')
    assert browser.has("dialog[data-simulation]")
    browser.click('[data-fault="camera:cocked"]')
    browser.wait(lambda: played.table.deeds)
    assert played.table.deeds == [{"do": "fault", "of": "camera", "name": "cocked"}]


def test_a_refused_die_is_named_and_can_be_nudged(played: Played) -> None:
    browser = played.open(fake_table.refused())
    assert "cocked" in browser.find('[data-die="3"]').get_attribute("aria-label")
    browser.click('[data-nudge="3"]')
    browser.wait(lambda: played.table.deeds)
    assert played.table.deeds == [{"do": "nudge", "die": 3}]


def test_a_die_that_was_not_even_seen_can_be_nudged(played: Played) -> None:
    browser = played.open(fake_table.refused() | {"dice": [], "refusals": ["unknown die"]})
    browser.click('[data-nudge="0"]')
    browser.wait(lambda: played.table.deeds)
    assert played.table.deeds == [{"do": "nudge", "die": 0}]


def test_with_a_real_camera_the_page_throws_no_dice(played: Played) -> None:
    state = fake_table.rolled()
    state["virtual"]["tray"] = None
    browser = played.open(state)
    assert not browser.find('[data-do="throw"]').is_displayed()
    assert browser.find('[data-die="0"]').get_attribute("aria-pressed") is None
    assert browser.find('[data-cow="3"]').get_attribute("role") == "button"


def test_on_a_real_board_no_cow_is_moved_from_the_page(played: Played) -> None:
    state = fake_table.rolled()
    state["virtual"]["cows"] = None
    browser = played.open(state)
    assert browser.has('[data-cow="3"][role=img]')
    browser.drag('[data-cow="3"] .cow-ring', browser.middle('[data-cell="3:+2"]'))
    browser.click('[data-do="throw"]')
    browser.wait(lambda: played.table.deeds)
    assert played.table.deeds == [{"do": "throw", "keep": []}]


def test_a_knocked_cow_is_set_up_again_by_a_tap(played: Played) -> None:
    state = fake_table.rolled()
    state["virtual"]["cows"][3]["state"] = "toppled"
    browser = played.open(state)
    assert "knocked over" in browser.find('[data-cow="3"]').get_attribute("aria-label")
    browser.drag('[data-cow="3"] .cow-ring', browser.middle('[data-cell="3:0"]'))
    browser.wait(lambda: played.table.deeds)
    assert played.table.deeds == [{"do": "put", "beam": "3", "on": "3", "place": 0}]


def test_an_old_picture_never_passes_for_the_present_one(played: Played) -> None:
    state = fake_table.rolled()
    browser = played.open(state)
    browser.wait(lambda: not browser.find("#no-picture").is_displayed(), "no picture came;")
    state["devices"]["camera"] |= {"state": "lost", "sentence": "The camera is unplugged.", "mend": "Check its cable."}
    played.show(state)
    assert browser.text("#no-picture") == "The camera is unplugged. Check its cable."
    assert browser.has('[data-device="camera"][data-state="lost"]')


def test_devices_that_are_well_or_off_take_no_room(played: Played) -> None:
    state = fake_table.rolled()
    state["devices"] |= {"panel": {"state": "off"}, "journal": {"state": "ready"}}
    browser = played.open(state)
    shown = browser.driver.find_elements("css selector", "[data-device]")
    assert [device.get_attribute("data-device") for device in shown] == ["board", "camera"]
    state["devices"]["journal"] = {"state": "lost", "sentence": "The disk is full."}
    played.show(state)
    assert browser.has('[data-device="journal"]')


def test_dice_left_lying_while_others_are_picked_up_are_kept(played: Played) -> None:
    state = fake_table.rolled()
    browser = played.open(state)
    state["virtual"]["tray"] = state["virtual"]["tray"][:2]
    state["dice"] = state["dice"][:2]
    played.show(state)
    assert browser.text('[data-do="throw"]') == "Throw 3 again"
    browser.click('[data-do="throw"]')
    browser.wait(lambda: played.table.deeds)
    assert played.table.deeds == [{"do": "throw", "keep": [0, 1]}]


def test_every_wrong_cow_has_an_arrow_to_its_home(played: Played) -> None:
    browser = played.open(fake_table.wrong())
    homes = {mark.get_attribute("data-home") for mark in browser.driver.find_elements("css selector", ".wrong-mark")}
    assert homes == {"3:+2", "6:+1"}
    assert browser.find('[data-cow="6"]').get_attribute("data-on") == "5"
    assert "belongs at 1 towards Ada" in browser.find('[data-cow="6"]').get_attribute("aria-label")


def test_a_lost_link_is_told_and_comes_back_by_itself(played: Played) -> None:
    browser = played.open(fake_table.rolled())
    played.server.stop()
    browser.wait(lambda: browser.has('body[data-live="lost"]'), "the loss wasn't told;")
    assert browser.text("#live") == "No word from the table. Trying again…"
    played.start(played.port)
    played.show(fake_table.won())
    browser.wait(lambda: browser.has('body[data-live="live"]'), "the link didn't come back;")
    assert browser.text("#live") == ""
    browser.console()


def test_a_table_that_started_anew_is_followed_though_it_counts_from_one(played: Played) -> None:
    browser = played.open(fake_table.rolled())
    played.show(fake_table.wrong())
    played.server.stop()
    browser.wait(lambda: browser.has('body[data-live="lost"]'), "the loss wasn't told;")
    played.table = FakeTable(fake_table.won())
    played.start(played.port)
    browser.wait_version(1)
    assert browser.text("#sentence") == fake_table.won()["sentence"]
    browser.console()


def test_when_every_live_place_is_taken_the_page_asks_instead(browser: Browser) -> None:
    table = FakeTable(fake_table.rolled())
    server = PageServer(create_app(table, watcher_limit=0), "127.0.0.1", 0, 1)
    host, port = server.start()
    try:
        browser.open(f"http://{host}:{port}/")
        browser.wait(lambda: browser.has('body[data-live="polling"]'))
        assert browser.text("#sentence") == fake_table.rolled()["sentence"]
    finally:
        browser.driver.get("about:blank")
        server.stop()
        browser.console()


BROKEN: dict[str, dict[str, Any]] = {
    "nothing at all": {},
    "all null": dict.fromkeys(fake_table.rolled()),
    "wrong kinds": dict.fromkeys(fake_table.rolled(), "x"),
    "empty lists": {name: [] for name in fake_table.rolled()},
    "odd inside": fake_table.rolled()
    | {
        "dice": [{}, None, {"value": 9, "box": [1]}],
        "pulls": [{"name": "pair 3"}, None, {"to": {"9": 3}}],
        "wrong": [{"beam": "3"}, None, {"beam": "77", "at": None}],
        "lights": [None, ["blue"], "x"],
        "history": [{}, None],
        "devices": {"board": None, "camera": {}},
        "virtual": {},
    },
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_missing_or_odd_field_never_breaks_the_page(played: Played, name: str) -> None:
    browser = played.open(fake_table.rolled())
    played.show(BROKEN[name])
    played.show(fake_table.won())
    assert browser.text("#sentence") == fake_table.won()["sentence"]
    assert browser.console() == []


def test_names_stay_text(played: Played) -> None:
    state = fake_table.rolled()
    state["game"]["players"]["white"] = "<img src=x onerror=alert(1)>"
    state["sentence"] = "<b>bold</b>"
    browser = played.open(state)
    assert browser.text("#sentence") == "<b>bold</b>"
    assert not browser.has("#sentence b, img[src=x]")
    assert browser.console() == []


def test_who_may_only_watch_sees_no_controls(played: Played) -> None:
    browser = played.open(fake_table.rolled())
    browser.run("document.body.dataset.control = 'no'")
    played.show(fake_table.rolled())
    assert not browser.has("[data-do='undo'], [data-cow][role=button]")
    assert browser.find('[data-do="throw"]').get_attribute("disabled") is not None
    assert browser.has('[data-cow="3"][role=img]')
