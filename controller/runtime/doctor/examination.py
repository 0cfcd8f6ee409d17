"""All checks in their order; each stands for itself, so that one that fails hides no other."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from controller import __version__
from controller.config import Config, load_config
from controller.errors import InputError
from controller.games.cosmic_cows import parse_rules
from controller.runtime.clock import RealClock
from controller.runtime.doctor.check import Check, Told, Verdict, World
from controller.runtime.doctor.journal import journal_check
from controller.runtime.doctor.machine import disk, machine_checks
from controller.runtime.doctor.service import find_service, port_check, service_check, told_by_service

ASK_S = 30.0
VIRTUAL: Mapping[str, Mapping[str, Any]] = {"board": {"url": "virtual://magnet"}, "camera": {"url": "virtual"}}


def real_world() -> World:
    """This machine."""
    return World(RealClock(), ask_program, threading.Event().wait)


def examine(world: World, path: Path | None, is_virtual: bool = False) -> Iterator[Check]:
    """Look at everything, in the order in which a table starts.

    Args:
        path: the config file; None for the defaults.
        is_virtual: walk round the virtual table, and leave the real devices alone.
    """
    config, config_check = read_config(path, VIRTUAL if is_virtual else {})
    yield config_check
    found = find_service(world, config)
    yield service_check(found, __version__)
    yield journal_check(config.journal_path)
    yield disk(config.journal_path)
    can_see = True
    for check in machine_checks(world, config.panel.enabled):
        can_see &= check.name != "vision packages" or check.verdict is Verdict.OK
        yield check
    yield port_check(world, config, found)
    if found.is_running:
        yield from (told_by_service(name, found) for name in ("board", "camera", "panel"))
    elif can_see:
        from controller.runtime.doctor.devices import device_checks

        yield from device_checks(world, config)
    if is_virtual and can_see:
        from controller.runtime.doctor.virtual import virtual_checks

        yield from virtual_checks(world)
    if not can_see:
        left = "Board, camera and virtual table aren't looked at without the vision packages."
        yield Check("devices", Verdict.UNKNOWN, left)


def read_config(path: Path | None, overrides: Mapping[str, Mapping[str, Any]]) -> tuple[Config, Check]:
    """The settings, and whether they are usable; the defaults where they aren't, so that the rest can be looked at."""
    try:
        config = load_config(path, overrides)
        parse_rules(config.rules)
        os.fspath(config.journal_path)  # it may want a home folder that isn't there
    except InputError as error:
        mend = f"Correct {path}; cowboard.example.toml shows every key. The rest is looked at with the defaults."
        return load_config(None, overrides), Check("config", Verdict.WRONG, f"{error}.", mend)
    where = "No file named: the defaults hold." if path is None else f"{path} is usable."
    return config, Check("config", Verdict.OK, where)


def ask_program(words: tuple[str, ...]) -> Told | None:
    """Run a program to its end; None where there is none or it takes too long."""
    try:
        done = subprocess.run(words, capture_output=True, check=False, timeout=ASK_S, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return Told(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))
