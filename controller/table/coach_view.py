"""The coach's part of the public state: odds and chances for everybody, the rest as far as the coach may speak."""

from __future__ import annotations

from typing import Any

from controller.games.cosmic_cows import format_dice
from controller.table.coaching import advice_shown, lessons_shown, look_back_shown, odds_shown
from controller.table.hints import Lesson
from controller.table.state import TurnState

DIGITS = 4


def coach_view(state: TurnState) -> dict[str, Any]:
    """`odds`, `chances` and `coach` as JSON values."""
    odds, advice, look_back = odds_shown(state), advice_shown(state), look_back_shown(state)
    keep = None if advice is None else advice.keep
    return {
        "odds": None
        if odds is None
        else {"improve": round(odds.improve, DIGITS), "nothing": round(odds.nothing, DIGITS)},
        "chances": [] if look_back is None else [round(chance, DIGITS) for chance in look_back.chances],
        "coach": {
            "mode": state.coach.mode.value,
            "sentence": None if advice is None else advice.sentence,
            "keep": None if keep is None else "".join(map(str, keep)),
            "pull": None if advice is None else advice.pull,
            "beams": [] if advice is None else [beam.value for beam in advice.beams],
            "lessons": [_lesson(lesson) for lesson in lessons_shown(state)],
        },
    }


def _lesson(lesson: Lesson) -> dict[str, Any]:
    return {
        "turn": lesson.turn,
        "roll": lesson.roll,
        "mover": lesson.mover.value,
        "dice": format_dice(lesson.dice),
        "win": round(lesson.win, DIGITS),
        "best_win": round(lesson.best_win, DIGITS),
        "sentence": lesson.sentence,
    }
