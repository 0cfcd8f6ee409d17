"""The description of the page's API: our OpenAPI text with the public schemas of state and command put in."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

SCHEMAS = {"State": "state.json", "Command": "command.json"}
_DEFS = "#/$defs/"


@cache
def load_openapi() -> str:
    """The OpenAPI 3.1 document as JSON text, complete in itself."""
    document: dict[str, Any] = json.loads((files("web") / "openapi.json").read_text("utf-8"))
    components = document["components"]["schemas"]
    for name, file_name in SCHEMAS.items():
        schema = json.loads((files("controller") / "schemas" / file_name).read_text("utf-8"))
        components |= as_components(name, schema)
    return json.dumps(document, separators=(",", ":"))


def as_components(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """A JSON Schema with its `$defs` as OpenAPI components: each def becomes `NameDef`, each reference follows."""
    inner = schema.get("$defs", {})
    new_names = {key: name + key[:1].upper() + key[1:] for key in inner}
    bare = {key: value for key, value in schema.items() if key not in ("$defs", "$schema", "$id")}
    renamed = {name: bare} | {new_names[key]: value for key, value in inner.items()}
    return {key: _repoint(value, new_names) for key, value in renamed.items()}


def _repoint(node: Any, new_names: dict[str, str]) -> Any:
    if isinstance(node, list):
        return [_repoint(item, new_names) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: f"#/components/schemas/{new_names[value.removeprefix(_DEFS)]}"
        if key == "$ref" and isinstance(value, str) and value.startswith(_DEFS)
        else _repoint(value, new_names)
        for key, value in node.items()
    }
