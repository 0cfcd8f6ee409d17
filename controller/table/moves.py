"""What the cows' places mean at this point of the turn, and what the passing of time makes of it.

Rules of this file: pure; the referee says what an occupancy is, this file how long it must stand and what follows.

How it works: `judged` compares the newest scan with the game after every event and says what is new.

    cow on a legal cell, nothing further possible, or won ── at once ──────────> pull made
    cow on a legal cell, could go on ── extend_wait / second_cow_wait, done, dice taken ──> pull made
    cow where no pull brings it ── amber at once, wrong_said_after ──> dice looked at again ──> told in words
    no roll yet: cows as before the last pull ── extend_wait ──> taken back; as another pull of it ──> pull changed
"""

from __future__ import annotations

from dataclasses import replace

from controller.games.cosmic_cows import BEAMS, Cell, Position, apply_pull, outcome
from controller.table.computers import computer_to_act, pulls_allowed
from controller.table.effects import LookAtDiceAgain
from controller.table.entries import EndReason, PullMade, TakenBack
from controller.table.events import TimePassed
from controller.table.game import Game, Stage
from controller.table.referee import judge
from controller.table.state import (
    UNCHANGED,
    CowAstray,
    Notice,
    Phase,
    Reason,
    TurnState,
    Verdict,
    VerdictKind,
)
from controller.table.transitions import Happened, Happening, Interpreted

BY_HAND = "hand"
_THROW = 5
_PHASE_OF = {
    VerdictKind.ON_THE_WAY: Phase.MOVING,
    VerdictKind.COULD_GO_ON: Phase.WAITING,
    VerdictKind.WRONG: Phase.WRONG,
}
_HAPPENING_OF = {
    Phase.MOVING: Happening.COW_ON_THE_WAY,
    Phase.WAITING: Happening.PULL_STANDS,
    Phase.WRONG: Happening.COWS_WRONG,
}
_COW_PHASES = (Phase.MOVING, Phase.WAITING, Phase.WRONG)


def judged(state: TurnState) -> Interpreted:
    """What is new about the cows, given the game and the newest scan; nothing where no sensors follow them."""
    cows = state.cows
    if cows.occupied is None or not cows.are_followed or state.phase is Phase.PAUSED or _dice_are_in_the_air(state):
        return state, ()
    verdict = _verdict(state, cows.occupied)
    amends = _amends(state, cows.occupied)
    is_new = verdict != cows.verdict or amends != cows.amends
    if is_new:
        cows = replace(cows, verdict=verdict, amends=amends, is_told=False, asked_at=None)
        state = replace(state, cows=cows, since=state.now)
    if cows.must_return and verdict.kind is VerdictKind.UNCHANGED:
        state = replace(state, cows=replace(cows, must_return=False))
    if _may_pull(state):
        return _judged_in_turn(state, verdict)
    if not is_new:
        return state, ()
    is_home = verdict.kind is VerdictKind.UNCHANGED
    return state, (Happened(Happening.COWS_HOME if is_home else Happening.COWS_ASTRAY),)


def pull_made(state: TurnState, name: str) -> Interpreted:
    """The mover's pull is accepted."""
    # With fewer than five dice lying the next player's throw will be seen to come.
    is_taken_up = state.tray.is_known and len(state.tray.lying) < _THROW
    state = replace(
        state,
        chosen=None,
        tray=replace(state.tray, is_taken_up=is_taken_up, refusals=()),
        cows=replace(state.cows, verdict=UNCHANGED, amends=None, must_return=False, is_told=False, asked_at=None),
    )
    words = (("side", state.game.mover.value), ("pull", name))
    return state, (Happened(Happening.PULL_MADE, (PullMade(name),), Notice(Reason.PULLED, words)),)


def time_passed(state: TurnState, event: TimePassed) -> Interpreted:
    """A wait is over: the pull that stands counts, a wrong cow is told, a change by hand is taken."""
    deadline = next_deadline(state)
    if deadline is None or event.at < deadline:
        return state, ()
    cows = state.cows
    if state.phase is Phase.WAITING and cows.verdict.pull is not None:
        return pull_made(state, cows.verdict.pull)
    if cows.amends is not None:
        return _amended(state, cows.amends)
    if state.phase is Phase.WRONG and state.tray.is_watched and cows.asked_at is None and not cows.must_return:
        state = replace(state, cows=replace(cows, asked_at=event.at))
        return state, (Happened(Happening.DICE_LOOKED_AT, effects=(LookAtDiceAgain(),)),)
    return told(state)


def told(state: TurnState) -> Interpreted:
    """Say in words which cows stand wrong."""
    state = replace(state, cows=replace(state.cows, is_told=True))
    names = ", ".join(cow.beam.value for cow in astray_cows(state))
    is_return = state.cows.must_return or not _may_pull(state)
    reason = Reason.LEAD_HOME if is_return else Reason.COWS_ASTRAY
    return state, (Happened(Happening.COWS_TOLD, notice=Notice(reason, (("cows", names),))),)


def next_deadline(state: TurnState) -> float | None:
    """When the machine wants `TimePassed`, in monotonic seconds; None: never."""
    cows, settings = state.cows, state.settings
    if state.phase is Phase.PAUSED or not cows.are_followed or _dice_are_in_the_air(state):
        return None
    if state.phase is Phase.WAITING:
        is_long = cows.verdict.needs_second_cow
        return state.since + (settings.second_cow_wait_s if is_long else settings.extend_wait_s)
    if cows.amends is not None:
        return state.since + settings.extend_wait_s
    if not cows.verdict.astray or cows.is_told:
        return None
    if cows.asked_at is not None:
        return cows.asked_at + settings.look_again_s
    return state.since + settings.wrong_said_after_s


def astray_cows(state: TurnState) -> tuple[CowAstray, ...]:
    """Every cow that stands wrong now, in beam order; empty where nothing is wrong."""
    return () if state.cows.amends is not None else state.cows.verdict.astray


def occupancy_of(position: Position) -> frozenset[Cell]:
    """The nine cells the cows of a position stand on."""
    return frozenset(Cell(beam, position.place(beam)) for beam in BEAMS)


def _dice_are_in_the_air(state: TurnState) -> bool:
    """A roll was begun and isn't read: the old dice no longer count, the new ones not yet."""
    is_rolling = state.phase is Phase.ROLLING and state.tray.is_taken_up
    return state.game.roll > 0 and (is_rolling or state.phase is Phase.REFUSED)


def _may_pull(state: TurnState) -> bool:
    return state.game.stage is Stage.TURNS and state.game.roll > 0


def _verdict(state: TurnState, occupied: frozenset[Cell]) -> Verdict:
    game = state.game
    if _may_pull(state) and not state.cows.must_return:
        return judge(game.position, occupied, pulls_allowed(game, state.chosen), state.chosen)
    return judge(game.position, occupied, ())


def _judged_in_turn(state: TurnState, verdict: Verdict) -> Interpreted:
    if verdict.kind is VerdictKind.COMPLETE or _is_won_at_once(state.game, verdict):
        return pull_made(state, verdict.pull or "")
    wanted = _PHASE_OF.get(verdict.kind)
    if wanted is None:
        return state, (Happened(Happening.COWS_HOME),) if state.phase in _COW_PHASES else ()
    return state, () if state.phase is wanted else (Happened(_HAPPENING_OF[wanted]),)


def _is_won_at_once(game: Game, verdict: Verdict) -> bool:
    """Whether the pull that stands wins and only another cow could still follow (ruling 5)."""
    pulls = {pull.name: pull for pull in game.pulls}
    if verdict.pull not in pulls or not _wins(game, verdict.pull):
        return False
    gone = dict(pulls[verdict.pull].cows)
    return not any(spaces > gone.get(beam, spaces) for name in verdict.could_be for beam, spaces in pulls[name].cows)


def _wins(game: Game, name: str) -> bool:
    after = next(apply_pull(game.position, pull, game.rules) for pull in game.pulls if pull.name == name)
    return outcome(after, game.rules) is not None


def _amends(state: TurnState, occupied: frozenset[Cell]) -> str | None:
    """The other pull of the turn just ended that the cows now show; "" where they stand as before it.

    Once the game is won only the second cow of the winning pull may follow: cows are tidied away then.
    """
    is_over = state.phase is Phase.OVER
    before = _game_before_last_pull(state.game)
    if before is None or not (is_over or state.phase is Phase.TO_ROLL):
        return None
    if occupied == occupancy_of(state.game.position):
        return None
    if occupied == occupancy_of(before.position):
        return None if is_over else ""
    if computer_to_act(before) is not None:
        return None  # its pull may be taken back by hand, never changed
    verdict = judge(before.position, occupied, before.pulls)
    if verdict.pull is None or (is_over and not _wins(before, verdict.pull)):
        return None
    return verdict.pull


def _game_before_last_pull(game: Game) -> Game | None:
    """The game as it was when the last pull was chosen, if nothing but the win it brought has happened since."""
    if game.ended is not None and game.ended.reason is EndReason.COWS_HOME and game.before is not None:
        game = game.before
    before = game.before
    if game.stage is not Stage.TURNS or game.roll or before is None or before.dice is None:
        return None
    is_last_step = len(before.turns) == len(game.turns) - 1 and game.turns[-1].pull is not None
    return before if is_last_step else None


def _amended(state: TurnState, amends: str) -> Interpreted:
    cows = replace(state.cows, amends=None, verdict=UNCHANGED)
    state = replace(state, cows=cows, chosen=None)
    side = (("side", state.game.turns[-1].mover.value),)
    if not amends:
        notice = Notice(Reason.TAKEN_BACK, side)
        return state, (Happened(Happening.TAKEN_BACK, (TakenBack(BY_HAND),), notice),)
    notice = Notice(Reason.PULL_CHANGED, (*side, ("pull", amends)))
    return state, (Happened(Happening.PULL_CHANGED, (TakenBack(BY_HAND), PullMade(amends)), notice),)
