"""`advise`, `odds` and `play` as commands: their answers, their schemas, and bad input told in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

from controller.advice import value as value_module
from controller.advice.errors import WeightsError
from controller.advice.features import CELL_INPUTS, CELLS
from controller.advice.net import load_net
from controller.cli import run as run_command
from controller.games.cosmic_cows import parse_dice, parse_position, start_position
from controller.games.cosmic_cows.beams import Side
from controller.games.cosmic_cows.notation import format_position
from controller.games.cosmic_cows.outcome import outcome
from controller.games.cosmic_cows.pulls import apply_pull, find_pull, legal_pulls
from tests.support.tree import ROOT

POSITION = "0,0,2,0,-1,0,-3,0,8 w"

# The rules file's own figures, playing for one pattern alone over three rolls.
KNOWN_ODDS = {
    "five of a kind": 0.046029,
    "four or more": 0.290794,
    "three or more": 0.743195,
    "pair": 0.999206,
    "two pairs": 0.742419,
    "full house": 0.362883,
    "small straight": 0.615442,
    "large straight": 0.261095,
}


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of the command."""
    status = run_command(list(words))
    told = capsys.readouterr()
    return status, told.out, told.err


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    status, out, err = run(capsys, *words, "--json")
    assert (status, err) == (0, "")
    found: dict[str, Any] = json.loads(out)
    schema = json.loads((ROOT / "controller" / "schemas" / f"{words[0]}.json").read_text(encoding="utf-8"))
    jsonschema.validate(found, schema)
    return found


@pytest.mark.parametrize("roll", [1, 2, 3])
def test_advise_values_every_keep_and_every_pull(capsys: pytest.CaptureFixture[str], roll: int) -> None:
    found = answer(capsys, "advise", "--position", POSITION, "--dice", "33551", "--roll", str(roll))

    pulls = [pull.name for pull in legal_pulls(parse_position(POSITION), parse_dice("33551"))]
    assert sorted(pull["name"] for pull in found["pulls"]) == sorted(pulls)
    assert len(found["keeps"]) == (0 if roll == 3 else 3 * 3 * 2 - 1)
    wins = [one["win"] for one in (*found["keeps"], *found["pulls"])]
    assert found["win"] == max(wins)
    assert all(0 <= win <= 1 for win in wins)


def test_a_win_on_the_table_is_worth_all_and_is_pulled(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "advise", "--position", "6,6,4,0,0,0,0,0,0 w", "--dice", "22345", "--roll", "1")

    assert found["best"] == {"pull": "pair 2"}
    assert found["win"] == 1


def test_after_the_last_roll_with_nothing_to_pull_there_is_no_best(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(
        capsys, "advise", "--position", "0,0,0,0,0,0,0,0,0 w", "--dice", "12356", "--roll", "3", "--turns", "4"
    )

    assert (found["best"], found["pulls"], found["keeps"]) == (None, [], [])


@pytest.mark.parametrize("level", ["gentle", "greedy", "keen", "best"])
def test_a_level_always_does_something_legal_and_the_same_again(capsys: pytest.CaptureFixture[str], level: str) -> None:
    words = ("advise", "--position", POSITION, "--dice", "12343", "--roll", "2", "--level", level, "--seed", "5")
    first, second = answer(capsys, *words), answer(capsys, *words)

    assert first["best"] == second["best"]
    kind, what = next(iter(first["best"].items()))
    known = [pull["name"] for pull in first["pulls"]] if kind == "pull" else [keep["keep"] for keep in first["keeps"]]
    assert what in known


def test_an_engine_is_asked_line_by_line_and_a_bad_line_costs_only_itself(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    lines = [
        {"position": POSITION, "dice": "12343", "roll": 1},
        {"position": POSITION, "dice": "12347", "roll": 1},
        {"position": POSITION, "dice": "12343", "roll": 3, "level": "greedy", "seed": 2},
    ]
    batch = tmp_path / "questions.jsonl"
    batch.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")

    status, out, _ = run(capsys, "advise", "--batch", str(batch))

    answers = [json.loads(line) for line in out.splitlines()]
    assert status == 2
    assert ["error" in one for one in answers] == [False, True, False]
    assert answers[2]["best"] == {"pull": "pair 3"}


def test_an_engine_plays_a_whole_game_by_the_rules(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    position, turns = start_position(Side.WHITE), 0
    batch = tmp_path / "one.jsonl"
    while outcome(position) is None and turns < 200:
        kept: list[int] = []
        for roll in (1, 2, 3):
            faces = kept + [int(face) for face in rng.integers(1, 7, 5 - len(kept))]
            dice = "".join(map(str, faces))
            question = {"position": format_position(position), "dice": dice, "roll": roll, "turns": turns}
            batch.write_text(json.dumps(question), encoding="utf-8")
            status, out, _ = run(capsys, "advise", "--batch", str(batch))
            assert status == 0
            best = json.loads(out)["best"]
            if best is None or "pull" in best:
                break
            kept = best["keep"]
        if best is None:
            position = position.with_mover(position.mover.other)
        else:
            position = apply_pull(position, find_pull(position, parse_dice(dice), best["pull"]))
        turns += 1

    assert outcome(position) is not None


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--dice", "12347", "--roll", "1"), "dice"),
        (("--dice", "12343", "--roll", "4"), "roll"),
        (("--dice", "12343", "--roll", "1", "--level", "grandmaster"), "gentle, greedy, keen"),
        (("--dice", "12343", "--roll", "1", "--turns", "-1"), "turns"),
    ],
)
def test_what_cannot_be_asked_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], line: str
) -> None:
    status, out, err = run(capsys, "advise", "--position", POSITION, *words)

    assert (status, out) == (2, "")
    assert line in err
    assert err.count("\n") == 1


def test_a_game_that_is_won_gets_no_advice(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(
        capsys, "advise", "--position", "8,8,8,0,0,0,0,0,0 b", "--dice", "12343", "--roll", "1", "--json"
    )

    assert (status, out) == (2, "")
    assert "white has won" in err


def test_the_known_odds_come_out_to_six_digits(capsys: pytest.CaptureFixture[str]) -> None:
    text = json.dumps(answer(capsys, "odds"))

    for odds in (*KNOWN_ODDS.values(), 0.708302, 0.413109):
        assert str(odds) in text


def test_fewer_rolls_never_make_a_pattern_likelier(capsys: pytest.CaptureFixture[str]) -> None:
    def numbers(*words: str) -> list[float]:
        return [float(one) for one in _leaves(answer(capsys, "odds", *words)) if 0 < one < 1]

    one, two, three = numbers("--rolls", "1"), numbers("--rolls", "2"), numbers("--rolls", "3")

    assert len(one) == len(two) == len(three) >= 10
    assert all(a <= b <= c for a, b, c in zip(one, two, three, strict=True))


def test_an_arena_repeats_itself_and_its_records_replay(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ("play", "--white", "greedy", "--black", "gentle", "--games", "20", "--seed", "3")
    first = answer(capsys, *words, "--record", str(tmp_path))
    second = answer(capsys, *words)

    volatile = {"seconds", "seconds_a_turn", "games_a_minute", "records"}
    stable = [{key: one[key] for key in one if key not in volatile} for one in (first, second)]
    records = sorted(tmp_path.iterdir())
    assert {key: value for key, value in stable[0].items() if "turn" not in key} == {
        key: value for key, value in stable[1].items() if "turn" not in key
    }
    assert records
    for record in records:
        status, _, err = run(capsys, "replay", str(record), "--check")
        assert (status, err) == (0, "")


def test_an_unknown_player_is_told_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "play", "--white", "gredy", "--black", "best", "--games", "2")

    assert (status, out) == (2, "")
    assert "gentle, greedy, keen" in err


def damaged(folder: Path, name: str) -> Path:
    """A file of weights with one fault."""
    path = folder / "cells.npz"
    with np.load(value_module.WEIGHTS / "cells.npz") as file:
        arrays = {key: file[key] for key in file.files}
    match name:
        case "not a number":
            arrays["w1"][0, 0] = np.nan
        case "another form":
            arrays["form"] = np.array(99)
        case "other features":
            arrays["features"] = np.array("race")
        case "a shape that doesn't fit":
            arrays["w1"] = arrays["w1"][:-1]
        case "a layer missing":
            del arrays["b1"]
    np.savez(path, **arrays)
    if name == "cut off":
        path.write_bytes(path.read_bytes()[:2000])
    if name == "empty":
        path.write_bytes(b"")
    if name == "missing":
        path.unlink()
    return path


@pytest.mark.parametrize(
    "name",
    [
        "not a number",
        "another form",
        "other features",
        "a shape that doesn't fit",
        "a layer missing",
        "cut off",
        "empty",
        "missing",
    ],
)
def test_weights_that_are_not_those_of_this_version_give_no_number(tmp_path: Path, name: str) -> None:
    path = damaged(tmp_path, name)

    with pytest.raises(WeightsError, match=r"^weights cells\.npz: ") as told:
        load_net(path, CELLS, CELL_INPUTS)

    assert "\n" not in str(told.value)


def _leaves(found: object) -> list[float]:
    if isinstance(found, dict):
        return [leaf for one in found.values() for leaf in _leaves(one)]
    if isinstance(found, list):
        return [leaf for one in found for leaf in _leaves(one)]
    return [found] if isinstance(found, float) else []
