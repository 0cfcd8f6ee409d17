"""The settings of a table: one TOML file, checked at the door, frozen inside.

A key that nobody knows is refused with the nearest known one, since a setting that silently does nothing costs an
evening. Every key has a default, so an empty file, or none, is a good one. The description of a field is the
sentence that a refusal gives as what is accepted; `cowboard.example.toml` shows every key.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from controller.errors import InputError

LARGEST_FILE = 1_000_000  # bytes; the example with all its comments has about 3,000
HIGHEST_PIN = 27  # BCM numbers on the 40-pin header


def _seconds(default: float) -> Any:
    return Field(default, ge=0.1, le=60, allow_inf_nan=False, description="seconds from 0.1 to 60")


def _whole(default: int, low: int, high: int) -> Any:
    return Field(default, ge=low, le=high, description=f"a whole number from {low} to {high}")


def _pin() -> Any:
    return Field(None, ge=0, le=HIGHEST_PIN, description=f"a BCM pin number from 0 to {HIGHEST_PIN}")


def _text(default: str, accepted: str, shortest: int = 1) -> Any:
    # No address and no path holds a null byte.
    return Field(default, min_length=shortest, max_length=4096, pattern=r"^[^\x00]*$", description=accepted)


def _name(default: str) -> Any:
    description = "a name of 1 to 40 printable characters"
    return Field(default, min_length=1, max_length=40, pattern=r"\S", description=description)


# As a browser sends it in its Host header: without scheme and port, in ASCII.
HostName = Annotated[str, Field(max_length=253, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]


class _Table(BaseModel):
    """One table of the file; unknown keys refused, types not bent."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class BoardConfig(_Table):
    """Where the board is. `auto` takes a real board where one is found, else the virtual one."""

    url: str = _text("auto", "auto, virtual://magnet, virtual://led, serial://auto or a path such as /dev/ttyACM0")


class CameraConfig(_Table):
    """Where the pictures come from, and how many a second are looked at."""

    url: str = _text("auto", "auto, virtual, picamera, v4l2:DEVICE or the path of a video or a folder of pictures")
    pictures_per_second: int = _whole(10, 5, 60)


class PageConfig(_Table):
    """Where the page is served. The default reaches the home network; control from public addresses is refused."""

    host: str = _text("0.0.0.0", "an address of this machine; 0.0.0.0 for all, 127.0.0.1 for this machine alone")
    port: int = _whole(8000, 0, 65535)
    watchers: int = _whole(24, 1, 500)
    names: tuple[HostName, ...] = Field(
        default=(), strict=False, description="a list of host names such as cows.example"
    )


class JournalConfig(_Table):
    """Where games are kept; empty: `cowboard/journal.sqlite` in the user's state folder."""

    path: str = _text("", "the path of a file", 0)


class PlayersConfig(_Table):
    """What the two sides are called."""

    white: str = _name("White")
    black: str = _name("Black")

    @field_validator("white", "black")
    @classmethod
    def _is_printable(cls, name: str) -> str:
        # The same rule as for the names of a new game: one line of a record, a list or a sentence holds them.
        if not name.isprintable():
            raise PydanticCustomError("unprintable", "unprintable")
        return name


class TableConfig(_Table):
    """How long the table waits, in seconds."""

    wrong_said_after_s: float = _seconds(2.0)
    extend_wait_s: float = _seconds(1.5)
    second_cow_wait_s: float = _seconds(6.0)
    look_again_s: float = _seconds(1.0)


class CoachConfig(_Table):
    """When the coach speaks at the start; the page can switch it any time."""

    mode: Literal["off", "on request", "always"] = Field(default="off", description="off, on request or always")


_Level = Literal["gentle", "greedy", "keen", "best"]
_LEVEL = "gentle, greedy, keen or best; left out: a person plays"


class ComputerConfig(_Table):
    """Which sides a computer plays in a game that these settings begin; the page's new game may choose otherwise."""

    white: _Level | None = Field(default=None, description=_LEVEL)
    black: _Level | None = Field(default=None, description=_LEVEL)
    throws: Literal["tray", "generator"] = Field(default="tray", description="tray or generator")


class PanelConfig(_Table):
    """Buttons, knob, lamp and buzzer on the Pi's own pins (BCM numbers); each may be left out."""

    enabled: bool = Field(default=False, description="true or false")
    done: int | None = _pin()
    undo: int | None = _pin()
    new_game: int | None = _pin()
    knob_a: int | None = _pin()
    knob_b: int | None = _pin()
    knob_press: int | None = _pin()
    lamp: int | None = _pin()
    buzzer: int | None = _pin()

    @property
    def pins(self) -> dict[str, int]:
        """The pins that are used, by part."""
        parts = self.model_dump(exclude={"enabled"})
        return {part: pin for part, pin in parts.items() if pin is not None}

    @model_validator(mode="after")
    def _pins_fit(self) -> PanelConfig:
        used: dict[int, str] = {}
        for part, pin in self.pins.items():
            if pin in used:
                raise _misfit(part, f"{pin} for both {used[pin]} and {part}", "a pin of its own for each part")
            used[pin] = part
        if (self.knob_a is None) != (self.knob_b is None):
            given, lacking = ("knob_b", "knob_a") if self.knob_a is None else ("knob_a", "knob_b")
            raise _misfit(given, f"{given} without {lacking}", "both knob_a and knob_b, or neither")
        return self


class Config(_Table):
    """All settings. `rules` holds house rules as `controller.games.cosmic_cows.parse_rules` takes them."""

    board: BoardConfig = Field(default=BoardConfig(), description="a table [board]")
    camera: CameraConfig = Field(default=CameraConfig(), description="a table [camera]")
    page: PageConfig = Field(default=PageConfig(), description="a table [page]")
    journal: JournalConfig = Field(default=JournalConfig(), description="a table [journal]")
    players: PlayersConfig = Field(default=PlayersConfig(), description="a table [players]")
    table: TableConfig = Field(default=TableConfig(), description="a table [table]")
    coach: CoachConfig = Field(default=CoachConfig(), description="a table [coach]")
    computer: ComputerConfig = Field(default=ComputerConfig(), description="a table [computer]")
    panel: PanelConfig = Field(default=PanelConfig(), description="a table [panel]")
    rules: dict[str, Any] = Field(default={}, description="a table [rules]")

    @property
    def journal_path(self) -> Path:
        """The journal's file.

        Raises:
            InputError: it is looked for in a home folder, and there is none.
        """
        try:
            return Path(self.journal.path).expanduser() if self.journal.path else default_journal_path()
        except RuntimeError as error:
            accepted = "the path of a file; from the home folder only for a user who has one"
            raise InputError("journal.path", self.journal.path, accepted) from error


def default_journal_path() -> Path:
    """The user's state folder, as the XDG rules name it."""
    state = os.environ.get("XDG_STATE_HOME", "")
    base = Path(state) if state.startswith("/") else Path.home() / ".local" / "state"
    return base / "cowboard" / "journal.sqlite"


def load_config(path: Path | None = None, overrides: Mapping[str, Mapping[str, Any]] | None = None) -> Config:
    """The settings of this file (None: the defaults), with some of them overridden table by table.

    Raises:
        InputError: the file can't be read or a setting isn't usable; names the field and, where it can, file and
            line, what was seen and what is accepted.
    """
    text = "" if path is None else _read(path)
    document = _parse(text, path)
    for table, values in (overrides or {}).items():
        held = document.get(table, {})
        if isinstance(held, Mapping):
            document[table] = {**held, **values}
    try:
        return Config.model_validate(document)
    except ValidationError as error:
        raise _explained(error, path, text) from error


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:  # ValueError: a null byte in the name
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError("config", str(path), f"a TOML file that can be read ({reason})") from error
    if len(content) > LARGEST_FILE:
        raise InputError("config", str(path), f"a TOML file of at most {LARGEST_FILE} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("config", str(path), "a TOML file in UTF-8") from error


def _parse(text: str, path: Path | None) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError("config", str(path), f"a TOML file; {error}") from error


def _misfit(part: str, seen: str, accepted: str) -> PydanticCustomError:
    """A fault between settings of one table; `_explained` takes its parts from the context."""
    return PydanticCustomError("misfit", "misfit", {"part": part, "seen": seen, "accepted": accepted})


def _explained(error: ValidationError, path: Path | None, text: str) -> InputError:
    """The first fault in one line."""
    first = error.errors(include_url=False)[0]
    place = tuple(str(part) for part in first["loc"])
    seen: object = first.get("input")
    if first["type"] == "extra_forbidden":
        *within, seen = place
        known = _fields(tuple(within))
        near = get_close_matches(seen, known, n=1, cutoff=0.0)[0]
        accepted = f"{', '.join(known)}; the nearest is {near}"
        field = ".".join(within) or "config"
    elif first["type"] == "misfit":
        place, seen, accepted = (*place, first["ctx"]["part"]), first["ctx"]["seen"], first["ctx"]["accepted"]
        field = ".".join(place)
    else:
        accepted = _accepted(place)
        field = ".".join(place)
    return InputError(f"{field}{_source(place, path, text)}", seen, accepted)


def _fields(place: tuple[str, ...]) -> dict[str, FieldInfo]:
    """The fields of the table at this place; none below the tables of the file."""
    model: Any = Config
    for part in place:
        model = model.model_fields[part].annotation
    return dict(model.model_fields)


def _accepted(place: tuple[str, ...]) -> str:
    """What the field at this place takes; an element of a list is described with its list."""
    field = _fields(place[:1])[place[1]] if len(place) > 1 and place[0] != "rules" else _fields(())[place[0]]
    return str(field.description)


def _source(place: tuple[str, ...], path: Path | None, text: str) -> str:
    """Where in the file the key stands, for a message; empty for what the file doesn't hold."""
    if path is None:
        return ""
    line = _line(place, text)
    return f" ({path}{f', line {line}' if line else ''})"


def _line(place: tuple[str, ...], text: str) -> int | None:
    """The line of a key, found as people write TOML: a header, then keys; None where it is written otherwise."""
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[\s*([\w-]+)\s*\]", line):
            table = header[1]
            if place == (table,):
                return number
        elif key := re.match(r"\s*([\w.-]+)\s*=", line):
            written = f"{table}.{key[1]}".lstrip(".")
            if written in (place[0], ".".join(place[:2])):
                return number
    return None
