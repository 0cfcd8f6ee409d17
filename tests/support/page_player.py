"""A player who has only the page: looks at its marks, presses its buttons, drags its cows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    NoSuchElementException,
    StaleElementReferenceException,
    TimeoutException,
)
from selenium.webdriver.remote.webelement import WebElement

from tests.support.browser import PATIENCE_S, Browser

RESTING = ("opening", "to roll", "rolled", "refused", "touched", "over")
MOST_NUDGES = 8
NUDGE_S = 3.0  # a push, the calm after it, three readings; then the die lies there unread again

_LOOK = """
  const all = (selector) => [...document.querySelectorAll(selector)];
  const face = (element) => Number(element.querySelector(".face").dataset.value) || null;
  const landing = (name) => Object.fromEntries(all("[data-target]")
    .filter((cell) => cell.dataset.target.split(" · ").includes(name))
    .map((cell) => cell.dataset.cell.split(":")).map(([beam, place]) => [beam, Number(place)]));
  return {
    live: document.body.dataset.live,
    version: Number(document.body.dataset.version),
    phase: document.body.dataset.phase,
    mover: document.body.dataset.mover || null,
    roll: document.getElementById("rolls").textContent,
    sentence: document.getElementById("sentence").textContent,
    notice: document.getElementById("notice").dataset.notice || null,
    openers: Object.fromEntries(all("[data-opener]").map((one) => [one.dataset.opener, face(one)])),
    dice: all("[data-die]").map((die) => [Number(die.dataset.die), face(die)]),
    kept: all('[data-die][aria-pressed="true"]').map((die) => Number(die.dataset.die)),
    pulls: all("[data-pull]").map((pull) => ({
      name: pull.dataset.pull, to: landing(pull.dataset.pull), wins: pull.dataset.wins !== undefined })),
    cows: Object.fromEntries(all("[data-cow]").map((cow) => [cow.dataset.cow, Number(cow.dataset.place)])),
    wrong: all("[data-cow][data-wrong]").map((cow) => cow.dataset.cow),
    homes: all("[data-home]:is(.wrong-mark)").map((mark) => mark.dataset.home),
    turns: all("#history > li").length,
  };
"""


@dataclass(frozen=True, slots=True)
class Offer:
    """A pull as the page offers it: its name and where its cows would land."""

    name: str
    to: Mapping[str, int]
    wins: bool


@dataclass(frozen=True, slots=True)
class Seen:
    """What the page shows at one moment. `dice` are (id, face) pairs, a face of None isn't read."""

    live: str
    version: int
    phase: str
    mover: str | None
    roll: str
    sentence: str
    notice: str | None
    openers: Mapping[str, int | None]
    dice: tuple[tuple[int, int | None], ...]
    kept: tuple[int, ...]
    pulls: tuple[Offer, ...]
    cows: Mapping[str, int]
    wrong: tuple[str, ...]
    homes: tuple[str, ...]
    turns: int

    @property
    def faces(self) -> list[int]:
        """The faces that are read, ascending."""
        return sorted(face for _, face in self.dice if face is not None)

    @property
    def turn(self) -> tuple[object, ...]:
        """What has to be the same for everybody who looks at one turn."""
        return self.phase, self.mover, self.roll, self.turns, self.faces, dict(self.cows), [p.name for p in self.pulls]


class PagePlayer:
    """Plays on one open page."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser

    def look(self) -> Seen:
        """What is shown now."""
        found: dict[str, Any] = self.browser.run(_LOOK)
        pulls = tuple(Offer(pull["name"], pull["to"], pull["wins"]) for pull in found.pop("pulls"))
        dice = tuple((number, face) for number, face in found.pop("dice"))
        found |= {name: tuple(found[name]) for name in ("kept", "wrong", "homes")}
        return Seen(pulls=pulls, dice=dice, **found)

    def until(self, is_so: Callable[[Seen], bool], what: str, patience_s: float = PATIENCE_S) -> Seen:
        """Wait until the page shows it."""
        seen = self.look()

        def came() -> bool:
            nonlocal seen
            seen = self.look()
            return is_so(seen)

        try:
            self.browser.wait(came, f"never came: {what};", patience_s)
        except TimeoutException as error:
            error.msg = f"{error.msg} last seen: {seen}"
            raise
        return seen

    def press(self, name: str) -> None:
        """Press a button by its name."""
        self.browser.click(f'[data-do="{name}"]')

    def tap(self, die: int) -> None:
        """Tap a die, to keep it or no longer."""
        self.browser.click(f'[data-die="{die}"]')

    def throw(self) -> Seen:
        """Throw what isn't kept, until it is read for sure; what is refused is nudged."""
        before = self.look()
        self.press("throw")
        progress = _progress(before)
        seen = self.until(lambda now: _progress(now) != progress and now.phase in RESTING, f"a throw after {progress}")
        if seen.phase == "refused":
            seen = self.nudge()
        if seen.phase == "touched" and self.browser.has('[data-do="done"]:enabled'):
            # On a machine too busy to see that dice were taken up: the page asks, and a player says it was a roll.
            self.press("done")
            seen = self.until(lambda now: now.phase in RESTING and now.phase != "touched", "the roll that counts")
        return seen

    def nudge(self) -> Seen:
        """Nudge each die that the page offers a nudge for, again where it still can't be read, until all are read."""
        for _ in range(MOST_NUDGES):
            for button in self.browser.driver.find_elements("css selector", "[data-nudge]:not([hidden])"):
                with suppress(StaleElementReferenceException):  # it was read while another was being nudged
                    self._click_unless_hidden(button)
            with suppress(TimeoutException):
                return self.until(
                    lambda now: now.phase in RESTING and now.phase != "refused", "read dice", patience_s=NUDGE_S
                )
        raise AssertionError(f"{MOST_NUDGES} nudges didn't help: {self.look()}")

    @staticmethod
    def _click_unless_hidden(button: WebElement) -> None:
        """Click; a button that the page took away meanwhile isn't missed, one that something covers is a fault."""
        try:
            button.click()
        except (ElementClickInterceptedException, ElementNotInteractableException):
            if button.get_attribute("hidden") is None:
                raise

    def drag(self, cow: str, place: int) -> None:
        """Drag a cow along its own beam to a place."""
        self.browser.run("document.getAnimations().forEach(a => a instanceof CSSTransition && a.finish())")
        cell = f'[data-cell="{cow}:{place_text(place)}"]'
        self.browser.drag(f'[data-cow="{cow}"] .cow-ring', self.browser.middle(cell))

    def pull(self, offer: Offer) -> Seen:
        """Drag each cow of a pull home, one after the other, until the turn has passed."""
        before = self.look()
        for number, (cow, place) in enumerate(offer.to.items(), 1):
            self.drag(cow, place)
            if number < len(offer.to):
                self.until(lambda now: now.phase in ("moving", "waiting"), f"the other cow of {offer.name}")
        stands = self.until(lambda now: now.phase == "waiting" or now.turns > before.turns, f"{offer.name} stands")
        if stands.phase == "waiting":  # it could go on; whoever doesn't want to wait says so
            with suppress(NoSuchElementException, StaleElementReferenceException):
                self.press("done")
        return self.until(lambda now: now.turns == before.turns + 1, f"{offer.name} taken")


def place_text(place: int) -> str:
    """A place as the page's marks have it."""
    return f"+{place}" if place > 0 else str(place)


def _progress(seen: Seen) -> tuple[object, ...]:
    """What every throw changes: in the opening the openers' dice or who starts, later the roll or the turn."""
    return (
        seen.phase in ("refused", "touched"),
        seen.mover,
        seen.roll,
        seen.turns,
        dict(seen.openers),
        seen.notice == "tie",
    )
