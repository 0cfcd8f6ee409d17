"""Cosmic Cows as one of the games the table can play."""

from __future__ import annotations

from dataclasses import dataclass

from controller.games.cosmic_cows.dice import Dice
from controller.games.cosmic_cows.notation import format_position, parse_dice, parse_position
from controller.games.cosmic_cows.outcome import Outcome, outcome
from controller.games.cosmic_cows.position import Position
from controller.games.cosmic_cows.pulls import Pull, apply_pull, legal_pulls
from controller.games.cosmic_cows.rules import DEFAULT_RULES, Rules


@dataclass(frozen=True, slots=True)
class CosmicCows:
    """The game under one set of house rules; see controller.games.game.Game for what each method promises."""

    rules: Rules = DEFAULT_RULES

    def parse(self, text: str) -> Position:
        """The position of this text."""
        return parse_position(text, self.rules)

    def format(self, position: Position) -> str:
        """The text of this position."""
        return format_position(position)

    def parse_dice(self, text: str) -> Dice:
        """The dice of this text."""
        return parse_dice(text)

    def legal(self, position: Position, dice: Dice) -> tuple[Pull, ...]:
        """The pulls these final dice allow."""
        return legal_pulls(position, dice, self.rules)

    def apply(self, position: Position, pull: Pull) -> Position:
        """The position after this pull."""
        return apply_pull(position, pull, self.rules)

    def outcome(self, position: Position) -> Outcome | None:
        """Who has won; None while the game goes on."""
        return outcome(position, self.rules)
