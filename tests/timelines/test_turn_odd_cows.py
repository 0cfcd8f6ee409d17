"""Cows at odd moments: a cow that nobody pulled makes no pull, a board that changes forgets what it saw."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema

from controller.games.cosmic_cows import Rules, Side
from controller.table.events import BoardArrived, BoardLost
from controller.table.state import Reason
from controller.table.view import public_view
from controller.table.words import Names
from tests.support.turns import SENSORS, Table, turn_game

SCHEMA = Path(__file__).parents[2] / "controller/schemas/state.json"
LIGHTS = frozenset({"lights"})


def table(faces: str, places: dict[str, int] | None = None, rules: Rules | None = None) -> Table:
    made = Table(turn_game(places, rules=rules)).settle(()).throw(faces)
    made.written()
    return made


class TestNobodysPull:
    def test_a_cow_set_elsewhere_in_the_record_has_to_be_set_there_before_it_counts(self) -> None:
        t = table("44412").say("correct_cows", position="0,0,0,0,0,-3,0,0,0 w")
        assert t.written() == ["correct cows 0,0,0,0,0,-3,0,0,0 w by page"]
        t.wait(3)
        assert (t.phase, t.told) == ("wrong", Reason.LEAD_HOME)
        t.cows()
        assert t.phase == "rolled"
        t.cows({"4": 0})
        assert t.written() == ["pull triple 4"]

    def test_a_cow_left_over_from_the_game_before_is_no_pull_of_the_new_one(self) -> None:
        t = table("44412").cows({"4": 3}).say("new_game").say("enter_dice", dice="5").say("enter_dice", dice="2")
        t.written()
        t.say("enter_dice", dice="44412")
        assert t.wait(5).written() == ["throw 12444"]
        assert t.told is Reason.LEAD_HOME

    def test_a_pull_taken_back_while_the_board_was_away_is_not_made_again_by_its_return(self) -> None:
        t = table("44412").cows({"4": 3})
        moved = t.state.cows.occupied
        assert moved is not None
        t.give(BoardLost("unplugged", t.tick())).say("undo")
        t.written()
        t.give(BoardArrived("test", SENSORS, t.tick())).scan(moved)
        assert t.wait(5).written() == []

    def test_a_pull_taken_back_is_not_made_again_by_a_correction_of_the_dice(self) -> None:
        t = table("44412").cows({"4": 3}).say("undo")
        t.written()
        t.say("correct_dice", dice="44415")
        assert t.wait(5).written() == ["correct dice 14445 by page"]


class TestBoardsThatChange:
    def test_a_board_without_sensors_that_takes_the_place_of_one_with_forgets_the_cows(self) -> None:
        t = table("44412").cows({"6": 2})
        t.give(BoardArrived("led", LIGHTS, t.tick()))
        assert (t.phase, t.state.cows.verdict.astray) == ("rolled", ())
        t.say("choose_pull", pull="pair 4")
        assert t.written() == ["pull pair 4"]

    def test_a_board_that_restarts_is_believed_only_after_its_own_scan(self) -> None:
        t = table("44412").cows({"4": 2})
        assert t.phase == "waiting"
        t.give(BoardArrived("test", SENSORS, t.tick()))
        assert t.wait(5).written() == []
        t.cows({"4": 2})
        assert t.wait(2).written() == ["pull pair 4"]

    def test_a_scan_told_before_its_board_said_hello_is_not_believed(self) -> None:
        t = table("44412")
        t.give(BoardLost("unplugged", t.tick())).cows({"4": 3})
        t.give(BoardArrived("test", SENSORS, t.tick()))
        assert t.written() == []


class TestWaits:
    def test_a_wait_begins_anew_after_a_pause(self) -> None:
        t = table("33551").cows({"3": 2}).say("pause").wait(20).say("resume")
        assert t.wait(5).written() == []
        assert t.wait(1.2).written() == ["pull pair 3"]

    def test_a_wrong_cow_is_told_two_seconds_after_a_pause(self) -> None:
        t = table("44412").cows({"6": 2}).say("pause").wait(20).say("resume").wait(1.5)
        assert t.told is None


class TestWonByTheFirstOfTwoCows:
    HOME = {"1": 6, "2": 7, "3": 4}  # noqa: RUF012

    def test_the_game_ends_at_once_where_only_another_cow_could_follow(self) -> None:
        t = table("33551", self.HOME).cows({"3": 6})
        assert t.written() == ["pull pair 3", "end white cows home"]

    def test_a_cow_that_could_go_further_is_waited_for_as_ever(self) -> None:
        t = table("33352", self.HOME).cows({"3": 6})
        assert (t.phase, t.written()) == ("waiting", [])
        assert t.wait(1.6).written() == ["pull pair 3", "end white cows home"]

    def test_the_second_cow_of_a_won_pull_is_not_wrong_and_changes_the_pull(self) -> None:
        t = table("33551", self.HOME).cows({"3": 6})
        t.written()
        t.cows({"5": 2})
        assert t.state.game.turns[-1].pull == "pair 3"
        assert t.wait(1.6).written() == ["take back by hand", "pull two pair 3 5", "end white cows home"]
        assert (t.phase, t.told) == ("over", Reason.WON)
        assert t.wait(9).told is Reason.WON

    def test_cows_tidied_away_after_the_end_change_nothing(self) -> None:
        t = table("44412", {"1": 6, "2": 7, "4": 3}).cows({"4": 6})
        t.written()
        for place in (5, 3, 0):
            t.cows({"4": place}).wait(5)
        assert t.written() == []
        assert t.phase == "over"

    def test_the_second_cow_may_win_just_as_well(self) -> None:
        t = table("33551", {"1": 6, "2": 7, "5": 4}).cows({"3": 2})
        assert (t.phase, t.written()) == ("waiting", [])
        t.cows({"3": 2, "5": 6})
        assert t.written() == ["pull two pair 3 5", "end white cows home"]

    def test_a_full_house_that_must_be_used_whole_wins_with_its_second_cow(self) -> None:
        t = table("33355", {"1": 6, "2": 7, "3": 3}, Rules(subset_pulls=False)).cows({"3": 6})
        assert (t.phase, t.written()) == ("moving", [])
        t.cows({"3": 6, "5": 2})
        assert t.written() == ["pull full house 3 5", "end white cows home"]


def test_two_cows_in_either_order_with_a_take_back_between() -> None:
    t = table("33551").cows({"3": 2}).say("undo")
    assert t.written() == ["take back by page"]
    assert (t.state.game.roll, t.state.game.mover) == (0, Side.WHITE)
    t.cows()
    t.settle(()).throw("33551").cows({"5": 2}).cows({"5": 2, "3": 2})
    assert t.written() == ["throw 13355", "pull two pair 3 5"]


def test_a_locked_cow_is_shown_with_its_lock_as_the_schema_has_it() -> None:
    t = table("11123", {"1": 8}, Rules(lock_in=True)).say("choose_pull", pull="triple 1").say("done")
    assert t.written() == ["pull triple 1"]
    view = public_view(t.state, Names(), "1")
    assert view["position"] == "0,8L,0,0,0,0,0,0,0 b"
    schema = json.loads(SCHEMA.read_text("utf-8"))["properties"]["position"]
    jsonschema.validate(view["position"], schema)
