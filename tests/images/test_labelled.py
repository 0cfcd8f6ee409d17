"""Labelled pictures: no die may look sure and be wrong; refusals are counted apart and printed."""

from __future__ import annotations

from functools import cache

import pytest

from tests.support.trays import shared_dice
from vision.evaluate import NOT_FLAT, Score, evaluate, format_table

EXPECTED = {"rendered": 5, "photos": None}

LEAST_EXACT = {"rendered": 45, "photos": 80}
"""Pictures read whole, measured less a few: what falls below it has got worse."""


@cache
def scores_of(folder: str) -> tuple[Score, ...]:
    """A folder's scores; its pictures are read once for all tests."""
    return evaluate(shared_dice(folder), EXPECTED[folder])


@pytest.mark.timeout(300)
@pytest.mark.parametrize("folder", EXPECTED)
def test_no_die_of_a_labelled_picture_is_sure_and_wrong(folder: str) -> None:
    scores = scores_of(folder)
    print("\n" + format_table(scores))
    for score in scores:
        assert score.wrong == 0, score.misses
        assert score.wrong_dice == 0, score.misses
        assert score.wrong_colours == 0, score.source
    assert sum(score.exact for score in scores) >= LEAST_EXACT[folder]


@pytest.mark.timeout(300)
def test_cocked_and_hidden_dice_are_never_read_as_flat() -> None:
    scores = {score.source: score for score in scores_of("rendered")}
    assert scores[NOT_FLAT].refused == scores[NOT_FLAT].pictures == 9
