"""The machine under the table: Python, packages, model, heat and supply, disk, clock."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from controller.runtime.book import CLOCK_IS_SET_AFTER
from controller.runtime.doctor.check import Check, Verdict, World

OLDEST_PYTHON = (3, 11)
LEAST_FREE_MB = 100  # a game takes about 100 kB; what fills a card is something else, and it will go on
PI_5_SUPPLY_MA = 5000
LEAST_SUPPLY_MA = 3000

_THROTTLED = {
    0: "the supply's voltage is too low",
    1: "the processor's speed is capped",
    2: "the processor is throttled",
    3: "the processor is at its heat limit",
}
# lgpio leaves its notification pipes in the working folder unless it is told another one.
_PANEL_SCRIPT = """
import os, tempfile
os.environ.setdefault("LG_WD", tempfile.gettempdir())
from importlib.metadata import version
import gpiozero, lgpio
print(version("gpiozero"))
"""
_SINCE_BOOT = 16  # the same bits, this much higher: it has happened since the start
_SUPPLY_MEND = "Use the Pi's own supply with a short thick cable, and feed the LEDs from a supply of their own."
_HEAT_MEND = "Give the Pi air, a heat sink or a fan."


def machine_checks(world: World, wants_panel: bool) -> Iterator[Check]:
    """Python, packages, model, throttling, supply, clock; `wants_panel` says whether the config uses the pins."""
    yield python(sys.version_info[:3])
    yield packages(world)
    yield panel_packages(world, wants_panel)
    model = world.text("proc/device-tree/model")
    yield model_check(model)
    yield throttling(world)
    yield supply(world)
    yield clock(world)


def python(version: tuple[int, ...]) -> Check:
    """Whether this Python is new enough."""
    shown = ".".join(map(str, version))
    if version < OLDEST_PYTHON:
        mend = "Install Python 3.11 or later, and make the environment anew."
        return Check("python", Verdict.WRONG, f"Python {shown} is too old.", mend)
    return Check("python", Verdict.OK, f"Python {shown} at {sys.executable}.")


def packages(world: World) -> Check:
    """Whether OpenCV and numpy load; in a program of its own, since a bad build may end it."""
    script = "import numpy, cv2; print(f'OpenCV {cv2.__version__}, numpy {numpy.__version__}')"
    told = world.ask((sys.executable, "-c", script))
    if told is not None and told.status == 0:
        return Check("vision packages", Verdict.OK, f"{told.out.strip()}.")
    why = "they don't end loading" if told is None else _last_line(told.err) or f"they end with status {told.status}"
    mend = "On a Pi with a ribbon camera: sudo apt install python3-opencv. Else: pip install '.[vision]'."
    return Check("vision packages", Verdict.WRONG, f"OpenCV and numpy can't be loaded: {why}.", mend)


def panel_packages(world: World, is_wanted: bool) -> Check:
    """Whether gpiozero and lgpio load, where the config has a panel."""
    told = world.ask((sys.executable, "-c", _PANEL_SCRIPT))
    if told is not None and told.status == 0:
        return Check("panel packages", Verdict.OK, f"gpiozero {told.out.strip()} with lgpio.")
    if not is_wanted:
        return Check("panel packages", Verdict.NOT_HERE, "gpiozero and lgpio aren't both here, and no panel is set up.")
    why = "they don't end loading" if told is None else _last_line(told.err)
    mend = "pip install '.[panel]' in Cowboard's folder, or set enabled = false in [panel]."
    return Check("panel packages", Verdict.WRONG, f"gpiozero and lgpio can't be loaded: {why}.", mend)


def model_check(model: str | None) -> Check:
    """Which Raspberry Pi this is."""
    if not model or "Raspberry Pi" not in model:
        shown = model or platform.machine()
        return Check("model", Verdict.NOT_HERE, f"No Raspberry Pi ({shown}): no pins, no ribbon camera.")
    return Check("model", Verdict.OK, f"{model}.")


def throttling(world: World) -> Check:
    """Whether the Pi slows itself for heat or want of power, now or since it was started."""
    told = world.ask(("vcgencmd", "get_throttled"))
    if told is None:
        return Check("throttling", Verdict.NOT_HERE, "No vcgencmd to ask.")
    try:
        flags = int(told.out.strip().removeprefix("throttled="), 16)
    except ValueError:
        said = _last_line(told.out + told.err) or "nothing"
        return Check("throttling", Verdict.UNKNOWN, f"vcgencmd says: {said}.", "Let this user into the group video.")
    now = [what for bit, what in _THROTTLED.items() if flags >> bit & 1]
    before = [what for bit, what in _THROTTLED.items() if flags >> bit + _SINCE_BOOT & 1 and what not in now]
    if not now and not before:
        return Check("throttling", Verdict.OK, "Neither slowed nor short of power since the start.")
    told_now = [f"{what} now" for what in now]
    told_before = [f"{what} at times since the start" for what in before]
    low = flags & 1 or flags >> _SINCE_BOOT & 1
    sentence = f"{'; '.join(told_now + told_before)}."
    return Check("throttling", Verdict.WRONG, sentence[0].upper() + sentence[1:], _SUPPLY_MEND if low else _HEAT_MEND)


def supply(world: World) -> Check:
    """What the supply offers as far as the Pi knows it: its current on a Pi 5, its voltage's alarm on the others."""
    offered = world.bytes_of("proc/device-tree/chosen/power/max_current")
    if offered is not None and len(offered) == 4:
        offered_ma = int.from_bytes(offered, "big")
        if offered_ma < LEAST_SUPPLY_MA:
            return Check("supply", Verdict.WRONG, f"The supply offers only {offered_ma} mA.", _SUPPLY_MEND)
        limited = "" if offered_ma >= PI_5_SUPPLY_MA else "; the USB sockets then give 600 mA in all"
        return Check("supply", Verdict.OK, f"The supply offers {offered_ma} mA{limited}.")
    for folder in sorted((world.root / "sys/class/hwmon").glob("hwmon*")):
        where = folder.relative_to(world.root)
        if world.text(f"{where}/name") == "rpi_volt":
            if world.text(f"{where}/in0_lcrit_alarm") == "1":
                return Check("supply", Verdict.WRONG, "The supply's voltage is too low.", _SUPPLY_MEND)
            return Check("supply", Verdict.OK, "The supply's voltage is high enough.")
    return Check("supply", Verdict.NOT_HERE, "This machine doesn't tell of its supply.")


def disk(path: Path) -> Check:
    """Whether the disk of this path has room."""
    folder = nearest_folder(path)
    try:
        free_mb = shutil.disk_usage(folder).free / 1e6
    except OSError as error:
        mend = "Check the disk, or set journal.path to another one."
        return Check("disk", Verdict.WRONG, f"The disk of {folder} can't be asked: {error.strerror}.", mend)
    if free_mb < LEAST_FREE_MB:
        mend = "Free some space, or set journal.path to another disk."
        return Check("disk", Verdict.WRONG, f"Only {free_mb:.0f} MB are free at {folder}.", mend)
    return Check("disk", Verdict.OK, f"{free_mb:,.0f} MB are free at {folder}.")


def nearest_folder(path: Path) -> Path:
    """The folder of this path, or the nearest one above it that is there."""
    folders = path.absolute().parents
    return next((folder for folder in folders if folder.is_dir()), Path("/"))


def clock(world: World) -> Check:
    """Whether the clock is set; a Pi has no battery for it."""
    now = world.clock.wall()
    if now < CLOCK_IS_SET_AFTER:
        mend = "Let the Pi reach a network once, or: sudo date -s '2026-12-31 18:00'. Games go on without a date."
        return Check("clock", Verdict.WRONG, f"The clock stands at {now:%Y-%m-%d}, before this program was made.", mend)
    return Check("clock", Verdict.OK, f"The clock says {now:%Y-%m-%d %H:%M} UTC.")


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or [""])[-1].rstrip(".")
