"""What the coach's thread works out: hints about throws and looks back on games, in the table's own values.

Rules of this file: the only place where advice meets the table. It holds numpy through `controller.advice`, so it is
imported by the coach's thread when it first has something to do, never by the table.
"""

from __future__ import annotations

from controller.advice.advise import KeepWorth, PullWorth, advise
from controller.advice.coach import advised, explain
from controller.advice.coach_review import Decision, JudgedTurn, dearest, judge, white_chance
from controller.advice.question import Question
from controller.games.cosmic_cows import Rules, Side
from controller.table.game import Game, Turn
from controller.table.hints import Hint, Lesson, LookBack, Throw

AT_ONCE = 8  # turns judged in one go, some 6 ms here and 30 ms on a Pi 4: a new throw's advice waits no longer
EVEN_CHANCE = 0.5


class CoachWork:
    """Gives hints, and looks back on one game after the other; each turn is judged once, a few at a time."""

    def __init__(self) -> None:
        self._rules: Rules | None = None
        self._judged: list[tuple[Turn, JudgedTurn]] = []

    def hint_about(self, throw: Throw, turn_count: int) -> Hint:
        """What this throw is worth, after so many finished turns.

        Raises:
            WeightsError: the file of weights can't be used.
        """
        question = Question(throw.position, throw.dice, throw.roll, throw.rules, turn_count)
        advice = advise(question)
        best, told = advised(advice), explain(advice)
        return Hint(
            throw=throw,
            improve=advice.improve,
            nothing=advice.keeps[0].forfeit if advice.keeps else 0.0,
            keep=best.faces if isinstance(best, KeepWorth) else None,
            pull=best.name if isinstance(best, PullWorth) else None,
            beams=() if told.aim is None else told.aim.beams,
            sentence=told.sentence,
        )

    def look_back(self, game: Game) -> LookBack | None:
        """The look back on this game; None where more turns are still to be judged: call again.

        Raises:
            WeightsError: the file of weights can't be used.
        """
        self._forget_others(game)
        done = len(self._judged)
        for number, turn in enumerate(game.turns[done : done + AT_ONCE], start=done + 1):
            self._judged.append((turn, judge(turn, number, game.rules)))
        if len(self._judged) < len(game.turns):
            return None
        judged = [one for _, one in self._judged]
        return LookBack(
            turns=game.turns,
            position=game.position,
            ended=game.ended,
            chances=(*(one.white for one in judged), _chance_now(game)),
            lessons=tuple(map(_lesson, dearest(judged))),
        )

    def _forget_others(self, game: Game) -> None:
        """Keep only what was judged of this very game's turns."""
        if game.rules != self._rules:
            self._rules, self._judged = game.rules, []
        same = 0
        for (turn, _), now in zip(self._judged, game.turns, strict=False):
            if turn is not now and turn != now:
                break
            same += 1
        del self._judged[same:]


def _chance_now(game: Game) -> float:
    """White's chance before the next turn; what the end says once the game is over."""
    if game.ended is None:
        return white_chance(game.position, len(game.turns), game.rules)
    return EVEN_CHANCE if game.ended.winner is None else float(game.ended.winner is Side.WHITE)


def _lesson(decision: Decision) -> Lesson:
    return Lesson(
        turn=decision.turn,
        roll=decision.roll,
        mover=decision.mover,
        dice=decision.dice,
        win=decision.win,
        best_win=decision.best_win,
        sentence=decision.sentence,
    )
