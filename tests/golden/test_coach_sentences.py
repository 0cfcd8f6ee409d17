"""The coach's sentences, word for word, for advice made by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.advice.advise import Advice, KeepWorth, PullWorth
from controller.advice.coach import explain
from controller.advice.coach_words import percent_words, win_words
from controller.advice.question import Question
from controller.advice.value import Basis
from controller.games.cosmic_cows import Rules, parse_dice, parse_position
from tests.support.plain_values import Distance

START = "0,0,0,0,0,0,0,0,0 w"
FEW_MOVE = "8,8,8,8,1,0,8,8,0 w"  # beam 4 and straights
ONE_TO_WIN = "0,0,6,0,0,7,4,0,0 w"


def advice_for(
    dice: str,
    roll: int,
    keeps: dict[str, float] | None = None,
    pulls: dict[str, float] | None = None,
    position: str = START,
    rules: Rules | None = None,
) -> Advice:
    """Advice with these worths, best first."""
    question = Question(parse_position(position), parse_dice(dice), roll, rules or Rules())
    kept = tuple(KeepWorth(tuple(map(int, faces)), win, 0.01) for faces, win in (keeps or {}).items())
    made = tuple(PullWorth(name, win) for name, win in (pulls or {}).items())
    both: list[KeepWorth | PullWorth] = [*made, *kept]
    best = max(both, key=lambda one: one.win, default=None)
    win = 0.38 if best is None else best.win
    return Advice(question, win, kept, made, best, 0.5, Basis.LEARNED)


ROWS = {
    "keep": (
        advice_for("44126", 2, {"44": 0.63, "446": 0.62, "": 0.58}, {"pair 4": 0.57}, FEW_MOVE, Rules(cows_to_win=8)),
        "Keep 4 4: 42 % to pull beam 4 three cells or more, wins 0.63; rolling all again 0.58.",
    ),
    "keep for more than one thing": (
        advice_for("44126", 2, {"44": 0.63, "": 0.58}, {"pair 4": 0.6}),
        "Keep 4 4: 81 % to beat pair 4, wins 0.63; pulling pair 4 now 0.60.",
    ),
    "keep for a pattern": (
        advice_for("33556", 2, {"3355": 0.63, "33": 0.52}, {"two pair 3 5": 0.61}),
        "Keep 3 3 5 5: 33 % to pull a full house, wins 0.63; pulling two pair 3 5 now 0.61.",
    ),
    "keep for the super cow": (
        advice_for("44446", 2, {"4444": 0.63, "": 0.4}, {"four 4": 0.61}),
        "Keep 4 4 4 4: 17 % to pull the super cow, wins 0.63; pulling four 4 now 0.61.",
    ),
    "keep for a straight": (
        advice_for("12346", 2, {"234": 0.63, "": 0.4}, {"small straight": 0.6}),
        "Keep 2 3 4: 11 % to pull the straights cow four cells, wins 0.63; pulling small straight now 0.60.",
    ),
    "roll all": (
        advice_for("12356", 1, {"": 0.55, "5": 0.54}),
        "Roll all again: over 99 % to pull a cow, wins 0.55; keeping 5 0.54.",
    ),
    "pull now": (
        advice_for("33556", 2, {"33": 0.66, "": 0.6}, {"two pair 3 5": 0.71, "pair 3": 0.5}),
        "Pull two pair 3 5 now: wins 0.71; the best keep (3 3) 0.66.",
    ),
    "pull now rather than roll all": (
        advice_for("33556", 2, {"": 0.66, "33": 0.6}, {"two pair 3 5": 0.71}),
        "Pull two pair 3 5 now: wins 0.71; rolling all again 0.66.",
    ),
    "last roll": (
        advice_for("33556", 3, None, {"two pair 3 5": 0.71, "pair 3": 0.66}),
        "Pull two pair 3 5: wins 0.71; the next best, pair 3, 0.66.",
    ),
    "only one pull": (
        advice_for("12446", 3, None, {"pair 4": 0.44}),
        "Pull pair 4: the only pull, wins 0.44.",
    ),
    "forced": (
        advice_for("44444", 3, None, {"super": 0.83}),
        "Pull super: five alike must, wins 0.83.",
    ),
    "a winning pull": (
        advice_for("55126", 1, {"55": 0.99}, {"pair 5": 1.0}, ONE_TO_WIN),
        "Pull pair 5 now: it wins the game.",
    ),
    "forfeit": (
        advice_for("12356", 3),
        "Nothing to pull: the turn is forfeit, wins 0.38.",
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_a_throw_is_told_so(name: str) -> None:
    advice, sentence = ROWS[name]
    assert explain(advice, Distance()).sentence == sentence


@pytest.mark.parametrize(
    ("basis", "told"),
    [
        (Basis.LEARNED, "Pull pair 4: the only pull, wins 0.44."),
        (Basis.NEAR, "Pull pair 4: the only pull, wins 0.44 (house rules: as learned for the printed ones)."),
        (Basis.RACE, "Pull pair 4: the only pull, wins 0.44 (house rules: by the race alone)."),
    ],
)
def test_where_the_chances_come_from_is_said_unless_they_were_learned_for_these_rules(basis: Basis, told: str) -> None:
    assert explain(replace(ROWS["only one pull"][0], basis=basis)).sentence == told


@pytest.mark.parametrize(
    ("chance", "told"),
    [(0.0, "0.00"), (0.004, "under 0.01"), (0.005, "0.01"), (0.994, "0.99"), (0.9999, "over 0.99"), (1.0, "1.00")],
)
def test_only_certainty_is_told_as_certain_to_win(chance: float, told: str) -> None:
    assert win_words(chance) == told


@pytest.mark.parametrize(
    ("chance", "told"),
    [(0.0, "0 %"), (0.001, "under 1 %"), (0.414, "41 %"), (0.994, "99 %"), (0.999, "over 99 %"), (1.0, "100 %")],
)
def test_only_certainty_is_told_as_certain_of_the_dice(chance: float, told: str) -> None:
    assert percent_words(chance) == told
