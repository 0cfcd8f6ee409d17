"""Lights, words and view over any position, throw and misplaced cow."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from controller.games.cosmic_cows import BEAMS, Beam, Cell, Rules, Side, cells, last_place
from controller.table.game import ending
from controller.table.lights import Colour, Motion, Shown, cell_lights, lights, shown
from controller.table.meanings import LOOKS, Meaning, Place
from controller.table.offers import offered
from controller.table.state import Notice, Phase, Reason, TurnState
from controller.table.view import public_view
from controller.table.words import Names, notice_sentence, sentence
from tests.support.states import coached, magnet, mirrored, on_led_board, played, with_cows

NAMES = Names("Ann", "Bo")
RESTING = (Phase.TO_ROLL, Phase.ROLLING, Phase.REFUSED, Phase.TOUCHED, Phase.PAUSED)


@st.composite
def states(draw: st.DrawFn, lengths: tuple[int, ...] = (17,)) -> TurnState:
    """A turn anywhere in a game, with up to three cows moved, lifted or misplaced."""
    rules = Rules(beam_length=draw(st.sampled_from(lengths)), lock_in=draw(st.booleans()))
    last = {beam: last_place(beam, rules) for beam in BEAMS}
    places = {beam.value: draw(st.integers(-last[beam], last[beam])) for beam in BEAMS}
    mover = draw(st.sampled_from(Side))
    throws = draw(st.lists(st.text("123456", min_size=5, max_size=5), max_size=3))
    if ending(played(places=places, mover=mover, rules=rules)) is not None:
        throws = []  # nobody throws in a game that is won
    game = played(*throws, places=places, mover=mover, rules=rules)
    state = magnet(game, Phase.ROLLED if throws else Phase.TO_ROLL)
    if bool(state.game.pulls) and draw(st.booleans()):
        state = replace(state, chosen=draw(st.sampled_from([pull.name for pull in state.game.pulls])))
    if bool(throws) and draw(st.booleans()):
        pulls = st.sampled_from([pull.name for pull in state.game.pulls]) if state.game.pulls else st.none()
        beams = draw(st.lists(st.sampled_from(BEAMS), max_size=2, unique=True))
        state = coached(state, pull=draw(pulls)) if draw(st.booleans()) else coached(state, keep="", beams=beams)
    moved = {
        beam.value: draw(st.none() | st.integers(-last[beam], last[beam]))
        for beam in draw(st.lists(st.sampled_from(BEAMS), max_size=3, unique=True))
    }
    state = with_cows(state, moved, is_told=draw(st.booleans()), must_return=draw(st.booleans()))
    if draw(st.booleans()):
        state = replace(state, phase=draw(st.sampled_from(RESTING)))
    if draw(st.booleans()):
        state = replace(state, notice=Notice(draw(st.sampled_from(Reason))))
    return on_led_board(state) if draw(st.integers(0, 3)) == 0 else state


def by_cell(state: TurnState) -> dict[Cell, Shown]:
    found = zip(cells(state.game.rules), shown(state), strict=True)
    return {cell: mark for cell, mark in found if mark is not None}


@given(states())
def test_the_mirrored_state_has_the_mirrored_lights(state: TurnState) -> None:
    there = {Cell(cell.beam, -cell.place): mark for cell, mark in by_cell(mirrored(state)).items()}
    assert there == {
        cell: Shown(mark.meaning, None if mark.side is None else mark.side.other)
        for cell, mark in by_cell(state).items()
    }


@given(states())
def test_mirrored_lights_swap_the_players_colours_and_the_way_of_a_chase_only(state: TurnState) -> None:
    chases = {Motion.CHASE_TO_WHITE: Motion.CHASE_TO_BLACK, Motion.CHASE_TO_BLACK: Motion.CHASE_TO_WHITE}
    sides = {Colour.WHITE: Colour.BLACK_SIDE, Colour.BLACK_SIDE: Colour.WHITE}
    here, there = lights(state), lights(mirrored(state))
    for cell, mark, light in zip(cells(), shown(state), here, strict=True):
        across = there[cells().index(Cell(cell.beam, -cell.place))]
        assert across.motion is chases.get(light.motion, light.motion)
        is_side_coloured = mark is not None and LOOKS[mark.meaning].colour == "the player's"
        assert across.colour is (sides[light.colour] if is_side_coloured else light.colour)


@given(states(lengths=(9, 13, 17, 21)))
def test_every_plan_has_139_lights_and_one_for_each_cell_of_the_page(state: TurnState) -> None:
    assert len(lights(state)) == 139
    assert len(cell_lights(state)) == len(cells(state.game.rules))


@given(states())
def test_every_offered_pull_has_its_landing_lit(state: TurnState) -> None:
    marks = by_cell(state)
    followed = state.cows.occupied if state.cows.are_followed else None
    shown_as = (Meaning.LANDING, Meaning.CHOSEN, Meaning.CAN_LOCK, Meaning.BEST, Meaning.AIMED)
    for pull in offered(state):
        for beam, spaces in pull.cows:
            landing = Cell(beam, state.game.position.place(beam) + state.game.mover.sign * spaces)
            is_there = followed is not None and landing in followed and spaces > 0
            assert is_there or marks[landing].meaning in shown_as


@given(states())
def test_no_landing_is_lit_that_no_offered_pull_has(state: TurnState) -> None:
    sign, position = state.game.mover.sign, state.game.position
    landings = {
        Cell(beam, position.place(beam) + sign * spaces) for pull in offered(state) for beam, spaces in pull.cows
    }
    shown_as = (Meaning.LANDING, Meaning.CHOSEN, Meaning.BEST)
    lit = {cell for cell, mark in by_cell(state).items() if mark.meaning in shown_as}
    assert lit <= landings


@given(states())
def test_every_cow_the_sensors_see_is_lit(state: TurnState) -> None:
    if state.cows.occupied is not None:
        marks = by_cell(state)
        assert all(cell in marks for cell in state.cows.occupied)


@given(states())
def test_one_motion_on_one_kind_of_place_means_one_thing(state: TurnState) -> None:
    """Without any colour the meaning can be read back from where a light is and how it moves."""
    meaning_of = {(look.place, look.motion): meaning for meaning, look in LOOKS.items()}
    for mark in by_cell(state).values():
        look = LOOKS[mark.meaning]
        assert meaning_of[(look.place, look.motion)] is mark.meaning


@given(states())
def test_a_lone_cows_light_is_where_a_cow_is(state: TurnState) -> None:
    """What stands for a cow never lights an empty cell."""
    cows = state.cows.occupied
    if cows is None:
        cows = frozenset(map(Cell, BEAMS, state.game.position.places))
    on_cows = {cell for cell, mark in by_cell(state).items() if LOOKS[mark.meaning].place is Place.COW}
    assert on_cows <= cows


@given(states(lengths=(9, 13, 17, 21)))
def test_words_are_one_line_that_ends_with_a_stop(state: TurnState) -> None:
    for text in (sentence(state, NAMES), notice_sentence(state, NAMES)):
        if text is not None:
            assert text.endswith(".")
            assert not {"\n", "{", "}"} & set(text)
            assert "  " not in text


@given(states(lengths=(9, 13, 17, 21)))
def test_the_public_state_is_plain_json(state: TurnState) -> None:
    shown_state = public_view(state, NAMES, "1")
    assert json.loads(json.dumps(shown_state)) == shown_state


@given(states())
def test_a_beam_name_is_read_as_a_beam(state: TurnState) -> None:
    """The page finds each beam, pull and wrong cow by the same nine names."""
    public = public_view(state, NAMES, "1")
    names = {beam.value for beam in Beam}
    assert {beam["beam"] for beam in public["beams"]} == names
    assert {beam for pull in public["pulls"] for beam in pull["to"]} <= names
    assert {cow["beam"] for cow in public["wrong"]} <= names
