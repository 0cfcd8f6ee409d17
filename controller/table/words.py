"""What the table says: one sentence about what to do now, and what a notice tells and how it's mended.

Rules of this file: pure; every text comes from `phrases` through `say`, every cow and cell from `naming`. A notice that
lacks a word is told without it, never refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from controller.games.cosmic_cows import Side, cows_home
from controller.table.computer_words import computer_sentence
from controller.table.computers import computer_to_act
from controller.table.entries import Correctable, EndReason
from controller.table.game import Game, Stage
from controller.table.moves import astray_cows
from controller.table.naming import (
    Names,
    beam_words,
    capital,
    cell_words,
    cow_words,
    join_words,
    number_word,
    option_words,
    place_words,
    say,
)
from controller.table.offers import is_leading_home, offered
from controller.table.phrases import ENGLISH
from controller.table.state import CowAstray, Notice, Phase, Reason, TurnState

__all__ = ["Names", "mend", "notice_sentence", "say", "sentence"]

_THROW = 5
_MOST_TOLD = 2  # wrong cows told one by one; more than that nobody keeps in mind


def sentence(state: TurnState, names: Names) -> str:
    """What to do now, in one sentence."""
    if state.phase is Phase.PAUSED:
        return say("paused")
    if is_leading_home(state):
        return _wrong(astray_cows(state), state, names)
    told = computer_sentence(state, names)
    if told is not None:
        return told
    match state.phase:
        case Phase.OPENING:
            return _opening(state.game, names)
        case Phase.TO_ROLL:
            return _to_roll(state, names)
        case Phase.ROLLING:
            return say("rolling")
        case Phase.REFUSED | Phase.TOUCHED:
            return _dice_trouble(state)
        case Phase.MOVING:
            return _moving(state, names)
        case Phase.WAITING:
            return _waiting(state)
        case Phase.OVER:
            return _over(state.game, names)
        case _:
            return _rolled(state, names)


def notice_sentence(state: TurnState, names: Names) -> str | None:
    """What is told now, in one sentence; None when nothing is."""
    if state.notice is None:
        return None
    return capital(_reason(state.notice, state, names)) + "."


def mend(reason: Reason) -> str | None:
    """What mends it, in one sentence; None where nothing needs mending."""
    text = ENGLISH.get(f"mend.{reason.value}")
    return None if text is None else capital(text) + "."


def end_words(game: Game) -> str | None:
    """Why the game ended, in two or three words; None while it goes on."""
    if game.ended is None:
        return None
    return say(f"end.{game.ended.reason.value}", count=number_word(game.rules.cows_to_win))


def _opening(game: Game, names: Names) -> str:
    five = ".five" if game.rules.opening == "all five" else ""
    if not game.opening:
        return say(f"opening.first{five}")
    first = game.opening[0]
    thrown = sum(first.faces)
    return say(f"opening.second{five}", first=names.of(first.side), thrown=thrown, name=names.of(first.side.other))


def _to_roll(state: TurnState, names: Names) -> str:
    amends = state.cows.amends
    if amends is not None and state.game.turns:
        name = names.of(state.game.turns[-1].mover)
        return say("to roll.changing", name=name, pull=amends) if amends else say("to roll.taking back", name=name)
    return say("to roll" if state.tray.is_watched else "to roll.enter", name=names.of(state.game.mover))


def _dice_trouble(state: TurnState) -> str:
    """What is wrong with the dice and how it's mended; without a fitting notice, what the phase alone tells."""
    notice = state.notice
    if notice is None or f"mend.{notice.reason.value}" not in ENGLISH:
        if state.phase is not Phase.TOUCHED:
            return say("refused.unnamed")
        notice = Notice(Reason.TOUCHED)
    what = capital(_reason(notice, state, Names()))
    if state.phase is Phase.TOUCHED and state.game.stage is Stage.TURNS and state.game.roll >= state.game.rolls:
        return say("touched.last", what=what)
    return say(state.phase.value, what=what, mend=say(f"mend.{notice.reason.value}"))


def _rolled(state: TurnState, names: Names) -> str:
    game = state.game
    if game.dice is None:
        return _opening(game, names) if game.stage is Stage.OPENING else _to_roll(state, names)
    name, next_roll = names.of(game.mover), game.roll + 1
    words: dict[str, object] = {"name": name, "roll": game.roll, "rolls": game.rolls, "faces": _faces(game)}
    may_roll = game.roll < game.rolls
    kept = _kept(state)
    if kept is not None and may_roll:
        return _keeps(kept, name, next_roll, game.rolls)
    pulls = offered(state)
    if not pulls:
        return say("rolled.nothing" if may_roll else "rolled.nothing.last", **words)
    chosen = next((pull for pull in pulls if pull.name == state.chosen), None)
    is_led = not state.cows.are_followed
    if chosen is not None:
        message = "rolled.chosen.led" if is_led else "rolled.chosen"
        return say(message, name=name, pull=chosen.name, cows=option_words((chosen,)))
    words["pulls"] = say("choose" if is_led else "pull", options=option_words(pulls))
    return say("rolled.more" if may_roll else "rolled.last", **words)


def _kept(state: TurnState) -> tuple[int, ...] | None:
    """The faces that stay for the next roll; None while nothing was picked up or announced."""
    if state.game.kept is not None:
        return state.game.kept
    if not state.tray.is_taken_up or state.phase is not Phase.ROLLED:
        return None
    return tuple(sorted(die.value for die in state.tray.lying if die.value is not None))


def _keeps(kept: tuple[int, ...], name: str, roll: int, rolls: int) -> str:
    thrown_count = _THROW - len(kept)
    faces = " ".join(map(str, kept))
    if not kept:
        return say("rolled.keeps.none", name=name, roll=roll, rolls=rolls)
    if thrown_count <= 0:
        return say("rolled.announced", name=name, roll=roll, rolls=rolls)
    message = "rolled.keeps.one" if thrown_count == 1 else "rolled.keeps"
    return say(message, name=name, kept=faces, count=number_word(thrown_count), roll=roll, rolls=rolls)


def _moving(state: TurnState, names: Names) -> str:
    name = names.of(state.game.mover)
    pulls = offered(state)
    if not pulls:
        return say("moving.unknown", name=name)
    return say("moving", name=name, options=option_words(pulls))


def _waiting(state: TurnState) -> str:
    """The pull that stands, and what may still be added: the other cow, or more cells of the same one."""
    name = state.cows.verdict.pull
    further = offered(state)
    standing = {beam for pull in state.game.pulls if pull.name == name for beam, _ in pull.cows}
    cows = [cow_words(beam) for pull in further for beam, _ in pull.cows if beam not in standing]
    longer = [pull.name for pull in further if standing.issuperset(beam for beam, _ in pull.cows)]
    words = {
        "pull": capital(name or "this pull"),
        "cows": join_words("or", list(dict.fromkeys(cows))),
        "others": join_words("or", longer),
    }
    if cows and longer:
        return say("waiting.both", **words)
    return say("waiting.second" if cows else "waiting.longer" if longer else "waiting", **words)


def _over(game: Game, names: Names) -> str:
    ended = game.ended
    if ended is None or ended.reason is EndReason.ABANDONED:
        return say("over.abandoned")
    if ended.winner is None:
        return say("over.draw")
    home = cows_home(game.position, ended.winner, game.rules)
    return say(
        f"over.{ended.reason.value}",
        name=names.of(ended.winner),
        loser=names.of(ended.winner.other),
        count=number_word(len(home)),
        beams=join_words("and", [beam.value for beam in home]),
    )


def _wrong(astray: Sequence[CowAstray], state: TurnState, names: Names) -> str:
    count = capital(number_word(len(astray)))
    if len(astray) == 1:
        return say("wrong.one", cow=capital(_stands(astray[0], state, names)))
    if len(astray) > _MOST_TOLD:
        beams = join_words("and", [beam_words(cow.beam) for cow in astray])
        return say("wrong.many", count=count, beams=beams)
    cows = [
        say("astray.short", cow=cow_words(cow.beam), home=place_words(cow.home, state.game.rules, names))
        for cow in astray
    ]
    return say("wrong.some", count=count, cows=join_words("and", cows))


def _stands(cow: CowAstray, state: TurnState, names: Names) -> str:
    home = place_words(cow.home, state.game.rules, names)
    away = [cell for cell in cow.at if cell != cow.home]
    if not away:
        return say("astray.off", cow=cow_words(cow.beam), home=home)
    cell = away[0]
    place = place_words(cell, state.game.rules, names)
    if cow.home in cow.at:
        return say("astray.twice", beam=beam_words(cell.beam), place=place)
    if cell.beam is cow.beam:
        return say("astray.on beam", cow=cow_words(cow.beam), place=place, home=home)
    return say("astray.elsewhere", cow=cow_words(cow.beam), beam=beam_words(cell.beam), place=place, home=home)


def _reason(notice: Notice, state: TurnState, names: Names) -> str:
    """The notice as a part of a sentence; words it lacks are taken from the state or left out."""
    words = dict(notice.words)
    side = words.get("side") or _side_meant(state)
    filled: dict[str, object] = {"pull": "a cow", "faces": _faces(state.game), **words}
    filled["name"] = names.of(Side(side)) if side in tuple(Side) else side
    message = f"reason.{notice.reason.value}"
    match notice.reason:
        case Reason.NOT_FIVE if words.get("count"):
            message += ".count"
        case Reason.FORFEITED if words.get("faces"):
            message += ".faces"
        case Reason.CORRECTED if words.get("what") in tuple(Correctable):
            message += f".{words['what']}"
        case Reason.PULL_CHANGED if words.get("pull"):
            message += ".pull"
        case Reason.BOARD_FAULT if words.get("cell") and words.get("fault"):
            message += ".cell"
            filled["cell"] = cell_words(words["cell"], state.game.rules, names)
        case Reason.COMPUTER_AWAY if words.get("why"):
            message += ".why"
            filled["why"] = str(words["why"]).rstrip(".")
        case Reason.COWS_ASTRAY if computer_to_act(state.game) is not None:
            message += ".computer" if state.chosen else ".computer.choosing"
            filled["pull"] = state.chosen
        case Reason.DICE_CORRECTED:
            filled["faces"] = " ".join(str(filled["faces"]).replace(" ", ""))
    return say(message, **filled)


def _side_meant(state: TurnState) -> str:
    ended = state.game.ended
    if ended is not None and ended.winner is not None:
        return ended.winner.value
    is_turn_over = state.game.stage is not Stage.OPENING and state.game.turns and not state.game.roll
    return (state.game.turns[-1].mover if is_turn_over else state.game.mover).value


def _faces(game: Game) -> str:
    return " ".join(map(str, game.dice.faces)) if game.dice is not None else ""
