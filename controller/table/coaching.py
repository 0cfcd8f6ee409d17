"""When the coach may speak, and when what it said is past: for machine, lights and page alike.

Rules of this file: pure. The odds of improving are everybody's; what is best is shown only as the mode allows, and
never about a computer's throw.
"""

from __future__ import annotations

from dataclasses import replace

from controller.table.commands import AskCoach, SetCoach
from controller.table.computers import computer_to_act
from controller.table.effects import Effect, Refuse
from controller.table.events import AdviceGiven, GameLookedBack
from controller.table.game import Game, Stage
from controller.table.hints import CoachMode, Hint, Lesson, LookBack, throw_of
from controller.table.offers import is_leading_home, may_throw
from controller.table.state import Phase, TurnState
from controller.table.transitions import Happened, Happening, Interpreted


def coach_told(state: TurnState, event: AdviceGiven | GameLookedBack) -> Interpreted:
    """What the coach has worked out, kept so long as it holds; what came too late is dropped."""
    coach, game = state.coach, state.game
    match event:
        case AdviceGiven() if event.hint.fits(game):
            coach = replace(coach, hint=event.hint)
        case GameLookedBack() if event.look_back.is_beginning_of(game):
            coach = replace(coach, look_back=event.look_back)
    return replace(state, coach=coach), ()


def coach_commanded(state: TurnState, command: SetCoach | AskCoach) -> Interpreted:
    """Switch the coach, or ask it; the game isn't touched."""
    if isinstance(command, SetCoach):
        return replace(state, coach=replace(state.coach, mode=command.mode, is_asked=False)), ()
    why = _why_not_ask(state)
    if why is not None:
        effects: tuple[Effect, ...] = (Refuse(why),)
        return state, (Happened(Happening.NOT_NOW, effects=effects),)
    return replace(state, coach=replace(state.coach, is_asked=True)), ()


def may_ask(state: TurnState) -> bool:
    """Whether asking the coach brings anything now."""
    return not state.coach.is_asked and _why_not_ask(state) is None


def _why_not_ask(state: TurnState) -> str | None:
    if state.coach.mode is CoachMode.OFF:
        return "The coach is off: switch it on first."
    if state.coach.mode is CoachMode.ALWAYS:
        return "The coach speaks at every throw already."
    if computer_to_act(state.game) is not None:
        return "The coach doesn't help a computer."
    if state.game.stage is Stage.OVER or throw_of(state.game) is not None:
        return None
    return "There is no throw to ask about: throw the dice first."


def without_what_is_past(before: Game, state: TurnState) -> TurnState:
    """The state without what no longer fits its game; a question counts for the throw it was asked about."""
    coach, game = state.coach, state.game
    if game is before:
        return state
    if coach.hint is not None and not coach.hint.fits(game):
        coach = replace(coach, hint=None)
    if coach.look_back is not None and not coach.look_back.is_beginning_of(game):
        coach = replace(coach, look_back=None)
    if coach.is_asked and (throw_of(before), before.ended) != (throw_of(game), game.ended):
        coach = replace(coach, is_asked=False)
    return state if coach is state.coach else replace(state, coach=coach)


def odds_shown(state: TurnState) -> Hint | None:
    """The odds of rolling on, for everybody, while it can still be done."""
    hint = _hint(state)
    return hint if hint is not None and may_throw(state) else None


def advice_shown(state: TurnState) -> Hint | None:
    """The best keep or pull, as far as the coach may speak."""
    if not _may_speak(state) or computer_to_act(state.game) is not None:
        return None
    return _hint(state)


def look_back_shown(state: TurnState) -> LookBack | None:
    """Who was how likely to win, for everybody."""
    return state.coach.look_back


def lessons_shown(state: TurnState) -> tuple[Lesson, ...]:
    """After the game what could have been done better, as far as the coach may speak."""
    look_back = state.coach.look_back
    if state.phase is not Phase.OVER or look_back is None or not _may_speak(state) or not look_back.fits(state.game):
        return ()
    return look_back.lessons


def _hint(state: TurnState) -> Hint | None:
    """What is known about the dice on the table, while a player decides about them."""
    if state.phase is not Phase.ROLLED or is_leading_home(state):
        return None
    return state.coach.hint


def _may_speak(state: TurnState) -> bool:
    mode = state.coach.mode
    return mode is CoachMode.ALWAYS or (mode is CoachMode.ON_REQUEST and state.coach.is_asked)
