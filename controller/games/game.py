"""What the table needs of any game of the herd, and how to get one by its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from controller.errors import InputError

Position = TypeVar("Position")
Dice = TypeVar("Dice")
Pull = TypeVar("Pull")

GAME_NAMES = ("cosmic-cows",)


class Ending(Protocol):
    """How a game ended: the winner's name (None: nobody) and a reason in words."""

    @property
    def side(self) -> str | None: ...

    @property
    def reason(self) -> str: ...


class Game(Protocol[Position, Dice, Pull]):
    """A game played with dice, under the house rules it was made with.

    Positions, dice and pulls are frozen values, and each has exactly one text form.
    """

    def parse(self, text: str) -> Position:
        """The position of this text; InputError if it is none."""

    def format(self, position: Position) -> str:
        """The text of this position."""

    def parse_dice(self, text: str) -> Dice:
        """The dice of this text; InputError if it is none."""

    def legal(self, position: Position, dice: Dice) -> tuple[Pull, ...]:
        """What the mover may do with these dice, in the game's own order."""

    def apply(self, position: Position, pull: Pull) -> Position:
        """The position after one of the legal pulls."""

    def outcome(self, position: Position) -> Ending | None:
        """How the game ended; None while it goes on."""


def game_named(name: str, rules: Mapping[str, Any] | None = None) -> Game[Any, Any, Any]:
    """The game of this name under these house rules (None: its defaults). Only that game's code is loaded.

    Raises:
        InputError: no such game, or rules it doesn't know.
    """
    match name:
        case "cosmic-cows":
            from controller.games.cosmic_cows.game import CosmicCows
            from controller.games.cosmic_cows.rules import parse_rules

            return CosmicCows(parse_rules(rules or {}))
        case _:
            raise InputError("game", name, " or ".join(GAME_NAMES))
