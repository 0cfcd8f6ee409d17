"""Dice at odd moments: what lay there before is nobody's throw, what was put back is no roll."""

from __future__ import annotations

import pytest

from controller.games.cosmic_cows import Opening, Rules, Side
from controller.table.entries import Correctable, Corrected
from controller.table.game import Game, fold
from controller.table.state import Reason
from tests.support.turns import Table, die, lying, turn_game

ALL_FIVE = Rules(opening=Opening.ALL_FIVE)


def table(faces: str, rules: Rules | None = None) -> Table:
    made = Table(turn_game(rules=rules)).settle(()).throw(faces)
    made.written()
    return made


def started(white: str, black: str) -> Table:
    """A table whose opening dice still lie in the tray, White's at spot 0, Black's at spot 3."""
    made = Table(Game()).settle(()).roll().settle(lying(white))
    made.roll().settle((*lying(white), die(int(black), 3, "black")))
    made.written()
    return made


class TestNobodysThrow:
    def test_dice_entered_by_hand_that_lie_there_are_not_the_next_players_throw(self) -> None:
        t = Table(turn_game()).settle(()).roll().settle(lying("4441?")).say("enter_dice", dice="44412")
        t.cows({"4": 3})
        assert t.written() == ["throw 12444", "pull triple 4"]
        t.roll().settle(lying("44412"))
        assert t.written() == []

    def test_dice_entered_for_a_forfeit_are_not_the_next_players_throw(self) -> None:
        t = Table(turn_game(rules=Rules(rolls=1))).settle(()).roll().settle(lying("1235?"))
        t.say("enter_dice", dice="12356")
        assert t.written() == ["throw 12356", "forfeit"]
        t.roll().settle(lying("12356"))
        assert t.written() == []

    def test_five_dice_lying_while_the_opening_is_entered_are_nobodys_throw(self) -> None:
        t = Table(Game()).settle(lying("12343")).say("enter_dice", dice="2").say("enter_dice", dice="5")
        t.written()
        t.roll().settle(lying("12343"))
        assert (t.phase, t.written()) == ("to roll", [])

    def test_five_dice_lying_when_a_camera_comes_after_the_opening_are_nobodys_throw(self) -> None:
        t = Table(Game(), camera=False).say("enter_dice", dice="2").say("enter_dice", dice="5")
        t.written()
        t.settle(lying("12343"))
        assert (t.phase, t.written()) == ("to roll", [])

    def test_dice_entered_while_others_lie_still_in_the_tray_touch_nothing(self) -> None:
        t = Table(turn_game()).settle(lying("44412")).say("enter_dice", dice="33355")
        t.roll().settle(lying("44412"))
        assert (t.phase, t.told) == ("rolled", None)

    def test_an_opening_die_that_stays_lying_after_a_take_back_is_not_the_other_players_throw(self) -> None:
        t = started("4", "2").say("undo")
        t.written()
        t.settle(lying("4"))
        assert t.written() == []
        t.roll().settle((*lying("4"), die(6, 3, "black")))
        assert t.written() == ["opening b 6"]

    def test_opening_dice_still_lying_when_the_turn_begins_are_no_part_of_a_throw(self) -> None:
        t = started("4", "1").roll().settle((*lying("4"), die(1, 3, "black")))
        assert (t.phase, t.written()) == ("to roll", [])

    def test_an_opening_die_left_lying_is_not_a_die_of_the_first_roll(self) -> None:
        t = started("4", "1").settle(lying("4")).roll().settle(lying("42356"))
        assert (t.phase, t.told, t.written()) == ("touched", Reason.KEPT_CHANGED, [])


class TestPutBack:
    def test_dice_put_back_where_a_slid_die_lay_are_no_roll(self) -> None:
        slid = (0, 1, 2, 3, 4.8)
        t = table("33124").roll().settle(lying("33124", slid))
        t.settle(lying("33")).settle(lying("33124", slid))
        assert (t.phase, t.written()) == ("rolled", [])

    def test_dice_put_back_after_the_cows_were_corrected_are_no_roll(self) -> None:
        t = table("33124").say("correct_cows", position="0,0,0,0,0,0,0,0,0 w")
        t.written()
        t.settle(lying("33")).settle(lying("33124"))
        assert (t.phase, t.written()) == ("rolled", [])

    def test_dice_put_back_after_the_dice_were_corrected_are_no_roll(self) -> None:
        t = table("33124").say("correct_dice", dice="33125")
        t.written()
        t.settle(lying("33")).settle(lying("33124"))
        assert (t.phase, t.written()) == ("rolled", [])

    def test_dice_put_back_after_a_take_back_are_no_roll(self) -> None:
        t = table("33124").throw("33566", left="33").say("undo")
        t.written()
        t.settle(lying("33")).settle(lying("33566"))
        assert (t.phase, t.written()) == ("rolled", [])


class TestSetRight:
    def test_a_corrected_die_that_is_later_read_as_corrected_was_not_touched(self) -> None:
        t = table("33124").say("correct_dice", dice="33126").roll().settle(lying("33126"))
        assert (t.phase, t.told) == ("rolled", None)

    def test_dice_turned_back_by_hand_to_the_roll_taken_back_to_were_not_touched(self) -> None:
        t = table("33124").throw("33566", left="33").say("undo").roll().settle(lying("33124"))
        assert (t.phase, t.told) == ("rolled", None)

    def test_a_correction_of_the_cows_leaves_the_camera_its_second_look(self) -> None:
        t = table("44412").say("correct_cows", position="0,0,0,0,0,0,0,0,0 w").cows({"6": 2}).wait(2.1)
        t.written()
        t.look(lying("66412"))
        assert "correct dice 12466 by camera" in t.written()


class TestOpeningOfAllFive:
    def opened(self) -> Table:
        made = Table(Game(rules=ALL_FIVE)).settle(()).roll().settle(lying("12345"))
        assert made.written() == ["opening w 12345"]
        return made

    def test_dice_put_back_as_they_lay_are_not_the_other_players_throw(self) -> None:
        t = self.opened().settle(lying("123")).settle(lying("12345"))
        assert (t.phase, t.written()) == ("opening", [])

    def test_dice_left_lying_from_the_first_throw_are_not_part_of_the_second(self) -> None:
        t = self.opened().settle(lying("123")).roll().settle(lying("12366"))
        assert (t.phase, t.told, t.written()) == ("touched", Reason.KEPT_CHANGED, [])

    def test_a_throw_with_a_die_missing_is_refused_by_name(self) -> None:
        t = self.opened().settle(()).roll().settle(lying("6654"))
        assert (t.phase, t.told) == ("refused", Reason.NOT_FIVE)
        t.roll().settle(lying("66541"))
        assert t.written() == ["opening b 14566"]

    def test_the_starters_throw_follows(self) -> None:
        t = self.opened().settle(()).roll().settle(lying("66666")).settle(()).throw("44412")
        assert t.written() == ["opening b 66666", "throw 12444"]


class TestPause:
    def test_dice_taken_up_in_a_pause_are_thrown_after_it(self) -> None:
        t = Table(turn_game()).settle(lying("44412")).say("pause").settle(()).say("resume")
        t.roll().settle(lying("12356"))
        assert (t.phase, t.written()) == ("rolled", ["throw 12356"])

    def test_dice_thrown_in_a_pause_are_reported_and_not_taken(self) -> None:
        t = table("44412").say("pause").settle(()).roll().settle(lying("12356")).say("resume")
        assert (t.phase, t.told, t.written()) == ("touched", Reason.TOUCHED, [])

    def test_dice_that_lay_still_in_a_pause_are_as_before(self) -> None:
        t = table("44412").say("pause").roll().settle(lying("44412")).say("resume")
        assert (t.phase, t.told) == ("rolled", None)


class TestAnnounced:
    def test_announcing_while_dice_tumble_does_not_call_the_old_ones_back(self) -> None:
        t = table("44412").settle(()).roll().say("reroll").cows({"4": 3})
        assert t.written() == []
        t.settle(lying("12356"))
        assert t.written() == ["keep ", "throw 12356"]

    def test_announcing_over_refused_dice_does_not_call_the_old_ones_back(self) -> None:
        t = table("44412").settle(()).roll().settle(lying("1235?")).say("reroll").cows({"4": 3})
        assert t.written() == []


class TestTouchedWhileACowMoves:
    def test_a_die_touched_while_a_cow_is_in_the_hand_is_reported_when_the_cow_is_back(self) -> None:
        t = table("44412").cows({"4": None}).roll().settle(lying("44422")).cows()
        assert (t.phase, t.told) == ("touched", Reason.TOUCHED)

    def test_dice_thrown_before_the_turn_passed_are_reported_when_it_does(self) -> None:
        t = table("33551").cows({"3": 2}).roll().settle(lying("12346", (5, 6, 7, 8, 9)))
        t.wait(7)
        assert t.written() == ["pull pair 3"]
        assert (t.phase, t.told) == ("touched", Reason.TOUCHED)


def test_a_throw_of_the_opening_ends_the_word_of_the_tie_before_it() -> None:
    t = Table(Game(), camera=False).say("enter_dice", dice="4").say("enter_dice", dice="4")
    assert t.told is Reason.TIE
    assert t.say("enter_dice", dice="2").told is None


@pytest.mark.parametrize("side", list(Side))
def test_a_correction_of_the_mover_to_who_moves_anyway_is_a_turn_begun_anew(side: Side) -> None:
    game = fold(turn_game(), Corrected(Correctable.MOVER, side.value, "page"))
    assert (game.mover, game.roll) == (side, 0)
