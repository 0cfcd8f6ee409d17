"""The config file: defaults, the example, and one line for every fault."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller.config import Config, PanelConfig, default_journal_path, load_config
from controller.errors import InputError

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "cowboard.example.toml"


def written(folder: Path, text: str) -> Path:
    path = folder / "table.toml"
    path.write_text(text, encoding="utf-8")
    return path


def refusal(folder: Path, text: str) -> str:
    """The refusal of this file, with the folder taken out."""
    with pytest.raises(InputError) as caught:
        load_config(written(folder, text))
    line = str(caught.value)
    assert "\n" not in line
    return line.replace(f"{folder}/", "")


def test_no_file_and_an_empty_file_give_the_defaults(tmp_path: Path) -> None:
    assert load_config() == Config() == load_config(written(tmp_path, ""))


def test_the_example_parses_and_equals_the_defaults() -> None:
    assert load_config(EXAMPLE) == Config()


def test_the_example_shows_every_key_of_every_table() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    for name, field in Config.model_fields.items():
        section = text.split(f"[{name}]")[1].split("\n[")[0]
        keys = getattr(field.annotation, "model_fields", {})
        shown = re.findall(r"^(?:# )?(\w+) = ", section, re.MULTILINE)

        assert name == "rules" or shown == list(keys)


def test_the_parts_commented_out_in_the_example_are_good_when_switched_on(tmp_path: Path) -> None:
    text = re.sub(r"^# (\w+ = )", r"\1", EXAMPLE.read_text(encoding="utf-8"), flags=re.MULTILINE)

    config = load_config(written(tmp_path, text))

    assert set(config.panel.pins) == set(PanelConfig.model_fields) - {"enabled"}
    assert config.rules


def test_a_whole_number_is_good_where_seconds_are_wanted(tmp_path: Path) -> None:
    assert load_config(written(tmp_path, "[table]\nextend_wait_s = 3")).table.extend_wait_s == 3.0


def test_a_file_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    assert load_config(written(tmp_path, "\ufeff[page]\nport = 80")).page.port == 80


def test_overrides_replace_single_keys_of_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, '[page]\nport = 80\nhost = "127.0.0.1"')

    page = load_config(path, {"page": {"port": 81}}).page

    assert (page.port, page.host) == (81, "127.0.0.1")


def test_house_rules_pass_as_they_are_written(tmp_path: Path) -> None:
    rules = load_config(written(tmp_path, '[rules]\ncows_to_win = 2\nchance = {"5-12" = 3}')).rules

    assert rules == {"cows_to_win": 2, "chance": {"5-12": 3}}


def test_the_config_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Config().page.port = 1


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param(
            "\n[page]\n\nprot = 80",
            "page (table.toml, line 4): 'prot' is not usable; accepted: host, port, watchers, names;"
            " the nearest is port",
            id="unknown key",
        ),
        pytest.param(
            "[pages]\nport = 1",
            "config (table.toml, line 1): 'pages' is not usable; accepted: board, camera, page, journal, players,"
            " table, coach, computer, panel, rules; the nearest is page",
            id="unknown table",
        ),
        pytest.param(
            "page = 3",
            "page (table.toml, line 1): 3 is not usable; accepted: a table [page]",
            id="value where a table is wanted",
        ),
        pytest.param(
            "[page]\nport = 65536",
            "page.port (table.toml, line 2): 65536 is not usable; accepted: a whole number from 0 to 65535",
            id="number beyond its end",
        ),
        pytest.param(
            "page.port = true",
            "page.port (table.toml, line 1): True is not usable; accepted: a whole number from 0 to 65535",
            id="truth for a number, dotted",
        ),
        pytest.param(
            'page = { port = "80" }',
            "page.port (table.toml, line 1): '80' is not usable; accepted: a whole number from 0 to 65535",
            id="text for a number, inline",
        ),
        pytest.param(
            "[table]\nextend_wait_s = nan",
            "table.extend_wait_s (table.toml, line 2): nan is not usable; accepted: seconds from 0.1 to 60",
            id="not a number of seconds",
        ),
        pytest.param(
            '[table]\nextend_wait_s = "2"',
            "table.extend_wait_s (table.toml, line 2): '2' is not usable; accepted: seconds from 0.1 to 60",
            id="text for seconds",
        ),
        pytest.param(
            "[page]\nnames = [3]",
            "page.names.0 (table.toml, line 2): 3 is not usable; accepted: a list of host names such as cows.example",
            id="element of a list",
        ),
        pytest.param(
            '[players]\nwhite = " "',
            "players.white (table.toml, line 2): ' ' is not usable; accepted: a name of 1 to 40 printable characters",
            id="blank name",
        ),
        pytest.param(
            "[panel]\ndone = 5\nundo = 6\nlamp = 5",
            "panel.lamp (table.toml, line 4): '5 for both done and lamp' is not usable; accepted: a pin of its own for"
            " each part",
            id="one pin twice",
        ),
        pytest.param(
            "[panel]\nknob_b = 5",
            "panel.knob_b (table.toml, line 2): 'knob_b without knob_a' is not usable; accepted: both knob_a and"
            " knob_b, or neither",
            id="half a knob",
        ),
        pytest.param(
            "rules = 3",
            "rules (table.toml, line 1): 3 is not usable; accepted: a table [rules]",
            id="rules that are no table",
        ),
    ],
)
def test_a_fault_is_told_with_field_line_seen_and_accepted(tmp_path: Path, text: str, line: str) -> None:
    assert refusal(tmp_path, text) == line


@pytest.mark.parametrize(
    ("text", "part"),
    [
        pytest.param("[page\nport = 1", "at line 1", id="broken TOML"),
        pytest.param("[page]\nport = 1\nport = 2", "Cannot overwrite a value", id="a key twice"),
        pytest.param("a = " + "[" * 5000, "a TOML file", id="nested without end"),
        pytest.param("a = " + "9" * 5000, "a TOML file", id="endless number"),
        pytest.param("#" * 1_000_001, "at most 1000000 bytes", id="too large"),
    ],
)
def test_what_is_no_config_file_is_refused_in_one_line(tmp_path: Path, text: str, part: str) -> None:
    line = refusal(tmp_path, text)

    assert line.startswith("config: 'table.toml' is not usable; accepted: a TOML file")
    assert part in line


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes(b"[page]\nport = 1 # \xff")

    with pytest.raises(InputError, match="UTF-8"):
        load_config(path)


@pytest.mark.parametrize("name", ["missing.toml", ".", "a\0b"])
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="a TOML file that can be read"):
        load_config(tmp_path / name)


def test_an_unusable_override_is_told_without_a_line() -> None:
    with pytest.raises(InputError, match=r"^page\.port: 70000 is not usable; accepted: a whole number"):
        load_config(None, {"page": {"port": 70000}})


def test_the_journal_is_kept_in_the_users_state_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert default_journal_path() == Config().journal_path == tmp_path / "cowboard" / "journal.sqlite"

    monkeypatch.setenv("XDG_STATE_HOME", "a/relative/one")  # such a value has to be ignored
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_journal_path() == tmp_path / ".local" / "state" / "cowboard" / "journal.sqlite"


def test_a_tilde_in_the_journals_path_is_the_users_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    config = load_config(None, {"journal": {"path": "~/cows.sqlite"}})

    assert config.journal_path == tmp_path / "cows.sqlite"
