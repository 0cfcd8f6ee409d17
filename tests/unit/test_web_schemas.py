"""The described API is the real one: schemas are sound, states fit them, every route is in the description."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

from controller.table.commands import COMMAND_NAMES
from controller.table.view import public_view
from controller.table.words import Names
from tests.support import fake_table
from tests.support.fake_table import FakeTable
from tests.support.states import SCENES
from web.app import create_app
from web.openapi import as_components, load_openapi


def schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((files("controller") / "schemas" / name).read_text("utf-8"))
    return found


@pytest.mark.parametrize("name", ["state.json", "command.json"])
def test_schemas_are_sound(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(name))


@pytest.mark.parametrize(
    "make",
    [fake_table.opening, fake_table.rolled, fake_table.wrong, fake_table.refused, fake_table.won, fake_table.coached],
)
def test_states_the_pages_tests_use_fit_the_schema(make: Callable[[], dict[str, Any]]) -> None:
    jsonschema.validate({**make(), "version": 1}, schema("state.json"))


def test_a_state_without_a_required_field_does_not_fit() -> None:
    state = {**fake_table.rolled(), "version": 1}
    del state["sentence"]
    with pytest.raises(jsonschema.ValidationError, match="sentence"):
        jsonschema.validate(state, schema("state.json"))


def test_the_schema_knows_exactly_the_tables_commands() -> None:
    described = [one["properties"]["command"]["const"] for one in schema("command.json")["oneOf"]]
    assert sorted(described) == sorted(COMMAND_NAMES)


@pytest.mark.parametrize(
    ("command", "fits"),
    [
        ({"version": 17, "command": "undo"}, True),
        ({"version": 17, "command": "enter_dice", "dice": "12343"}, True),
        ({"version": 17, "command": "enter_dice", "dice": "12347"}, False),
        ({"version": 17, "command": "undo", "why": "so"}, False),
        ({"command": "undo"}, False),
        ({"version": 17, "command": "fly"}, False),
    ],
)
def test_commands_fit_or_not(command: dict[str, Any], fits: bool) -> None:
    validator = jsonschema.Draft202012Validator(schema("command.json"))
    assert validator.is_valid(command) is fits


def test_the_description_is_whole_in_itself() -> None:
    text = load_openapi()
    document = json.loads(text)
    names = {part.partition('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert names <= set(document["components"]["schemas"])
    assert "#/$defs/" not in text
    assert {"State", "Command", "Answer"} <= names


def test_references_follow_their_definitions() -> None:
    inner = {"$defs": {"die": {"type": "integer"}}, "$schema": "x", "items": [{"$ref": "#/$defs/die"}]}
    assert as_components("State", inner) == {
        "State": {"items": [{"$ref": "#/components/schemas/StateDie"}]},
        "StateDie": {"type": "integer"},
    }


def test_every_api_route_is_described_with_its_methods() -> None:
    app = create_app(FakeTable())
    described = {
        (path, method.upper()) for path, methods in json.loads(load_openapi())["paths"].items() for method in methods
    }
    real = {
        (rule.rule, method)
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/") or rule.rule == "/healthz"
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert described == real


def test_the_description_is_served() -> None:
    answer = create_app(FakeTable()).test_client().get("/api/openapi.json")
    assert answer.get_json()["openapi"].startswith("3.1")


@pytest.mark.parametrize("name", SCENES)
def test_what_the_table_shows_fits_the_schema(name: str) -> None:
    added = {key: fake_table.rolled()[key] for key in ("devices", "virtual")}
    state = public_view(SCENES[name], Names("Ada", "Grace"), "20261201-1") | added | {"version": 1}
    jsonschema.validate(state, schema("state.json"))
