"""Laws of the words: every phase and reason has some, one line each; places are told as players see them."""

from __future__ import annotations

import re
from dataclasses import replace
from string import Formatter

import pytest

from controller.errors import StateError
from controller.games.cosmic_cows import Beam, Cell, Rules, Side
from controller.table.entries import Ended, EndReason, Forfeit, Keep, OpeningThrow
from controller.table.game import Game, Stage, fold_all
from controller.table.meanings import Colour
from controller.table.naming import cell_words, join_words, place_words
from controller.table.phrases import ENGLISH
from controller.table.state import Notice, Phase, Reason, Tray, TurnState
from controller.table.words import Names, end_words, mend, notice_sentence, say, sentence
from tests.support.states import MIDGAME, SCENES, magnet, mirrored, on_led_board, played, tray_of, with_cows

NAMES = Names("Ann", "Bo")
RULES = Rules()

SENTENCES = {
    "opening": "Each player throws one die: the higher one starts.",
    "opening-second": "Ann threw 4: Bo, throw your die.",
    "to-roll-white": "Ann, throw all five dice.",
    "to-roll-black": "Bo, throw all five dice.",
    "rolling": "The dice are rolling.",
    "rolled": "Ann, roll 2 of 3: 1 2 3 3 4. Pull beam 3 by two cells or the straights cow by three cells, or pick dice"
    " up and roll again.",
    "rolled-last-black": "Bo, last roll: 4 4 4 6 6. Pull beam 4 by two or three cells, beam 6 by two cells, both or the"
    " chance cow by three cells.",
    "rolled-nothing": "Ann, roll 1 of 3: 1 2 3 5 6 pulls nothing, so pick dice up and roll again.",
    "rolled-two-pairs": "Ann, roll 2 of 3: 3 3 5 5 6. Pull beam 3 by two cells, beam 5 by two cells or both, or pick"
    " dice up and roll again.",
    "rolled-super": "Ann, roll 1 of 3: 4 4 4 4 4. Pull the super cow all the way, or pick dice up and roll again.",
    "keeping": "Ann keeps 3 3: throw the other three for roll 2 of 3.",
    "chosen": "Ann, two pair 3 5 is chosen: pull beam 3 by two cells and beam 5 by two cells.",
    "moving": "Ann, go on with the cow: beam 3 by two or three cells.",
    "moving-in-hand": "Ann, go on with the cow: beam 3 by two cells or both beam 3 and beam 5.",
    "waiting-longer": "Pair 3 stands: go on to triple 3, or press done.",
    "waiting-second-cow": "Pair 3 stands: pull beam 5's cow too, or press done.",
    "wrong-told": "Beam 4's cow stands 1 towards Ann and belongs 2 towards Bo: put it back.",
    "wrong-other-beam": "Beam 4's cow stands on beam 6, 3 towards Ann, and belongs 2 towards Bo: put it back.",
    "refused": "A die leans: nudge it until it lies flat.",
    "touched": "A die was touched after it was read: turn it back as it was, or press done if that was a roll.",
    "lead-home": "Three cows stand wrong: put those of the chance beam, beam 2 and beam 6 on the cells that breathe.",
    "paused": "Paused: dice and cows don't count until the game is resumed.",
    "camera-lost": "Ann, throw all five dice and enter them.",
    "won": "Ann wins with three cows home: 2, super and straights.",
    "drawn": "A draw: the turn limit is reached and nobody leads.",
    "led-rolled": "Ann, roll 2 of 3: 3 3 5 5 6. Choose a pull: beam 3 by two cells, beam 5 by two cells or both, or"
    " pick dice up and roll again.",
    "led-chosen": "Ann, pair 5 is chosen: press done to pull beam 5 by two cells.",
}


@pytest.mark.parametrize("name", SENTENCES)
def test_a_scene_says_what_to_do_now(name: str) -> None:
    assert sentence(SCENES[name], NAMES) == SENTENCES[name]


def test_scenes_cover_every_phase() -> None:
    assert {state.phase for state in SCENES.values()} == set(Phase)


def is_a_sentence(text: str) -> bool:
    return text.endswith(".") and "\n" not in text and text[0].isupper() and not re.search(r"[{}]| {2}|\.\.", text)


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("reason", [None, *Reason])
def test_any_phase_with_any_notice_is_told_in_one_line(phase: Phase, reason: Reason | None) -> None:
    """Also those that no table reaches: what is said must never stop the table."""
    notice = None if reason is None else Notice(reason)
    for name in ("opening", "to-roll-white", "rolled", "wrong-told", "won", "drawn", "led-rolled"):
        state = replace(SCENES[name], phase=phase, notice=notice)
        assert is_a_sentence(sentence(state, NAMES))


@pytest.mark.parametrize("reason", Reason)
def test_a_reason_is_told_even_without_its_words(reason: Reason) -> None:
    for state in SCENES.values():
        told = notice_sentence(replace(state, notice=Notice(reason)), NAMES)
        assert told is not None
        assert is_a_sentence(told)
        odd = (("side", "green"), ("pull", ""), ("faces", ""), ("cell", "x"), ("fault", "y"), ("what", "z"))
        told = notice_sentence(replace(state, notice=Notice(reason, odd)), NAMES)
        assert told is not None


def test_what_needs_a_hand_has_a_mend() -> None:
    nothing_to_mend = {
        Reason.STARTS,
        Reason.PULLED,
        Reason.PULL_CHANGED,
        Reason.FORFEITED,
        Reason.CORRECTED,
        Reason.DICE_CORRECTED,
        Reason.WON,
        Reason.DRAWN,
    }
    assert {reason for reason in Reason if mend(reason) is None} == nothing_to_mend
    assert all(is_a_sentence(mend(reason) or "") for reason in set(Reason) - nothing_to_mend)


@pytest.mark.parametrize(
    ("scene", "notice", "told"),
    [
        ("to-roll-white", Notice(Reason.STARTS, (("side", "black"),)), "Bo starts."),
        ("pulled", Notice(Reason.PULLED, (("side", "white"), ("pull", "pair 3"))), "Ann pulled pair 3."),
        ("pulled", Notice(Reason.PULL_CHANGED, (("side", "white"), ("pull", "pair 5"))), "Ann's pull is pair 5 now."),
        ("forfeited", None, "Ann's turn is forfeit: 1 2 4 5 6 pulls nothing."),
        ("refused", Notice(Reason.NOT_FIVE, (("count", "4"),)), "Five dice are wanted and 4 were seen."),
        ("rolled", Notice(Reason.DICE_CORRECTED, (("faces", "12334"),)), None),
        (
            "to-roll-white",
            Notice(Reason.CORRECTED, (("what", "mover"), ("who", "page"))),
            "Whose turn it is was set right.",
        ),
        ("won", None, "Ann has won."),
        ("board-fault", None, "The board reports a fault of the cell 4 towards Ann, beam 5: stuck."),
    ],
)
def test_a_notice_is_told_with_its_words(scene: str, notice: Notice | None, told: str | None) -> None:
    state = SCENES[scene] if notice is None else replace(SCENES[scene], notice=notice)
    expected = told or "The dice were looked at again: they show 1 2 3 3 4."
    assert notice_sentence(state, NAMES) == expected


def test_nothing_is_told_without_a_notice() -> None:
    assert notice_sentence(SCENES["to-roll-white"], NAMES) is None


# --- places and cows --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("3:0", "in the centre"),
        ("3:+3", "3 towards Ann"),
        ("3:-7", "7 towards Bo"),
        ("3:+8", "on Ann's last cell"),
        ("chance:-8", "on Bo's last cell"),
        ("super:+1", "on Ann's last cell"),
    ],
)
def test_a_place_is_told_as_players_see_it(cell: str, told: str) -> None:
    assert place_words(Cell.parse(cell), RULES, NAMES) == told


def test_a_text_that_is_no_cell_is_told_as_it_is() -> None:
    assert cell_words("42", RULES, NAMES) == "42"


@pytest.mark.parametrize(("count", "told"), [(0, ""), (1, "a"), (2, "a or b"), (3, "a, b or c")])
def test_a_list_is_joined_as_people_do(count: int, told: str) -> None:
    assert join_words("or", list("abc")[:count]) == told


def test_two_wrong_cows_are_told_one_by_one() -> None:
    state = with_cows(SCENES["to-roll-white"], {"1": 0, "5": 8}, is_told=True)
    assert sentence(state, NAMES) == (
        "Two cows stand wrong: beam 1's cow belongs 2 towards Ann and beam 5's cow belongs 1 towards Ann."
    )


def test_a_cow_in_the_hand_is_told_where_it_belongs() -> None:
    state = with_cows(SCENES["to-roll-white"], {"straights": None}, is_told=True)
    assert sentence(state, NAMES) == "The straights cow isn't on its beam and belongs 4 towards Ann: put it there."


def test_a_cell_that_reports_one_cow_too_many_is_named() -> None:
    state = with_cows(SCENES["to-roll-white"], {}, ["5:+4"], is_told=True)
    assert sentence(state, NAMES) == "Beam 5 reports a cow 4 towards Ann too: clear that cell."


def test_a_wrong_cow_isnt_told_before_its_time() -> None:
    """Two stages (field report 16): amber at once, words only after a while."""
    assert sentence(SCENES["wrong"], NAMES).startswith("Ann, roll 1 of 3: 3 3 3 4 6.")


def test_the_mirrored_table_says_the_same_of_the_other_player() -> None:
    swapped = Names("Bo", "Ann")
    for state in SCENES.values():
        assert sentence(mirrored(state), swapped) == sentence(state, NAMES)


# --- the rest of a turn -----------------------------------------------------------------------------------------------


def taken_up(state: TurnState, lying: str) -> TurnState:
    left = tray_of(lying).lying
    return replace(state, tray=Tray(is_watched=True, is_taken_up=True, lying=left, seen=left))


@pytest.mark.parametrize(
    ("left", "told"),
    [
        ("", "Ann, throw all five dice for roll 2 of 3."),
        ("3334", "Ann keeps 3 3 3 4: throw the other die for roll 2 of 3."),
        ("33346", "Ann, pick up what you don't keep and throw it for roll 2 of 3."),
    ],
)
def test_kept_dice_are_named_with_how_many_are_thrown(left: str, told: str) -> None:
    state = magnet(played("33346"), Phase.ROLLED)
    assert sentence(taken_up(state, left), NAMES) == told


def test_a_pull_that_stands_says_all_that_can_be_added() -> None:
    state = with_cows(magnet(played("33355"), Phase.ROLLED), {"3": 2})
    assert sentence(state, NAMES) == "Pair 3 stands: pull beam 5's cow too, go on to triple 3, or press done."


def test_dice_kept_by_command_are_named() -> None:
    state = magnet(played("33346", then=(Keep((3, 3, 3)),)), Phase.ROLLED)
    assert sentence(state, NAMES) == "Ann keeps 3 3 3: throw the other two for roll 2 of 3."


def test_one_cell_is_singular() -> None:
    state = magnet(played("12346", "12346", "11346", places={"1": 7, "straights": 8}), Phase.ROLLED)
    assert "beam 1 by one cell." in sentence(state, NAMES)


def test_a_cow_to_lock_is_named() -> None:
    state = magnet(played("11346", "11346", "11346", places={"1": 8}, rules=Rules(lock_in=True)), Phase.ROLLED)
    assert "beam 1's cow into its lock" in sentence(state, NAMES)


def test_a_hand_that_changes_the_last_pull_is_told_what_that_does() -> None:
    pulled = SCENES["pulled"]
    back = replace(pulled, cows=replace(pulled.cows, amends=""))
    assert sentence(back, NAMES) == "Leave the cows so to take Ann's pull back, or set them forward again."
    other = replace(pulled, cows=replace(pulled.cows, amends="pair 5"))
    assert sentence(other, NAMES) == "Leave the cows so to change Ann's pull to pair 5."


def test_after_the_last_roll_a_touched_die_can_only_be_turned_back() -> None:
    state = replace(SCENES["rolled-last-black"], phase=Phase.TOUCHED, notice=Notice(Reason.TOUCHED))
    assert sentence(state, NAMES).endswith("turn it back to the face it showed.")


def test_last_dice_that_pull_nothing_are_passed_on() -> None:
    state = magnet(played("12356", "12356", "12356"), Phase.ROLLED)
    assert sentence(state, NAMES) == "Ann, last roll: 1 2 3 5 6 pulls nothing, so press done to pass the dice on."


def test_the_opening_with_five_dice_says_so() -> None:
    rules = Rules(opening="all five")  # type: ignore[arg-type]
    game = fold_all(Game(rules=rules), (OpeningThrow(Side.BLACK, (1, 2, 3, 4, 5)),))
    assert sentence(magnet(Game(rules=rules), Phase.OPENING), NAMES).startswith("Each player throws all five dice")
    assert sentence(magnet(game, Phase.OPENING), NAMES) == "Bo threw 15: Ann, throw all five dice."


@pytest.mark.parametrize(
    ("winner", "reason", "told", "short"),
    [
        (Side.BLACK, EndReason.RESIGNED, "Bo wins: Ann has resigned.", "resigned"),
        (Side.WHITE, EndReason.TURN_LIMIT, "Ann wins: the turn limit is reached.", "turn limit"),
        (None, EndReason.ABANDONED, "The game was left unfinished.", "abandoned"),
    ],
)
def test_an_end_says_who_and_why(winner: Side | None, reason: EndReason, told: str, short: str) -> None:
    game = replace(played(places=MIDGAME), stage=Stage.OVER, ended=Ended(winner, reason))
    state = magnet(game, Phase.OVER)
    assert sentence(state, NAMES) == told
    assert end_words(game) == short


def test_a_won_game_says_with_how_many_cows() -> None:
    assert end_words(SCENES["won"].game) == "three cows home"
    assert end_words(SCENES["rolled"].game) is None


def test_without_sensors_a_pull_is_chosen_not_pulled() -> None:
    assert "Choose a pull:" in sentence(on_led_board(SCENES["rolled"]), NAMES)


def test_a_forfeit_without_faces_is_told() -> None:
    game = played("12356", "12356", "12356", then=(Forfeit(),))
    state = magnet(game, Phase.TO_ROLL, notice=Notice(Reason.FORFEITED))
    assert notice_sentence(state, NAMES) == "Ann's turn is forfeit: there was nothing to pull."


# --- the table of phrases ---------------------------------------------------------------------------------------------


def test_a_message_that_isnt_there_or_lacks_a_word_is_a_bug() -> None:
    with pytest.raises(StateError, match="no such thing"):
        say("no such thing")
    with pytest.raises(StateError, match="name"):
        say("to roll")


def test_placeholders_are_named() -> None:
    for text in ENGLISH.values():
        assert all(name.isidentifier() for _, name, _, _ in Formatter().parse(text) if name is not None)


def test_no_phrase_names_a_light_by_its_colour() -> None:
    """Nothing is said by colour alone, so words name motion and place; `white` is a player."""
    colours = {colour.value for colour in Colour} - {"dark", "white"}
    for text in ENGLISH.values():
        assert not colours & set(re.findall(r"[a-z-]+", text.lower()))


def test_every_reason_is_in_the_table_by_its_own_name() -> None:
    """The reason names in code, journal and page are the same words."""
    told = {message.split(".")[1] for message in ENGLISH if message.startswith("reason.")}
    assert told == {reason.value for reason in Reason}


def test_each_beam_can_be_told() -> None:
    for beam in Beam:
        state = with_cows(SCENES["to-roll-white"], {beam.value: None}, is_told=True)
        assert beam.value in sentence(state, NAMES)
