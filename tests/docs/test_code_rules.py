"""The rules of size, of errors and of time, held by machine for every Python file and what the page is made of."""

from __future__ import annotations

import ast
from collections import Counter

import pytest

from tests.support.tree import ROOT, Module, files, functions, modules, python_files

LONGEST_FUNCTION = 60  # lines, without decorators and docstring
LONGEST_PYTHON = 500
LONGEST_ON_THE_PAGE = 400  # templates, scripts and stylesheets
LONGEST_C = 300
MOST_PARAMETERS = 6

# Where every exception ends: the tops of threads and of the command line.
BROAD_EXCEPT = {
    "controller/cli/__init__.py": 1,
    "controller/runtime/coach.py": 1,
    "controller/runtime/computer.py": 1,
    "controller/runtime/loop.py": 1,
    "firmware_bridge/link.py": 1,
    "vision/reader.py": 1,
}

# Adapters touch the world, so they may read the monotonic clock where it isn't handed to them; the bench and `read`
# tell how long something took.
MONOTONIC = {
    "controller/cli/bench.py",
    "controller/cli/read.py",
    "controller/runtime/clock.py",
    "firmware_bridge/emulator/board.py",
    "firmware_bridge/link.py",
    "firmware_bridge/ports.py",
    "firmware_bridge/virtual/board.py",
    "web/stream.py",
}
WALL_CLOCK = {"controller/runtime/clock.py"}


def shape(function: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[int, int]:
    """Lines without decorators and docstring; parameters without self and cls."""
    length = (function.end_lineno or function.lineno) - function.lineno + 1
    first = function.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        length -= (first.end_lineno or first.lineno) - first.lineno + 1
    arguments = function.args
    named = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    return length, len([name for name in named if name not in ("self", "cls")])


def is_command(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether click calls it: then its parameters are the command's options, and no caller of ours counts them."""
    return any(ast.unparse(decorator).startswith("click.command") for decorator in function.decorator_list)


def test_no_function_is_longer_than_a_screen() -> None:
    long = [
        f"{module.shown}:{function.lineno} {function.name}: {shape(function)[0]} lines"
        for module in python_files()
        for function in functions(module)
        if shape(function)[0] > LONGEST_FUNCTION
    ]

    assert long == []


def test_no_function_takes_more_parameters_than_a_reader_can_hold() -> None:
    wide = [
        f"{module.shown}:{function.lineno} {function.name}: {shape(function)[1]} parameters"
        for module in python_files()
        for function in functions(module)
        if shape(function)[1] > MOST_PARAMETERS and not is_command(function)
    ]

    assert wide == []


@pytest.mark.parametrize(
    ("suffixes", "longest"),
    [
        ((".py",), LONGEST_PYTHON),
        ((".js", ".css", ".html"), LONGEST_ON_THE_PAGE),
        ((".c", ".h"), LONGEST_C),
    ],
    ids=["Python", "page", "C"],
)
def test_no_file_is_longer_than_its_kind_may_be(suffixes: tuple[str, ...], longest: int) -> None:
    lengths = {str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines()) for path in files(*suffixes)}

    assert {path: length for path, length in lengths.items() if length > longest} == {}


def goes_on(handler: ast.ExceptHandler) -> bool:
    """Whether it only tidies up, and the exception goes on."""
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def test_every_exception_is_caught_only_where_it_is_listed() -> None:
    found: Counter[str] = Counter()
    for module in modules():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ExceptHandler):
                caught = "everything" if node.type is None else ast.unparse(node.type)
                if caught in ("everything", "Exception", "BaseException") and not goes_on(node):
                    found[module.shown] += 1

    assert {path: count for path, count in found.items() if count > BROAD_EXCEPT.get(path, 0)} == {}


def uses(module: Module) -> list[tuple[int, str]]:
    """Line and dotted name of everything that a module takes from another by attribute or by name."""
    found = []
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute):
            found.append((node.lineno, ast.unparse(node)))
        elif isinstance(node, ast.ImportFrom) and node.module in ("time", "random", "datetime"):
            found.extend((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)
    return found


def without_seed(module: Module) -> list[str]:
    """Generators made without a seed: their numbers can't be had again."""
    return [
        f"{module.shown}:{node.lineno}"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) in ("random.Random", "np.random.default_rng")
        and not node.args
    ]


def test_the_wall_clock_is_read_in_one_place() -> None:
    wall = {"time.time", "time.time_ns", "datetime.now", "datetime.utcnow", "datetime.datetime.now", "date.today"}
    found = [
        f"{module.shown}:{line} {name}"
        for module in modules()
        if module.shown not in WALL_CLOCK
        for line, name in uses(module)
        if name in wall
    ]

    assert found == []


def test_the_monotonic_clock_is_an_argument_but_in_adapters() -> None:
    clocks = {"time.monotonic", "time.monotonic_ns", "time.perf_counter", "time.perf_counter_ns"}
    found = [
        f"{module.shown}:{line} {name}"
        for module in modules()
        if module.shown not in MONOTONIC and not module.name.startswith("controller.bench")
        for line, name in uses(module)
        if name in clocks
    ]

    assert found == []


def test_nothing_sleeps() -> None:
    found = [
        f"{module.shown}:{line} {name}"
        for module in python_files()
        for line, name in uses(module)
        if name.split(".")[-1] == "sleep"
    ]

    assert found == []


def test_chance_has_a_seed_or_is_an_argument() -> None:
    shared = [
        f"{module.shown}:{line} {name}"
        for module in modules()
        for line, name in uses(module)
        if name.startswith(("random.", "np.random.")) and name not in ALLOWED_OF_RANDOM
    ]
    unseeded = [
        place for module in modules() if module.name != "controller.runtime.wiring" for place in without_seed(module)
    ]

    assert shared + unseeded == []


ALLOWED_OF_RANDOM = {"random.Random", "np.random.Generator", "np.random.default_rng"}


def test_every_module_says_what_it_is_for() -> None:
    silent = [module.shown for module in modules() if module.text.strip() and not ast.get_docstring(module.tree)]

    assert silent == []
