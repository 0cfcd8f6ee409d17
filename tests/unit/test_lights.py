"""Laws of the light plan: what is lit, where, and that nothing is said by colour alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations

import pytest

import firmware_bridge.lights as board
from controller.games.cosmic_cows import Beam, Cell, Rules, Side, cells
from controller.table.entries import EndReason
from controller.table.events import SeenDie
from controller.table.lights import DARK, Colour, Light, Motion, Shown, cell_lights, lights, shown
from controller.table.meanings import LOOKS, REASON_MEANINGS, Meaning
from controller.table.state import Cows, Notice, Phase, Reason, Tray, TurnState
from firmware_bridge.power import lights_budget_ma, plan_ma
from tests.support.states import MIDGAME, SCENES, magnet, mirrored, on_led_board, played, with_cows

EDGE_BEAMS = ("chance", "1", "2", "3", "4", "5", "6", "straights")


def meant(state: TurnState) -> dict[str, Shown]:
    """What each lit cell means, by the cell's text."""
    found = zip(cells(state.game.rules), shown(state), strict=True)
    return {str(cell): mark for cell, mark in found if mark is not None}


def meanings(state: TurnState) -> dict[str, Meaning]:
    return {cell: mark.meaning for cell, mark in meant(state).items()}


def where(state: TurnState, meaning: Meaning) -> set[str]:
    return {cell for cell, found in meanings(state).items() if found is meaning}


def edge(side: Side, last: int = 8) -> set[str]:
    return {str(Cell(Beam(beam), side.sign * last)) for beam in EDGE_BEAMS}


def light_at(state: TurnState, cell: str) -> Light:
    return lights(state)[cells().index(Cell.parse(cell))]


# --- the vocabulary ---------------------------------------------------------------------------------------------------


def test_colours_and_motions_are_those_of_the_board() -> None:
    assert tuple(colour.value for colour in Colour) == tuple(colour.value for colour in board.Colour)
    assert tuple(motion.value for motion in Motion) == tuple(motion.value for motion in board.Motion)


@pytest.mark.parametrize("name", SCENES)
def test_a_board_takes_every_plan(name: str) -> None:
    plan = board.light_plan((light.colour.value, light.motion.value) for light in lights(SCENES[name]))
    assert len(plan) == 139


def test_every_meaning_has_a_look_with_a_sentence() -> None:
    assert set(LOOKS) == set(Meaning)
    assert all(look.when and look.sentence.endswith(".") for look in LOOKS.values())


@pytest.mark.parametrize(("one", "other"), list(combinations(Meaning, 2)))
def test_two_meanings_never_differ_by_colour_alone(one: Meaning, other: Meaning) -> None:
    assert (LOOKS[one].place, LOOKS[one].motion) != (LOOKS[other].place, LOOKS[other].motion)


def test_every_meaning_is_shown_by_some_scene() -> None:
    lockable = magnet(played("11346", places={"1": 8}, rules=Rules(lock_in=True)), Phase.ROLLED)
    seen = {meaning for state in (*SCENES.values(), lockable) for meaning in meanings(state).values()}
    assert seen == set(Meaning)


def test_every_reason_has_a_light() -> None:
    assert set(REASON_MEANINGS) == set(Reason)


_STATES_TOLD: Mapping[Reason, str] = {
    Reason.TOUCHED: "touched",
    Reason.KEPT_CHANGED: "touched",
    Reason.NO_MORE_ROLLS: "rolled-last-black",
    Reason.TIE: "opening",
    Reason.STARTS: "to-roll-black",
    Reason.PULLED: "pulled",
    Reason.PULL_CHANGED: "pulled",
    Reason.FORFEITED: "forfeited",
    Reason.TAKEN_BACK: "to-roll-white",
    Reason.CORRECTED: "to-roll-white",
    Reason.DICE_CORRECTED: "rolled",
    Reason.NOT_FINISHED: "moving",
    Reason.NOT_ASKED: "rolled",
    Reason.NO_OPTION: "rolled-nothing",
    Reason.COWS_ASTRAY: "wrong-told",
    Reason.LEAD_HOME: "lead-home",
    Reason.BOARD_LOST: "to-roll-white",
    Reason.CAMERA_LOST: "camera-lost",
    Reason.BOARD_FAULT: "board-fault",
    Reason.COMPUTER_AWAY: "board-fault",
    Reason.WON: "won",
    Reason.DRAWN: "drawn",
    Reason.NEW_GAME: "opening",
}


@pytest.mark.parametrize("reason", Reason)
def test_a_told_reason_shows_its_light(reason: Reason) -> None:
    """Those not in the table above are refusals."""
    state = replace(SCENES[_STATES_TOLD.get(reason, "refused")], notice=Notice(reason))
    assert REASON_MEANINGS[reason] in meanings(state).values()


def test_scenes_that_mean_different_things_differ_without_any_colour() -> None:
    """What a person who sees no colours has: where light is, and how it moves."""
    seen: dict[tuple[str, ...], tuple[str, tuple[Shown | None, ...]]] = {}
    for name, state in SCENES.items():
        colourless = tuple("" if light == DARK else light.motion.value for light in lights(state))
        other, means = seen.setdefault(colourless, (name, shown(state)))
        assert means == shown(state), f"{name} and {other} differ by colour alone"


@pytest.mark.parametrize("seen_as", ["protanopia", "deuteranopia"])
def test_the_palette_can_be_told_apart_without_red_or_green(seen_as: str) -> None:
    """Field report 40; the matrices are those of Machado, Oliveira and Fernandes 2009 at full strength."""
    matrices = {
        "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
        "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    }

    def seen(colour: Colour) -> tuple[float, ...]:
        rgb = board.RGB[board.Colour(colour.value)]
        return tuple(sum(a * b for a, b in zip(row, rgb, strict=True)) for row in matrices[seen_as])

    families = ((Colour.WHITE,), (Colour.BLUE,), (Colour.ORANGE, Colour.AMBER))
    for one, other in combinations(families, 2):
        for a in one:
            for b in other:
                assert sum((x - y) ** 2 for x, y in zip(seen(a), seen(b), strict=True)) ** 0.5 > 100


def test_a_usual_scene_needs_no_dimming_on_a_two_ampere_supply() -> None:
    for state in SCENES.values():
        if state.phase is not Phase.OVER:
            plan = board.light_plan((light.colour.value, light.motion.value) for light in lights(state))
            assert plan_ma(plan) <= lights_budget_ma(2000, 300)


# --- throwing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", Side)
def test_the_edge_of_who_throws_breathes(side: Side) -> None:
    state = magnet(played(places=MIDGAME, mover=side), Phase.TO_ROLL)
    assert where(state, Meaning.THROW) == edge(side)
    assert {mark.side for mark in meant(state).values() if mark.meaning is Meaning.THROW} == {side}


def test_each_edge_has_its_players_colour() -> None:
    assert light_at(SCENES["opening"], "1:+8") == Light(Colour.WHITE, Motion.BREATHE)
    assert light_at(SCENES["opening"], "1:-8") == Light(Colour.BLACK_SIDE, Motion.BREATHE)


def test_in_the_opening_both_edges_breathe_then_only_the_one_who_is_missing() -> None:
    assert where(SCENES["opening"], Meaning.THROW) == edge(Side.WHITE) | edge(Side.BLACK)
    assert where(SCENES["opening-second"], Meaning.THROW) == edge(Side.BLACK)


def test_the_edge_goes_on_breathing_while_another_roll_is_allowed() -> None:
    assert where(SCENES["rolled"], Meaning.THROW) == edge(Side.WHITE) - where(SCENES["rolled"], Meaning.LANDING)
    assert where(SCENES["rolled-last-black"], Meaning.THROW) == set()


@pytest.mark.parametrize(
    ("scene", "meaning"),
    [("rolling", Meaning.ROLLING), ("refused", Meaning.REFUSED), ("touched", Meaning.TOUCHED)],
)
def test_what_the_dice_do_is_shown_on_the_throwers_edge(scene: str, meaning: Meaning) -> None:
    assert where(SCENES[scene], meaning) == edge(Side.WHITE)


def test_a_cow_on_the_edge_stays_visible() -> None:
    state = magnet(played(places={"2": 8}), Phase.TO_ROLL)
    assert meanings(state)["2:+8"] is Meaning.COW


def test_old_pulls_go_dark_while_dice_are_in_the_air() -> None:
    rolled = SCENES["rolled"]
    rolling = replace(rolled, phase=Phase.ROLLING, tray=replace(rolled.tray, is_moving=True, is_taken_up=True))
    assert where(rolling, Meaning.LANDING) == set()
    reaching = replace(rolled, phase=Phase.ROLLING, tray=replace(rolled.tray, is_moving=True))
    assert where(reaching, Meaning.LANDING) == where(rolled, Meaning.LANDING)


# --- pulls ------------------------------------------------------------------------------------------------------------


def test_a_pull_lights_from_the_cow_to_where_it_lands() -> None:
    state = SCENES["rolled"]
    assert where(state, Meaning.LANDING) == {"3:+2", "straights:+7"}
    assert where(state, Meaning.WAY) == {"3:+1", "straights:+5", "straights:+6"}


@pytest.mark.parametrize(("side", "motion"), [(Side.WHITE, Motion.CHASE_TO_WHITE), (Side.BLACK, Motion.CHASE_TO_BLACK)])
def test_a_way_runs_towards_who_rolled(side: Side, motion: Motion) -> None:
    state = magnet(played("33346", mover=side), Phase.ROLLED)
    assert light_at(state, str(Cell(Beam.THREE, side.sign))) == Light(Colour.BLUE, motion)


def test_two_pulls_of_one_cow_blink_on_both_cells() -> None:
    assert where(SCENES["rolled-last-black"], Meaning.LANDING) == {"4:-4", "4:-5", "6:-8", "chance:-6"}


def test_five_alike_light_the_super_beam_alone() -> None:
    assert where(SCENES["rolled-super"], Meaning.LANDING) == {"super:+1"}


def test_a_chosen_pull_pulses_and_only_its_ways_run() -> None:
    state = SCENES["led-chosen"]
    assert where(state, Meaning.CHOSEN) == {"5:+3"}
    assert where(state, Meaning.WAY) == {"5:+2"}
    assert where(state, Meaning.LANDING) == {"3:+2"}


def test_a_cow_on_its_way_shows_only_what_is_left_of_it() -> None:
    state = SCENES["moving"]
    assert where(state, Meaning.WAY) == set()
    assert where(state, Meaning.LANDING) == {"3:+2", "3:+3"}
    assert meanings(state)["3:+1"] is Meaning.COW
    assert "3:0" not in meanings(state)


def test_a_lifted_cow_keeps_its_landing_lit() -> None:
    assert "3:+2" in where(SCENES["moving-in-hand"], Meaning.LANDING)


def test_while_waiting_the_cow_that_stands_pulses_and_the_other_stays_lit() -> None:
    state = SCENES["waiting-second-cow"]
    assert where(state, Meaning.PULLED) == {"3:+2"}
    assert where(state, Meaning.LANDING) == {"5:+3"}
    assert where(state, Meaning.WAY) == {"5:+2"}


def test_the_last_pull_pulses_until_the_next_roll() -> None:
    assert where(SCENES["pulled"], Meaning.PULLED) == {"3:+2", "5:+3"}
    assert where(replace(SCENES["pulled"], notice=None), Meaning.PULLED) == set()


def test_a_cow_that_can_be_locked_where_it_stands_is_shown() -> None:
    state = magnet(played("11346", places={"1": 8}, rules=Rules(lock_in=True)), Phase.ROLLED)
    assert meant(state)["1:+8"] == Shown(Meaning.CAN_LOCK, Side.WHITE)


# --- wrong cows -------------------------------------------------------------------------------------------------------


def test_a_wrong_cow_blinks_at_once_and_is_led_home_once_told() -> None:
    assert where(SCENES["wrong"], Meaning.ODD) == {"4:+1"}
    assert where(SCENES["wrong"], Meaning.HOME) == where(SCENES["wrong"], Meaning.TRAIL) == set()
    told = SCENES["wrong-told"]
    assert where(told, Meaning.ODD) == {"4:+1"}
    assert where(told, Meaning.TRAIL) == {"4:0", "4:-1"}
    assert where(told, Meaning.HOME) == {"4:-2"}


def test_what_could_be_pulled_stays_lit_until_the_wrong_cow_is_told() -> None:
    assert where(SCENES["wrong"], Meaning.LANDING) == {"3:+2", "3:+3"}
    assert where(SCENES["wrong-told"], Meaning.LANDING) == set()


def test_a_cow_on_another_beam_blinks_there_and_its_home_breathes() -> None:
    state = SCENES["wrong-other-beam"]
    assert where(state, Meaning.ODD) == {"6:+3"}
    assert where(state, Meaning.HOME) == {"4:-2"}
    assert where(state, Meaning.TRAIL) == set()


def test_every_wrong_cow_is_led_home() -> None:
    state = SCENES["lead-home"]
    assert where(state, Meaning.HOME) == {"chance:-3", "2:+5", "6:-6"}
    assert where(state, Meaning.ODD) == {"2:0", "6:-1"}


def test_the_home_of_a_missing_cow_breathes_at_once() -> None:
    state = with_cows(SCENES["to-roll-white"], {"5": None})
    assert where(state, Meaning.HOME) == {"5:+1"}


def test_a_second_cell_of_one_beam_blinks_while_its_cow_stays() -> None:
    state = with_cows(SCENES["to-roll-white"], {}, ["5:+4"], is_told=True)
    assert where(state, Meaning.ODD) == {"5:+4"}
    assert meanings(state)["5:+1"] is Meaning.COW


def test_cows_set_back_by_hand_arent_called_wrong() -> None:
    state = with_cows(SCENES["pulled"], {"3": 0, "5": 1})
    state = replace(state, cows=replace(state.cows, amends=""))
    assert where(state, Meaning.ODD) == set()


def test_a_faulty_cell_is_marked_unless_its_name_is_unreadable() -> None:
    assert where(SCENES["board-fault"], Meaning.FAULT) == {"5:+4"}
    state = replace(SCENES["board-fault"], notice=Notice(Reason.BOARD_FAULT, (("cell", "9:+44"),)))
    assert where(state, Meaning.FAULT) == set()


# --- the end, the pause, other boards ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("scene", "side"), [("won", Side.WHITE), ("won-black", Side.BLACK)])
def test_the_winners_zone_sparkles_around_the_cows_in_it(scene: str, side: Side) -> None:
    state = SCENES[scene]
    zone = {cell for cell in map(str, cells()) if _is_in_zone(Cell.parse(cell), side)}
    cows = {cell for cell in zone if meanings(state).get(cell) is Meaning.COW}
    assert len(cows) == 3
    assert where(state, Meaning.WON) == zone - cows
    assert all(light_at(state, cell) == Light(Colour.WHITE, Motion.STEADY) for cell in cows)


def _is_in_zone(cell: Cell, side: Side) -> bool:
    return side.sign * cell.place >= (1 if cell.beam is Beam.SUPER else 6)


def test_a_forfeit_runs_off_the_zone_of_who_rolled() -> None:
    state = SCENES["forfeited"]
    assert {mark for mark in meant(state).values() if mark.meaning is Meaning.FORFEITED} == {
        Shown(Meaning.FORFEITED, Side.BLACK)
    }
    assert all(_is_in_zone(Cell.parse(cell), Side.WHITE) for cell in where(state, Meaning.FORFEITED))
    assert where(state, Meaning.THROW) == edge(Side.BLACK)


def test_a_pause_shows_sleeping_cows_and_a_still_centre_only() -> None:
    assert set(meanings(SCENES["paused"]).values()) == {Meaning.ASLEEP, Meaning.PAUSED}
    assert len(where(SCENES["paused"], Meaning.ASLEEP)) == 9


def test_an_abandoned_game_shows_its_cows_alone() -> None:
    ended = SCENES["drawn"].game.ended
    assert ended is not None
    game = replace(SCENES["drawn"].game, ended=replace(ended, reason=EndReason.ABANDONED))
    assert set(meanings(replace(SCENES["drawn"], game=game, notice=None)).values()) == {Meaning.COW}


def test_cows_are_bright_where_light_is_all_there_is_of_them() -> None:
    assert light_at(SCENES["to-roll-white"], "1:+2") == Light(Colour.DIM_WHITE)
    assert light_at(on_led_board(SCENES["to-roll-white"]), "1:+2") == Light(Colour.WHITE)


def test_cows_of_the_record_are_shown_until_the_sensors_have_told() -> None:
    state = replace(SCENES["to-roll-white"], cows=Cows(can=frozenset({"lights", "sensors"})))
    assert len(where(state, Meaning.COW)) == 9
    assert len(where(replace(state, cows=Cows()), Meaning.COW)) == 9


@pytest.mark.parametrize("length", [9, 11, 13, 17, 21, 33])
def test_a_board_of_any_length_gets_139_lights_with_its_centre_in_the_centre(length: int) -> None:
    rules = Rules(beam_length=length, win_zone=2)
    state = magnet(played("33346", rules=rules), Phase.ROLLED)
    plan = lights(state)
    assert len(plan) == 139
    assert len(cell_lights(state)) == len(cells(rules))
    assert light_at(state, "5:0") == Light(Colour.DIM_WHITE)
    assert light_at(state, "3:+1") == Light(Colour.BLUE, Motion.CHASE_TO_WHITE)
    if length < 17:
        last = length // 2
        assert light_at(state, f"1:+{last}").motion is Motion.BREATHE
        assert light_at(state, f"1:+{last + 1}") == DARK


def test_a_cow_beyond_a_short_games_edge_changes_nothing_and_breaks_nothing() -> None:
    """A 17-cell board in a game of 13: its sensors see more cells than the game has."""
    state = magnet(played(rules=Rules(beam_length=13)), Phase.TO_ROLL)
    seen = state.cows.occupied or frozenset()
    beyond = replace(state, cows=replace(state.cows, occupied=seen | {Cell(Beam.ONE, 8)}))
    assert lights(beyond) == lights(state)


def test_a_tray_of_any_content_changes_no_light() -> None:
    """Lights follow the phase; what the camera sees beside it is the page's affair."""
    seen = (SeenDie(4, "white", 0.1, 0.1, 0.05),)
    state = replace(SCENES["rolled"], tray=Tray(is_watched=True, seen=seen))
    assert lights(state) == lights(SCENES["rolled"])


@pytest.mark.parametrize("name", [name for name in SCENES if not name.startswith("led-")])
def test_each_scene_looks_the_same_from_the_other_end(name: str) -> None:
    state = SCENES[name]
    there = {
        str(Cell(Cell.parse(cell).beam, -Cell.parse(cell).place)): mark for cell, mark in meant(mirrored(state)).items()
    }
    assert there == {
        cell: Shown(mark.meaning, mark.side.other if mark.side else None) for cell, mark in meant(state).items()
    }
