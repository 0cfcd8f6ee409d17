"""Takes the pictures of the page for the documents: `python -m tests.support.pictures [FOLDER]`.

How it works: the whole service runs with a clock moved by hand, a game is played with given dice up to a good moment,
then a real Chromium opens the page in each size and colour scheme. Same code, same pictures.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.support.browser import Browser, opened_browser
from tests.support.few_colours import Box, smaller_png
from tests.support.tree import ROOT
from tests.support.virtual_table import THROW_S, VirtualTable

FOLDER = ROOT / "docs" / "pictures"
PICTURES = {
    "page.png": ((1280, 800), "light"),
    "page-dark.png": ((1280, 800), "dark"),
    "phone.png": ((390, 844), "dark"),
}
OPENING: tuple[tuple[int, ...], ...] = ((5,), (2,))
TURNS: tuple[tuple[tuple[int, ...], str], ...] = (
    ((6, 6, 6, 2, 3), "triple 6"),
    ((4, 4, 4, 1, 2), "triple 4"),
    ((3, 3, 3, 5, 5), "full house 3 5"),
    ((2, 2, 2, 4, 4), "full house 2 4"),
    ((6, 6, 6, 6, 1), "four 6"),
    ((1, 2, 3, 4, 5), "large straight"),
    ((3, 3, 3, 6, 5), "triple 3"),
    ((4, 4, 4, 6, 1), "triple 4"),
    ((5, 5, 6, 6, 3), "chance"),
    ((5, 5, 1, 2, 6), "pair 5"),
    ((2, 2, 2, 5, 6), "triple 2"),
    ((2, 3, 4, 5, 6), "large straight"),
)
FIRST_ROLL = (5, 1, 2, 5, 4)
KEPT = (0, 3)
SECOND_ROLL = (6, 3, 6)
SHOWN_PULL = "chance"


def throw(table: VirtualTable, values: tuple[int, ...], keep: tuple[int, ...] = ()) -> dict[str, Any]:
    """Let these faces fall, by the mover's hand."""
    tray = table.service.tray
    assert tray is not None
    state = table.state()
    colour = state["mover"] or ("black" if state["opening"]["white"] else "white")
    lying = {die.id for die in tray.dice()}
    if lying and len(values) > 1:
        tray.pick_up(tuple(lying - set(keep)))
    else:
        tray.clear()
    table.pass_time(THROW_S / 2)
    tray.throw(values, colour, frozenset(keep), count=max(len(values), len(lying)) if keep else len(values))
    table.pass_time(THROW_S)
    state = table.until(lambda state: state["phase"] != "rolling")
    while state["phase"] == "refused":
        for die in state["virtual"]["tray"]:
            table.hands(do="nudge", die=die["id"])
        state = table.until_newer(state["version"])
    return state


def play(table: VirtualTable) -> None:
    """Up to a second roll from which White can choose."""
    for values in OPENING:
        throw(table, values)
    for values, name in TURNS:
        state = throw(table, values)
        pull = next((pull for pull in state["pulls"] if pull["name"] == name), None)
        assert pull is not None, (name, state["phase"], state["mover"], state["dice"], state["notice"])
        table.pull(pull)
    throw(table, FIRST_ROLL)
    throw(table, SECOND_ROLL, KEPT)


def take(browser: Browser, url: str, picture: str, folder: Path) -> Path:
    """One picture of the page, all glides ended."""
    size, scheme = PICTURES[picture]
    browser.open(url, size, scheme=scheme)
    browser.wait(lambda: browser.has('body[data-phase="rolled"]'))
    browser.run("document.querySelector(arguments[0]).click()", f'[data-pull="{SHOWN_PULL}"]')
    browser.wait(lambda: browser.has("[data-chosen]"))
    browser.run("scrollTo(0, 0)")
    browser.wait(lambda: size[0] < 600 or browser.run("return document.querySelector('#picture').naturalWidth > 0"))
    browser.run("document.getAnimations().forEach(a => { if (a instanceof CSSTransition) a.finish(); });")
    path = folder / picture
    path.write_bytes(smaller_png(browser.driver.get_screenshot_as_png(), busy_boxes(browser)))
    return path


def busy_boxes(browser: Browser) -> list[Box]:
    """Where the camera's picture and the night sky are on the screen: they hold most of a picture's colours."""
    script = """
      return [...document.querySelectorAll(".sky, .picture")].map((e) => e.getBoundingClientRect())
        .map((b) => [Math.max(0, b.left), b.top, Math.min(innerWidth, b.right), Math.min(innerHeight, b.bottom)])
        .map((box) => box.map(Math.round))
        .filter(([left, top, right, bottom]) => right > left && bottom > top);"""
    return [(left, top, right, bottom) for left, top, right, bottom in browser.run(script)]


def main(folder: Path) -> None:
    """Play and take every picture into this folder."""
    folder.mkdir(parents=True, exist_ok=True)
    players = {"white": "Ada", "black": "Grace"}
    with tempfile.TemporaryDirectory() as scratch, VirtualTable(Path(scratch), seed=3, players=players) as table:
        play(table)
        table.service.coach.run_due()  # the odds and the graph, which follow the game in a thread of their own
        table.look()
        host, port = table.service.page.start()
        with opened_browser(Path(scratch, "profile")) as browser:
            for picture in PICTURES:
                path = take(browser, f"http://{host}:{port}/", picture, folder)
                print(path, f"{path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
