"""The page's looks in a real Chromium: nothing hangs over, words stand out, no motion for who wants none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support import fake_table
from tests.support.browser import DESK, PHONE
from tests.support.played_page import Played

STATES = [
    fake_table.opening,
    fake_table.rolled,
    fake_table.wrong,
    fake_table.refused,
    fake_table.won,
    fake_table.coached,
]


def test_turns_beyond_the_list_make_the_page_no_longer(played: Played) -> None:
    """Whatever is told to screen readers alone scrolls with its list."""
    state = fake_table.rolled()
    state["history"] = [state["history"][0] | {"turn": turn} for turn in range(1, 40)]
    browser = played.open(state)
    assert browser.run("return document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.parametrize("make", STATES)
@pytest.mark.parametrize("size", [DESK, PHONE])
def test_nothing_hangs_over_the_edge(played: Played, size: tuple[int, int], make: Callable[[], dict[str, Any]]) -> None:
    browser = played.open(make(), size)
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
    script = """
      return [...document.querySelectorAll("main button, header summary, #sentence, #board")]
        .filter((e) => e.checkVisibility()).map((e) => [e.outerHTML.slice(0, 80), e.getBoundingClientRect()])
        .filter(([, b]) => b.left < -5 || b.right > innerWidth + 5 || b.width < 1).map(([html]) => html);"""
    assert browser.run(script) == []


CONTRAST = """
  const parse = (c) => (c.match(/[\\d.]+/g) || []).map(Number);
  const linear = (v) => (v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => [r, g, b].map((v) => linear(v / 255))
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const ground = (e) => {
    for (let at = e; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      const painted = at !== document.body && style.backgroundImage.match(/rgb[^)]*\\)/);
      if (painted) return parse(painted[0]);
      const colour = parse(style.backgroundColor);
      if (colour.length === 3 || colour[3] > .9) return colour;
    }
    return [255, 255, 255];
  };
  const bad = [];
  for (const e of document.querySelectorAll("body *:not(svg *)")) {
    const text = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!text || !e.checkVisibility() || e.closest(":disabled")) continue;
    const [a, b] = [light(parse(getComputedStyle(e).color)), light(ground(e))].sort((x, y) => y - x);
    const ratio = (a + .05) / (b + .05);
    if (ratio < 4.5) bad.push(`${e.outerHTML.slice(0, 90)} ${ratio.toFixed(2)}`);
  }
  return bad;
"""


@pytest.mark.parametrize("make", STATES)
@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_text_stands_out_from_its_ground(played: Played, scheme: str, make: Callable[[], dict[str, Any]]) -> None:
    browser = played.open(make(), scheme=scheme)
    assert browser.run(CONTRAST) == []


def test_who_wants_no_motion_gets_none(played: Played) -> None:
    browser = played.open(fake_table.rolled(), motion="reduce")
    played.show(fake_table.wrong())
    assert browser.run("return document.getAnimations().length") == 0
