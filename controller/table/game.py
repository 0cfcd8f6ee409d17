"""The game as the entries made it: position, mover, roll, dice and history.

Rules of this file: no time, no cows in motion, no camera. `fold(game, entry)` is the only function that changes a
game; it refuses an entry that the rules don't allow here, so a record that folds is a legal game.

How it works: each entry that can be taken back keeps the game as it was in `before`, a chain back to the first
throw. Taking back is walking one link of that chain; nothing is ever computed backwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import assert_never

from controller.errors import InputError
from controller.games.cosmic_cows import (
    Dice,
    Position,
    Pull,
    Rules,
    Side,
    apply_pull,
    find_pull,
    format_dice,
    legal_pulls,
    outcome,
    parse_dice,
    parse_position,
    start_position,
    turn_limit_outcome,
)
from controller.games.cosmic_cows.rules import DEFAULT_RULES
from controller.table.entries import (
    Correctable,
    Corrected,
    Ended,
    EndReason,
    Entry,
    Forfeit,
    Keep,
    OpeningThrow,
    PullMade,
    TakenBack,
    Throw,
)
from controller.table.seats import PERSONS, Seats


class Stage(StrEnum):
    """The three parts of a game."""

    OPENING = "opening"
    TURNS = "turns"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Turn:
    """A finished turn: who moved from where, the rolls, and the pull (None: forfeit).

    `keeps` are the faces that stayed for each roll but the first, ascending; None where nobody told them.
    """

    mover: Side
    before: Position
    throws: tuple[Dice, ...]
    pull: str | None
    after: Position
    keeps: tuple[tuple[int, ...] | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Game:
    """Everything the rules know of a game.

    `throws` are the rolls of the turn in progress, oldest first, `keeps` what stayed for each of them but the first.
    """

    rules: Rules = DEFAULT_RULES
    stage: Stage = Stage.OPENING
    position: Position = field(default_factory=lambda: start_position(Side.WHITE))
    opening: tuple[OpeningThrow, ...] = ()
    throws: tuple[Dice, ...] = ()
    keeps: tuple[tuple[int, ...] | None, ...] = ()
    kept: tuple[int, ...] | None = None
    turns: tuple[Turn, ...] = ()
    ended: Ended | None = None
    seats: Seats = PERSONS
    before: Game | None = field(default=None, compare=False, repr=False)

    @property
    def mover(self) -> Side:
        """Whose turn it is; without meaning in the opening."""
        return self.position.mover

    @property
    def roll(self) -> int:
        """How many rolls of this turn have been read, 0 to 3."""
        return len(self.throws)

    @property
    def dice(self) -> Dice | None:
        """The dice of the newest roll of this turn."""
        return self.throws[-1] if self.throws else None

    @property
    def rolls(self) -> int:
        """How many rolls this turn may have."""
        return self.rules.rolls_in_turn(len(self.turns))

    @property
    def pulls(self) -> tuple[Pull, ...]:
        """What the newest roll can pull, in the engine's order."""
        if self.stage is not Stage.TURNS or self.dice is None:
            return ()
        return legal_pulls(self.position, self.dice, self.rules)

    @property
    def opening_side(self) -> Side | None:
        """Who throws next for the start; None when either may (nobody has thrown yet)."""
        return self.opening[0].side.other if len(self.opening) == 1 else None


class EntryError(InputError):
    """An entry the rules don't allow at this point of the game."""


def fold(game: Game, entry: Entry) -> Game:
    """The game after one entry.

    Raises:
        InputError: the entry isn't allowed here (an EntryError), or its dice, pull or position can't be used; any
            other error is a bug.
    """
    match entry:
        case TakenBack():
            return _take_back(game)
        case Corrected():
            return _correct(game, entry)
        case OpeningThrow():
            return _opening(game, entry)
        case Keep():
            return _keep(game, entry)
        case Throw():
            return _throw(game, entry)
        case PullMade():
            return _pull(game, entry)
        case Forfeit():
            return _forfeit(game)
        case Ended():
            return _end(game, entry)
        case _:
            assert_never(entry)


def fold_all(game: Game, entries: Iterable[Entry]) -> Game:
    """The game after many entries; EntryError at the first that isn't allowed."""
    for entry in entries:
        game = fold(game, entry)
    return game


def ending(game: Game) -> Ended | None:
    """The end that the rules demand of this game now, if it isn't written yet."""
    if game.stage is not Stage.TURNS:
        return None
    won = outcome(game.position, game.rules)
    if won is not None:
        return Ended(won.side, EndReason.COWS_HOME)
    limit = turn_limit_outcome(game.position, len(game.turns), game.rules)
    return None if limit is None else Ended(limit.side, EndReason.TURN_LIMIT)


def _need(stage: Stage, game: Game, what: str) -> None:
    if game.stage is not stage:
        raise EntryError(what, game.stage.value, f"only in the {stage.value} stage of a game")


def _opening(game: Game, entry: OpeningThrow) -> Game:
    _need(Stage.OPENING, game, "opening throw")
    wanted = 5 if game.rules.opening == "all five" else 1
    if len(entry.faces) != wanted or any(face not in range(1, 7) for face in entry.faces):
        raise EntryError("opening throw", entry.faces, f"{wanted} faces from 1 to 6")
    if game.opening_side not in (None, entry.side):
        raise EntryError("opening throw", entry.side.value, f"{entry.side.other.value} throws next")
    _need_generator(game, entry.side, entry)
    thrown = (*game.opening, entry)
    if len(thrown) == 1:
        return replace(game, opening=thrown, before=game)
    first, second = thrown
    if sum(first.faces) == sum(second.faces):
        return replace(game, opening=(), before=game)
    starter = first.side if sum(first.faces) > sum(second.faces) else second.side
    return replace(game, stage=Stage.TURNS, opening=thrown, position=game.position.with_mover(starter), before=game)


def _need_generator(game: Game, side: Side, entry: OpeningThrow | Throw) -> None:
    """The generator throws for nobody but a computer whose dice it was chosen to throw."""
    computer = game.seats.of(side)
    if entry.is_generated and (computer is None or not computer.is_generated):
        raise EntryError("generator", side.value, "a computer whose dice the generator throws")


def _need_open(game: Game, what: str) -> None:
    """A turn can only go on in a game that the rules don't end here."""
    _need(Stage.TURNS, game, what)
    end = ending(game)
    if end is not None:
        raise EntryError(what, "the game goes on", f"only its end here: {end.reason.value}")


def _keep(game: Game, entry: Keep) -> Game:
    _need_open(game, "keep")
    if game.dice is None or game.roll >= game.rolls:
        raise EntryError("keep", entry.faces, "dice are kept between two rolls of a turn")
    if Counter(entry.faces) - Counter(game.dice.faces):
        raise EntryError("keep", entry.faces, f"some of {format_dice(game.dice)}")
    return replace(game, kept=tuple(sorted(entry.faces)))


def _throw(game: Game, entry: Throw) -> Game:
    _need_open(game, "throw")
    if game.roll >= game.rolls:
        raise EntryError("throw", format_dice(entry.dice), f"at most {game.rolls} rolls in this turn")
    _need_generator(game, game.mover, entry)
    if game.kept is not None and Counter(game.kept) - Counter(entry.dice.faces):
        raise EntryError("throw", format_dice(entry.dice), f"dice that hold the kept {game.kept}")
    before = replace(game, kept=None)
    keeps = (*game.keeps, game.kept) if game.throws else ()
    return replace(game, throws=(*game.throws, entry.dice), keeps=keeps, kept=None, before=before)


def _pull(game: Game, entry: PullMade) -> Game:
    _need_open(game, "pull")
    if game.dice is None:
        raise EntryError("pull", entry.name, "a throw first")
    pull = find_pull(game.position, game.dice, entry.name, game.rules)
    return _pass_turn(game, entry.name, apply_pull(game.position, pull, game.rules))


def _forfeit(game: Game) -> Game:
    _need(Stage.TURNS, game, "forfeit")
    if game.roll < game.rolls:
        raise EntryError("forfeit", f"after roll {game.roll}", f"only after roll {game.rolls}")
    if game.pulls:
        raise EntryError("forfeit", "the dice offer a pull", "only when no option moves a cow")
    return _pass_turn(game, None, game.position.with_mover(game.mover.other))


def _pass_turn(game: Game, pull: str | None, after: Position) -> Game:
    turn = Turn(game.mover, game.position, game.throws, pull, after, game.keeps)
    return replace(game, position=after, throws=(), keeps=(), kept=None, turns=(*game.turns, turn), before=game)


def _end(game: Game, entry: Ended) -> Game:
    if game.stage is Stage.OVER:
        raise EntryError("end", entry.reason.value, "a game that isn't over")
    demanded = ending(game)
    if entry.reason in (EndReason.COWS_HOME, EndReason.TURN_LIMIT) and entry != demanded:
        raise EntryError("end", entry.reason.value, "an end that the position shows")
    if entry.reason is EndReason.RESIGNED and entry.winner is None:
        raise EntryError("end", entry.reason.value, "a winner, since one side resigned")
    if entry.reason is EndReason.ABANDONED and entry.winner is not None:
        raise EntryError("end", entry.reason.value, "no winner, since nobody resigned")
    return replace(game, stage=Stage.OVER, ended=entry, before=game)


def _correct(game: Game, entry: Corrected) -> Game:
    _need(Stage.TURNS, game, f"correct {entry.what.value}")
    match entry.what:
        case Correctable.DICE:
            if game.dice is None:
                raise EntryError("dice", entry.value, "a throw that can be corrected; take the last step back first")
            throws = (*game.throws[:-1], parse_dice(entry.value))
            return replace(game, throws=throws, kept=None, before=game)
        case Correctable.MOVER:
            if entry.value not in tuple(Side):
                raise EntryError("mover", entry.value, "white or black")
            position = game.position.with_mover(Side(entry.value))
            return replace(game, position=position, throws=(), keeps=(), kept=None, before=game)
        case Correctable.COWS:
            position = parse_position(entry.value, game.rules)
            return replace(game, position=position.with_mover(game.mover), before=game)
        case _:
            assert_never(entry.what)


def _take_back(game: Game) -> Game:
    """One step back; an end that the rules demanded goes together with the pull that brought it."""
    if game.before is None:
        raise EntryError("take-back", "nothing yet", "a game with at least one step")
    demanded = game.ended is not None and game.ended.reason in (EndReason.COWS_HOME, EndReason.TURN_LIMIT)
    return _take_back(game.before) if demanded else game.before
