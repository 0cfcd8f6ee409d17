"""Which pulls the table offers just now, and whether it's busy leading cows home: for lights, words and page alike."""

from __future__ import annotations

from controller.games.cosmic_cows import Beam, Pull
from controller.table.computers import is_throw_withheld, pulls_allowed
from controller.table.game import Stage
from controller.table.moves import astray_cows
from controller.table.state import Phase, TurnState

_ON_THE_MOVE = (Phase.MOVING, Phase.WAITING)


def offered(state: TurnState) -> tuple[Pull, ...]:
    """The pulls that can be made now, in the engine's order.

    Nothing while dice are in the air, the game is paused or cows are led home. Once a cow is on the move: the pulls
    that may still come of it, without the one that stands already. In a computer's turn: the one it chose.
    """
    if state.phase is Phase.PAUSED or are_dice_in_the_air(state) or is_leading_home(state):
        return ()
    pulls = pulls_allowed(state.game, state.chosen)
    if state.phase in _ON_THE_MOVE:
        could_be = state.cows.verdict.could_be
        return tuple(pull for pull in pulls if pull.name in could_be)
    return pulls


def are_dice_in_the_air(state: TurnState) -> bool:
    """Whether a roll was begun and isn't read yet, so that the old dice don't count."""
    return state.phase is Phase.REFUSED or (state.phase is Phase.ROLLING and state.tray.is_taken_up)


def is_leading_home(state: TurnState) -> bool:
    """Whether it was told which cows stand wrong, or a take-back waits for them: only their way home matters."""
    return bool(astray_cows(state)) and (state.cows.is_told or state.cows.must_return)


def may_throw(state: TurnState) -> bool:
    """Whether the turn has another roll, or the opening wants a throw, and dice in the tray can be it."""
    game = state.game
    if is_throw_withheld(game):
        return False
    return game.stage is Stage.OPENING or (game.stage is Stage.TURNS and game.roll < game.rolls)


def places_seen(state: TurnState, beam: Beam) -> tuple[int, ...]:
    """The places of this beam that report a cow, ascending; empty without sensors or with the cow in the hand."""
    if not state.cows.are_followed or state.cows.occupied is None:
        return ()
    return tuple(sorted(cell.place for cell in state.cows.occupied if cell.beam is beam))


def way_left(state: TurnState, beam: Beam, spaces: int) -> tuple[int, int]:
    """From which place a cow still has to go to which, for a pull that moves it `spaces` from the record's place."""
    home, sign = state.game.position.place(beam), state.game.mover.sign
    landing = home + sign * spaces
    done = [abs(place - home) for place in places_seen(state, beam) if 0 <= sign * (place - home) <= spaces]
    return home + sign * max(done, default=0), landing
