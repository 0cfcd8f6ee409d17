"""The cuts of docs/architecture.md, held by machine: who imports whom, where each library lives, what import does."""

from __future__ import annotations

import re
import subprocess
import sys
from fnmatch import fnmatch

import pytest

from tests.support.tree import PACKAGES, ROOT, Module, imports, modules

# The only modules that may import a library; a swap of the library then changes these and nothing else.
HOMES: dict[str, tuple[str, ...]] = {
    "click": ("controller.cli", "controller.cli.*"),
    "cobs": ("firmware_bridge.packets",),
    "cv2": ("vision.cv", "vision.sources.*", "controller.bench.*"),  # the bench's baseline is OpenCV's own detector
    "flask": ("web.*",),
    "gpiozero": ("controller.runtime.panel",),
    "lgpio": ("controller.runtime.panel",),
    "numpy": ("vision.*", "controller.bench.*", "controller.advice.*"),
    "picamera2": ("vision.sources.picamera",),
    "pydantic": ("controller.config",),
    "pydantic_core": ("controller.config",),
    "serial": ("firmware_bridge.transport", "firmware_bridge.ports"),
    "sqlite3": ("controller.journal.*",),
    "waitress": ("web.serve",),
}

# The pure core: decided by arguments alone, so no clock, chance, thread, file, network, log or environment.
PURE = (
    "controller.errors",
    "controller.games.*",
    "controller.table.*",
    "controller.journal.record",
    "firmware_bridge.connection",
    "firmware_bridge.messages",
    "firmware_bridge.packets",
    "firmware_bridge.power",
    "vision.faces",
    "vision.locate",
    "vision.pips",
    "vision.reading",
    "vision.readings",
    "vision.settle",
)
WORLD = {"glob", "io", "logging", "os", "queue", "random", "shutil", "socket", "sqlite3", "subprocess", "tempfile"}
WORLD |= {"pathlib", "threading", "time", "urllib.request"}


def arrows() -> dict[str, tuple[str, ...]]:
    """The table of docs/architecture.md: package → what it may import, as dotted names; `*` for everything of ours."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w/]+)` \|[^|]*\|([^|]*)\|$", text, re.MULTILINE)
    return {
        package.replace("/", "."): (
            *re.findall(r"`([\w.]+)`", allowed.replace("/", ".")),
            *(["*"] if "everything of ours" in allowed else []),
        )
        for package, allowed in rows
    }


def lies_in(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def package_of(module: Module) -> str | None:
    """The row of the table that a module belongs to; None for the bare package `controller`, the version."""
    return next((package for package in arrows() if lies_in(module.name, package)), None)


def test_every_module_belongs_to_a_row_of_the_table() -> None:
    homeless = [module.shown for module in modules() if module.name != "controller" and package_of(module) is None]

    assert homeless == []


def test_a_module_imports_only_what_its_package_may() -> None:
    table = arrows()
    wrong = []
    for module in modules():
        package = package_of(module)
        allowed = () if package is None else (package, "controller", *table[package])
        for name in imports(module):
            if name.split(".")[0] in sys.stdlib_module_names or name in ("controller", "pydantic_core"):
                continue
            is_ours = name.split(".")[0] in PACKAGES
            fits = any(lies_in(name, may) for may in allowed if may != "controller")
            if not fits and not (is_ours and "*" in allowed):
                wrong.append(f"{module.shown} imports {name}")

    assert wrong == []


@pytest.mark.parametrize("library", HOMES)
def test_a_library_is_imported_only_in_its_home(library: str) -> None:
    homes = HOMES[library]
    wrong = [
        module.shown
        for module in modules()
        if any(lies_in(name, library) for name in imports(module))
        and not any(fnmatch(module.name, home) for home in homes)
    ]

    assert wrong == []


def test_the_pure_core_imports_nothing_that_touches_the_world() -> None:
    pure = [module for module in modules() if any(fnmatch(module.name, pattern) for pattern in PURE)]
    wrong = [f"{module.shown} imports {name}" for module in pure for name in imports(module) if name in WORLD]

    assert len(pure) > len(PURE)
    assert wrong == []


# Runs in an interpreter of its own. Libraries come first, since what they do at import isn't ours to say.
_IMPORT_ALL = """
import importlib, os, sys, sysconfig
sys.dont_write_bytecode = True
names = sys.argv[1].split(",")
for library in ("click", "cobs.cobs", "cv2", "flask", "numpy", "pydantic", "serial.tools.list_ports", "waitress.server",
        "waitress.wasyncore"):
    importlib.import_module(library)
installed = tuple(sysconfig.get_paths().values()) + (sys.base_prefix,)
seen = []
def watch(event, arguments):
    if event == "open":
        path, mode, flags = arguments
        is_code = str(path).endswith((".py", ".pyc", ".so")) or str(path).startswith(installed)
        if not is_code or flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            seen.append(f"opens {path}")
    elif event == "_thread.start_new_thread" or event.split(".")[0] in ("socket", "sqlite3", "subprocess"):
        seen.append(event)
sys.addaudithook(watch)
for name in names:
    before = len(seen)
    importlib.import_module(name)
    for event in seen[before:]:
        print(f"{name}: {event}")
"""


def test_importing_our_modules_opens_and_starts_nothing() -> None:
    names = [module.name for module in modules() if not module.name.endswith("__main__")]
    done = subprocess.run(
        [sys.executable, "-c", _IMPORT_ALL, ",".join(names)], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.stderr == ""
    assert done.stdout.splitlines() == []
