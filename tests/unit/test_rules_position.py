"""Beams, cells, dice, patterns, positions and their faults, outcomes, and the game by its name."""

from __future__ import annotations

from typing import Any

import pytest

from controller.errors import InputError
from controller.games.cosmic_cows import (
    ALL_DICE,
    BEAMS,
    Beam,
    Cell,
    Dice,
    Kind,
    OutcomeReason,
    Position,
    Rules,
    Side,
    Status,
    cells,
    cows_home,
    last_place,
    outcome,
    patterns,
    start_position,
    status,
    whole_patterns,
    zone_start,
)
from controller.games.game import GAME_NAMES, Game, game_named
from tests.support.rules_words import cows

LOCK = Rules(lock_in=True)


def test_sides_know_their_opponent_direction_and_letter() -> None:
    assert [(side.other, side.sign, side.letter) for side in Side] == [
        (Side.BLACK, 1, "w"),
        (Side.WHITE, -1, "b"),
    ]


def test_the_board_has_139_cells_beam_by_beam_from_blacks_end_to_whites() -> None:
    board = cells()

    assert len(board) == len(set(board)) == 139
    assert board[0] == (Beam.CHANCE, -8)
    assert board[16:18] == (Cell(Beam.CHANCE, 8), Cell(Beam.ONE, -8))
    assert [cell.place for cell in board if cell.beam is Beam.SUPER] == [-1, 0, 1]
    assert board[-1] == (Beam.STRAIGHTS, 8)


def test_win_zones_are_the_last_three_cells_and_one_on_the_super_beam() -> None:
    assert (zone_start(Beam.SIX), last_place(Beam.SIX)) == (6, 8)
    assert (zone_start(Beam.SUPER), last_place(Beam.SUPER)) == (1, 1)


@pytest.mark.parametrize("text", ["3:+2", "3:0", "super:-1", "straights:+8", "chance:-8"])
def test_a_cells_text_reads_back(text: str) -> None:
    assert str(Cell.parse(text)) == text


def test_every_cell_of_a_small_board_reads_back() -> None:
    rules = Rules(beam_length=11)

    assert [Cell.parse(str(cell), rules) for cell in cells(rules)] == list(cells(rules))


@pytest.mark.parametrize(
    "text", ["", "3", "3:2", "3:+0", "3:-0", "3:+02", "7:+1", "super:+2", "3:+9", "3:+2 ", "three:+2", "3:+²", None]
)
def test_what_is_no_cell_is_refused(text: Any) -> None:
    with pytest.raises(InputError, match="cell"):
        Cell.parse(text)


def test_a_cell_off_a_small_board_is_refused_with_the_places_it_has() -> None:
    with pytest.raises(InputError, match=r"places -5 to \+5 on beam 3"):
        Cell.parse("3:+6", Rules(beam_length=11))


def test_dice_are_held_ascending_with_their_total_and_counts() -> None:
    dice = Dice((6, 2, 2, 5, 1))

    assert dice.faces == (1, 2, 2, 5, 6)
    assert dice.total == 16
    assert dice.counts == (0, 1, 2, 0, 0, 1, 1)
    assert dice == Dice((1, 2, 2, 5, 6))
    assert len({dice, Dice((1, 2, 2, 5, 6))}) == 1


@pytest.mark.parametrize("faces", [(), (1, 2, 3, 4), (1, 2, 3, 4, 5, 6), (0, 1, 2, 3, 4), (1, 2, 3, 4, 7)])
def test_dice_are_five_faces_from_1_to_6(faces: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="five faces"):
        Dice(faces)


@pytest.mark.parametrize("faces", [(1.0, 2, 3, 4, 5), (True, 2, 3, 4, 5), ("1", 2, 3, 4, 5)])
def test_a_face_is_a_whole_number(faces: Any) -> None:
    with pytest.raises(InputError, match="five faces"):
        Dice(faces)


def test_252_kinds_of_dice_make_7776_throws() -> None:
    assert len(set(ALL_DICE)) == 252
    assert sum(dice.weight for dice in ALL_DICE) == 7776
    assert (Dice((1, 1, 1, 1, 1)).weight, Dice((1, 2, 3, 4, 5)).weight, Dice((2, 2, 3, 3, 3)).weight) == (1, 120, 10)


# Of 7,776 throws; counted by hand from the ways to choose faces and dice.
@pytest.mark.parametrize(
    ("kind", "throws"),
    [
        (Kind.FIVE, 6),
        (Kind.SUPER, 6),
        (Kind.FOUR, 6 + 150),
        (Kind.TRIPLE, 6 + 150 + 300 + 1200),
        (Kind.FULL_HOUSE, 300),
        (Kind.TWO_PAIR, 300 + 1800),
        (Kind.PAIR, 7776 - 720),
        (Kind.LARGE_STRAIGHT, 240),
        (Kind.SMALL_STRAIGHT, 1200),
        (Kind.CHANCE, 7776),
    ],
)
def test_each_kind_of_combination_lies_in_its_share_of_the_throws(kind: Kind, throws: int) -> None:
    holding = [dice for dice in ALL_DICE if any(pattern.kind is kind for pattern in patterns(dice))]

    assert sum(dice.weight for dice in holding) == throws


def test_patterns_come_by_kind_then_face_and_never_twice() -> None:
    order = list(Kind)
    for dice in ALL_DICE:
        found = patterns(dice)
        keys = [(order.index(pattern.kind), pattern.faces) for pattern in found]

        assert keys == sorted(set(keys))


def test_whole_patterns_are_some_of_the_patterns_and_keep_chance() -> None:
    for dice in ALL_DICE:
        whole = whole_patterns(dice)

        assert set(whole) <= set(patterns(dice))
        assert whole[-1].kind in (Kind.CHANCE, Kind.SUPER)


def test_every_cow_starts_in_the_centre() -> None:
    position = start_position(Side.BLACK)

    assert position == Position((0,) * 9, Side.BLACK)
    assert {position.place(beam) for beam in BEAMS} == {0}


def test_a_position_changes_into_another_and_stays_itself() -> None:
    position = start_position(Side.WHITE)
    other = position.with_places({Beam.THREE: 2, Beam.SUPER: -1}).with_mover(Side.BLACK)

    assert position.places == (0,) * 9
    assert other.places == (0, 0, 0, 2, -1, 0, 0, 0, 0)
    assert other.mover is Side.BLACK


def test_a_locked_cow_that_is_set_elsewhere_is_free_again() -> None:
    position = cows(locked="3 5", three=8, five=8)

    assert position.with_places({Beam.THREE: 7, Beam.ONE: 1}).locked == {Beam.FIVE}
    assert position.with_places({Beam.THREE: 8}).locked == {Beam.THREE, Beam.FIVE}


def test_mirroring_swaps_the_seats() -> None:
    position = cows(Side.WHITE, locked="3", three=8, one=-2)

    assert position.mirrored() == cows(Side.BLACK, locked="3", three=-8, one=2)


@pytest.mark.parametrize(
    ("position", "rules", "faults"),
    [
        (start_position(Side.WHITE), Rules(), Status.SOUND),
        (Position((0,) * 8, Side.WHITE), Rules(), Status.WRONG_COUNT),
        (cows(three=9), Rules(), Status.OFF_BEAM),
        (cows(three=-7), Rules(beam_length=13), Status.OFF_BEAM),
        (cows(super_=2), Rules(), Status.SUPER_OFF_BEAM),
        (cows(locked="3", three=8), Rules(), Status.LOCK_NOT_PLAYED),
        (cows(locked="3", three=8), LOCK, Status.SOUND),
        (cows(locked="3", three=7), LOCK, Status.LOCKED_ELSEWHERE),
        (cows(locked="super", super_=1), LOCK, Status.SUPER_LOCKED),
        (cows(Side.BLACK, one=6, two=6, three=6), Rules(), Status.SOUND),
        (cows(Side.WHITE, one=6, two=6, three=6), Rules(), Status.MOVER_HAS_WON),
        (
            cows(one=6, two=6, three=6, four=-6, five=-6, six=-6),
            Rules(),
            Status.BOTH_WON | Status.MOVER_HAS_WON,
        ),
        (
            cows(locked="3 super", three=12, super_=-2),
            Rules(),
            Status.OFF_BEAM
            | Status.SUPER_OFF_BEAM
            | Status.LOCK_NOT_PLAYED
            | Status.SUPER_LOCKED
            | Status.LOCKED_ELSEWHERE,
        ),
    ],
)
def test_status_tells_every_fault_at_once(position: Position, rules: Rules, faults: Status) -> None:
    assert status(position, rules) == faults


def test_cows_home_are_listed_in_board_order_for_each_side() -> None:
    position = cows(straights=8, super_=1, one=6, two=5, four=-6)

    assert cows_home(position, Side.WHITE) == (Beam.ONE, Beam.SUPER, Beam.STRAIGHTS)
    assert cows_home(position, Side.BLACK) == (Beam.FOUR,)


@pytest.mark.parametrize(
    ("position", "side"),
    [
        (cows(Side.BLACK, one=6, two=7, three=8), Side.WHITE),
        (cows(Side.BLACK, one=6, two=7, super_=1), Side.WHITE),
        (cows(Side.WHITE, one=-6, two=-7, super_=-1), Side.BLACK),
        (cows(Side.BLACK, one=6, two=7, three=5), None),
        (cows(Side.WHITE, one=6, two=6, three=-6), None),
        # No game leads to two winners; of two the one who moved last had it.
        (cows(Side.BLACK, one=6, two=6, three=6, four=-6, five=-6, six=-6), Side.WHITE),
        (cows(Side.WHITE, one=6, two=6, three=6, four=-6, five=-6, six=-6), Side.BLACK),
    ],
)
def test_three_cows_home_end_the_game(position: Position, side: Side | None) -> None:
    won = outcome(position)

    assert (won.side if won else None) is side
    assert won is None or won.reason is OutcomeReason.COWS_HOME


def play_first_pulls(game: Game[Any, Any, Any], position: str, throws: list[str]) -> str:
    """What any game's user does: text in, text out, nothing known of cows."""
    now = game.parse(position)
    for throw in throws:
        now = game.apply(now, game.legal(now, game.parse_dice(throw))[0])
    return game.format(now)


def test_cosmic_cows_is_a_game_the_table_can_play() -> None:
    game = game_named("cosmic-cows")

    assert play_first_pulls(game, "0,0,0,0,0,0,0,0,0 w", ["33346", "55555"]) == "0,0,0,2,-1,0,0,0,0 w"
    assert game.outcome(game.parse("0,0,0,0,0,0,0,0,0 w")) is None
    ending = game.outcome(game.parse("0,6,6,6,0,0,0,0,0 b"))
    assert ending is not None
    assert (ending.side, ending.reason) == ("white", "cows home")


def test_a_game_is_played_by_the_house_rules_it_was_made_with() -> None:
    game = game_named("cosmic-cows", {"cows_to_win": 2})

    assert game.outcome(game.parse("0,6,6,0,0,0,0,0,0 b")) is not None


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"chess.*cosmic-cows"):
        game_named("chess")
    for name in GAME_NAMES:
        game_named(name)
