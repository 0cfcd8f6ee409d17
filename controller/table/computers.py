"""What it means for a turn that a computer plays it: who acts next, and what nobody else may do meanwhile.

Rules of this file: pure functions of the game. A computer acts through the same commands as a person, wrapped in
`ComputerActs`; while it is on the move a person may throw its dice and move its cows, never choose for it.
"""

from __future__ import annotations

from controller.games.cosmic_cows import Pull, Side
from controller.table.entries import EndReason, TakenBack
from controller.table.game import Game, Stage, fold
from controller.table.naming import Names
from controller.table.seats import PERSONS, Computer, Seats


def side_to_act(game: Game) -> Side | None:
    """Whose throw, choice or pull comes next; None where either may throw for the start, or the game is over.

    Against a person a computer lets the person throw first for the start.
    """
    if game.stage is Stage.OPENING:
        return game.opening_side or (Side.WHITE if game.seats.are_all_computers else None)
    return game.mover if game.stage is Stage.TURNS else None


def computer_to_act(game: Game) -> Computer | None:
    """The computer that is to throw, choose or pull now."""
    side = side_to_act(game)
    return None if side is None else game.seats.of(side)


def is_generators_turn(game: Game) -> bool:
    """Whether the service throws now, so that dice in the tray are nobody's roll."""
    computer = computer_to_act(game)
    return computer is not None and computer.is_generated


def is_throw_withheld(game: Game) -> bool:
    """Whether a throw in the tray can't count now: the service throws itself, or the computer hasn't asked for one."""
    computer = computer_to_act(game)
    if computer is None:
        return False
    has_asked = game.stage is Stage.OPENING or not game.roll or game.kept is not None
    return computer.is_generated or not has_asked


def pulls_allowed(game: Game, chosen: str | None) -> tuple[Pull, ...]:
    """The pulls a cow may be moved for: in a computer's turn only the one that it chose."""
    if computer_to_act(game) is None:
        return game.pulls
    return tuple(pull for pull in game.pulls if pull.name == chosen)


def thrower_of_tray(game: Game) -> Side | None:
    """Whose a die for the start must be that lies in the tray, where the other side's is thrown by the service."""
    for side in Side:
        computer = game.seats.of(side)
        if computer is not None and computer.is_generated:
            return side.other
    return None


def steps_back(game: Game) -> int:
    """How many steps a take-back goes: past what the computer did, to the turn of the person who plays against it.

    One step where no computer or nobody else plays, and where the newest step is a correction or a resignation. What
    a computer did before the person's first turn is taken back to the start of the computer's turn.
    """
    is_alone = game.seats.are_all_computers or game.seats == PERSONS
    if is_alone or game.before is None or _is_no_move(game.before, game):
        return 1
    found: list[Game] = []
    back: Game | None = _one_back(game)
    while back is not None:
        found.append(back)
        back = _one_back(back) if computer_to_act(back) is not None else None
    if game.stage is not Stage.OPENING and found[-1].stage is Stage.OPENING and found[0].stage is Stage.TURNS:
        return sum(one.stage is Stage.TURNS for one in found)
    return len(found)


def seat_names(seats: Seats, given: Names | None, persons: Names) -> Names:
    """What the sides are called: as given (an empty name: not), a computer by its level, a person as in `persons`."""
    called = {}
    for side in Side:
        computer = seats.of(side)
        own = persons.of(side) if computer is None else computer.level.capitalize()
        called[side] = (given.of(side) if given else "") or own
    if called[Side.WHITE] == called[Side.BLACK]:
        called = {side: f"{name} {side.value.capitalize()}" for side, name in called.items()}
    return Names(called[Side.WHITE], called[Side.BLACK])


def persons_after(seats: Seats, names: Names, persons: Names) -> Names:
    """The persons' names once these seats are taken: a computer's name is none of them."""
    white = persons.white if seats.white is not None else names.white
    black = persons.black if seats.black is not None else names.black
    return Names(white, black)


def _one_back(game: Game) -> Game | None:
    """The game one take-back before, None at its beginning."""
    return None if game.before is None else fold(game, TakenBack(""))


def _is_no_move(before: Game, after: Game) -> bool:
    """Whether the step between was a correction or a resignation, not a throw or a pull."""
    if after.ended is not None:
        return after.ended.reason in (EndReason.RESIGNED, EndReason.ABANDONED)
    is_same_turn = before.stage is after.stage is Stage.TURNS and len(before.turns) == len(after.turns)
    return is_same_turn and (before.roll == after.roll or before.mover is not after.mover)
