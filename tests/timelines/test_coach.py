"""The coach at the table: what it says holds only for the throw it was worked out for, and only as its mode allows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from controller.games.cosmic_cows import Beam, Side
from controller.table.effects import Record
from controller.table.entries import Ended, EndReason
from controller.table.events import AdviceGiven, GameLookedBack
from controller.table.game import Game
from controller.table.hints import CoachMode, Hint, Lesson, LookBack, throw_of
from controller.table.lights import shown
from controller.table.meanings import Meaning
from controller.table.state import TurnState
from controller.table.view import public_view
from controller.table.words import Names
from tests.support.turns import Table, turn_game

SILENT: dict[str, Any] = {"sentence": None, "keep": None, "pull": None, "beams": [], "lessons": []}


def hint_for(game: Game, **told: Any) -> Hint:
    """What the coach would say of the throw on this table: keep 4 4 for beam 4."""
    throw = throw_of(game)
    assert throw is not None
    said = {"improve": 0.57, "nothing": 0.03, "keep": (4, 4), "pull": None, "beams": (Beam.FOUR,), "sentence": "Keep."}
    return Hint(throw=throw, **{**said, **told})


def look_back_on(game: Game, *chances: float) -> LookBack:
    """White's chances, and one lesson."""
    dice = game.turns[0].throws[0]
    lesson = Lesson(turn=1, roll=1, mover=Side.WHITE, dice=dice, win=0.4, best_win=0.5, sentence="Better.")
    return LookBack(turns=game.turns, position=game.position, ended=game.ended, chances=chances, lessons=(lesson,))


def thrown(faces: str = "44126", mode: str | None = None) -> Table:
    """A first roll on the table."""
    table = Table(turn_game())
    if mode is not None:
        table.say("coach", mode=mode)
    return table.throw(faces)


def advise(table: Table, **told: Any) -> Table:
    return table.give(AdviceGiven(hint_for(table.state.game, **told), table.tick()))


def public(table: Table) -> dict[str, Any]:
    return public_view(table.state, Names(), "1")


def coach(table: Table) -> dict[str, Any]:
    told: dict[str, Any] = public(table)["coach"]
    return told


def marks(state: TurnState) -> set[Meaning]:
    """What of the coach is lit."""
    return {mark.meaning for mark in shown(state) if mark is not None} & {Meaning.BEST, Meaning.AIMED}


class TestModes:
    """Off, on request, always."""

    def test_off_is_where_it_begins_and_nothing_says_what_is_best(self) -> None:
        table = advise(thrown())
        assert coach(table) == {"mode": "off", **SILENT}
        assert marks(table.state) == set()

    def test_the_odds_are_everybodys(self) -> None:
        assert public(advise(thrown()))["odds"] == {"improve": 0.57, "nothing": 0.03}

    def test_always_speaks_as_soon_as_the_advice_is_there(self) -> None:
        table = thrown(mode="always")
        assert coach(table) == {"mode": "always", **SILENT}
        advise(table)
        assert coach(table) == {
            "mode": "always",
            "sentence": "Keep.",
            "keep": "44",
            "pull": None,
            "beams": ["4"],
            "lessons": [],
        }
        assert marks(table.state) == {Meaning.AIMED}

    def test_a_best_pull_is_lit_where_it_leads(self) -> None:
        table = advise(thrown(mode="always"), keep=None, pull="pair 4", beams=())
        assert marks(table.state) == {Meaning.BEST}
        assert coach(table)["pull"] == "pair 4"

    def test_on_request_speaks_when_asked_and_for_this_throw_only(self) -> None:
        table = advise(thrown(mode="on request"))
        assert coach(table)["sentence"] is None
        assert "ask_coach" in public(table)["can"]
        table.say("ask_coach")
        assert coach(table)["keep"] == "44"
        assert "ask_coach" not in public(table)["can"]
        table.throw("44156", left="44")
        assert coach(advise(table)) == {"mode": "on request", **SILENT}

    def test_a_question_asked_before_the_advice_is_there_is_answered_by_it(self) -> None:
        table = thrown(mode="on request").say("ask_coach")
        assert coach(table)["sentence"] is None
        assert coach(advise(table))["sentence"] == "Keep."

    def test_switched_off_in_the_middle_it_is_silent_at_once(self) -> None:
        table = advise(thrown(mode="always")).say("coach", mode="off")
        assert coach(table) == {"mode": "off", **SILENT}
        assert public(table)["odds"] is not None

    def test_switched_on_in_the_middle_it_has_the_advice_already(self) -> None:
        assert coach(advise(thrown()).say("coach", mode="always"))["sentence"] == "Keep."

    def test_a_new_game_keeps_the_mode(self) -> None:
        table = advise(thrown(mode="always")).say("new_game")
        assert coach(table) == {"mode": "always", **SILENT}

    def test_the_mode_is_changed_in_a_pause_too_but_nothing_is_said(self) -> None:
        table = advise(thrown()).say("pause").say("coach", mode="always")
        assert coach(table) == {"mode": "always", **SILENT}
        assert coach(table.say("resume"))["sentence"] == "Keep."

    @pytest.mark.parametrize(
        ("mode", "faces", "why"),
        [
            ("off", "44126", "The coach is off: switch it on first."),
            ("always", "44126", "The coach speaks at every throw already."),
            ("on request", None, "There is no throw to ask about: throw the dice first."),
        ],
    )
    def test_a_question_that_brings_nothing_is_refused(self, mode: str, faces: str | None, why: str) -> None:
        table = Table(turn_game()).say("coach", mode=mode)
        if faces is not None:
            table.throw(faces)
        assert "ask_coach" not in public(table)["can"]
        table.say("ask_coach")
        assert table.refusals == [why]


class TestStaleness:
    """What was worked out for another throw is dropped."""

    def test_advice_that_comes_after_the_next_roll_is_dropped(self) -> None:
        table = thrown(mode="always")
        late = hint_for(table.state.game)
        table.throw("44556", left="44")
        table.give(AdviceGiven(late, table.tick()))
        assert table.state.coach.hint is None
        assert coach(table) == {"mode": "always", **SILENT}

    def test_the_same_dice_on_the_next_roll_are_another_throw(self) -> None:
        table = advise(thrown(mode="always"))
        table.throw("44126", (0, 1, 5, 6, 7), left="44")
        assert table.state.game.roll == 2
        assert table.state.coach.hint is None

    def test_advice_is_past_once_the_dice_are_corrected(self) -> None:
        table = advise(thrown(mode="always")).say("correct_dice", dice="44125")
        assert table.state.coach.hint is None

    def test_advice_is_past_once_the_cows_are_corrected(self) -> None:
        table = advise(thrown(mode="always")).say("correct_cows", position="0,0,0,0,0,1,0,0,0 w")
        assert table.state.coach.hint is None

    def test_advice_is_past_once_the_throw_is_taken_back(self) -> None:
        table = advise(thrown(mode="always")).say("undo")
        assert table.state.coach.hint is None
        assert public(table)["odds"] is None

    def test_telling_what_is_kept_leaves_the_advice(self) -> None:
        table = advise(thrown(mode="always")).say("keep", dice="44")
        assert coach(table)["sentence"] == "Keep."

    def test_nothing_is_said_while_a_cow_is_on_its_way(self) -> None:
        table = advise(thrown(mode="always")).cows({"4": 1})
        assert table.phase == "moving"
        assert coach(table) == {"mode": "always", **SILENT}
        assert public(table)["odds"] is None
        assert coach(table.cows())["sentence"] == "Keep."

    def test_after_the_last_roll_there_are_no_odds_of_rolling_on(self) -> None:
        table = thrown("44126", "always")
        table.throw("44126", (0, 1, 5, 6, 7), left="44").throw("44126", (0, 1, 8, 9, 10), left="44")
        assert table.state.game.roll == 3
        advise(table, keep=None, pull="pair 4", beams=(), improve=0.0, nothing=0.0)
        assert public(table)["odds"] is None
        assert coach(table)["pull"] == "pair 4"

    def test_a_chosen_pull_isnt_talked_over_by_light(self) -> None:
        table = advise(thrown(mode="always"), keep=None, pull="pair 4", beams=()).say("choose_pull", pull="pair 4")
        assert marks(table.state) == set()

    def test_nothing_of_it_is_ever_written(self) -> None:
        table = thrown()
        table.effects.clear()
        table.say("coach", mode="on request").say("ask_coach")
        advise(table)
        assert not any(isinstance(effect, Record) for effect in table.effects)


def pulled(mode: str = "always") -> Table:
    """One turn made, with the chances known."""
    table = thrown("44126", mode).cows({"4": 2}).wait(3)
    assert len(table.state.game.turns) == 1
    return table.give(GameLookedBack(look_back_on(table.state.game, 0.5, 0.56), table.tick()))


class TestLookingBack:
    """Chances for everybody; lessons after the game."""

    def test_chances_are_everybodys(self) -> None:
        assert public(pulled("off"))["chances"] == [0.5, 0.56]

    def test_chances_so_far_stay_while_the_next_are_worked_out(self) -> None:
        table = pulled().throw("33126").cows({"3": -2}).wait(3)
        assert len(table.state.game.turns) == 2
        assert public(table)["chances"] == [0.5, 0.56]

    def test_chances_of_a_turn_taken_back_are_dropped(self) -> None:
        assert public(pulled().say("undo"))["chances"] == []

    def test_chances_of_another_position_are_dropped(self) -> None:
        assert public(pulled().say("correct_cows", position="0,0,0,0,0,5,0,0,0 b"))["chances"] == []

    def test_a_look_back_that_comes_too_late_is_dropped(self) -> None:
        table = pulled()
        late = look_back_on(table.state.game, 0.1, 0.2)
        table.say("undo")
        table.give(GameLookedBack(late, table.tick()))
        assert public(table)["chances"] == []

    def test_lessons_wait_for_the_end(self) -> None:
        table = pulled("always")
        assert coach(table)["lessons"] == []
        table.say("resign")
        assert coach(table)["lessons"] == []  # of the game as it was before its end
        table.give(GameLookedBack(look_back_on(table.state.game, 0.5, 1.0), table.tick()))
        assert [lesson["sentence"] for lesson in coach(table)["lessons"]] == ["Better."]
        assert public(table)["chances"] == [0.5, 1.0]

    @pytest.mark.parametrize("mode", ["off", "on request"])
    def test_lessons_are_told_only_as_the_mode_allows(self, mode: str) -> None:
        table = pulled(mode).say("resign")
        table.give(GameLookedBack(look_back_on(table.state.game, 0.5, 1.0), table.tick()))
        assert coach(table)["lessons"] == []
        table.say("ask_coach")
        assert bool(coach(table)["lessons"]) == (mode == "on request")

    def test_an_end_taken_back_takes_its_chance_along(self) -> None:
        table = pulled().say("resign")
        table.give(GameLookedBack(look_back_on(table.state.game, 0.5, 1.0), table.tick()))
        assert public(table.say("undo"))["chances"] == []

    def test_a_look_back_knows_the_game_it_began(self) -> None:
        game = pulled().state.game
        back = look_back_on(game, 0.5, 0.5)
        assert back.fits(game)
        assert back.is_beginning_of(game)
        assert not back.fits(replace(game, ended=Ended(Side.WHITE, EndReason.RESIGNED)))
        assert back.is_beginning_of(replace(game, ended=Ended(Side.WHITE, EndReason.RESIGNED)))
        assert not back.is_beginning_of(replace(game, turns=()))
        assert not replace(back, ended=Ended(None, EndReason.ABANDONED)).is_beginning_of(game)


def test_modes_are_the_commands_own_words() -> None:
    assert [mode.value for mode in CoachMode] == ["off", "on request", "always"]
