"""Any order of events with a coach beside the table: what it says fits, and the game is as if it weren't there."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games.cosmic_cows import Beam
from controller.table.events import AdviceGiven, GameLookedBack
from controller.table.game import Game
from controller.table.hints import CoachMode, Hint, LookBack, throw_of
from controller.table.view import public_view
from controller.table.words import Names
from tests.properties.test_turn import OPS, perform, starts
from tests.support.turns import Table

COACH_OPS = st.sampled_from(["advise", "look back", "late advice", "late look back", *CoachMode, "ask_coach"])


def advise(table: Table, game: Game) -> None:
    """Advice worked out for this game arrives now."""
    throw = throw_of(game)
    if throw is not None:
        hint = Hint(throw=throw, improve=0.5, nothing=0.1, keep=(), pull=None, beams=(Beam.FOUR,), sentence="Roll.")
        table.give(AdviceGiven(hint, table.tick()))


def look_back(table: Table, game: Game) -> None:
    """The look back on this game arrives now."""
    chances = (0.5,) * (len(game.turns) + 1)
    back = LookBack(turns=game.turns, position=game.position, ended=game.ended, chances=chances, lessons=())
    table.give(GameLookedBack(back, table.tick()))


def coach(table: Table, deed: str, early: Game) -> None:
    match deed:
        case "advise":
            advise(table, table.state.game)
        case "late advice":
            advise(table, early)
        case "look back":
            look_back(table, table.state.game)
        case "late look back":
            look_back(table, early)
        case "ask_coach":
            table.say("ask_coach")
        case mode:
            table.say("coach", mode=str(mode))


def check(table: Table) -> None:
    state = table.state
    told, game = state.coach, state.game
    assert told.hint is None or told.hint.fits(game)
    assert told.look_back is None or told.look_back.is_beginning_of(game)
    shown = public_view(state, Names(), "1")
    assert len(shown["chances"]) <= len(shown["history"]) + 1
    if told.mode is CoachMode.OFF:
        assert {**shown["coach"], "mode": ""} == {
            "mode": "",
            "sentence": None,
            "keep": None,
            "pull": None,
            "beams": [],
            "lessons": [],
        }


@settings(max_examples=60, deadline=None)
@given(starts(), st.lists(st.tuples(OPS, COACH_OPS), max_size=25), st.sampled_from(CoachMode))
def test_what_the_coach_said_always_fits_and_never_changes_the_game(
    game: Game, rows: list[tuple[Any, str]], mode: CoachMode
) -> None:
    coached, plain = Table(game), Table(game)
    coached.say("coach", mode=mode.value)
    plain.tick()
    early = game
    for op, deed in rows:
        before = coached.state.game
        perform(coached, op)
        perform(plain, op)
        coach(coached, deed, early)
        plain.wait(coached.at - plain.at)
        early = before
        check(coached)
        assert coached.state.game == plain.state.game
        assert (coached.state.phase, coached.state.notice) == (plain.state.phase, plain.state.notice)
    assert coached.written() == plain.written()
