"""A whole game on the virtual table through the page alone, against the real service in its own process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.config import load_config
from controller.runtime.wiring import build
from tests.support.browser import DESK, PHONE, Browser
from tests.support.page_player import Offer, PagePlayer, Seen, place_text
from tests.support.service import ServiceProcess

TABLE = """
[players]
white = "Ada"
black = "Grace"
[table]
extend_wait_s = 0.7
[rules]
cows_to_win = {to_win}
"""
MOST_THROWS = 120
UNREAD = ("cocked", "stacked", "touching", "unknown die")  # what a die that stands on its edge is taken for


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ServiceProcess]:
    with ServiceProcess(tmp_path, config=TABLE.format(to_win=2)) as service:
        yield service


@pytest.fixture
def player(browser: Browser, service: ServiceProcess) -> Iterator[PagePlayer]:
    browser.console()
    browser.open(service.url, DESK)
    player = PagePlayer(browser)
    player.until(lambda seen: seen.live == "live" and seen.phase == "opening", "the opening")
    yield player
    browser.driver.get("about:blank")


def begin(player: PagePlayer) -> Seen:
    """Both throw one die, as often as they tie; then the starter is to throw."""
    seen = player.look()
    for _ in range(MOST_THROWS):
        if seen.phase != "opening":
            break
        seen = player.throw()
    assert seen.phase == "to roll"
    assert seen.openers[seen.mover or ""] == max(face or 0 for face in seen.openers.values())
    return seen


def roll_until_offered(player: PagePlayer) -> Seen:
    """Throw until these dice can pull a cow; forfeits go by."""
    seen = player.look()
    for _ in range(MOST_THROWS):
        if seen.phase == "rolled" and seen.pulls:
            return seen
        seen = player.throw()
    raise AssertionError(f"no pull in {MOST_THROWS} throws: {seen}")


def farthest(seen: Seen) -> Offer:
    """The winning pull, else the one that brings a cow of the mover's own half nearest: so games end soon."""
    sign = 1 if seen.mover == "white" else -1

    def worth(pull: Offer) -> tuple[bool, int]:
        own = [sign * place for cow, place in pull.to.items() if sign * seen.cows[cow] >= 0]
        return pull.wins, max(own, default=-9)

    return max(seen.pulls, key=worth)


def alike(seen: Seen) -> list[int]:
    """Two dice of the same face, or the first two, by their ids."""
    for die, face in seen.dice:
        pair = [other for other, same in seen.dice if same == face]
        if len(pair) >= 2:
            return [die, *[other for other in pair if other != die]][:2]
    return [die for die, _ in seen.dice][:2]


def keep_two_and_roll_again(player: PagePlayer) -> None:
    """The two stay as they lie, and only three are thrown."""
    before = player.throw()
    kept = alike(before)
    for die in kept:
        player.tap(die)
    assert player.look().kept == tuple(sorted(kept))
    assert player.browser.text('[data-do="throw"]') == "Throw 3 again"
    after = player.throw()
    assert after.roll == "Roll 2 of 3", (before, after)
    assert {die: face for die, face in after.dice if die in kept} == {
        die: face for die, face in before.dice if die in kept
    }


def mend_a_cocked_die(player: PagePlayer) -> None:
    """A throw comes to rest with a die askew: it is refused by name, and read in the same roll after a nudge."""
    before = player.look()
    assert before.phase == "to roll"
    player.press("mishaps")
    player.press("throw")
    player.browser.click('[data-fault="camera:cocked"]')
    refused = player.until(lambda seen: seen.phase == "refused", "a refused reading")
    assert refused.notice in UNREAD
    assert refused.roll == before.roll
    player.press("close")
    after = player.nudge()
    assert (after.phase, after.roll) == ("rolled", "Roll 1 of 3")
    assert len(after.faces) == 5


def put_a_wrong_cow_back(player: PagePlayer) -> None:
    """A cow that these dice don't pull is shown as wrong, with its way home, until it is put back."""
    before = roll_until_offered(player)
    pulled = {cow for pull in before.pulls for cow in pull.to}
    cow = next(cow for cow in before.cows if cow not in pulled and cow != "super")
    home = before.cows[cow]
    player.drag(cow, home - 2 if home > 0 else home + 2)
    wrong = player.until(lambda seen: seen.phase == "wrong" and seen.notice == "cows astray", "the wrong cow told")
    assert wrong.wrong == (cow,)
    assert wrong.homes == (f"{cow}:{place_text(home)}",)
    player.drag(cow, home)
    after = player.until(lambda seen: seen.phase == "rolled", "the dice count again")
    assert after.turn == before.turn


def take_back(player: PagePlayer, pulled_from: Seen) -> None:
    """The turn before is there again as it was; its cows are led home by hand."""
    player.press("undo")
    seen = player.until(lambda now: now.turns == pulled_from.turns and now.mover == pulled_from.mover, "the turn back")
    assert seen.faces == pulled_from.faces
    for home in player.until(lambda now: bool(now.homes), "the way home").homes:
        cow, place = home.split(":")
        player.drag(cow, int(place))
    after = player.until(lambda now: not now.wrong and now.phase == "rolled", "every cow home")
    assert after.turn == pulled_from.turn


def set_the_dice_right(player: PagePlayer) -> Seen:
    """Other faces by the dialog: what they can pull is offered instead."""
    roll_until_offered(player)
    player.press("correct")
    field = player.browser.find('dialog [name="dice"]')
    field.clear()
    field.send_keys("66661")
    player.press("correct_dice")
    seen = player.until(lambda now: now.faces == [1, 6, 6, 6, 6], "the corrected dice")
    assert "four 6" in [pull.name for pull in seen.pulls]
    return seen


def play_to_the_end(player: PagePlayer) -> tuple[Seen, int]:
    """Greedy hands; the answer says also how many pulls moved two cows."""
    two_cow_pulls = 0
    for _ in range(MOST_THROWS):
        seen = roll_until_offered(player)
        two = next((pull for pull in seen.pulls if len(pull.to) == 2 and not pull.wins), None)
        pull = two if two and not two_cow_pulls else farthest(seen)
        two_cow_pulls += len(pull.to) == 2
        seen = player.pull(pull)
        if seen.phase == "over":
            return seen, two_cow_pulls
    raise AssertionError(f"the game never ended: {seen}")


@pytest.mark.timeout(300)
def test_a_whole_game_is_played_through_the_page_alone(player: PagePlayer) -> None:
    begin(player)
    keep_two_and_roll_again(player)
    player.pull(farthest(roll_until_offered(player)))
    mend_a_cocked_die(player)
    put_a_wrong_cow_back(player)
    rolled = player.look()
    player.pull(farthest(rolled))
    take_back(player, rolled)
    player.pull(farthest(rolled))
    seen = set_the_dice_right(player)
    player.pull(next(pull for pull in seen.pulls if pull.name == "four 6"))
    seen, _ = play_to_the_end(player)
    assert seen.notice == "won"
    names = {"white": "Ada", "black": "Grace"}
    winner = player.browser.find("#win").get_attribute("data-side")
    player.browser.wait(lambda: player.browser.text("#win-words").startswith(f"{names[winner or '']} wins"))
    homes = player.browser.driver.find_elements("css selector", f'[data-ship="{winner}"] .windows [data-home]')
    assert len(homes) == 2
    # A "done" that came a moment after the turn had passed by itself is refused as stale, and the browser notes it.
    assert [line for line in player.browser.console() if "(CONFLICT)" not in line] == []


def shows(player: PagePlayer, turn: Seen) -> None:
    """The page is live and shows this very turn."""
    player.until(lambda seen: seen.live == "live" and seen.turn == turn.turn, f"{turn.turn}")


def shows_anew(player: PagePlayer, turn: Seen) -> None:
    """The page shows this turn as told by a table that counts its states from the start, all dice read."""
    player.until(lambda seen: seen.version < turn.version and seen.turn == turn.turn, f"{turn.turn}, told anew")
    player.browser.wait(lambda: player.browser.has('[data-device="camera"][data-state="ready"]'), "the camera")


@pytest.mark.timeout(120)
def test_a_turn_outlives_a_reload_and_a_power_cut_for_everyone_who_looks(
    player: PagePlayer, service: ServiceProcess, tmp_path: Path
) -> None:
    driver = player.browser.driver
    begin(player)
    keep_two_and_roll_again(player)
    turn = player.look()
    driver.refresh()
    shows(player, turn)

    playing = driver.current_window_handle
    driver.switch_to.new_window("window")
    try:
        player.browser.open(service.url, PHONE)
        shows(player, turn)
        service.kill()
        player.until(lambda seen: seen.live == "lost", "the loss told to the watcher")
        with ServiceProcess(tmp_path, port=service.port) as again:
            assert again.port == service.port
            shows_anew(player, turn)
            driver.close()
            driver.switch_to.window(playing)
            shows_anew(player, turn)
            player.browser.console()
            goes_on_after_the_cut(player)
    finally:
        for extra in set(driver.window_handles) - {playing}:
            driver.switch_to.window(extra)
            driver.close()
        driver.switch_to.window(playing)


def goes_on_after_the_cut(player: PagePlayer) -> None:
    """Two of the dice that lay there are kept in the turn's last roll."""
    before = player.look()
    kept = alike(before)
    for die in kept:
        player.tap(die)
    after = player.throw()
    assert player.browser.text("#toast") == ""
    assert (after.roll, after.turns) == ("Roll 3 of 3", before.turns) or after.turns == before.turns + 1
    faces = dict(after.dice)
    assert {die: faces[die] for die in kept} == {die: face for die, face in before.dice if die in kept}


def test_told_to_stop_it_is_gone_in_three_seconds_though_a_browser_watches(
    player: PagePlayer, service: ServiceProcess
) -> None:
    player.press("throw")
    player.until(lambda seen: seen.phase == "rolling", "a throw that is still rolling")
    assert service.stop() == 0
    assert "Traceback" not in service.log()
    player.until(lambda seen: seen.live == "lost", "the loss told")
    player.browser.console()


def test_a_stopped_service_leaves_no_thread_though_a_browser_watched(browser: Browser, tmp_path: Path) -> None:
    before = set(threading.enumerate())
    tables: dict[str, dict[str, Any]] = {
        "board": {"url": "virtual://magnet"},
        "camera": {"url": "virtual"},
        "page": {"port": 0, "host": "127.0.0.1"},
        "journal": {"path": str(tmp_path / "journal.sqlite")},
    }
    service = build(load_config(None, tables))
    service.start()
    try:
        browser.open(str(service.announcement()["address"]))
        PagePlayer(browser).until(lambda seen: seen.live == "live", "a live page")
    finally:
        service.stop()
    assert set(threading.enumerate()) <= before
    browser.driver.get("about:blank")
    browser.console()
