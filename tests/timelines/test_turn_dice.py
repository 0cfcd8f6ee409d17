"""Dice in a turn, as timelines: what lies in the tray, what the table makes of it."""

from __future__ import annotations

import pytest

from controller.games.cosmic_cows import Opening, Rules, Side
from controller.table.game import Game
from controller.table.state import Reason
from tests.support.turns import Table, die, lying, turn_game


def table(places: dict[str, int] | None = None, **kwargs: bool) -> Table:
    made = Table(turn_game(places), **kwargs)
    made.settle(())
    made.written()
    return made


def test_first_roll_is_read_once_the_tray_was_seen_empty() -> None:
    t = table().throw("12343")
    assert t.phase == "rolled"
    assert t.written() == ["throw 12334"]


def test_dice_lying_when_the_turn_begins_are_nobodys_roll() -> None:
    t = Table(turn_game()).settle(lying("12343"))
    assert t.phase == "to roll"
    assert t.written() == []


def test_kept_dice_are_those_that_stay_with_their_face() -> None:
    t = table().throw("33124")
    t.throw("33566", left="33")
    assert t.written() == ["throw 12334", "keep 33", "throw 33566"]


def test_a_kept_die_may_be_picked_up_again_for_the_third_roll() -> None:
    t = table().throw("33124").throw("33566", left="33").throw("61252", left="")
    assert t.written()[-2:] == ["keep ", "throw 12256"]


def test_dice_taken_up_and_put_back_as_they_lay_are_no_roll() -> None:
    t = table().throw("33124")
    t.settle(lying("33")).settle(lying("33124"))
    assert t.phase == "rolled"
    assert t.written() == ["throw 12334"]


def test_a_cocked_die_refuses_the_roll_and_a_nudge_reads_it_in_the_same_roll() -> None:
    t = table().throw("1234?")
    assert (t.phase, t.told, t.written()) == ("refused", Reason.COCKED, [])
    t.roll().settle(lying("12346"))
    assert (t.phase, t.written()) == ("rolled", ["throw 12346"])


def test_a_refused_reroll_keeps_the_old_dice_until_it_is_read() -> None:
    t = table().throw("33124").throw("3356?", left="33")
    assert (t.phase, t.state.game.roll) == ("refused", 1)
    t.roll().settle(lying("33562"))
    assert t.written() == ["throw 12334", "keep 33", "throw 23356"]


@pytest.mark.parametrize(
    "name",
    ["cocked", "stacked", "touching", "glare", "blurred", "hidden", "at the wall", "unknown die"],
)
def test_every_refusal_of_a_die_is_told_by_its_own_name(name: str) -> None:
    dice = (*lying("1234"), die(None, 4, refusal=name))
    t = table().roll().settle(dice)
    assert t.phase == "refused"
    assert t.told is Reason(name)


@pytest.mark.parametrize("name", ["too dark", "too bright", "hand in view", "blurred", "glare"])
def test_a_picture_that_cannot_be_judged_never_counts_as_dice_taken_up(name: str) -> None:
    t = table().throw("33124")
    t.settle((), name)
    assert not t.state.tray.is_taken_up
    t.settle(lying("33566"))
    assert t.phase == "touched"
    assert t.written() == ["throw 12334"]


def test_a_picture_that_cannot_be_judged_after_a_throw_is_refused_by_name() -> None:
    t = table().roll().settle(lying("12345"), "hand in view")
    assert (t.phase, t.told) == ("refused", Reason.HAND)


def test_a_sixth_die_refuses_the_throw() -> None:
    t = table().roll().settle((*lying("12345"), die(2, 5)), "not five")
    assert (t.phase, t.told, t.written()) == ("refused", Reason.NOT_FIVE, [])


def test_a_die_that_left_the_tray_in_a_throw_refuses_it_and_the_missing_one_completes_it() -> None:
    t = table().roll().settle(lying("6542"))
    assert (t.phase, t.told) == ("refused", Reason.NOT_FIVE)
    t.roll().settle(lying("65421"))
    assert t.written() == ["throw 12456"]


def test_a_die_touched_after_reading_is_reported_and_never_accepted() -> None:
    t = table().throw("33124").roll().settle(lying("33125"))
    assert (t.phase, t.told) == ("touched", Reason.TOUCHED)
    assert t.state.game.roll == 1
    assert t.written() == ["throw 12334"]


def test_a_touched_die_turned_back_goes_on() -> None:
    t = table().throw("33124").roll().settle(lying("33125")).roll().settle(lying("33124"))
    assert t.phase == "rolled"


def test_a_slid_die_with_its_face_is_reported_but_the_roll_stands() -> None:
    t = table().throw("33124").roll().settle(lying("33124", (0, 1, 2, 3, 4.8)))
    assert (t.phase, t.told) == ("rolled", Reason.TOUCHED)


def test_touched_dice_count_as_the_next_roll_when_the_player_says_so() -> None:
    t = table().throw("33124").roll().settle(lying("33556", (0, 1, 2.6, 3.6, 4.8)))
    assert t.phase == "touched"
    t.say("reroll")
    assert t.written() == ["throw 12334", "keep 33", "throw 33556"]


def test_an_announced_reroll_needs_no_still_picture_of_the_dice_taken_up() -> None:
    t = table().throw("33124").say("reroll").roll().settle(lying("33556", (0, 1, 2.6, 3.6, 4.8)))
    assert t.written() == ["throw 12334", "keep 33", "throw 33556"]


def test_a_kept_die_turned_in_the_hand_is_reported() -> None:
    t = table().throw("33124").settle(lying("36"))
    assert (t.phase, t.told) == ("touched", Reason.KEPT_CHANGED)
    t.roll().settle(lying("36555"))
    assert (t.phase, t.written()) == ("touched", ["throw 12334"])


def test_kept_dice_moved_to_the_keep_rail_stay_kept() -> None:
    t = table().throw("33124")
    t.settle(lying("33", (8, 9))).roll().settle(lying("33566", (8, 9, 2, 3, 4)))
    assert t.written() == ["throw 12334", "keep 33", "throw 33566"]


def test_no_more_than_three_rolls() -> None:
    t = table().throw("33124").throw("33566", left="33").throw("33562", left="335")
    t.written()
    t.throw("66666")
    assert (t.phase, t.told, t.written()) == ("rolled", Reason.NO_MORE_ROLLS, [])


def test_a_third_roll_without_option_is_forfeit_at_once_and_the_turn_passes() -> None:
    t = table().throw("12356").throw("12456").throw("12356")
    assert t.written()[-1] == "forfeit"
    assert (t.phase, t.told, t.state.game.mover) == ("to roll", Reason.FORFEITED, Side.BLACK)


def test_first_turn_of_one_roll_under_the_house_rule() -> None:
    game = turn_game(rules=Rules(first_turn_rolls=1))
    t = Table(game).settle(()).throw("12356")
    assert t.written() == ["throw 12356", "forfeit"]


def test_first_roll_with_dice_left_lying_from_before_is_reported() -> None:
    t = table().throw("33124").say("choose_pull", pull="pair 3")
    t.cows({"3": 2}).wait(2)
    assert t.state.game.mover is Side.BLACK
    t.settle(lying("33")).roll().settle(lying("33566"))
    assert t.phase == "touched"


def test_the_opponents_dice_must_be_taken_up_before_they_are_a_roll() -> None:
    t = table().throw("33355").cows({"3": 3, "5": 2})
    assert t.state.game.mover is Side.BLACK
    t.written()
    t.roll().settle(lying("12345", (0.5, 1.5, 2.5, 3.5, 4.5)))
    assert (t.phase, t.written()) == ("touched", [])
    t.throw("12345")
    assert t.written() == ["throw 12345"]


def test_camera_lost_while_rolling_rests_and_says_so() -> None:
    from controller.table.events import CameraArrived, CameraLost

    t = table().throw("33124").settle(lying("33")).roll()
    t.give(CameraLost("unplugged", t.tick()))
    assert (t.phase, t.told) == ("rolled", Reason.CAMERA_LOST)
    t.give(CameraArrived("again", t.tick())).roll().settle(lying("33566"))
    assert t.written() == ["throw 12334", "keep 33", "throw 33566"]


class TestOpening:
    def test_the_higher_die_starts(self) -> None:
        t = Table(Game()).settle(())
        t.roll().settle(lying("4")).roll().settle((*lying("4"), die(6, 3, "black")))
        assert t.written() == ["opening w 4", "opening b 6"]
        assert (t.phase, t.told, t.state.game.mover) == ("to roll", Reason.STARTS, Side.BLACK)

    def test_both_dice_at_once_are_told_apart_by_colour(self) -> None:
        t = Table(Game()).settle(()).roll().settle((die(2, 0, "black"), die(5, 2, "white")))
        assert sorted(t.written()) == ["opening b 2", "opening w 5"]
        assert t.state.game.mover is Side.WHITE

    def test_two_dice_of_one_set_at_once_are_refused(self) -> None:
        t = Table(Game()).settle(()).roll().settle(lying("25"))
        assert (t.phase, t.told, t.written()) == ("refused", Reason.ONE_AT_A_TIME, [])

    def test_a_tie_throws_again(self) -> None:
        t = Table(Game()).settle(()).roll().settle(lying("4")).roll().settle(lying("44", (0, 3)))
        assert t.told is Reason.TIE
        t.settle(()).roll().settle(lying("1")).settle(()).roll().settle(lying("3"))
        assert t.written() == ["opening w 4", "opening b 4", "opening w 1", "opening b 3"]

    def test_a_nudged_opening_die_is_not_the_other_players_throw(self) -> None:
        t = Table(Game()).settle(()).roll().settle(lying("4")).roll().settle(lying("6", (2,)))
        assert t.phase == "touched"
        assert t.written() == ["opening w 4"]

    def test_a_die_left_of_five_is_no_throw_for_the_start(self) -> None:
        t = Table(Game()).settle(()).roll().settle(lying("12345"))
        assert (t.phase, t.told) == ("refused", Reason.ONE_AT_A_TIME)
        t.settle(lying("1"))
        assert t.written() == []
        t.settle(()).roll().settle(lying("6"))
        assert t.written() == ["opening w 6"]

    def test_the_starters_first_roll_follows(self) -> None:
        t = Table(Game()).settle(()).roll().settle(lying("4")).roll().settle(lying("41", (0, 3)))
        t.settle(()).roll().settle(lying("12343"))
        assert t.written()[-1] == "throw 12334"

    def test_all_five_dice_under_the_house_rule(self) -> None:
        t = Table(Game(rules=Rules(opening=Opening.ALL_FIVE))).settle(()).roll().settle(lying("12345"))
        t.settle(()).roll().settle(lying("66666", colour="black"))
        assert t.written() == ["opening w 12345", "opening b 66666"]
        assert t.state.game.mover is Side.BLACK


class TestWithoutCamera:
    def test_dice_are_entered_and_kept_on_the_page(self) -> None:
        t = Table(turn_game(), camera=False)
        t.say("enter_dice", dice="33124").say("keep", dice="33").say("enter_dice", dice="33566")
        assert t.written() == ["throw 12334", "keep 33", "throw 33566"]

    def test_entered_dice_must_hold_the_kept_ones(self) -> None:
        t = Table(turn_game(), camera=False)
        t.say("enter_dice", dice="33124").say("keep", dice="33").say("enter_dice", dice="12456")
        assert t.refusals
        assert t.state.game.roll == 1

    def test_the_opening_is_entered_die_by_die(self) -> None:
        t = Table(Game(), camera=False).say("enter_dice", dice="2").say("enter_dice", dice="5")
        assert t.written() == ["opening w 2", "opening b 5"]
        assert t.state.game.mover is Side.BLACK
