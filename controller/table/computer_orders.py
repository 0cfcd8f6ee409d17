"""What a person can't do while a computer is on the move, and what the computer's own acts mean."""

from __future__ import annotations

from dataclasses import replace

from controller.games.cosmic_cows import Dice, Side
from controller.table.commands import ChoosePull, Command, Done, EnterDice, KeepDice, Reroll, Resign, TurnKnob
from controller.table.computers import computer_to_act, is_throw_withheld, side_to_act
from controller.table.effects import Refuse
from controller.table.entries import OpeningThrow, Throw
from controller.table.game import Stage, fold_all
from controller.table.rolls import opening_thrown, rolled
from controller.table.state import Notice, Phase, Reason, TurnState
from controller.table.transitions import Happened, Happening, Interpreted


def persons_may_not(state: TurnState, command: Command) -> str | None:
    """Why a person can't do this while a computer is on the move; None where they can.

    Throwing its dice for it and moving its cows is what it waits for; choosing is its own affair.
    """
    computer = computer_to_act(state.game)
    if computer is None:
        return None
    match command:
        case ChoosePull() | TurnKnob() | KeepDice():
            return "The computer is on the move: it chooses by itself."
        case Done() if state.phase is Phase.ROLLED:
            return "The computer is on the move: it chooses by itself."
        case EnterDice() | Reroll() if is_throw_withheld(state.game):
            if computer.is_generated:
                return "The table throws the computer's dice itself."
            return "The computer hasn't asked for a throw: wait until it has chosen."
        case Resign(None):
            return "Say which side resigns: a computer is on the move."
        case _:
            return None


def generated(state: TurnState, faces: tuple[int, ...]) -> Interpreted:
    """Dice that the service threw for a computer; those in the tray lie on as they lie, and are nobody's."""
    game = state.game
    if state.phase in (Phase.MOVING, Phase.WAITING, Phase.WRONG):
        return state, (
            Happened(Happening.NOT_NOW, effects=(Refuse("A cow has been moved: it goes back before the throw."),)),
        )
    state = replace(state, tray=replace(state.tray, refusals=(), rolled=()))
    if game.stage is Stage.OPENING:
        thrown = OpeningThrow(side_to_act(game) or Side.WHITE, faces, is_generated=True)
        fold_all(game, (thrown,))
        return opening_thrown(state, (thrown,))
    entry = Throw(Dice(faces), is_generated=True)
    fold_all(game, (entry,))
    return rolled(state, (entry,))


def give_up_seat(state: TurnState, why: str) -> Interpreted:
    """A person plays on; the record goes on to say whose seat it was, and a table that restarts tries again."""
    side = side_to_act(state.game) or Side.WHITE
    words = (("side", side.value), ("why", why))
    state = replace(state, game=replace(state.game, seats=state.game.seats.with_person(side)), chosen=None)
    return state, (Happened(Happening.NOT_NOW, notice=Notice(Reason.COMPUTER_AWAY, words)),)
