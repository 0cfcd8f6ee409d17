"""Labelled pictures: no die may look sure and be wrong; refusals are counted apart and printed."""

from __future__ import annotations

import pytest

from tests.support.trays import shared_dice
from vision.evaluate import NOT_FLAT, evaluate, format_table

LEAST_EXACT = {"rendered": 45, "photos": 80}
"""Pictures read whole, measured less a few: what falls below it has got worse."""


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("folder", "expect"), [("rendered", 5), ("photos", None)])
def test_no_die_of_a_labelled_picture_is_sure_and_wrong(folder: str, expect: int | None) -> None:
    scores = evaluate(shared_dice(folder), expect)
    print("\n" + format_table(scores))
    for score in scores:
        assert score.wrong == 0, score.misses
        assert score.wrong_dice == 0, score.misses
    assert sum(score.exact for score in scores) >= LEAST_EXACT[folder]


def test_cocked_and_hidden_dice_are_never_read_as_flat() -> None:
    scores = {score.source: score for score in evaluate(shared_dice("rendered"), 5)}
    assert scores[NOT_FLAT].refused == scores[NOT_FLAT].pictures == 9
