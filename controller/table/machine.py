"""The turn machine: one event in, the next state and what to do out.

Rules of this file: `step` is pure; time comes with the event. It never decides what an event means (the interpreters
`rolls`, `moves` and `orders` do) nor where that leads (the table in `transitions` does); it only carries that out.

How it works: event → interpreter → happenings. Each happening's entries are folded into the game, the table gives the
next phase, and its effects are collected, `Record` first. Then the cows are judged anew until nothing is new: a roll
that arrives while a cow is on the way changes what that cow's place means.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from controller.table.coaching import coach_told, without_what_is_past
from controller.table.effects import Effect, Play, Record
from controller.table.entries import Ended
from controller.table.events import (
    AdviceGiven,
    BoardArrived,
    BoardFaulted,
    BoardLost,
    CameraArrived,
    CameraLost,
    CommandGiven,
    CowsSeen,
    Event,
    GameLookedBack,
    TimePassed,
    TrayLookedAt,
    TrayRolling,
    TraySettled,
)
from controller.table.game import Game, ending, fold_all
from controller.table.moves import judged, next_deadline, time_passed, told
from controller.table.orders import command_given
from controller.table.rolls import tray_looked_at, tray_meanwhile, tray_rolling, tray_settled
from controller.table.state import UNCHANGED, Cows, Notice, Phase, Reason, Settings, TurnState
from controller.table.transitions import (
    SILENCING,
    SOUNDS,
    Happened,
    Happening,
    Interpreted,
    next_phase,
    resting_phase,
)

# A judgement changes the phase once; what follows from that (a pull accepted) changes it once more.
MAX_JUDGEMENTS = 4
_COW_PHASES = (Phase.MOVING, Phase.WAITING, Phase.WRONG)

__all__ = ["next_deadline", "resume", "step"]


def step(state: TurnState, event: Event) -> tuple[TurnState, tuple[Effect, ...]]:
    """The state after `event`, and the effects in the order in which they must be carried out."""
    was_on_the_move, before = state.phase in _COW_PHASES, state.game
    state, happened = _interpret(replace(state, now=event.at), event)
    state, effects = _carry_out_all(state, happened)
    for _ in range(MAX_JUDGEMENTS):
        state, happened = judged(state)
        if not happened:
            break
        state, more = _carry_out_all(state, happened)
        effects = (*effects, *more)
    if was_on_the_move and state.phase in (Phase.TO_ROLL, Phase.ROLLED):
        state, happened = tray_meanwhile(state)
        state, more = _carry_out_all(state, happened)
        effects = (*effects, *more)
    return without_what_is_past(before, state), effects


def resume(game: Game, settings: Settings, at: float, notice: Notice | None = None) -> TurnState:
    """The state in which a table takes up a game: in its resting phase, nothing seen yet, cows to be led home first."""
    cows = Cows(must_return=True)
    return TurnState(
        game=game, phase=resting_phase(game), cows=cows, settings=settings, notice=notice, since=at, now=at
    )


def _interpret(state: TurnState, event: Event) -> Interpreted:
    match event:
        case TrayRolling():
            return tray_rolling(state, event)
        case TraySettled():
            return tray_settled(state, event)
        case TrayLookedAt():
            return _looked_at(state, event)
        case CowsSeen():
            return replace(state, cows=replace(state.cows, occupied=event.occupied)), ()
        case CommandGiven():
            return command_given(state, event)
        case AdviceGiven() | GameLookedBack():
            return coach_told(state, event)
        case TimePassed():
            return time_passed(state, event)
        case BoardArrived():
            return _board_arrived(state, event)
        case BoardLost():
            return _board_lost(state, event)
        case BoardFaulted():
            words = (("fault", event.name), ("cell", str(event.cell or "")))
            return state, (Happened(Happening.NOT_NOW, notice=Notice(Reason.BOARD_FAULT, words)),)
        case CameraArrived():
            tray = replace(state.tray, is_watched=True)
            return replace(state, tray=tray), (_device_back(state, Reason.CAMERA_LOST),)
        case CameraLost():
            return _camera_lost(state, event)
        case _:
            assert_never(event)


def _looked_at(state: TurnState, event: TrayLookedAt) -> Interpreted:
    """Dice read otherwise than before are corrected; dice that read the same mean the cow is wrong: say so."""
    state, happened = tray_looked_at(state, event)
    if happened and happened[0].what is Happening.DICE_LOOKED_AT:
        return told(state)
    return state, happened


def _device_back(state: TurnState, *troubles: Reason) -> Happened:
    """Only the trouble with this device needs telling no more."""
    is_over = state.notice is not None and state.notice.reason in troubles
    return Happened(Happening.DEVICE_BACK, notice=None if is_over else state.notice)


def _board_arrived(state: TurnState, event: BoardArrived) -> Interpreted:
    """A board that says hello has started anew: what it saw before holds only when its own scan says so."""
    cows = replace(
        state.cows, can=event.can, occupied=None, verdict=UNCHANGED, amends=None, is_told=False, asked_at=None
    )
    back = _device_back(state, Reason.BOARD_LOST, Reason.BOARD_FAULT)
    if state.phase in _COW_PHASES:
        back = replace(back, what=Happening.DEVICE_LOST)  # it was away for a moment, and nobody said so
    return replace(state, cows=cows), (back,)


def _board_lost(state: TurnState, event: BoardLost) -> Interpreted:
    was_there = state.cows.can is not None
    cows = replace(state.cows, can=None, occupied=None, verdict=UNCHANGED, amends=None)
    state = replace(state, cows=cows)
    if not was_there:
        return state, ()
    is_moving = state.phase in _COW_PHASES
    what = Happening.DEVICE_LOST if is_moving else Happening.NOT_NOW
    return state, (Happened(what, notice=Notice(Reason.BOARD_LOST, (("why", event.reason),))),)


def _camera_lost(state: TurnState, event: CameraLost) -> Interpreted:
    was_there = state.tray.is_watched
    state = replace(state, tray=replace(state.tray, is_watched=False, is_known=False, is_moving=False))
    if not was_there:
        return state, ()
    is_rolling = state.phase in (Phase.ROLLING, Phase.REFUSED, Phase.TOUCHED)
    what = Happening.DEVICE_LOST if is_rolling else Happening.NOT_NOW
    return state, (Happened(what, notice=Notice(Reason.CAMERA_LOST, (("why", event.reason),))),)


def _carry_out_all(state: TurnState, happened: Sequence[Happened]) -> tuple[TurnState, tuple[Effect, ...]]:
    effects: tuple[Effect, ...] = ()
    for one in happened:
        state, more = _carry_out(state, one)
        effects = (*effects, *more)
    return state, effects


def _carry_out(state: TurnState, one: Happened) -> tuple[TurnState, tuple[Effect, ...]]:
    """Fold the entries, move on by the table, say what is to be said; the rules may end the game here."""
    game, entries, what, notice = fold_all(state.game, one.entries), one.entries, one.what, one.notice
    end = ending(game) if entries else None
    if end is not None:
        game, entries = fold_all(game, (end,)), (*entries, end)
        what, notice = Happening.GAME_ENDED, _end_notice(end)
    if notice is None and what not in SILENCING:
        notice = state.notice
    phase = next_phase(state.phase, what, game)
    state = replace(state, game=game, phase=phase, notice=notice, chosen=_still_chosen(state, game))
    effects: tuple[Effect, ...] = (Record(entries),) if entries else ()
    effects = (*effects, *one.effects)
    if what in SOUNDS:
        effects = (*effects, Play(SOUNDS[what]))
    return state, effects


def _still_chosen(state: TurnState, game: Game) -> str | None:
    """A chosen pull lasts as long as the dice it was chosen for."""
    return state.chosen if game.dice == state.game.dice and game.position == state.game.position else None


def _end_notice(end: Ended) -> Notice:
    if end.winner is None:
        return Notice(Reason.DRAWN, (("reason", end.reason.value),))
    return Notice(Reason.WON, (("side", end.winner.value), ("reason", end.reason.value)))
