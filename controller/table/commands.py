"""What a person can ask of the table, by button, knob or page; and their text form both ways."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from controller.errors import InputError
from controller.games.cosmic_cows import Rules, Side, parse_position, parse_rules
from controller.games.cosmic_cows.rules import DEFAULT_RULES
from controller.table.entries import Correctable
from controller.table.game import Game
from controller.table.hints import CoachMode
from controller.table.seats import Seats, parse_seats

NAME_LENGTH = 40  # of a player; longer ones break the wall view's first line


@dataclass(frozen=True, slots=True)
class NewGame:
    """Start over; None keeps what the running game has."""

    rules: Rules | None = None
    white: str | None = None
    black: str | None = None
    seats: Seats | None = None


@dataclass(frozen=True, slots=True)
class Undo:
    """Take the last step back."""


@dataclass(frozen=True, slots=True)
class Done:
    """That was my move: end the wait, take the chosen pull, or let the touched dice count."""


@dataclass(frozen=True, slots=True)
class Reroll:
    """I roll again: what moves now, or lies there unannounced, is a roll."""


@dataclass(frozen=True, slots=True)
class ChoosePull:
    """Mark this pull; on a board without sensors, make it."""

    name: str


@dataclass(frozen=True, slots=True)
class TurnKnob:
    """Go this many options on (negative: back)."""

    steps: int


@dataclass(frozen=True, slots=True)
class EnterDice:
    """The dice were thrown where no camera sees them: five faces, or one in the opening."""

    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class KeepDice:
    """The faces that stay for the next roll."""

    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Correct:
    """Set dice, mover or cows right; `value` is the text form."""

    what: Correctable
    value: str


@dataclass(frozen=True, slots=True)
class Pause:
    """Take no notice of dice and cows until resumed."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on after a pause."""


@dataclass(frozen=True, slots=True)
class SetCoach:
    """When the coach shall speak."""

    mode: CoachMode


@dataclass(frozen=True, slots=True)
class AskCoach:
    """What would the coach do with this throw; or, after the game, what could have been done better?"""


@dataclass(frozen=True, slots=True)
class Resign:
    """This side gives up; None is the mover."""

    side: Side | None = None


@dataclass(frozen=True, slots=True)
class GiveUpSeat:
    """The computer can't play on: `why` in one sentence."""

    why: str


@dataclass(frozen=True, slots=True)
class ComputerActs:
    """What the computer whose turn it is does; the service alone makes these, no name on the page leads to one.

    Dice entered so are the generator's. `decided_for` is the game it was decided for: in any other it no longer holds.
    """

    act: EnterDice | KeepDice | ChoosePull | GiveUpSeat
    decided_for: Game = field(repr=False)


Command = (
    NewGame
    | Undo
    | Done
    | Reroll
    | ChoosePull
    | TurnKnob
    | EnterDice
    | KeepDice
    | Correct
    | Pause
    | Resume
    | Resign
    | SetCoach
    | AskCoach
    | ComputerActs
)


def parse_command(name: str, arguments: Mapping[str, Any], rules: Rules = DEFAULT_RULES) -> Command:
    """The command of this name, its arguments checked.

    Raises:
        InputError: unknown command, unknown or unusable argument.
    """
    if name not in _PARSERS:
        near = get_close_matches(name, _PARSERS, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise InputError("command", name, ", ".join(_PARSERS) + hint)
    accepted, build = _PARSERS[name]
    for key in arguments:
        if key not in accepted:
            raise InputError(key, arguments[key], f"{name} takes {', '.join(accepted) or 'no arguments'}")
    return build(arguments, rules)


def _text(arguments: Mapping[str, Any], key: str, accepted: str) -> str:
    value = arguments.get(key)
    if not isinstance(value, str) or not value:
        raise InputError(key, value, accepted)
    return value


def _name(arguments: Mapping[str, Any], key: str) -> str | None:
    if arguments.get(key) is None:
        return None
    value = _text(arguments, key, "a name").strip()
    if not value or len(value) > NAME_LENGTH or not value.isprintable():
        raise InputError(key, value, f"a name of 1 to {NAME_LENGTH} printable signs")
    return value


def _faces(arguments: Mapping[str, Any], key: str, counts: range) -> tuple[int, ...]:
    accepted = f"{counts.start} to {counts.stop - 1} digits from 1 to 6"
    value = arguments.get(key)
    if not isinstance(value, str) or len(value) not in counts or set(value) - set("123456"):
        raise InputError(key, value, accepted)
    return tuple(sorted(int(digit) for digit in value))


def _side(arguments: Mapping[str, Any], key: str) -> Side:
    value = _text(arguments, key, "white or black")
    if value not in tuple(Side):
        raise InputError(key, value, "white or black")
    return Side(value)


def _new_game(arguments: Mapping[str, Any], _: Rules) -> Command:
    rules = arguments.get("rules")
    if rules is not None and not isinstance(rules, Mapping):
        raise InputError("rules", rules, "an object of house rules")
    parsed = None if rules is None else parse_rules(rules)
    computers = arguments.get("computers")
    seats = None if computers is None else parse_seats(computers)
    return NewGame(parsed, _name(arguments, "white"), _name(arguments, "black"), seats)


def _dice(arguments: Mapping[str, Any], _: Rules) -> Command:
    faces = _faces(arguments, "dice", range(5, 6))
    return Correct(Correctable.DICE, "".join(map(str, faces)))


def _cows(arguments: Mapping[str, Any], rules: Rules) -> Command:
    text = _text(arguments, "position", "nine places and the mover, like 0,0,2,0,-1,0,-3,0,8 w")
    parse_position(text, rules)
    return Correct(Correctable.COWS, text)


def _knob(arguments: Mapping[str, Any], _: Rules) -> Command:
    steps = arguments.get("steps", 1)
    if not isinstance(steps, int) or isinstance(steps, bool) or abs(steps) > 100:
        raise InputError("steps", steps, "a whole number from -100 to 100")
    return TurnKnob(steps)


def _coach(arguments: Mapping[str, Any], _: Rules) -> Command:
    mode = arguments.get("mode")
    if not isinstance(mode, str) or mode not in tuple(CoachMode):
        raise InputError("mode", mode, ", ".join(CoachMode))
    return SetCoach(CoachMode(mode))


_Parser = Callable[[Mapping[str, Any], Rules], Command]
_PARSERS: dict[str, tuple[tuple[str, ...], _Parser]] = {
    "new_game": (("white", "black", "rules", "computers"), _new_game),
    "undo": ((), lambda a, r: Undo()),
    "done": ((), lambda a, r: Done()),
    "reroll": ((), lambda a, r: Reroll()),
    "choose_pull": (("pull",), lambda a, r: ChoosePull(_text(a, "pull", "the name of a pull, like pair 3"))),
    "knob": (("steps",), _knob),
    "enter_dice": (("dice",), lambda a, r: EnterDice(_faces(a, "dice", range(1, 6)))),
    "keep": (("dice",), lambda a, r: KeepDice(_faces(a, "dice", range(6)))),
    "correct_dice": (("dice",), _dice),
    "correct_mover": (("mover",), lambda a, r: Correct(Correctable.MOVER, _side(a, "mover").value)),
    "correct_cows": (("position",), _cows),
    "pause": ((), lambda a, r: Pause()),
    "resume": ((), lambda a, r: Resume()),
    "coach": (("mode",), _coach),
    "ask_coach": ((), lambda a, r: AskCoach()),
    "resign": (("side",), lambda a, r: Resign(_side(a, "side") if a.get("side") is not None else None)),
}
COMMAND_NAMES = tuple(_PARSERS)
