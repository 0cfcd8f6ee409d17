"""Laws of the public state: its shape, that it's plain JSON, and that what it says can be done can be done."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from controller.games.cosmic_cows import Beam, Rules, Side, cells, parse_position, parse_rules
from controller.table.commands import COMMAND_NAMES, parse_command
from controller.table.effects import Refuse
from controller.table.entries import Ended, EndReason, Keep
from controller.table.events import CommandGiven
from controller.table.game import Stage
from controller.table.machine import step
from controller.table.state import Notice, Phase, Reason, Tray, TurnState
from controller.table.view import commands_possible, public_view
from controller.table.words import Names, sentence
from tests.support.states import MIDGAME, SCENES, magnet, mirrored, on_led_board, played, tray_of, with_cows

NAMES = Names("Ann", "Bo")

KEYS = [
    *("game", "phase", "mover", "roll", "rolls", "position", "beams", "dice", "refusals", "pulls", "wrong", "lights"),
    *("sentence", "notice", "score", "winner", "reason", "opening", "history", "odds", "chances"),
    *("coach", "can"),
]


def view(state: TurnState) -> dict[str, Any]:
    return public_view(state, NAMES, "20261201-1")


# --- shape ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SCENES)
def test_the_public_state_has_its_keys_and_is_plain_json(name: str) -> None:
    shown = view(SCENES[name])
    assert list(shown) == KEYS
    assert json.loads(json.dumps(shown)) == shown


@pytest.mark.parametrize("name", SCENES)
def test_the_same_state_gives_the_same_bytes(name: str) -> None:
    assert json.dumps(view(SCENES[name])) == json.dumps(view(replace(SCENES[name])))


def test_the_game_is_named_with_its_rules() -> None:
    rules = Rules(cows_to_win=2, lock_in=True)
    shown = view(magnet(played(rules=rules), Phase.TO_ROLL))["game"]
    assert shown["id"] == "20261201-1"
    assert shown["kind"] == "cosmic-cows"
    assert shown["players"] == {"white": "Ann", "black": "Bo"}
    assert parse_rules(shown["rules"]) == rules


@pytest.mark.parametrize(
    ("scene", "phase", "mover", "roll"),
    [
        ("opening", "opening", None, 0),
        ("to-roll-black", "to roll", "black", 0),
        ("rolled", "rolled", "white", 2),
        ("rolled-last-black", "rolled", "black", 3),
        ("won-black", "over", "white", 0),
    ],
)
def test_the_turn_is_told(scene: str, phase: str, mover: str | None, roll: int) -> None:
    shown = view(SCENES[scene])
    assert (shown["phase"], shown["mover"], shown["roll"], shown["rolls"]) == (phase, mover, roll, 3)


def test_a_first_turn_of_fewer_rolls_is_told() -> None:
    assert view(magnet(played(rules=Rules(first_turn_rolls=1)), Phase.TO_ROLL))["rolls"] == 1


def test_the_position_is_in_notation() -> None:
    state = SCENES["rolled"]
    assert parse_position(view(state)["position"]) == state.game.position


def test_beams_say_where_the_record_and_the_sensors_have_the_cow() -> None:
    beams = view(SCENES["moving"])["beams"]
    assert [beam["beam"] for beam in beams] == [beam.value for beam in Beam]
    assert beams[3] == {"beam": "3", "last": 8, "zone": 3, "place": 0, "seen": [1], "locked": False}
    assert beams[4] == {"beam": "super", "last": 1, "zone": 1, "place": 0, "seen": [0], "locked": False}
    assert view(SCENES["moving-in-hand"])["beams"][3]["seen"] == []
    assert view(on_led_board(SCENES["moving"]))["beams"][3]["seen"] == []


def test_a_locked_cow_is_told() -> None:
    game = played(places={"1": 8}, rules=Rules(lock_in=True))
    position = replace(game.position, locked=frozenset({Beam.ONE}))
    state = magnet(replace(game, position=position), Phase.TO_ROLL)
    assert [beam["beam"] for beam in view(state)["beams"] if beam["locked"]] == ["1"]


@pytest.mark.parametrize("length", [11, 17, 21])
def test_lights_have_a_pair_for_each_cell_of_the_board_played_on(length: int) -> None:
    rules = Rules(beam_length=length)
    shown = view(magnet(played(rules=rules), Phase.TO_ROLL))
    assert len(shown["lights"]) == len(cells(rules)) == sum(2 * beam["last"] + 1 for beam in shown["beams"])
    assert shown["lights"][length - 1] == ["white", "breathe"]


# --- dice -------------------------------------------------------------------------------------------------------------


def faces(state: TurnState, *, kept: bool | None = None) -> str:
    dice = view(state)["dice"]
    return "".join(str(die["value"] or "?") for die in dice if kept is None or die["kept"] is kept)


def test_dice_are_told_as_they_lie() -> None:
    dice = view(SCENES["rolled"])["dice"]
    assert dice[0] == {
        "value": 1,
        "colour": "white",
        "kept": False,
        "box": [0.06, 0.36, 0.08, 0.11],
        "refusal": None,
    }
    assert faces(SCENES["rolled"]) == "12334"


def test_a_refused_die_is_told_without_a_value() -> None:
    shown = view(SCENES["refused"])
    assert shown["refusals"] == ["cocked"]
    assert shown["dice"][4]["value"] is None
    assert shown["dice"][4]["refusal"] == "cocked"


def test_dice_left_lying_are_kept() -> None:
    assert faces(SCENES["keeping"], kept=True) == "33"
    assert faces(SCENES["keeping"]) == "33"


def test_kept_dice_are_told_while_the_others_roll() -> None:
    state = SCENES["keeping"]
    rolling = replace(state, phase=Phase.ROLLING, tray=replace(state.tray, is_moving=True, seen=tray_of("12345").seen))
    assert faces(rolling, kept=True) == "33"


def test_dice_kept_by_command_are_marked_once_for_each_face() -> None:
    state = magnet(played("33346", then=(Keep((3, 3, 6)),)), Phase.ROLLED)
    assert faces(state) == "33346"
    assert faces(state, kept=True) == "336"


def test_dice_entered_by_hand_are_told_without_a_place() -> None:
    state = replace(SCENES["rolled"], tray=Tray())
    assert faces(state) == "12334"
    assert all(die["box"] is None and die["colour"] == "white" for die in view(state)["dice"])


def test_an_entered_roll_outweighs_what_a_refused_picture_shows() -> None:
    state = replace(SCENES["rolled"], tray=tray_of("1233?", "glare"))
    assert faces(state) == "12334"


def test_a_die_knocked_askew_after_the_reading_leaves_the_dice_where_they_lay() -> None:
    tray = replace(SCENES["rolled"].tray, seen=tray_of("1233?", "cocked").seen, refusals=("cocked",))
    shown = view(replace(SCENES["rolled"], tray=tray))["dice"]
    assert shown == view(SCENES["rolled"])["dice"]


def test_the_old_dice_are_told_until_the_next_player_takes_them() -> None:
    state = replace(SCENES["pulled"], tray=tray_of("33556"))
    assert faces(state) == "33556"


# --- pulls, wrong cows, the end ---------------------------------------------------------------------------------------


def test_pulls_say_what_they_move_and_whereto() -> None:
    pulls = {pull["name"]: pull for pull in view(SCENES["chosen"])["pulls"]}
    assert list(pulls) == ["pair 3", "pair 5", "two pair 3 5"]
    assert pulls["two pair 3 5"] == {
        "name": "two pair 3 5",
        "cows": {"3": 2, "5": 2},
        "to": {"3": 2, "5": 3},
        "position": "-3,2,5,2,0,-2,3,-6,4 b",
        "chosen": True,
        "wins": False,
    }


def test_blacks_pulls_go_down() -> None:
    pulls = {pull["name"]: pull["to"] for pull in view(SCENES["rolled-last-black"])["pulls"]}
    assert pulls["triple 4"] == {"4": -5}


def test_a_pull_that_wins_is_told() -> None:
    state = magnet(played("33346", places={"1": 6, "2": 8, "3": 4}), Phase.ROLLED)
    assert {pull["name"]: pull["wins"] for pull in view(state)["pulls"]} == {"pair 3": True, "triple 3": True}


def test_no_pull_is_offered_where_none_can_be_made() -> None:
    for name in ("paused", "rolling", "refused", "wrong-told", "won", "opening"):
        assert view(SCENES[name])["pulls"] == []


def test_wrong_cows_say_where_they_stand_and_belong() -> None:
    assert view(SCENES["wrong"])["wrong"] == [{"beam": "4", "at": [1], "home": -2}]
    assert view(SCENES["lead-home"])["wrong"] == [
        {"beam": "chance", "at": [], "home": -3},
        {"beam": "2", "at": [0], "home": 5},
        {"beam": "6", "at": [-1], "home": -6},
    ]


def test_a_place_on_another_beam_isnt_told_as_one_of_its_own() -> None:
    assert view(SCENES["wrong-other-beam"])["wrong"] == [{"beam": "4", "at": [], "home": -2}]


@pytest.mark.parametrize(
    ("scene", "winner", "reason"),
    [("won", "white", "three cows home"), ("drawn", "draw", "turn limit"), ("rolled", None, None)],
)
def test_the_end_is_told(scene: str, winner: str | None, reason: str | None) -> None:
    shown = view(SCENES[scene])
    assert (shown["winner"], shown["reason"]) == (winner, reason)


def test_an_abandoned_game_has_no_winner_and_is_no_draw() -> None:
    game = replace(played(), stage=Stage.OVER, ended=Ended(None, EndReason.ABANDONED))
    shown = view(magnet(game, Phase.OVER))
    assert (shown["winner"], shown["reason"]) == (None, "abandoned")


def test_the_score_counts_cows_home() -> None:
    assert view(SCENES["won"])["score"] == {"white": 3, "black": 1, "to_win": 3}


def test_the_opening_is_told() -> None:
    assert view(SCENES["opening"])["opening"] == {"white": [], "black": []}
    assert view(SCENES["opening-second"])["opening"] == {"white": [4], "black": []}


def test_the_history_tells_each_turn_newest_last() -> None:
    assert view(SCENES["forfeited"])["history"] == [
        {
            "turn": 1,
            "mover": "white",
            "throws": ["12356", "12356", "12456"],
            "pull": None,
            "position": "-3,2,5,0,0,-2,1,-6,4 b",
        }
    ]
    assert view(SCENES["pulled"])["history"][-1]["pull"] == "two pair 3 5"


def test_the_notice_has_its_name_sentence_and_mend() -> None:
    assert view(SCENES["refused"])["notice"] == {
        "name": "cocked",
        "sentence": "A die leans.",
        "mend": "Nudge it until it lies flat.",
    }
    assert view(replace(SCENES["refused"], notice=Notice(Reason.STARTS)))["notice"]["mend"] is None
    assert view(SCENES["rolled"])["notice"] is None


def test_the_sentence_is_that_of_the_words() -> None:
    assert all(view(state)["sentence"] == sentence(state, NAMES) for state in SCENES.values())


def test_from_the_other_end_the_same_is_told_of_the_other_side() -> None:
    for state in SCENES.values():
        here, there = view(state), view(mirrored(state))
        assert here["score"]["white"] == there["score"]["black"]
        assert [pull["name"] for pull in here["pulls"]] == [pull["name"] for pull in there["pulls"]]
        assert here["can"] == there["can"]


# --- commands ---------------------------------------------------------------------------------------------------------

FURTHER = {
    "rolled-entered": replace(SCENES["rolled"], tray=Tray()),
    "led-last": on_led_board(SCENES["rolled-last-black"]),
    "resigned": magnet(
        replace(played(places=MIDGAME), stage=Stage.OVER, ended=Ended(Side.WHITE, EndReason.RESIGNED)), Phase.OVER
    ),
    "touched-last": replace(SCENES["rolled-last-black"], phase=Phase.TOUCHED, notice=Notice(Reason.TOUCHED)),
    "last-nothing": magnet(played("12356", "12356", "12356"), Phase.ROLLED),
    "lockable": replace(
        magnet(played("11346", places={"1": 8}, rules=Rules(lock_in=True)), Phase.ROLLED), chosen="pair 1"
    ),
    "told-at-rest": with_cows(SCENES["to-roll-white"], {"1": 3}, is_told=True),
}


def arguments(name: str, state: TurnState) -> dict[str, Any]:
    """Arguments that would suit this state."""
    pulls = [pull["name"] for pull in view(state)["pulls"]] or ["pair 1"]
    dice = state.game.dice
    return {
        "choose_pull": {"pull": pulls[0]},
        "enter_dice": {"dice": "4" if state.game.stage is Stage.OPENING else "12346"},
        "keep": {"dice": str(dice.faces[0]) if dice else "1"},
        "correct_dice": {"dice": "12346"},
        "correct_mover": {"mover": "black"},
        "correct_cows": {"position": "0,0,0,0,0,0,0,0,0 w"},
        "resign": {"side": "white"},
        "coach": {"mode": "always"},
    }.get(name, {})


def is_refused(name: str, state: TurnState) -> bool:
    command = parse_command(name, arguments(name, state), state.game.rules)
    _, effects = step(state, CommandGiven(command, "page", state.now + 1))
    return any(isinstance(effect, Refuse) for effect in effects)


@pytest.mark.parametrize("name", [*SCENES, *FURTHER])
def test_what_can_be_done_is_taken_by_the_machine(name: str) -> None:
    state = {**SCENES, **FURTHER}[name]
    can = commands_possible(state)
    assert list(can) == view(state)["can"]
    assert set(can) <= set(COMMAND_NAMES)
    assert [command for command in can if is_refused(command, state)] == []


@pytest.mark.parametrize("name", [*SCENES, *FURTHER])
def test_what_the_machine_would_take_is_offered_unless_it_makes_no_sense(name: str) -> None:
    """Taken, though not offered: *done* with a cow on its way only repeats what is missing; while cows are led home or
    dice are unread a pull may be marked, but nothing shows it."""
    state = {**SCENES, **FURTHER}[name]
    taken = {command for command in COMMAND_NAMES if not is_refused(command, state)}
    surplus = taken - set(commands_possible(state))
    allowed = {"done"} if state.phase is Phase.MOVING else set()
    if state.cows.is_told or state.phase is Phase.REFUSED:
        allowed |= {"choose_pull", "knob"}
    assert surplus <= allowed


def test_only_what_ends_a_pause_is_possible_in_it() -> None:
    assert commands_possible(SCENES["paused"]) == ("new_game", "resume", "coach")
