"""What a person's command means at this point of the turn; what can't be done now is refused in one sentence."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import assert_never

from controller.errors import InputError
from controller.games.cosmic_cows import Dice, Side
from controller.table.coaching import coach_commanded
from controller.table.commands import (
    AskCoach,
    ChoosePull,
    Command,
    ComputerActs,
    Correct,
    Done,
    EnterDice,
    GiveUpSeat,
    KeepDice,
    NewGame,
    Pause,
    Reroll,
    Resign,
    Resume,
    SetCoach,
    TurnKnob,
    Undo,
)
from controller.table.computer_orders import generated, give_up_seat, persons_may_not
from controller.table.computers import computer_to_act, steps_back
from controller.table.effects import Effect, Refuse, StartGame
from controller.table.entries import (
    Correctable,
    Corrected,
    Ended,
    EndReason,
    Entry,
    Forfeit,
    Keep,
    OpeningThrow,
    TakenBack,
    Throw,
)
from controller.table.events import CommandGiven
from controller.table.game import Game, Stage, fold_all
from controller.table.moves import pull_made
from controller.table.rolls import (
    THROW,
    kept_faces,
    lying_as_seen,
    opening_thrown,
    read_roll,
    rolled,
    tray_resumed,
    with_forfeit,
)
from controller.table.state import UNCHANGED, Notice, Phase, Reason, TurnState
from controller.table.transitions import Happened, Happening, Interpreted


def command_given(state: TurnState, event: CommandGiven) -> Interpreted:
    """The command's happenings; an impossible one is refused and nothing changes."""
    try:
        return _obey(state, event.command, event.who)
    except InputError as error:
        return refused(state, str(error))


def refused(state: TurnState, why: str) -> Interpreted:
    """Nothing changes; who gave the command hears why."""
    effects: tuple[Effect, ...] = (Refuse(why),)
    return state, (Happened(Happening.NOT_NOW, effects=effects),)


def _obey(state: TurnState, command: Command, who: str) -> Interpreted:
    if state.phase is Phase.PAUSED and not isinstance(command, Resume | NewGame | SetCoach):
        return refused(state, "The game is paused: resume it first.")
    why = persons_may_not(state, command)
    if why is not None:
        return refused(state, why)
    match command:
        case ComputerActs():
            return _computer_acts(state, command)
        case NewGame():
            return _new_game(state, command)
        case Undo():
            return _undo(state, who)
        case Done():
            return _done(state)
        case Reroll():
            return _reroll(state)
        case ChoosePull():
            return _choose(state, command.name)
        case TurnKnob():
            return _turn_knob(state, command.steps)
        case EnterDice():
            return _enter_dice(state, command.faces)
        case KeepDice():
            return _keep(state, command.faces)
        case Correct():
            return _correct(state, command, who)
        case Pause():
            if state.phase is Phase.OVER:
                return refused(state, "The game is over.")
            return state, (Happened(Happening.PAUSED),)
        case Resume():
            return _resume(state)
        case SetCoach() | AskCoach():
            return coach_commanded(state, command)
        case Resign():
            return _resign(state, command.side)
        case _:
            assert_never(command)


def _computer_acts(state: TurnState, command: ComputerActs) -> Interpreted:
    """What the computer decided, so long as the game is the one it was decided for."""
    if computer_to_act(state.game) is None or command.decided_for != state.game:
        return refused(state, "The game has moved on since the computer decided.")
    match command.act:
        case EnterDice():
            return generated(state, command.act.faces)
        case KeepDice():
            return _keep(state, command.act.faces)
        case ChoosePull():
            return _choose(state, command.act.name, is_computers=True)
        case GiveUpSeat():
            return give_up_seat(state, command.act.why)
        case _:
            assert_never(command.act)


def _new_game(state: TurnState, command: NewGame) -> Interpreted:
    rules = command.rules or state.game.rules
    # Dice that lie there now are nobody's throw; an empty tray is ready for one.
    is_taken_up = state.tray.is_known and not state.tray.seen
    tray = replace(state.tray, lying=state.tray.seen, is_taken_up=is_taken_up, refusals=())
    cows = replace(state.cows, verdict=UNCHANGED, amends=None, must_return=True, is_told=False, asked_at=None)
    seats = state.game.seats if command.seats is None else command.seats
    state = replace(state, game=Game(rules=rules, seats=seats), tray=tray, cows=cows, chosen=None)
    effects = (StartGame(rules, command.white, command.black, seats),)
    return state, (Happened(Happening.GAME_STARTED, notice=Notice(Reason.NEW_GAME), effects=effects),)


def _undo(state: TurnState, who: str) -> Interpreted:
    entries = (TakenBack(who),) * steps_back(state.game)
    fold_all(state.game, entries)
    tray = replace(lying_as_seen(state.tray), rolled=())
    cows = replace(state.cows, must_return=True, amends=None, verdict=UNCHANGED)
    state = replace(state, tray=tray, cows=cows, chosen=None)
    notice = Notice(Reason.TAKEN_BACK, (("who", who),))
    return state, (Happened(Happening.TAKEN_BACK, entries, notice),)


def _done(state: TurnState) -> Interpreted:
    game, verdict = state.game, state.cows.verdict
    if state.phase is Phase.WAITING and verdict.pull is not None:
        return pull_made(state, verdict.pull)
    if state.phase is Phase.TOUCHED:
        return _reroll(state)
    if state.phase is Phase.MOVING:
        return state, (Happened(Happening.NOT_NOW, notice=Notice(Reason.NOT_FINISHED)),)
    if state.phase is Phase.ROLLED and state.chosen is not None and _needs_no_hand(state, state.chosen):
        return pull_made(state, state.chosen)
    if state.phase is Phase.ROLLED and game.roll == game.rolls and not game.pulls:
        notice = Notice(Reason.FORFEITED, (("side", game.mover.value),))
        return state, (Happened(Happening.TURN_FORFEITED, (Forfeit(),), notice),)
    return refused(state, "Nothing waits for 'done' now.")


def _needs_no_hand(state: TurnState, name: str) -> bool:
    """Whether no cow has to be moved for this pull: a board without sensors, or a cow locked in where it stands."""
    if not state.cows.are_followed:
        return True
    return any(pull.name == name and not any(spaces for _, spaces in pull.cows) for pull in state.game.pulls)


def _reroll(state: TurnState) -> Interpreted:
    """Announce the re-roll; or let five sure dice that moved unannounced count as it."""
    game, tray = state.game, state.tray
    if game.stage is not Stage.TURNS:
        return refused(state, "Dice are rolled again only within a turn.")
    if game.roll >= game.rolls:
        return refused(state, f"All {game.rolls} rolls are used: make a pull.")
    is_sure = all(die.value is not None and die.refusal is None for die in tray.seen) and not tray.refusals
    if state.phase is Phase.TOUCHED and len(tray.seen) == THROW and is_sure:
        kept = kept_faces(tray.lying, tray.seen) if game.dice is not None else None
        if kept is not None and game.dice is not None and Counter(kept) - Counter(game.dice.faces):
            kept = ()
        return read_roll(state, tray.seen, kept)
    if state.phase in (Phase.MOVING, Phase.WAITING, Phase.WRONG):
        return refused(state, "A cow has been moved: put it back before rolling again.")
    state = replace(state, tray=replace(tray, is_taken_up=True))
    # While dice tumble, or lie there unread, the old ones mustn't count again.
    is_thrown = state.phase in (Phase.ROLLING, Phase.REFUSED)
    return state, (Happened(Happening.NOT_NOW if is_thrown else Happening.DICE_TAKEN_UP),)


def _choose(state: TurnState, name: str, *, is_computers: bool = False) -> Interpreted:
    names = [pull.name for pull in state.game.pulls]
    if not names:
        return refused(state, "No pull can be chosen now.")
    if name not in names:
        raise InputError("pull", name, ", ".join(names))
    if state.cows.are_followed and not (is_computers and _needs_no_hand(state, name)):
        return replace(state, chosen=name), (Happened(Happening.PULL_CHOSEN),)
    if state.phase in (Phase.REFUSED,) or (state.phase is Phase.ROLLING and state.tray.is_taken_up):
        return refused(state, "The dice are on their way: wait until they're read.")
    return pull_made(state, name)


def _turn_knob(state: TurnState, steps: int) -> Interpreted:
    names = [pull.name for pull in state.game.pulls]
    if not names:
        return refused(state, "No pull can be chosen now.")
    start = names.index(state.chosen) if state.chosen in names else (-1 if steps > 0 else 0)
    chosen = names[(start + steps) % len(names)]
    return replace(state, chosen=chosen), (Happened(Happening.PULL_CHOSEN),)


def _enter_dice(state: TurnState, faces: tuple[int, ...]) -> Interpreted:
    """Dice told by a person, where there is no camera or it can't read them."""
    game = state.game
    if state.phase in (Phase.MOVING, Phase.WAITING, Phase.WRONG):
        return refused(state, "A cow has been moved: put it back before rolling again.")
    tray = replace(state.tray, is_taken_up=False, refusals=(), rolled=(), lying=state.tray.seen)
    state = replace(state, tray=tray)
    if game.stage is Stage.OPENING:
        thrown = OpeningThrow(game.opening_side or Side.WHITE, faces)
        fold_all(game, (thrown,))
        return opening_thrown(state, (thrown,))
    if len(faces) != THROW:
        raise InputError("dice", "".join(map(str, faces)), "five digits from 1 to 6")
    entry: Entry = Throw(Dice(faces))
    fold_all(game, (entry,))
    return rolled(state, (entry,))


def _keep(state: TurnState, faces: tuple[int, ...]) -> Interpreted:
    entry = Keep(faces)
    fold_all(state.game, (entry,))
    return state, (Happened(Happening.DICE_KEPT, (entry,)),)


def _correct(state: TurnState, command: Correct, who: str) -> Interpreted:
    entries = with_forfeit(state.game, (Corrected(command.what, command.value, who),))
    # A cow that the record now has elsewhere was pulled by nobody.
    must_return = state.cows.must_return or command.what is Correctable.COWS
    cows = replace(state.cows, must_return=must_return, verdict=UNCHANGED, amends=None)
    notice = Notice(Reason.CORRECTED, (("what", command.what.value), ("who", who)))
    rolled_dice = state.tray.rolled if command.what is Correctable.COWS else ()
    state = replace(state, cows=cows, tray=replace(state.tray, rolled=rolled_dice), chosen=None)
    if len(entries) == 1:
        return state, (Happened(Happening.CORRECTED, entries, notice),)
    side = state.game.mover.value
    forfeit = Notice(Reason.FORFEITED, (("side", side),))
    return state, (Happened(Happening.TURN_FORFEITED, entries, forfeit),)


def _resume(state: TurnState) -> Interpreted:
    """Go on with what dice and cows show now; every wait begins anew."""
    if state.phase is not Phase.PAUSED:
        return refused(state, "The game isn't paused.")
    state, happened = tray_resumed(replace(state, since=state.now))
    return state, (Happened(Happening.RESUMED), *happened)


def _resign(state: TurnState, side: Side | None) -> Interpreted:
    game = state.game
    if game.stage is Stage.OVER:
        return refused(state, "The game is over already.")
    if side is None:
        if game.stage is Stage.OPENING:
            return refused(state, "Say which side resigns: nobody is on the move yet.")
        side = game.mover
    entry = Ended(side.other, EndReason.RESIGNED)
    return state, (Happened(Happening.GAME_ENDED, (entry,), _won(side.other)),)


def _won(side: Side) -> Notice:
    return Notice(Reason.WON, (("side", side.value), ("reason", EndReason.RESIGNED.value)))
