"""A whole game on the virtual table through the page alone, against the real service in its own process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.browser import DESK, PHONE, Browser, opened_browser
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
    """The winning pull, else the one that brings a cow of the mover's own half nearest: both sides help the game along."""
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
    assert after.roll == "Roll 2 of 3"
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
    assert refused.notice == "cocked"
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
    assert player.browser.console() == []
