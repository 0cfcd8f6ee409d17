"""The settings of a table: one TOML file, checked at the door, frozen inside.

A key that nobody knows is refused with the nearest known one, since a setting that silently does nothing costs an
evening. Every key has a default, so an empty file, or none, is a good one.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from controller.errors import InputError


class _Table(BaseModel):
    """One table of the file; unknown keys refused, types not bent."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


Seconds = Annotated[float, Field(ge=0.1, le=60, strict=False, allow_inf_nan=False)]
Pin = Annotated[int, Field(ge=0, le=27)]


class BoardConfig(_Table):
    """Where the board is: `auto`, `virtual://magnet`, `virtual://led`, `serial://auto` or a device path."""

    url: str = "auto"


class CameraConfig(_Table):
    """Where the pictures come from, and how many a second are looked at."""

    url: str = "auto"
    pictures_per_second: Annotated[int, Field(ge=5, le=60)] = 10


class PageConfig(_Table):
    """Where the page is served. The default reaches the home network; control from public addresses is refused."""

    host: str = "0.0.0.0"
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    watchers: Annotated[int, Field(ge=1, le=500)] = 24
    names: tuple[str, ...] = Field(default=(), strict=False)


class JournalConfig(_Table):
    """Where games are kept; empty: `cowboard/journal.sqlite` in the user's state folder."""

    path: str = ""


class PlayersConfig(_Table):
    """What the two sides are called."""

    white: Annotated[str, Field(min_length=1, max_length=40)] = "White"
    black: Annotated[str, Field(min_length=1, max_length=40)] = "Black"


class TableConfig(_Table):
    """How long the table waits, in seconds."""

    wrong_said_after_s: Seconds = 2.0
    extend_wait_s: Seconds = 1.5
    second_cow_wait_s: Seconds = 6.0
    look_again_s: Seconds = 1.0


class PanelConfig(_Table):
    """Buttons, knob, lamp and buzzer on the Pi's own pins (BCM numbers); each may be left out."""

    enabled: bool = False
    done: Pin | None = None
    undo: Pin | None = None
    new_game: Pin | None = None
    knob_a: Pin | None = None
    knob_b: Pin | None = None
    knob_press: Pin | None = None
    lamp: Pin | None = None
    buzzer: Pin | None = None

    @property
    def pins(self) -> dict[str, int]:
        """The pins that are used, by part."""
        parts = self.model_dump(exclude={"enabled"})
        return {part: pin for part, pin in parts.items() if pin is not None}

    @model_validator(mode="after")
    def _each_pin_once(self) -> PanelConfig:
        used: dict[int, str] = {}
        for part, pin in self.pins.items():
            if pin in used:
                raise ValueError(f"pin {pin} is given to both {used[pin]} and {part}; each part needs a pin of its own")
            used[pin] = part
        if (self.knob_a is None) != (self.knob_b is None):
            raise ValueError("a knob needs both knob_a and knob_b")
        return self


class Config(_Table):
    """All settings. `rules` holds house rules as `controller.games.cosmic_cows.parse_rules` takes them."""

    board: BoardConfig = BoardConfig()
    camera: CameraConfig = CameraConfig()
    page: PageConfig = PageConfig()
    journal: JournalConfig = JournalConfig()
    players: PlayersConfig = PlayersConfig()
    table: TableConfig = TableConfig()
    panel: PanelConfig = PanelConfig()
    rules: dict[str, Any] = {}

    @property
    def journal_path(self) -> Path:
        """The journal's file."""
        return Path(self.journal.path).expanduser() if self.journal.path else default_journal_path()


def default_journal_path() -> Path:
    """The user's state folder, as the XDG rules name it."""
    state = os.environ.get("XDG_STATE_HOME", "")
    base = Path(state) if state.startswith("/") else Path.home() / ".local" / "state"
    return base / "cowboard" / "journal.sqlite"


def load_config(path: Path | None = None, overrides: Mapping[str, Mapping[str, Any]] | None = None) -> Config:
    """The settings of this file (None: the defaults), with some of them overridden table by table.

    Raises:
        InputError: the file can't be read or a setting isn't usable; names field, what was seen, what is accepted.
    """
    document = {} if path is None else _read(path)
    for table, values in (overrides or {}).items():
        held = document.get(table, {})
        if isinstance(held, Mapping):
            document[table] = {**held, **values}
    try:
        return Config.model_validate(document)
    except ValidationError as error:
        raise _explained(error, path) from error


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError("config", str(path), f"a TOML file that can be read ({error.strerror})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError("config", str(path), f"a TOML file; {error}") from error


def _explained(error: ValidationError, path: Path | None) -> InputError:
    """The first fault in one line."""
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "config"
    source = f" (in {path})" if path is not None else ""
    seen = first.get("input")
    if first["type"] == "extra_forbidden":
        known = _known_keys(first["loc"][:-1])
        near = get_close_matches(str(first["loc"][-1]), known, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]}? known: " if near else "known: "
        return InputError(f"{where}{source}", seen, hint + ", ".join(known))
    if first["type"] == "value_error":
        return InputError(f"{where}{source}", seen, str(first["ctx"]["error"]))
    if first["type"] in ("model_type", "dict_type"):
        return InputError(f"{where}{source}", seen, f"a table: [{where}] and its keys below")
    return InputError(f"{where}{source}", seen, first["msg"].removeprefix("Input should be ").rstrip("."))


def _known_keys(place: tuple[int | str, ...]) -> list[str]:
    model: type[BaseModel] = Config
    for part in place:
        annotation = model.model_fields[str(part)].annotation
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            model = annotation
    return list(model.model_fields)
