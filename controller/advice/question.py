"""What is asked of the advice: a throw that lies on the table, checked."""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.errors import InputError
from controller.games.cosmic_cows import DEFAULT_RULES, Dice, Position, Rules, outcome


@dataclass(frozen=True, slots=True)
class Question:
    """The mover's dice in a game that goes on.

    Attributes:
        roll: 1, 2 or 3, the roll that lies on the table.
        turn_count: how many turns are finished; the first may have fewer rolls.

    Raises:
        InputError: a roll the turn hasn't, or a game that is over.
    """

    position: Position
    dice: Dice
    roll: int
    rules: Rules = field(default=DEFAULT_RULES)
    turn_count: int = 1

    def __post_init__(self) -> None:
        if type(self.roll) is not int or not 1 <= self.roll <= self.rolls:
            raise InputError("roll", self.roll, f"the roll that lies on the table, 1 to {self.rolls}")
        ended = outcome(self.position, self.rules)
        if ended is not None and ended.side is not None:
            seen = ",".join(map(str, self.position.places))
            raise InputError("position", seen, f"a game that goes on; {ended.side.value} has won here")

    @property
    def rolls(self) -> int:
        """How many rolls this turn has."""
        return self.rules.rolls_in_turn(self.turn_count)

    @property
    def left(self) -> int:
        """How many rolls are still to come."""
        return self.rolls - self.roll
