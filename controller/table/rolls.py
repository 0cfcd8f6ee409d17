"""Which dice were kept, touched or rolled: what a settled tray means at this point of the turn.

Rules of this file: pure; a die is never guessed. Only a picture in which every die is sure can become a roll, and
only dice that were seen to be taken up, or whose re-roll was announced, can roll.

How it works:

    lying 5 ── some taken up ──> lying < 5 (taken up) ── thrown ──> lying 5: a roll
       │                              │                                └─ unsure: refused, read again after a nudge
       └─ changed without that:       └─ the same five again: put back, nothing rolled
          touched, reported

Dice are told apart by place and face: a die within a third of its edge from where it lay, showing the same face, is
the same die, kept. (Half a die apart would already be another die beside it.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from controller.games.cosmic_cows import Dice, Side
from controller.table.computers import computer_to_act, is_generators_turn, is_throw_withheld, thrower_of_tray
from controller.table.entries import Correctable, Corrected, Entry, Forfeit, Keep, OpeningThrow, Throw
from controller.table.events import SeenDie, TrayLookedAt, TrayRolling, TraySettled
from controller.table.game import Game, Stage, ending, fold, fold_all
from controller.table.moves import pull_made
from controller.table.state import Notice, Phase, Reason, Tray, TurnState
from controller.table.transitions import Happened, Happening, Interpreted, resting_phase

THROW = 5
MOST_FOR_THE_START = 2  # one die each
SAME_PLACE = 1 / 3  # of a die's edge; the two clips' kept dice move by less than a tenth of it
_COW_PHASES = (Phase.MOVING, Phase.WAITING, Phase.WRONG)


def tray_rolling(state: TurnState, event: TrayRolling) -> Interpreted:
    """Something moves in the tray; only where a roll may still come does that change the phase."""
    state = replace(state, tray=replace(state.tray, is_moving=True, is_watched=True))
    if state.game.stage is Stage.OVER or state.phase in (*_COW_PHASES, Phase.PAUSED, Phase.ROLLING):
        return state, ()
    if state.game.stage is Stage.TURNS and state.game.roll >= state.game.rolls:
        return state, ()
    if is_throw_withheld(state.game):
        return state, ()
    return state, (Happened(Happening.DICE_ROLLING),)


def tray_settled(state: TurnState, event: TraySettled) -> Interpreted:
    """The tray lies still: a roll, dice taken up, dice touched, or a refusal by name."""
    tray = replace(
        state.tray, is_watched=True, is_known=True, is_moving=False, seen=event.dice, refusals=event.refusals
    )
    state = replace(state, tray=tray)
    if state.phase in (Phase.PAUSED, Phase.OVER):
        return state, ()
    if is_generators_turn(state.game):
        return replace(state, tray=lying_as_seen(tray)), ()
    if not _can_be_counted(event):
        return _refuse(state, event) if tray.is_taken_up else _as_before(state)
    if state.game.stage is Stage.OPENING:
        return _opening_settled(state, event)
    if len(event.dice) < THROW:
        return _fewer_than_five(state, event)
    if not _is_sure(event) or len(event.dice) > THROW:
        return _refuse(state, event) if tray.is_taken_up else _as_before(state)
    return _five_taken_up(state) if tray.is_taken_up else _five_unannounced(state)


def tray_resumed(state: TurnState) -> Interpreted:
    """What lies in the tray after a pause: dice taken up in it may be thrown now, dice thrown in it are no roll."""
    tray = state.tray
    if not tray.is_known or tray.is_moving:
        return state, ()
    if state.game.stage is Stage.OPENING:
        return replace(state, tray=replace(tray, lying=tray.seen, is_taken_up=not tray.seen)), ()
    is_taken_up = tray.is_taken_up and len(tray.seen) < THROW
    rested = replace(state, phase=resting_phase(state.game), tray=replace(tray, is_taken_up=is_taken_up))
    after, happened = tray_settled(rested, TraySettled(tray.seen, tray.refusals, state.now))
    return replace(after, phase=state.phase), happened


def tray_meanwhile(state: TurnState) -> Interpreted:
    """What became of the dice while cows were on the move, told now: touched, or not to be read."""
    tray = state.tray
    if not tray.is_known or tray.is_moving or len(tray.seen) < THROW:
        return state, ()
    after, happened = tray_settled(state, TraySettled(tray.seen, tray.refusals, state.now))
    is_told = any(one.what in (Happening.DICE_TOUCHED, Happening.DICE_REFUSED) for one in happened)
    return (after, happened) if is_told else (state, ())


def lying_as_seen(tray: Tray) -> Tray:
    """What is seen lying now is nobody's throw; where that is fewer than five, a throw is seen to come."""
    return replace(tray, lying=tray.seen, is_taken_up=tray.is_known and len(tray.seen) < THROW)


def tray_looked_at(state: TurnState, event: TrayLookedAt) -> Interpreted:
    """The second look before a player is blamed: dice that lie where they lay but read otherwise were misread."""
    if state.phase is not Phase.WRONG or state.cows.is_told or state.cows.asked_at is None:
        return state, ()
    values = tuple(sorted(die.value or 0 for die in event.dice))
    dice = state.game.dice
    is_sure = len(event.dice) == THROW and not event.refusals and _is_sure(event)
    if dice is None or not is_sure or values == dice.faces or not _same_places(state.tray.rolled, event.dice):
        return state, (Happened(Happening.DICE_LOOKED_AT),)
    state = replace(state, tray=replace(state.tray, rolled=event.dice, lying=event.dice))
    text = "".join(map(str, values))
    entries = with_forfeit(state.game, (Corrected(Correctable.DICE, text, "camera"),))
    notice = Notice(Reason.DICE_CORRECTED, (("faces", text),))
    what = Happening.DICE_CORRECTED if len(entries) == 1 else Happening.TURN_FORFEITED
    return state, (Happened(what, entries, notice),)


def read_roll(state: TurnState, dice: Sequence[SeenDie], kept: Sequence[int] | None) -> Interpreted:
    """These five dice are the next roll; `kept` are the faces that stayed (None on a first roll)."""
    faces = _faces(dice)
    five = tuple(dice)
    tray = replace(state.tray, rolled=five, lying=five, seen=five, is_taken_up=False, refusals=())
    entries: tuple[Entry, ...] = (Throw(Dice(faces)),)
    if kept is not None:
        entries = (Keep(tuple(sorted(kept))), *entries)
    return rolled(replace(state, tray=tray), entries)


def rolled(state: TurnState, entries: tuple[Entry, ...]) -> Interpreted:
    """The happening of a roll; after the last one without an option it is a forfeit in the same step."""
    entries = with_forfeit(state.game, entries)
    if not isinstance(entries[-1], Forfeit):
        return state, (Happened(Happening.ROLL_READ, entries),)
    tray = replace(state.tray, is_taken_up=state.tray.is_known and len(state.tray.lying) < THROW)
    side = state.game.mover.value
    faces = " ".join(map(str, fold_all(state.game, entries[:-1]).dice.faces))  # type: ignore[union-attr]
    notice = Notice(Reason.FORFEITED, (("side", side), ("faces", faces)))
    return replace(state, tray=tray), (Happened(Happening.TURN_FORFEITED, entries, notice),)


def with_forfeit(game: Game, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The entries, and a forfeit after them where the last roll now offers nothing."""
    after = fold_all(game, entries)
    is_last_roll = after.stage is Stage.TURNS and 0 < after.roll == after.rolls
    is_forfeit = is_last_roll and not after.pulls and ending(after) is None
    return (*entries, Forfeit()) if is_forfeit else entries


def opening_thrown(state: TurnState, entries: tuple[OpeningThrow, ...]) -> Interpreted:
    """One or both opening throws were read; tells a tie or who starts."""
    game: Game = state.game
    for entry in entries:
        game = fold(game, entry)
    notice = None
    if game.stage is Stage.TURNS:
        notice = Notice(Reason.STARTS, (("side", game.mover.value),))
    elif not game.opening:
        notice = Notice(Reason.TIE)
    # Fewer dice than a throw lie there, so the starter's five will be seen to come. (A recording that waits for the
    # first turn in mid throw has shown no still tray yet.)
    is_taken_up = state.tray.is_watched and game.stage is Stage.TURNS and len(state.tray.lying) < THROW
    tray = replace(state.tray, is_taken_up=is_taken_up)
    return replace(state, tray=tray), (Happened(Happening.OPENING_THROWN, entries, notice),)


def kept_faces(before: Sequence[SeenDie], after: Sequence[SeenDie]) -> tuple[int, ...]:
    """The faces of the dice that lie where they lay and show what they showed, ascending."""
    return tuple(sorted(die.value or 0 for die in _same_dice(before, after)))


def _five_taken_up(state: TurnState) -> Interpreted:
    tray, game = state.tray, state.game
    if game.roll >= game.rolls:
        # A throw too many counts for nobody: not now, and not for the next player while it lies there.
        state = replace(state, tray=replace(tray, is_taken_up=False, lying=tray.seen))
        return _soft(state, Happening.DICE_AS_BEFORE, Notice(Reason.NO_MORE_ROLLS))
    if _are_put_back(tray) and (game.roll or tray.lying):
        state = replace(state, tray=replace(tray, is_taken_up=False, lying=tray.seen))
        return _soft(state, Happening.DICE_AS_BEFORE)
    if is_throw_withheld(game):
        state = replace(state, tray=replace(tray, is_taken_up=False, lying=tray.seen))
        return _soft(state, Happening.DICE_AS_BEFORE, Notice(Reason.NOT_ASKED, (("side", game.mover.value),)))
    if game.kept is not None and computer_to_act(game) is not None:
        # What stays was the computer's choice; a kept die that was knocked on its way out is kept all the same.
        is_kept = not Counter(game.kept) - Counter(_faces(tray.seen))
        return read_roll(state, tray.seen, None) if is_kept else _touched(state, Reason.KEPT_CHANGED)
    kept = kept_faces(tray.lying, tray.seen)
    if game.dice is None:
        if kept:
            return _touched(state, Reason.KEPT_CHANGED)
        return read_roll(state, tray.seen, None)
    if Counter(kept) - Counter(game.dice.faces):
        return _touched(state, Reason.KEPT_CHANGED)
    return read_roll(state, tray.seen, kept)


def _five_unannounced(state: TurnState) -> Interpreted:
    """Five sure dice, none seen to be taken up: as they lay, slid, or touched."""
    tray, game = state.tray, state.game
    is_as_it_lay = _fits(tray.lying, tray.seen)
    is_as_rolled = game.dice is not None and _faces(tray.seen) == game.dice.faces
    if not (is_as_it_lay or is_as_rolled or (not tray.lying and game.dice is None)):
        return _touched(state, Reason.TOUCHED)
    has_swapped = is_as_it_lay and len(_same_dice(tray.lying, tray.seen)) < len(_sure(tray.lying))
    has_slid = has_swapped or not _same_places(tray.lying, tray.seen)
    notice = Notice(Reason.TOUCHED) if tray.lying and game.roll and has_slid else None
    state = replace(state, tray=replace(tray, lying=tray.seen))
    return _soft(state, Happening.DICE_AS_BEFORE, notice)


def _fewer_than_five(state: TurnState, event: TraySettled) -> Interpreted:
    """Dice were taken up; or a throw came to rest with a die missing."""
    tray, game = state.tray, state.game
    if tray.is_taken_up and _is_part_of_a_throw(tray.lying, event):
        return _refuse(state, event)
    reference = Counter(game.dice.faces) if game.dice is not None else None
    changed = _is_sure(event) and reference is not None and bool(Counter(_faces(event.dice)) - reference)
    state = _taken_up(state, event)
    if state.phase is Phase.WAITING and state.cows.verdict.pull is not None:
        return _pull_by_dice_taken(state)
    if changed:
        return _touched(state, Reason.KEPT_CHANGED)
    return _soft(state, Happening.DICE_TAKEN_UP)


def _taken_up(state: TurnState, event: TraySettled) -> TurnState:
    tray = state.tray
    rested = tray.lying if len(tray.lying) == THROW else tray.rested
    return replace(state, tray=replace(tray, is_taken_up=True, lying=_sure(event.dice), rested=rested, refusals=()))


def _is_part_of_a_throw(lying: Sequence[SeenDie], event: TraySettled) -> bool:
    """Whether a die lies there that was neither there before nor shows a face that was."""
    if not _is_sure(event):
        return len(event.dice) >= len(lying)
    return bool(Counter(_faces(event.dice)) - Counter(_faces(lying)))


def _pull_by_dice_taken(state: TurnState) -> Interpreted:
    """The opponent took the dice: the pull that stands is the whole move."""
    return pull_made(state, state.cows.verdict.pull or "")


def _opening_settled(state: TurnState, event: TraySettled) -> Interpreted:
    if state.game.rules.opening == "all five":
        return _opening_with_five(state, event)
    tray = state.tray
    if not event.dice:
        state = replace(state, tray=replace(tray, is_taken_up=True, lying=(), refusals=()))
        return _soft(state, Happening.DICE_TAKEN_UP)
    if len(event.dice) > MOST_FOR_THE_START:
        # What is left of them later is no throw for the start.
        state = replace(state, tray=replace(tray, lying=event.dice, is_taken_up=False))
        return _refuse_for(state, Reason.ONE_AT_A_TIME)
    if not _is_sure(event):
        return _refuse(state, event)
    same = _same_dice(tray.lying, event.dice)
    new = tuple(die for die in event.dice if die not in same)
    if not new:
        return _as_before(replace(state, tray=replace(tray, lying=event.dice)))
    if not tray.is_taken_up and not (same and len(same) == len(tray.lying)):
        if not tray.lying and not state.game.opening:
            return _as_before(replace(state, tray=replace(tray, lying=event.dice)))
        return _touched(state, Reason.TOUCHED)
    sides = _opening_sides(state.game, new)
    if sides is None:
        return _refuse_for(state, Reason.ONE_AT_A_TIME)
    entries = tuple(OpeningThrow(side, (die.value or 0,)) for side, die in zip(sides, new, strict=True))
    state = replace(state, tray=replace(tray, lying=event.dice, is_taken_up=False, refusals=()))
    return opening_thrown(state, entries)


def _opening_with_five(state: TurnState, event: TraySettled) -> Interpreted:
    tray = state.tray
    if len(event.dice) < THROW:
        if tray.is_taken_up and _is_part_of_a_throw(tray.lying, event):
            return _refuse(state, event)
        return _soft(_taken_up(state, event), Happening.DICE_TAKEN_UP)
    if not tray.is_taken_up:
        return _as_before(replace(state, tray=replace(tray, lying=event.dice)))
    if not _is_sure(event) or len(event.dice) > THROW:
        return _refuse(state, event)
    if _are_put_back(tray):
        return _as_before(replace(state, tray=replace(tray, is_taken_up=False, lying=event.dice)))
    if kept_faces(tray.lying, event.dice):
        return _touched(state, Reason.KEPT_CHANGED)
    side = state.game.opening_side or thrower_of_tray(state.game) or _side_of(event.dice[0])
    state = replace(state, tray=replace(tray, lying=event.dice, is_taken_up=False, refusals=()))
    return opening_thrown(state, (OpeningThrow(side, _faces(event.dice)),))


def _opening_sides(game: Game, new: Sequence[SeenDie]) -> tuple[Side, ...] | None:
    """Who threw these new dice; None where that can't be told. Colour is a hint only (ruling 10)."""
    if len(new) == 1:
        return (game.opening_side or thrower_of_tray(game) or _side_of(new[0]),)
    colours = [die.colour for die in new]
    if len(new) == 2 and not game.opening and thrower_of_tray(game) is None and sorted(colours) == ["black", "white"]:
        return tuple(_side_of(die) for die in new)
    return None


def _side_of(die: SeenDie) -> Side:
    return Side.BLACK if die.colour == "black" else Side.WHITE


def _refuse(state: TurnState, event: TraySettled) -> Interpreted:
    """Refuse by the worst name (the reader puts it first); a wrong count is told only where nothing else is wrong."""
    name = next((name for name in event.refusals if name != Reason.NOT_FIVE), Reason.NOT_FIVE.value)
    return _refuse_for(state, Reason(name))


def _refuse_for(state: TurnState, reason: Reason) -> Interpreted:
    words = (("count", str(len(state.tray.seen))),)
    return _soft(state, Happening.DICE_REFUSED, Notice(reason, words))


def _touched(state: TurnState, reason: Reason) -> Interpreted:
    return _soft(state, Happening.DICE_TOUCHED, Notice(reason))


def _as_before(state: TurnState) -> Interpreted:
    return _soft(state, Happening.DICE_AS_BEFORE)


def _soft(state: TurnState, what: Happening, notice: Notice | None = None) -> Interpreted:
    """A tray happening; while cows are on the move the tray's affairs don't interrupt."""
    if state.phase in _COW_PHASES:
        return state, ()
    return state, (Happened(what, notice=notice),)


def _can_be_counted(event: TraySettled) -> bool:
    """Whether only single dice, not the whole picture, are in doubt."""
    by_die = {die.refusal for die in event.dice}
    return all(name == Reason.NOT_FIVE or name in by_die for name in event.refusals)


def _is_sure(event: TraySettled | TrayLookedAt) -> bool:
    return all(die.value is not None and die.refusal is None for die in event.dice)


def _faces(dice: Sequence[SeenDie]) -> tuple[int, ...]:
    return tuple(sorted(die.value or 0 for die in dice))


def _sure(dice: Sequence[SeenDie]) -> tuple[SeenDie, ...]:
    return tuple(die for die in dice if die.value is not None)


def _fits(before: Sequence[SeenDie], after: Sequence[SeenDie]) -> bool:
    """Whether as many dice show the faces that were sure before; one that wasn't may show any."""
    return len(before) == len(after) and not Counter(_faces(_sure(before))) - Counter(_faces(after))


def _are_put_back(tray: Tray) -> bool:
    """Whether the five dice lie as five lay before some were taken up."""
    before = tray.lying if len(tray.lying) == THROW else tray.rested
    return len(before) == len(_same_dice(before, tray.seen)) == THROW


def _is_same_place(one: SeenDie, other: SeenDie) -> bool:
    reach = SAME_PLACE * max(one.edge, other.edge)
    return (one.x - other.x) ** 2 + (one.y - other.y) ** 2 <= reach**2


def _same_dice(before: Sequence[SeenDie], after: Sequence[SeenDie]) -> tuple[SeenDie, ...]:
    """The dice of `after` that lie where one of `before` lay, with its face."""
    return tuple(die for die in after if any(_is_same_place(die, old) and die.value == old.value for old in before))


def _same_places(before: Sequence[SeenDie], after: Sequence[SeenDie]) -> bool:
    return len(before) == len(after) and all(any(_is_same_place(die, old) for old in before) for die in after)
