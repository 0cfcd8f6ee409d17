"""`moves` and `single`: answers a second through a real pipe, and one command from start to end."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator

from controller.bench.figure import Baseline, Figure, Run, Target, median
from controller.bench.process import COMMAND_LIMIT_S, ROOT, BenchError, run_python
from controller.games.cosmic_cows import BEAMS, last_place

LINES = 10_000
TARGET_HZ = 10_000.0
SINGLE_TARGET_S = 0.5  # what a person at a shell takes for at once; on a Pi 4 all is about four times slower
_QUESTION = ("moves", "--position", "0,0,2,0,-1,0,-3,0,8 w", "--dice", "12343")


def questions(count: int, seed: int) -> list[str]:
    """So many random positions and throws, each as one line of JSON."""
    generator = random.Random(seed)
    lines = []
    for _ in range(count):
        places = [generator.randint(-last_place(beam), last_place(beam)) for beam in BEAMS]
        position = f"{','.join(map(str, places))} {generator.choice('wb')}"
        dice = "".join(str(generator.randint(1, 6)) for _ in range(5))
        lines.append(json.dumps({"position": position, "dice": dice}))
    return lines


def moves_figures(run: Run) -> Iterator[Figure]:
    """The figure `moves`: the best of three, since what else runs can only slow it down."""
    lines = questions(run.count(LINES, 200), seed=2)
    took = min(_answer_s(run, lines) for _ in range(3))
    plain = min(run.time(lambda: [json.dumps(json.loads(line)) for line in lines]) for _ in range(3))
    yield Figure(
        "moves",
        "Answers a second of `cowboard moves --batch -`, random questions through a pipe; the best of three.",
        "/s",
        len(lines) / took,
        Baseline("json.loads and json.dumps of the questions", len(lines) / plain),
        Target(TARGET_HZ, is_least=True),
        (f"{len(lines)} questions in {took:.2f} s",),
    )


def _answer_s(run: Run, lines: list[str]) -> float:
    """Seconds that a started `moves --batch -` takes for these questions."""
    with subprocess.Popen(
        [sys.executable, "-m", "controller.cli", "moves", "--batch", "-"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{lines[0]}\n".encode())
        process.stdin.flush()
        process.stdout.readline()  # it has started; that is the figure `single`
        begun = run.now()
        answers, _ = process.communicate("".join(f"{line}\n" for line in lines).encode(), COMMAND_LIMIT_S)
        took = run.now() - begun
    got = answers.splitlines()
    if len(got) != len(lines) or any(b'"error"' in answer for answer in got):
        raise BenchError(f"moves --batch: {len(lines)} questions, {len(got)} answers, or errors among them")
    return took


def single_figures(run: Run) -> Iterator[Figure]:
    """The figure `single`."""
    ours, plain = [], []
    for _ in range(run.count(7, 1)):
        ours.append(run.time(lambda: run_python("-m", "controller.cli", *_QUESTION)))
        plain.append(run.time(lambda: run_python("-c", "pass")))
    yield Figure(
        "single",
        "One `cowboard moves`, from its start to its end; the median.",
        "s",
        median(ours),
        Baseline("python -c pass", median(plain)),
        Target(SINGLE_TARGET_S),
        (f"{len(ours)} calls, the slowest {max(ours):.2f} s",),
    )
