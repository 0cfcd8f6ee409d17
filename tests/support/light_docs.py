"""Writes `docs/lights.md` and the pictures it shows from the tables of meanings, phrases and scenes.

`python -m tests.support.light_docs` renews both; look at the pictures before committing them.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from controller.table.coaching import advice_shown
from controller.table.lights import lights
from controller.table.meanings import CHASE, LOOKS, REASON_MEANINGS, SIDE, Colour, Meaning
from controller.table.state import Notice, Phase, Reason, TurnState
from controller.table.words import Names, mend, notice_sentence, sentence
from tests.support.draw_lights import draw, write_png
from tests.support.states import SCENES, magnet, played

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "lights.md"
PICTURES = ROOT / "tests" / "golden" / "lights"

_HEAD = """# Lights

Written by `python -m tests.support.light_docs` from `controller/table/meanings.py`, the phrases and the scenes of the
tests; a test compares. What each of the 139 LEDs shows is decided in `controller/table/lights.py`.

Nothing is said by colour alone: no two lights share both place and motion. The palette keeps to white, blue, orange
and a violet that stands for Black, which people who see red and green alike can tell apart. Each player sees at their
end what the other would see at theirs.
"""

_BOARDS = """## Boards of other lengths

The plan always has 139 lights, one for each LED of a board with 17 cells a beam. A shorter game is centred on them: its
edge lies further in, the LEDs beyond it stay dark. Of a longer game the LEDs show the middle 17 cells of each beam; the
page shows all.
"""

_SIGNS = """## How the pictures show motion

A full disc is steady, rings breathe, half a disc blinks, two bars pulse (two short flashes and a rest), arrowheads
chase the way they point, a star sparkles. White sits below, Black above.
"""


def page() -> str:
    """The whole page."""
    parts = [_HEAD, _meanings(), _reasons(), _BOARDS, _SIGNS, _scenes()]
    return "\n".join(parts)


def caption(state: TurnState) -> str:
    """What a scene's picture says below the board; the coach too, where it may speak."""
    hint = advice_shown(state)
    return sentence(state, Names()) if hint is None else f"{sentence(state, Names())} Coach: {hint.sentence}"


def _meanings() -> str:
    rows = ["## Every light", "", "| light | when | place | motion | colour | says |", "|---|---|---|---|---|---|"]
    for meaning, look in LOOKS.items():
        motion = "chase" if look.motion == CHASE else look.motion
        rows.append(
            f"| {meaning.value} | {look.when} | {look.place.value} | {motion} | {_colour(meaning, look.colour)} |"
            f" {look.sentence} |"
        )
    return "\n".join([*rows, ""])


def _colour(meaning: Meaning, colour: str) -> str:
    if colour == SIDE:
        return "white or violet, the player's"
    bright = " (white on an LED board)" if meaning in (Meaning.COW, Meaning.ASLEEP) else ""
    return Colour(colour).value.replace("-", " ") + bright


def _reasons() -> str:
    rows = ["## Every reason, its light and its words", "", "| reason | light | says | mend |", "|---|---|---|---|"]
    idle = magnet(played("12356"), Phase.ROLLED)
    for reason in Reason:
        said = notice_sentence(noticed(idle, reason), Names())
        rows.append(f"| {reason.value} | {REASON_MEANINGS[reason].value} | {said} | {mend(reason) or '–'} |")
    return "\n".join([*rows, ""])


def noticed(state: TurnState, reason: Reason) -> TurnState:
    """The state with this notice, in its barest form."""
    return replace(state, notice=Notice(reason))


def _scenes() -> str:
    rows = ["## Scenes", ""]
    for name, state in SCENES.items():
        rows += [f"### {name}", "", f"{caption(state)}", "", f"![{name}](../tests/golden/lights/{name}.png)", ""]
    return "\n".join(rows)


def main() -> None:
    """Renew the page and all pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for old in PICTURES.glob("*.png"):
        if old.stem not in SCENES:
            old.unlink()
    for name, state in SCENES.items():
        write_png(PICTURES / f"{name}.png", draw(lights(state), caption(state)))
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
