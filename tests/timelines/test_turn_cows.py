"""Cows in a turn, as timelines: cells that fire, waits that end, moves that are wrong."""

from __future__ import annotations

from controller.games.cosmic_cows import Beam, Cell, Rules, Side, parse_position
from controller.table.events import BoardArrived, BoardLost
from controller.table.state import Reason
from tests.support.turns import SENSORS, Table, lying, turn_game


def table(faces: str, places: dict[str, int] | None = None, mover: Side = Side.WHITE) -> Table:
    made = Table(turn_game(places, mover))
    made.settle(()).throw(faces)
    made.written()
    return made


def test_a_complete_pull_that_cannot_go_on_is_accepted_at_once() -> None:
    t = table("44412").cows({"4": 3})
    assert t.written() == ["pull triple 4"]
    assert (t.phase, t.told, t.state.game.mover) == ("to roll", Reason.PULLED, Side.BLACK)


def test_black_pulls_the_other_way() -> None:
    t = table("44412", mover=Side.BLACK).cows({"4": -3})
    assert t.written() == ["pull triple 4"]


def test_a_cell_passed_on_the_way_is_not_the_move() -> None:
    t = table("44412")
    for place in (1, 2):
        t.cows({"4": place})
    assert t.written() == []
    t.cows({"4": 3})
    assert t.written() == ["pull triple 4"]


def test_a_legal_cell_that_could_go_on_waits_and_then_counts() -> None:
    t = table("44412").cows({"4": 2})
    assert t.phase == "waiting"
    assert t.wait(1.0).written() == []
    assert t.wait(0.6).written() == ["pull pair 4"]


def test_two_cows_in_either_order_end_on_the_second() -> None:
    for first, second in (("3", "5"), ("5", "3")):
        t = table("33551").cows({first: 2})
        assert t.phase == "waiting"
        assert t.state.cows.verdict.could_be == ("two pair 3 5",)
        t.cows({first: 2, second: 2})
        assert t.written() == ["pull two pair 3 5"]


def test_two_cows_at_once_while_both_are_lifted() -> None:
    t = table("33551").cows({"3": None}).cows({"3": None, "5": None})
    assert t.phase == "moving"
    t.cows({"3": 2, "5": None}).cows({"3": 2, "5": 2})
    assert t.written() == ["pull two pair 3 5"]


def test_the_wait_for_the_second_cow_ends_with_done() -> None:
    t = table("33551").cows({"3": 2}).say("done")
    assert t.written() == ["pull pair 3"]


def test_the_wait_for_the_second_cow_ends_when_the_dice_are_taken() -> None:
    t = table("33551").cows({"3": 2}).roll().settle(())
    assert t.written() == ["pull pair 3"]
    assert t.throw("12343").written() == ["throw 12334"]


def test_the_wait_for_the_second_cow_ends_by_time() -> None:
    t = table("33551").cows({"3": 2})
    assert t.wait(5.0).written() == []
    assert t.wait(1.2).written() == ["pull pair 3"]


def test_done_does_not_end_a_move_that_no_pull_allows_yet() -> None:
    t = table("44412").cows({"4": 1}).say("done")
    assert (t.phase, t.told, t.written()) == ("moving", Reason.NOT_FINISHED, [])


def test_full_house_that_must_be_used_whole_waits_for_both_cows() -> None:
    t = Table(turn_game(rules=Rules(subset_pulls=False))).settle(()).throw("33355")
    t.written()
    t.cows({"3": 3})
    assert t.phase == "moving"
    assert t.wait(10).written() == []
    t.cows({"3": 3, "5": 2})
    assert t.written() == ["pull full house 3 5"]


def test_a_wrong_cow_is_amber_at_once_and_told_after_two_seconds_and_a_second_look() -> None:
    t = table("44412").cows({"6": 2})
    assert t.phase == "wrong"
    assert t.state.cows.verdict.astray[0].home == Cell(Beam.SIX, 0)
    t.effects.clear()
    t.wait(1.7)
    assert (t.looks, t.state.cows.is_told) == (0, False)
    t.wait(0.4)
    assert (t.looks, t.state.cows.is_told) == (1, False)
    t.look(lying("44412"))
    assert (t.state.cows.is_told, t.told) == (True, Reason.COWS_ASTRAY)


def test_a_camera_that_does_not_answer_does_not_hold_up_the_blame() -> None:
    t = table("44412").cows({"6": 2}).wait(3.2)
    assert t.state.cows.is_told


def test_dice_found_misread_are_corrected_instead_of_blaming_the_player() -> None:
    t = table("44412").cows({"6": 2}).wait(2.1)
    t.look(lying("66412"))
    assert "correct dice 12466 by camera" in t.written()
    assert t.phase == "waiting" or t.state.game.turns


def test_dice_that_moved_meanwhile_do_not_correct_anything() -> None:
    t = table("44412").cows({"6": 2}).wait(2.1)
    t.look(lying("66412", (0.6, 1.6, 2, 3, 4)))
    assert t.written() == []
    assert t.state.cows.is_told


def test_a_wrong_cow_put_back_goes_on() -> None:
    t = table("44412").cows({"6": 2}).wait(4).cows()
    assert (t.phase, t.told, t.written()) == ("rolled", None, [])


def test_every_wrong_cow_is_named() -> None:
    t = table("44412").cows({"6": 2, "chance": -1, "straights": 5})
    astray = t.state.cows.verdict.astray
    assert [cow.beam.value for cow in astray] == ["chance", "6", "straights"]
    assert [cow.at for cow in astray] == [
        (Cell(Beam.CHANCE, -1),),
        (Cell(Beam.SIX, 2),),
        (Cell(Beam.STRAIGHTS, 5),),
    ]


def test_the_right_first_cow_is_not_sent_home_with_the_wrong_second() -> None:
    t = table("33551").cows({"3": 2, "4": 2})
    assert [cow.beam.value for cow in t.state.cows.verdict.astray] == ["4"]


def test_a_cow_on_another_beam_is_named_with_the_cell_it_stands_on() -> None:
    t = table("44412").cows({"6": None}, extra=(Cell(Beam.FIVE, 3),))
    (cow,) = t.state.cows.verdict.astray
    assert (cow.beam, cow.at, cow.home) == (Beam.SIX, (Cell(Beam.FIVE, 3),), Cell(Beam.SIX, 0))


def test_two_neighbouring_cells_are_a_cow_between_them() -> None:
    t = table("44412").cows({"4": 1}, extra=(Cell(Beam.FOUR, 2),))
    assert t.phase == "moving"
    t.cows({"4": 3})
    assert t.written() == ["pull triple 4"]


def test_a_cow_lifted_and_put_back_changes_nothing() -> None:
    t = table("44412").cows({"4": None})
    assert t.phase == "moving"
    t.cows()
    assert (t.phase, t.written()) == ("rolled", [])


def test_a_pull_the_wrong_way_is_wrong() -> None:
    assert table("44412").cows({"4": -3}).phase == "wrong"


def test_a_cow_moved_before_any_roll_is_led_home() -> None:
    t = Table(turn_game()).cows({"4": 3})
    assert t.phase == "to roll"
    t.wait(2.1)
    assert (t.told, t.state.cows.verdict.astray[0].beam) == (Reason.LEAD_HOME, Beam.FOUR)


def test_an_illegal_pull_becomes_legal_with_the_next_roll() -> None:
    t = table("11236").cows({"4": 2})
    assert t.phase == "wrong"
    t.throw("44356")
    assert "pull pair 4" in t.wait(2).written()


def test_a_roll_not_yet_read_holds_the_cows_until_it_is() -> None:
    t = table("44412").settle(lying("44")).roll().cows({"4": 3})
    assert t.written() == []
    t.settle(lying("44561"))
    assert t.phase == "wrong"


def test_the_winning_cow_ends_the_game_in_the_same_step() -> None:
    t = table("44412", {"1": 6, "2": 7, "4": 3}).cows({"4": 6})
    assert t.written() == ["pull triple 4", "end white cows home"]
    assert (t.phase, t.told) == ("over", Reason.WON)


class TestTakeBack:
    def test_moving_the_cow_back_takes_the_pull_back(self) -> None:
        t = table("44412").cows({"4": 3})
        t.written()
        t.scan(frozenset(t.state.cows.occupied or ()) - {Cell(Beam.FOUR, 3)} | {Cell(Beam.FOUR, 0)})
        assert t.wait(1.0).written() == []
        assert t.wait(0.6).written() == ["take back by hand"]
        assert (t.phase, t.state.game.mover, t.state.game.roll) == ("rolled", Side.WHITE, 1)

    def test_sliding_on_to_another_legal_cell_changes_the_pull(self) -> None:
        t = table("44412").cows({"4": 2}).wait(2)
        assert t.written() == ["pull pair 4"]
        t.cows({"4": 3}).wait(2)
        assert t.written() == ["take back by hand", "pull triple 4"]
        assert (t.told, t.state.game.mover) == (Reason.PULL_CHANGED, Side.BLACK)

    def test_once_the_opponent_has_rolled_a_cow_moved_back_is_wrong(self) -> None:
        t = table("44412").cows({"4": 3}).throw("12356")
        t.written()
        t.cows({"4": 0}).wait(5)
        assert t.written() == []

    def test_by_command_the_cows_are_led_home_before_anything_counts(self) -> None:
        t = table("44412").cows({"4": 3})
        t.written()
        t.say("undo")
        assert t.written() == ["take back by page"]
        assert t.phase == "wrong"
        t.cows({"4": 3}).wait(3)
        assert (t.written(), t.told) == ([], Reason.LEAD_HOME)
        t.cows()
        assert t.phase == "rolled"
        t.cows({"4": 3})
        assert t.written() == ["pull triple 4"]

    def test_a_forfeit_can_be_taken_back_and_the_misread_dice_corrected(self) -> None:
        t = Table(turn_game()).settle(()).throw("12356").throw("12456").throw("12356")
        t.say("undo")
        assert (t.phase, t.state.game.roll) == ("rolled", 3)
        t.say("correct_dice", dice="12355")
        assert [pull.name for pull in t.state.game.pulls] == ["pair 5"]

    def test_a_win_can_be_taken_back_with_its_pull(self) -> None:
        t = table("44412", {"1": 6, "2": 7, "4": 3}).cows({"4": 6}).say("undo")
        assert (t.state.game.roll, t.state.game.turns) == (1, ())

    def test_nothing_to_take_back_is_refused_in_one_line(self) -> None:
        t = Table(turn_game()).say("undo")
        assert len(t.refusals) == 1


class TestCorrections:
    def test_dice(self) -> None:
        t = table("44412").say("correct_dice", dice="44422")
        assert t.written() == ["correct dice 22444 by page"]
        assert "full house 4 2" in [pull.name for pull in t.state.game.pulls]

    def test_mover(self) -> None:
        t = table("44412").say("correct_mover", mover="black")
        assert (t.phase, t.state.game.mover, t.state.game.roll) == ("to roll", Side.BLACK, 0)

    def test_cows_are_then_compared_with_the_board(self) -> None:
        t = table("44412").say("correct_cows", position="0,0,2,0,0,0,0,0,0 w")
        assert t.state.game.position == parse_position("0,0,2,0,0,0,0,0,0 w")
        assert t.phase == "wrong"
        t.cows()
        assert t.phase == "rolled"


class TestBoards:
    def test_without_sensors_the_pull_is_chosen_on_the_page(self) -> None:
        t = Table(turn_game(), sensors=False).settle(()).throw("44412").say("choose_pull", pull="triple 4")
        assert t.written()[-1] == "pull triple 4"

    def test_without_sensors_the_knob_chooses_and_done_makes_the_pull(self) -> None:
        t = Table(turn_game(), sensors=False).settle(()).throw("44412")
        names = [pull.name for pull in t.state.game.pulls]
        t.say("knob", steps=1)
        assert t.state.chosen == names[0]
        t.say("knob", steps=-1).say("done")
        assert t.written()[-1] == f"pull {names[-1]}"

    def test_with_sensors_a_choice_only_marks_the_pull(self) -> None:
        t = table("44412").say("choose_pull", pull="pair 4")
        assert (t.state.chosen, t.written()) == ("pair 4", [])

    def test_a_pulled_cable_keeps_the_turn_and_its_return_compares_the_cows(self) -> None:
        t = table("44412").cows({"4": None})
        t.give(BoardLost("unplugged", t.tick()))
        assert (t.phase, t.told) == ("rolled", Reason.BOARD_LOST)
        t.give(BoardArrived("test", SENSORS, t.tick())).cows({"6": 1})
        assert t.phase == "wrong"

    def test_a_pull_made_while_the_cable_was_out_counts_when_the_board_is_back(self) -> None:
        t = table("44412")
        t.give(BoardLost("unplugged", t.tick())).give(BoardArrived("test", SENSORS, t.tick()))
        t.cows({"4": 3})
        assert t.written() == ["pull triple 4"]


class TestPauseAndEnd:
    def test_paused_nothing_counts_and_resuming_looks_at_the_board(self) -> None:
        t = table("44412").say("pause").cows({"4": 3}).wait(9)
        assert (t.phase, t.written()) == ("paused", [])
        t.say("resume")
        assert t.written() == ["pull triple 4"]

    def test_paused_other_commands_are_refused(self) -> None:
        t = table("44412").say("pause").say("undo")
        assert t.refusals == ["The game is paused: resume it first."]

    def test_resigning_ends_the_game_for_the_other_side(self) -> None:
        t = table("44412").say("resign")
        assert t.written() == ["end black resigned"]
        assert t.phase == "over"

    def test_a_new_game_leads_the_cows_home(self) -> None:
        t = table("44412", {"1": 3}).cows({"4": 3}).say("new_game")
        assert (t.phase, len(t.state.cows.verdict.astray)) == ("opening", 2)
        t.cows()
        assert t.state.cows.verdict.astray == ()


class TestWhoIsRight:
    """The second look mends what the camera misread, never what a person has set."""

    def test_dice_that_a_person_corrected_are_not_corrected_back_by_the_camera(self) -> None:
        t = table("44412").say("correct_dice", dice="44422")
        t.written()
        t.cows({"6": 2}).wait(2.1)
        t.look(lying("44412"))
        assert t.written() == []
        assert t.told is Reason.COWS_ASTRAY

    def test_dice_of_a_roll_that_was_taken_back_do_not_come_back_by_a_second_look(self) -> None:
        t = table("11236").throw("44456").say("undo")
        t.written()
        t.cows({"6": 2}).wait(2.1)
        t.look(lying("44456"))
        assert t.written() == []
        assert t.state.game.roll == 1

    def test_dice_entered_by_hand_are_not_corrected_by_the_camera(self) -> None:
        t = Table(turn_game()).settle(lying("44412")).say("enter_dice", dice="33355")
        t.written()
        t.cows({"6": 2}).wait(2.1)
        t.look(lying("44412"))
        assert t.written() == []

    def test_a_fourth_throw_corrects_nothing_and_is_not_the_opponents_first(self) -> None:
        t = table("44356").throw("44356", (5, 6, 7, 8, 9)).throw("44356", (0, 1, 2, 3, 4))
        t.written()
        t.throw("66612", (5, 6, 7, 8, 9))
        t.cows({"6": 2}).wait(2.1)
        t.look(lying("66612", (5, 6, 7, 8, 9)))
        assert t.written() == []
        t.cows().cows({"4": 2}).wait(2)
        assert t.written() == ["pull pair 4"]
        t.roll().settle(lying("66612", (5, 6, 7, 8, 9)))
        assert t.written() == []


class TestAfterAnInterruption:
    def test_a_pull_taken_back_is_not_accepted_again_because_the_board_restarted(self) -> None:
        t = table("44412").cows({"4": 3}).say("undo")
        t.written()
        moved = t.state.cows.occupied
        assert moved is not None
        t.give(BoardLost("reset", t.tick())).give(BoardArrived("test", SENSORS, t.tick())).scan(moved)
        assert t.wait(5).written() == []
        t.cows()
        assert t.phase == "rolled"

    def test_after_a_power_cut_cows_are_led_home_before_a_pull_counts(self) -> None:
        before = table("44412").state.game
        t = Table(before, sensors=False)
        t.give(BoardArrived("test", SENSORS, t.tick())).cows({"4": 3})
        assert t.wait(5).written() == []
        assert t.told is Reason.LEAD_HOME
        t.cows().cows({"4": 3})
        assert t.written() == ["pull triple 4"]
