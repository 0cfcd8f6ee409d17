"""`cowboard moves`: its output word for word, its stream, and what it does with bad input."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result

from controller.cli.moves import LONGEST_LINE, answer_json, command
from controller.errors import InputError
from controller.games.cosmic_cows import (
    Dice,
    Position,
    Rules,
    Side,
    apply_pull,
    format_position,
    is_forced,
    is_forfeit,
    legal_pulls,
    outcome,
    parse_rules,
)

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "controller/schemas/moves.json").read_text("utf-8"))
EXAMPLE = "0,0,2,0,-1,0,-3,0,8 w"
START = "0,0,0,0,0,0,0,0,0 w"
RUN = "from controller.cli import main; main()"


def run(*arguments: str, stdin: str | bytes = "") -> Result:
    return CliRunner().invoke(command, arguments, input=stdin)


def python(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A process of its own, where nothing is loaded yet."""
    command_line = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command_line, cwd=ROOT, capture_output=True, text=True, check=False)


def question(position: str = START, dice: str = "12343", **more: Any) -> str:
    return json.dumps({"position": position, "dice": dice, **more}) + "\n"


def answers(result: Result) -> list[dict[str, Any]]:
    """Every line of the output as JSON, checked against the schema."""
    found: list[dict[str, Any]] = [json.loads(line) for line in result.stdout.splitlines()]
    for answer in found:
        jsonschema.validate(answer, SCHEMA)
    return found


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_json_answers_one_object_on_one_line() -> None:
    result = run("--position", EXAMPLE, "--dice", "25252", "--json")

    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout == (
        '{"position": "0,0,2,0,-1,0,-3,0,8 w", "dice": "25252", "pulls": ['
        '{"name": "pair 2", "cows": {"2": 2}, "position": "0,0,4,0,-1,0,-3,0,8 b"}, '
        '{"name": "pair 5", "cows": {"5": 2}, "position": "0,0,2,0,-1,0,-1,0,8 b"}, '
        '{"name": "triple 2", "cows": {"2": 3}, "position": "0,0,5,0,-1,0,-3,0,8 b"}, '
        '{"name": "two pair 2 5", "cows": {"2": 2, "5": 2}, "position": "0,0,4,0,-1,0,-1,0,8 b"}, '
        '{"name": "full house 2 5", "cows": {"2": 3, "5": 2}, "position": "0,0,5,0,-1,0,-1,0,8 b"}], '
        '"forced": false, "forfeit": false, "winner": null}\n'
    )
    assert answers(result)


@pytest.mark.parametrize(
    ("position", "dice", "expected"),
    [
        (START, "66666", {"forced": True, "forfeit": False, "winner": None}),
        (START, "12356", {"forced": False, "forfeit": True, "winner": None, "pulls": []}),
        ("0,6,6,6,0,0,0,0,0 b", "66666", {"forced": False, "forfeit": False, "winner": "white", "pulls": []}),
        ("0,-6,-6,0,-1,0,0,0,0 w", "12343", {"forced": False, "forfeit": False, "winner": "black", "pulls": []}),
        ("0,-6,-6,0,-1,0,0,0,0 b", "12343", {"forced": False, "forfeit": False, "winner": "black", "pulls": []}),
    ],
)
def test_json_tells_forced_forfeit_and_winner(position: str, dice: str, expected: dict[str, Any]) -> None:
    (answer,) = answers(run("--position", position, "--dice", dice, "--json"))

    assert {key: answer[key] for key in expected} == expected


def test_people_get_a_table() -> None:
    assert run("--position", EXAMPLE, "--dice", "52225").stdout == (
        "White to move, dice 2 2 2 5 5\n"
        "  pair 2          2 by 2                    0,0,4,0,-1,0,-3,0,8 b\n"
        "  pair 5          5 by 2                    0,0,2,0,-1,0,-1,0,8 b\n"
        "  triple 2        2 by 3                    0,0,5,0,-1,0,-3,0,8 b\n"
        "  two pair 2 5    2 by 2, 5 by 2            0,0,4,0,-1,0,-1,0,8 b\n"
        "  full house 2 5  2 by 3, 5 by 2            0,0,5,0,-1,0,-1,0,8 b\n"
    )


@pytest.mark.parametrize(
    ("position", "dice", "sentence"),
    [
        (START, "66666", "  Five alike must pull the super cow."),
        (START, "12356", "  No pull moves a cow: roll on, or after the last roll forfeit it."),
        ("0,6,6,6,0,0,0,0,0 b", "12343", "  The game is over: White has won."),
    ],
)
def test_people_are_told_what_the_table_cannot_show(position: str, dice: str, sentence: str) -> None:
    assert run("--position", position, "--dice", dice).stdout.splitlines()[-1] == sentence


def test_help_shows_examples() -> None:
    result = run("--help")

    assert '\n    cowboard moves --position "0,0,2,0,-1,0,-3,0,8 w" --dice 12343 --json\n' in result.stdout


def test_the_hand_written_json_is_what_an_encoder_writes() -> None:
    source = random.Random(5)
    for rules in (Rules(), Rules(lock_in=True), parse_rules({"beam_length": 33, "cows_to_win": 5})):
        for _ in range(300):
            places = [source.choice((-rules.last, rules.last, source.randint(-5, 5))) for _ in range(9)]
            places[4] = source.randint(-1, 1)
            position = Position(tuple(places), source.choice(tuple(Side)))
            dice = Dice(tuple(source.randint(1, 6) for _ in range(5)))
            won = outcome(position, rules)
            plain = {
                "position": format_position(position),
                "dice": "65432",
                "pulls": [
                    {
                        "name": pull.name,
                        "cows": {beam.value: spaces for beam, spaces in pull.cows},
                        "position": format_position(apply_pull(position, pull, rules)),
                    }
                    for pull in legal_pulls(position, dice, rules)
                ],
                "forced": is_forced(position, dice, rules),
                "forfeit": is_forfeit(position, dice, rules),
                "winner": won.side if won else None,
            }

            assert answer_json(position, dice, "65432", rules) == json.dumps(plain)


def test_batch_answers_in_order_what_single_questions_answer(tmp_path: Path) -> None:
    asked = [(EXAMPLE, "25252"), (START, "12356"), ("0,0,0,8,0,0,0,0,0 b", "33333")]
    file = tmp_path / "questions.jsonl"
    file.write_text("".join(question(position, dice) for position, dice in asked), "utf-8")
    singles = [run("--position", position, "--dice", dice, "--json").stdout for position, dice in asked]

    for result in (run("--batch", str(file)), run("--batch", "-", stdin=file.read_text("utf-8"))):
        assert result.exit_code == 0
        assert result.stderr == ""
        assert result.stdout == "".join(singles)


def test_batch_takes_blank_lines_carriage_returns_and_a_last_line_without_end() -> None:
    result = run("--batch", "-", stdin=f"\n  \n{question().strip()}\r\n\n{question().strip()}")

    assert result.exit_code == 0
    assert len(answers(result)) == 2


def test_batch_without_questions_answers_nothing() -> None:
    result = run("--batch", "-", stdin="")

    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


def test_batch_lines_may_bring_their_own_house_rules() -> None:
    lines = question(dice="66666", rules={"super_forced": False}) + question(dice="66666")

    own, common = answers(run("--batch", "-", "--rules", '{"subset_pulls": false}', stdin=lines))

    assert [pull["name"] for pull in own["pulls"]] == ["pair 6", "triple 6", "four 6", "chance", "super"]
    assert [pull["name"] for pull in common["pulls"]] == ["super"]


def test_rules_come_inline_or_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "rules.json"
    file.write_text('{"lock_in": true}', "utf-8")

    for rules in (str(file), '{"lock_in": true}'):
        (answer,) = answers(run("--position", "0,0,0,8,0,0,0,0,0 w", "--dice", "33346", "--rules", rules, "--json"))
        assert answer["pulls"][0] == {"name": "pair 3", "cows": {"3": 0}, "position": "0,0,0,8L,0,0,0,0,0 b"}


BAD_LINES: list[tuple[bytes, str]] = [
    (b"\xff\xfe", "line: .*UTF-8"),
    (b"{", "line: '{' .*a JSON object"),
    (b"[1]", r"line: '\[1\]' .*a JSON object"),
    (b"null", "line: 'null'"),
    (b'"text"', "line: "),
    (b"{}", "position: None"),
    (b'{"position": "0,0,0,0,0,0,0,0,0 w"}', "dice: None"),
    (b'{"position": 7, "dice": "12345"}', "position: 7 .*text"),
    (b'{"position": ["0"], "dice": "12345"}', "position: "),
    (b'{"position": "0,0,0,0,0,0,0,0,0 w", "dice": 12345}', "dice: 12345 .*text"),
    (b'{"position": "0,0,0,0,0,0,0,0,0 w", "dice": [1, 2, 3, 4, 5]}', "dice: "),
    (b'{"position": NaN, "dice": "12345"}', "line: .*a JSON object"),
    (b'{"position": -Infinity, "dice": "12345"}', "line: .*a JSON object"),
    (b'{"position": 1e999, "dice": "12345"}', "position: inf"),
    (b'{"position": ' + b"9" * 5000 + b"}", "line: "),
    (b"[" * 60_000, "line: "),
    (b'{"position": "0,0,0,0,0,0,0,0,0 w", "dice": "12347"}', "dice: '12347' .*five digits"),
    (b'{"position": "0,0,0,0,2,0,0,0,0 w", "dice": "12345"}', "position: 2 .*-1 to 1 on beam super"),
    (b'{"position": "0,0,0,0,0,0,0,0,0 w", "dice": "12345", "roll": 1}', "line: 'roll' .*position, dice, rules"),
    (b'{"position": "0,0,0,0,0,0,0,0,0 w", "dice": "12345", "rules": 3}', "rules: 3"),
    (b'{"position": "0,0,0,0,0,0,0,0,0 w", "dice": "12345", "rules": {"rolls": 9}}', "rules.rolls: 9"),
    (b'{"position": "\\ud800\\n", "dice": "12345"}', "position: "),
    (b'{"position": "' + b"0" * LONGEST_LINE + b'"}', "line: .*at most 65536 bytes"),
    (b"0" * (3 * LONGEST_LINE), "line: .*at most 65536 bytes"),
]


@pytest.mark.parametrize(("line", "message"), BAD_LINES, ids=[message for _, message in BAD_LINES])
def test_a_bad_line_gets_an_error_in_its_place_and_the_others_their_answers(line: bytes, message: str) -> None:
    good = question().encode()

    result = run("--batch", "-", stdin=good + b"\n" + line + b"\n" + good)

    assert result.exit_code == 2
    before, fault, after = answers(result)
    assert before == after
    assert before["dice"] == "12343"
    assert fault["line"] == 3
    assert re.search(message, fault["error"])
    assert result.stderr == "cowboard moves: batch: 1 bad line at line 3; its answer names the fault\n"


def test_many_bad_lines_are_counted_in_one_line() -> None:
    result = run("--batch", "-", stdin="x\n" * 5)

    assert [answer["line"] for answer in answers(result)] == [1, 2, 3, 4, 5]
    assert result.stderr == "cowboard moves: batch: 5 bad lines, the first at line 1; its answer names the fault\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "position: None .*--position and --dice"),
        (["--position", START], "dice: None .*--position and --dice"),
        (["--dice", "12345"], "position: None"),
        (["--position", "0,0 w", "--dice", "12345"], "position: '0,0 w' .*nine places"),
        (["--position", START, "--dice", "1234"], "dice: '1234' .*five digits"),
        (["--position", START, "--dice", "12345", "--game", "chess"], "game: 'chess' .*cosmic-cows"),
        (["--position", START, "--dice", "12345", "--batch", "-"], "batch: '-' .*either"),
        (["--batch", "/no/such/file"], "batch: '/no/such/file' .*No such file"),
        (["--batch", "/"], "batch: '/' .*directory"),
        (["--batch", "a\0b"], "batch: .*can't be read"),
        (["--rules", "{", "--batch", "-"], "rules: '{' .*a JSON object"),
        (["--rules", '{"rols": 2}', "--batch", "-"], "rules: 'rols' .*nearest is rolls"),
        (["--rules", "/no/such/file", "--batch", "-"], "rules: '/no/such/file' .*No such file"),
        (["--rules", "", "--batch", "-"], "rules: "),
    ],
)
def test_bad_arguments_are_refused_by_name(arguments: list[str], message: str) -> None:
    result = run(*arguments)

    assert result.stdout == ""
    assert isinstance(result.exception, InputError)
    assert "\n" not in str(result.exception)
    assert re.search(message, str(result.exception))


def test_a_rules_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "rules.json"
    file.write_bytes(b"\xff\xff")

    result = run("--batch", "-", "--rules", str(file))

    assert isinstance(result.exception, InputError)


def test_each_answer_is_flushed_before_the_next_question_is_asked() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", RUN, "moves", "--batch", "-"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        for dice in ("12343", "33333", "12356"):
            engine.stdin.write(question(dice=dice))
            engine.stdin.flush()

            assert json.loads(engine.stdout.readline())["dice"] == dice
        engine.stdin.close()
        assert engine.stdout.read() == ""
    assert engine.returncode == 0


@pytest.mark.parametrize("is_batch", [True, False], ids=["batch", "single"])
def test_a_reader_that_leaves_early_hears_no_complaint(is_batch: bool) -> None:
    arguments = ["--batch", "-"] if is_batch else ["--position", START, "--dice", "12343"]
    with subprocess.Popen(
        [sys.executable, "-c", RUN, "moves", *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        assert engine.stderr is not None
        engine.stdout.close()
        if is_batch:
            engine.stdin.write(question())
        engine.stdin.close()

        assert engine.stderr.read() == ""
    assert engine.returncode == 0


def test_the_command_answers_without_picture_page_or_config_libraries() -> None:
    heavy = {"cv2", "numpy", "flask", "pydantic", "waitress", "serial"}
    code = f"import sys; from controller.cli import run; run(sys.argv[1:]); print(sorted({heavy!r} & set(sys.modules)))"
    arguments = ["moves", "--position", START, "--dice", "12343", "--json"]

    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )

    answer, loaded = done.stdout.splitlines()
    assert json.loads(answer)["dice"] == "12343"
    assert loaded == "[]"


def test_bad_input_is_one_line_that_names_the_command_and_exit_status_2() -> None:
    arguments = ["moves", "--position", "0,0,0,0,2,0,0,0,0 w", "--dice", "12343", "--json"]

    done = subprocess.run(
        [sys.executable, "-c", RUN, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "cowboard moves: position: 2 is not usable; accepted: -1 to 1 on beam super\n"
