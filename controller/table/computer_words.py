"""What the table says while a computer is on the move: what it does, and what it needs a person's hands for.

Rules of this file: pure; every text comes from `phrases` through `say`. Where virtual hands throw and move for the
computer nobody is asked to.
"""

from __future__ import annotations

from controller.table.computers import computer_to_act, is_generators_turn, side_to_act, thrower_of_tray
from controller.table.game import Game, Stage
from controller.table.naming import Names, cow_words, join_words, number_word, say
from controller.table.state import Phase, TurnState

_THROW = 5
_SPEAKING = (Phase.OPENING, Phase.TO_ROLL, Phase.ROLLED, Phase.MOVING, Phase.WAITING, Phase.WRONG)


def computer_sentence(state: TurnState, names: Names) -> str | None:
    """What to do now, in one sentence; None where a person is on the move or the table says what it says to anyone."""
    if state.phase not in _SPEAKING or state.cows.amends is not None:
        return None
    if state.game.stage is Stage.OPENING:
        return _opening(state, names)
    if computer_to_act(state.game) is None:
        return None
    name = names.of(state.game.mover)
    if state.game.dice is None:
        return say(f"computer.throws{_how(state)}", name=name)
    return _choice(state, name)


def _how(state: TurnState) -> str:
    """Nothing where the table or its virtual hands throw; else how a person throws for the computer."""
    if is_generators_turn(state.game) or state.settings.hands_throw:
        return ""
    return ".for it" if state.tray.is_watched else ".for it.enter"


def _opening(state: TurnState, names: Names) -> str | None:
    game, side = state.game, side_to_act(state.game)
    five = ".five" if game.rules.opening == "all five" else ""
    if side is None:
        person = thrower_of_tray(game)
        if person is None:
            return None
        return say(f"computer.opening.first{five}", name=names.of(person), computer=names.of(person.other))
    if game.seats.of(side) is None:
        return None
    how = _how(state)
    how = how if not how else f".for it{five}"
    return say(f"computer.opening{how}", told=_told(game, names), name=names.of(side))


def _told(game: Game, names: Names) -> str:
    """What the other side threw before, to begin the sentence with."""
    if not game.opening:
        return ""
    first = game.opening[0]
    return say("computer.opening.told", first=names.of(first.side), thrown=sum(first.faces))


def _choice(state: TurnState, name: str) -> str:
    game = state.game
    pull = next((pull for pull in game.pulls if pull.name == state.chosen), None)
    if pull is not None:
        if state.settings.hands_move or not state.cows.are_followed:
            return say("computer.pulls", name=name, pull=pull.name)
        cows = join_words("and", [cow_words(beam) for beam, _ in pull.cows])
        message = "computer.pulls.one" if len(pull.cows) == 1 else "computer.pulls.two"
        return say(message, name=name, pull=pull.name, cows=cows)
    faces = " ".join(map(str, game.dice.faces)) if game.dice is not None else ""
    if game.kept is None:
        return say("computer.chooses", name=name, roll=game.roll, rolls=game.rolls, faces=faces)
    return _keeps(state, name, game.kept)


def _keeps(state: TurnState, name: str, kept: tuple[int, ...]) -> str:
    game, how = state.game, _how(state)
    words = {"name": name, "kept": " ".join(map(str, kept)), "roll": game.roll + 1, "rolls": game.rolls}
    if not kept:
        return say("computer.keeps.none" + how[: len(".for it")], **words)
    count = _THROW - len(kept)
    which = say("computer.others.one") if count == 1 else say("computer.others", count=number_word(count))
    return say("computer.keeps" + how[: len(".for it")], which=which, **words)
