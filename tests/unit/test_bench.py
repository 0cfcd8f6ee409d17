"""The figures: how a value is judged, what a bench measures, and how a run is told. Never what a machine manages."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import jsonschema
import pytest

from controller.bench import dice
from controller.bench.blobs import blob_values, gathered
from controller.bench.command_line import moves_figures, questions, single_figures
from controller.bench.dice import drawn_tray, labelled_figures, labelled_lack, vision_figures
from controller.bench.figure import Baseline, Figure, Run, Target, Verdict, median, percentile, plain, rounded
from controller.bench.link import bare_bytes, link_figures
from controller.bench.machine import Machine, cpu_model, this_machine
from controller.bench.plan import BENCHES
from controller.bench.process import BenchError, Started, run_python, usage
from controller.bench.report import Report, page, table
from controller.bench.service import idle_figures, ready_figures
from controller.bench.step import ScriptedTable, step_figures
from controller.cli import BAD_INPUT, FAILED, OK, run
from controller.games.cosmic_cows import parse_dice, parse_position
from controller.journal.store import Journal
from tests.support.machine import is_emulated
from vision import cv

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "controller/schemas/bench.json").read_text("utf-8"))
LITTLE = Run(time.perf_counter, share=0.001)


def figure(value: float = 2.0, target: Target | None = None, baseline: float = 4.0, name: str = "step") -> Figure:
    return Figure(name, "How long it takes.", "ms", value, Baseline("nothing much", baseline), target, ("twice",))


# --- judging ---


@pytest.mark.parametrize(
    ("target", "value", "verdict"),
    [
        (Target(3.0), 3.0, Verdict.PASS),
        (Target(3.0), 3.01, Verdict.MISS),
        (Target(3.0, is_least=True), 3.0, Verdict.PASS),
        (Target(3.0, is_least=True), 2.99, Verdict.MISS),
        (None, 1e9, Verdict.NO_TARGET),
    ],
)
def test_a_target_is_kept_up_to_its_very_bound(target: Target | None, value: float, verdict: Verdict) -> None:
    assert figure(value, target).verdict is verdict


def test_a_ratio_is_value_by_baseline_and_none_where_the_baseline_is_nothing() -> None:
    assert figure(2.0, baseline=4.0).ratio == 0.5
    assert figure(2.0, baseline=0.0).ratio is None


@pytest.mark.parametrize(
    ("values", "per_cent", "wanted"),
    [([5.0], 50, 5.0), ([3.0, 1.0, 2.0], 50, 2.0), ([4, 3, 2, 1], 50, 2), (list(range(1, 101)), 95, 95)],
)
def test_a_percentile_is_one_of_the_values(values: list[float], per_cent: float, wanted: float) -> None:
    assert percentile(values, per_cent) == wanted


def test_no_values_have_no_median() -> None:
    with pytest.raises(ValueError, match="no values"):
        median([])


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0"), (0.00042, "0.00042"), (0.5, "0.5"), (1.234, "1.23"), (12.34, "12.3"), (12345.6, "12,346"), (100, "100")],
)
def test_values_are_shown_without_exponents_and_needless_digits(value: float, shown: str) -> None:
    assert plain(value) == shown
    assert rounded(rounded(value)) == rounded(value)


def test_a_run_scales_repetitions_but_never_to_none() -> None:
    assert Run(time.perf_counter).count(2000) == 2000
    assert Run(time.perf_counter, share=0.01).count(2000) == 20
    assert LITTLE.count(100) == 3
    assert LITTLE.seconds(10.0) == 0.3


# --- the benches: each with as little work as shows what it does ---


def check(bench: str, figures: list[Figure]) -> None:
    """What holds for every figure of a bench."""
    assert figures
    for one in figures:
        jsonschema.validate(one.public(), SCHEMA)
        assert one.name.split()[0] == bench
        assert one.command == f"cowboard bench {bench}"
        assert one.baseline.name
        assert one.what.endswith(".")


def test_step_measures_the_tables_own_loop() -> None:
    figures = list(step_figures(LITTLE))

    check("step", figures)
    assert figures[0].value > 0
    assert figures[0].baseline.value > 0


def test_the_script_plays_whole_games_of_every_kind_of_event(tmp_path: Path) -> None:
    scripted = ScriptedTable(tmp_path, seed=1)
    events: Counter[str] = Counter()
    phases: Counter[str] = Counter()
    for event in scripted.events(1200):
        scripted.loop.take(event)
        events[type(event).__name__] += 1
        phases[json.loads(scripted.loop.snapshot().body)["phase"]] += 1
    games = scripted.journal.games()
    scripted.journal.close()

    assert {"TraySettled", "TrayRolling", "CowsSeen", "TimePassed", "AdviceGiven", "GameLookedBack"} <= set(events)
    assert {"to roll", "rolling", "rolled", "moving", "waiting", "wrong", "over"} <= set(phases)
    assert any(game.result is not None for game in games)
    with Journal(tmp_path / "journal.sqlite", read_only=True) as journal:
        assert journal.is_sound()


def test_the_same_seed_gives_the_same_script(tmp_path: Path) -> None:
    scripts = []
    for name in ("one", "two"):
        scripted = ScriptedTable(tmp_path / name, seed=5)
        taken = []
        for event in scripted.events(60):
            scripted.loop.take(event)
            taken.append(event)
        scripted.journal.close()
        scripts.append(taken)

    assert scripts[0] == scripts[1]


def test_ready_and_idle_measure_a_service_that_runs() -> None:
    ready, idle = list(ready_figures(LITTLE)), list(idle_figures(LITTLE))

    check("ready", ready)
    check("idle", idle)
    assert [one.name for one in idle] == ["idle", "idle dice", "idle page", "idle memory"]
    assert ready[0].value > 0
    assert idle[-1].value > idle[-1].baseline.value > 10  # MB: an interpreter with OpenCV isn't smaller


def test_moves_and_single_ask_the_real_command() -> None:
    moves, single = list(moves_figures(LITTLE)), list(single_figures(LITTLE))

    check("moves", moves)
    check("single", single)
    assert single[0].ratio is not None
    assert single[0].ratio > 1


def test_questions_are_positions_and_dice_the_rules_know() -> None:
    for line in questions(50, seed=3):
        question = json.loads(line)
        parse_position(question["position"])
        parse_dice(question["dice"])
    assert questions(5, seed=3) == questions(5, seed=3) != questions(5, seed=4)


def test_vision_counts_every_drawn_tray_once() -> None:
    figures = list(vision_figures(LITTLE))

    check("vision", figures)
    assert [one.name for one in figures] == ["vision", "vision wrong"]
    found = re.match(r"Of (\d+): (\d+) exact, (\d+) refused, (\d+) wrong", figures[1].notes[0])
    assert found is not None
    total, exact, refused, wrong = map(int, found.groups())
    assert total == exact + refused + wrong == 3
    assert figures[1].value == wrong


def test_labelled_sets_are_read_where_they_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    image, values = drawn_tray(2)
    folder = tmp_path / "set"
    folder.mkdir()
    assert cv.save(image, folder / "a.png")
    label = {"file": "a.png", "dice": [{"value": value} for value in values]}
    (folder / "labels.json").write_text(json.dumps([label]), "utf-8")
    monkeypatch.setattr(dice, "LABELLED", {"mine": folder, "yours": tmp_path / "nowhere"})

    figures = list(labelled_figures(LITTLE))

    check("labelled", figures)
    assert [one.name for one in figures] == ["labelled mine"]
    assert figures[0].notes[0].startswith("Of 1: 1 exact")
    assert [lack.split("dice/")[1].split(" ")[0] for lack in labelled_lack()] == ["yours"]


def test_drawn_trays_of_a_seed_are_the_same_and_hold_what_they_say() -> None:
    first, again, other = drawn_tray(4), drawn_tray(4), drawn_tray(5)

    assert (first[0] == again[0]).all()
    assert first[1] == again[1]
    assert (first[0] != other[0]).any()


def test_the_recipe_finds_the_pips_of_dice_that_lie_apart() -> None:
    seen = [blob_values(image) == tuple(sorted(values)) for image, values in map(drawn_tray, range(12))]

    assert any(seen)


def test_points_are_gathered_by_chains_of_short_steps() -> None:
    row = [(float(x), 0.0) for x in (0, 3, 6, 9, 20, 23)]

    assert sorted(map(len, gathered(row, 4.0))) == [2, 4]
    assert gathered([], 4.0) == []


def test_link_measures_every_change_at_the_host() -> None:
    figures = list(link_figures(Run(time.perf_counter, share=0.1)))

    check("link", figures)
    median_ms, late_ms = (one.value for one in figures)
    assert 0 < median_ms <= late_ms
    assert len(list(bare_bytes(time.perf_counter, 5))) == 5


# --- processes ---


@pytest.mark.skipif(is_emulated(), reason="an emulator makes up what /proc tells of a process")
def test_a_process_is_measured_by_its_own_name_and_number() -> None:
    mine = usage(os.getpid())

    assert mine.cpu_s > 0
    assert mine.resident_mb > 5


def test_a_name_with_brackets_and_spaces_doesnt_shift_the_fields(tmp_path: Path) -> None:
    folder = tmp_path / "7"
    folder.mkdir()
    (folder / "stat").write_text(f"7 (a) b (c) S {' '.join(['0'] * 10)} 150 50 0", "utf-8")
    (folder / "status").write_text("Name:\tx\nVmRSS:\t   2048 kB\n", "utf-8")

    found = usage(7, tmp_path)

    assert found.cpu_s == pytest.approx(200 / os.sysconf("SC_CLK_TCK"))
    assert found.resident_mb == 2.0


def test_a_program_that_fails_is_told_with_its_last_line() -> None:
    with pytest.raises(BenchError, match=r"ended with 3: no cows"):
        run_python("-c", "import sys; print('no cows', file=sys.stderr); sys.exit(3)")
    with pytest.raises(BenchError, match="ended before"):
        usage(2**22 + 1)


def test_a_program_that_ends_while_it_is_measured_is_told() -> None:
    with Started(time.perf_counter, "-c", "print('here', flush=True)") as started:
        assert started.first_line() == "here\n"
        with pytest.raises(BenchError, match="ended"):
            started.busy_share(20.0)
    with Started(time.perf_counter, "-c", "pass") as silent, pytest.raises(BenchError, match="said nothing"):
        silent.first_line()


# --- telling ---


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("processor : 0\nmodel name\t: AMD EPYC\n", "AMD EPYC"),
        ("processor : 0\nModel\t\t: Raspberry Pi 5 Model B Rev 1.0\n", "Raspberry Pi 5 Model B Rev 1.0"),
        ("processor : 0\n", ""),
    ],
)
def test_the_processor_is_named_as_the_system_names_it(text: str, name: str) -> None:
    assert cpu_model(text) == name


def test_this_machine_has_a_name_and_cores() -> None:
    machine = this_machine()

    assert machine.cpu
    assert machine.core_count >= 1
    assert this_machine(Path("/nowhere")).cpu


def test_the_table_is_aligned_and_says_all() -> None:
    figures = (figure(12345.0, Target(2.0)), figure(name="idle page", baseline=0))
    head, first, note, second, _ = table(figures).splitlines()

    assert note == "    twice"
    assert first.split() == ["step", "12,345", "ms", "≤", "2", "ms", "miss", "3,086x", "nothing", "much:", "4", "ms"]
    assert len({line.index("nothing") for line in (first, second)} | {head.index("baseline")}) == 1


def test_the_page_names_machine_day_and_a_command_for_each_figure() -> None:
    machine = Machine("Abacus", 1, "Linux none", "3.11.0", 0.25)
    text = page(Report((figure(2.0, Target(2.0)),), machine, "0.1.0", datetime(2026, 12, 1, tzinfo=UTC), "cowboard x"))

    assert "Measured on 2026-12-01 with Cowboard 0.1.0, by `cowboard x`:" in text
    assert "- Processor: Abacus, 1 core\n" in text
    assert "| step | 2 ms | ≤ 2 ms | pass | 0.5x | nothing much: 4 ms | `cowboard bench step` |" in text
    assert "- **step**: How long it takes. twice." in text


def test_the_published_figures_have_the_shape_of_the_page() -> None:
    text = (ROOT / "docs/figures.md").read_text("utf-8")
    rows = [row.strip("| ").split(" | ") for row in re.findall(r"^\| (?!figure).+ \|$", text, re.MULTILINE)]

    assert re.search(r"^Measured on \d{4}-\d\d-\d\d with Cowboard [\d.]+, by `cowboard bench .+`:$", text, re.MULTILINE)
    assert re.search(r"^- Processor: \S.+, \d+ cores?$", text, re.MULTILINE)
    assert {row[0].split()[0] for row in rows} >= set(BENCHES) - {"labelled"}
    for row in rows:
        assert len(row) == 7, row
        assert row[-1] == f"`cowboard bench {row[0].split()[0]}`"
        assert row[3] in ("pass", "miss", "")
        assert f"- **{row[0]}**: " in text


# --- the command ---


def test_the_command_gives_a_line_for_each_figure(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    target = tmp_path / "figures.md"

    status = run(["bench", "--json", "single", "--write", str(target), "--full"])

    told = capsys.readouterr()
    figures = [json.loads(line) for line in told.out.splitlines()]
    assert [one["name"] for one in figures] == ["single"]
    assert status == (FAILED if figures[0]["verdict"] == "miss" else OK)
    assert f"by `cowboard bench single --full --write {target}`" in target.read_text("utf-8")


def test_a_missed_target_ends_with_one_and_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BENCHES, "step", lambda run: iter((figure(9.0, Target(2.0)),)))
    monkeypatch.setitem(BENCHES, "link", lambda run: iter((figure(1.0, Target(2.0), name="link"),)))

    assert run(["bench", "step", "link"]) == FAILED
    told = capsys.readouterr()
    assert told.err.splitlines()[-1] == "cowboard bench: target missed: step"
    assert "measuring link ..." in told.err
    assert run(["bench", "link"]) == OK


@pytest.mark.parametrize(
    ("arguments", "named"),
    [(("stepp",), "'stepp'"), (("link", "--write", "/nowhere/at/all.md"), "write: '/nowhere/at/all.md'")],
)
def test_bad_input_is_one_line_and_two(
    arguments: tuple[str, ...],
    named: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(BENCHES, "link", lambda run: iter((figure(name="link"),)))

    assert run(["bench", *arguments]) == BAD_INPUT
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("cowboard bench: ")
    assert named in last
    assert "accepted: " in last


def test_the_command_runs_from_any_folder(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "controller.cli", "bench", "nonsense"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == BAD_INPUT
    assert "Traceback" not in done.stderr


def test_the_help_names_every_bench(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "--help"]) == OK
    assert f"measured here: {', '.join(BENCHES)}." in " ".join(capsys.readouterr().out.split())
