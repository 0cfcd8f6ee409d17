"""docs/advice.md: its picture is drawn from the curves that lie beside the weights, its table names every level."""

from __future__ import annotations

from controller.advice.players import LEVELS
from controller.table.seats import LEVELS as SEATED
from tests.support.learning_curve import PICTURE, svg
from tests.support.tree import ROOT


def test_the_picture_is_that_of_the_shipped_weights() -> None:
    assert PICTURE.read_text(encoding="utf-8") == svg()


def test_every_level_is_described_and_can_be_seated() -> None:
    text = (ROOT / "docs" / "advice.md").read_text(encoding="utf-8")

    assert LEVELS == SEATED
    assert [level for level in LEVELS if f"| `{level}` |" not in text] == []
