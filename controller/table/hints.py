"""What the coach gives the table: plain frozen values, worked out beside the table thread.

Rules of this file: values only. The table knows nothing of how odds and chances are found; it knows which game each
value was worked out for, and so whether it still holds. None of this is ever written to the journal.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from controller.games.cosmic_cows import Beam, Dice, Position, Rules, Side
from controller.table.entries import Ended
from controller.table.game import Game, Stage, Turn


class CoachMode(StrEnum):
    """When the coach speaks."""

    OFF = "off"
    ON_REQUEST = "on request"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw:
    """The throw a hint was worked out for: where, with which dice, on which roll of how many."""

    position: Position
    dice: Dice
    roll: int
    rolls: int
    rules: Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """What a throw is worth.

    Attributes:
        improve: the chance that rolling on in the best way ends with more than the best pull on the table.
        nothing: the chance that it ends with no pull at all; both 0 after the last roll.
        keep, pull: the best that can be done, one of the two; neither where only the forfeit is left.
        beams: the beams that the best keep is aimed at.
        sentence: why, in one line.
    """

    throw: Throw
    improve: float
    nothing: float
    keep: tuple[int, ...] | None
    pull: str | None
    beams: tuple[Beam, ...]
    sentence: str

    def fits(self, game: Game) -> bool:
        """Whether this is about the dice that lie on the table now."""
        return throw_of(game) == self.throw


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A decision that cost much: when, what it was worth to its player, what would have been better, in words."""

    turn: int
    roll: int
    mover: Side
    dice: Dice
    win: float
    best_win: float
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LookBack:
    """A game looked back on.

    Attributes:
        turns, position, ended: the game it was worked out for.
        chances: White's chance to win before each turn, and now; one more than turns.
        lessons: the decisions that cost most, the dearest first.
    """

    turns: tuple[Turn, ...]
    position: Position
    ended: Ended | None
    chances: tuple[float, ...]
    lessons: tuple[Lesson, ...]

    def fits(self, game: Game) -> bool:
        """Whether the game is still this one."""
        return (game.ended, game.position) == (self.ended, self.position) and game.turns == self.turns

    def is_beginning_of(self, game: Game) -> bool:
        """Whether the game went on from this one, so that every chance in it still holds."""
        count = len(self.turns)
        if self.fits(game):
            return True
        if self.ended is not None or count > len(game.turns) or game.turns[:count] != self.turns:
            return False
        then = game.turns[count].before if count < len(game.turns) else game.position
        return then == self.position


@dataclass(frozen=True, slots=True, kw_only=True)
class Coach:
    """When the coach speaks, whether it was asked about this throw or this game, and what it has to say."""

    mode: CoachMode = CoachMode.OFF
    is_asked: bool = False
    hint: Hint | None = None
    look_back: LookBack | None = None


def throw_of(game: Game) -> Throw | None:
    """The throw that lies on the table; None where there is none to decide about."""
    if game.stage is not Stage.TURNS or game.dice is None:
        return None
    return Throw(position=game.position, dice=game.dice, roll=game.roll, rolls=game.rolls, rules=game.rules)
