"""The page's JSON side: what it answers, what it refuses, and that the game isn't asked when it does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.support import fake_table
from tests.support.fake_table import FakeTable
from web.app import create_app
from web.bodies import BODY_LIMIT_BYTES
from web.guard import SECURITY_HEADERS

OURS = {"X-Cowboard": "1"}
UNDO = {"version": 1, "command": "undo"}


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def client(table: FakeTable) -> Iterator[FlaskClient]:
    with create_app(table, host_names=("cows.example",)).test_client() as client:
        yield client


def test_state_is_the_snapshot_unchanged_and_never_stored(client: FlaskClient, table: FakeTable) -> None:
    answer = client.get("/api/state")
    assert answer.get_data(as_text=True) == table.snapshot().body
    assert answer.mimetype == "application/json"
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_command_reaches_the_table_with_its_arguments_and_version(client: FlaskClient, table: FakeTable) -> None:
    answer = client.post("/api/commands", json={**UNDO, "command": "choose_pull", "pull": "pair 3"}, headers=OURS)
    assert answer.status_code == 200
    assert answer.get_json() == {"status": 200, "sentence": "Taken.", "version": 1, "field": None}
    assert table.commands == [("choose_pull", {"pull": "pair 3"}, 1, "page 127.0.0.1")]


def test_a_stale_command_is_409_with_the_newer_version(client: FlaskClient, table: FakeTable) -> None:
    table.show(fake_table.rolled())
    answer = client.post("/api/commands", json=UNDO, headers=OURS)
    assert answer.status_code == 409
    assert answer.get_json()["version"] == 2


@pytest.mark.parametrize("status", [400, 409, 503])
def test_the_tables_own_refusal_keeps_its_status_and_sentence(
    client: FlaskClient, table: FakeTable, status: int
) -> None:
    table.next_answer = (status, "No.")
    answer = client.post("/api/hands", json={"do": "throw"}, headers=OURS)
    assert (answer.status_code, answer.get_json()["sentence"]) == (status, "No.")


def test_hands_get_the_deed_as_it_is(client: FlaskClient, table: FakeTable) -> None:
    assert client.post("/api/hands", json={"do": "slide", "beam": "3", "place": 2}, headers=OURS).status_code == 200
    assert table.deeds == [{"do": "slide", "beam": "3", "place": 2}]


BAD_BODIES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "body"),
    "not JSON": (b"{version: 1}", "body"),
    "cut off": (b'{"version": 1, "command": "un', "body"),
    "not UTF-8": (b'{"version": 1, "command": "\xff"}', "body"),
    "half a surrogate": (b'{"version": 1, "command": "\\ud800"}', "body"),
    "list": (b"[]", "body"),
    "null": (b"null", "body"),
    "no number": (b'{"version": NaN, "command": "undo"}', "body"),
    "endless number": (b'{"version": ' + b"9" * 5000 + b', "command": "undo"}', "body"),
    "deep": (b'{"version": 1, "a": ' + b"[" * 8000 + b"]" * 8000 + b"}", "body"),
    "name twice": (b'{"version": 1, "version": 2, "command": "undo"}', "version"),
    "no version": (b'{"command": "undo"}', "version"),
    "version as text": (b'{"version": "1", "command": "undo"}', "version"),
    "version true": (b'{"version": true, "command": "undo"}', "version"),
    "version broken": (b'{"version": 1.5, "command": "undo"}', "version"),
    "version negative": (b'{"version": -1, "command": "undo"}', "version"),
    "version huge": (b'{"version": 1' + b"0" * 20 + b', "command": "undo"}', "version"),
    "no command": (b'{"version": 1}', "command"),
    "command empty": (b'{"version": 1, "command": ""}', "command"),
    "command a list": (b'{"version": 1, "command": ["undo"]}', "command"),
}


@pytest.mark.parametrize("name", BAD_BODIES)
def test_a_bad_body_is_one_line_that_names_the_field(client: FlaskClient, table: FakeTable, name: str) -> None:
    body, field = BAD_BODIES[name]
    answer = client.post("/api/commands", data=body, content_type="application/json", headers=OURS)
    said = answer.get_json()
    assert (answer.status_code, said["field"]) == (400, field)
    assert said["sentence"].startswith(f"{field}: ")
    assert "accepted: " in said["sentence"]
    assert "\n" not in said["sentence"]
    assert len(said["sentence"]) < 250
    assert table.commands == []


@pytest.mark.parametrize("body", [{}, {"do": ""}, {"do": 3}, {"do": None}])
def test_a_deed_without_a_name_is_refused(client: FlaskClient, table: FakeTable, body: dict[str, Any]) -> None:
    answer = client.post("/api/hands", json=body, headers=OURS)
    assert (answer.status_code, answer.get_json()["field"], table.deeds) == (400, "do", [])


FOREIGN: dict[str, tuple[dict[str, Any], int]] = {
    "no header of ours": ({"headers": {}}, 403),
    "other value": ({"headers": {"X-Cowboard": "yes"}}, 403),
    "foreign page": ({"headers": OURS | {"Origin": "http://evil.example"}}, 403),
    "sandboxed page": ({"headers": OURS | {"Origin": "null"}}, 403),
    "same name, other port": ({"headers": OURS | {"Origin": "http://localhost:81"}}, 403),
    "form": ({"content_type": "application/x-www-form-urlencoded"}, 415),
    "text": ({"content_type": "text/plain"}, 415),
    "no type": ({"content_type": ""}, 415),
    "public address": ({"environ_base": {"REMOTE_ADDR": "8.8.8.8"}}, 403),
    "public address in the newer form": ({"environ_base": {"REMOTE_ADDR": "2606:4700::1111"}}, 403),
    "public address, mapped": ({"environ_base": {"REMOTE_ADDR": "::ffff:8.8.8.8"}}, 403),
    "no address": ({"environ_base": {"REMOTE_ADDR": ""}}, 403),
}


@pytest.mark.parametrize("path", ["/api/commands", "/api/hands"])
@pytest.mark.parametrize("name", FOREIGN)
def test_what_a_foreign_page_could_send_never_reaches_the_game(
    client: FlaskClient, table: FakeTable, name: str, path: str
) -> None:
    changes, status = FOREIGN[name]
    sent = {"headers": OURS, "content_type": "application/json", **changes}
    answer = client.post(path, data=json.dumps({**UNDO, "do": "throw"}), **sent)
    assert answer.status_code == status
    assert answer.get_json()["sentence"]
    assert (table.commands, table.deeds) == ([], [])


@pytest.mark.parametrize("address", ["192.168.1.7", "10.0.0.2", "fd00::1", "fe80::1%eth0", "::ffff:192.168.1.7"])
def test_the_houses_own_addresses_may_play(client: FlaskClient, address: str) -> None:
    answer = client.post("/api/commands", json=UNDO, headers=OURS, environ_base={"REMOTE_ADDR": address})
    assert answer.status_code == 200


def test_the_pages_own_origin_may_play(client: FlaskClient) -> None:
    sent = OURS | {"Origin": "http://cowboard.local:8000", "Host": "cowboard.local:8000"}
    assert client.post("/api/commands", json=UNDO, headers=sent).status_code == 200


def test_a_body_over_the_limit_is_413_whether_or_not_it_says_so(client: FlaskClient, table: FakeTable) -> None:
    long = json.dumps({**UNDO, "pull": "x" * BODY_LIMIT_BYTES})
    said = client.post("/api/commands", data=long, content_type="application/json", headers=OURS)
    assert (said.status_code, table.commands) == (413, [])
    huge = client.post("/api/commands", data=long * 3, content_type="application/json", headers=OURS)
    assert (huge.status_code, table.commands) == (413, [])


@pytest.mark.parametrize(
    ("host", "is_ours"),
    [
        ("127.0.0.1:8000", True),
        ("[fe80::1]:8000", True),
        ("localhost", True),
        ("Cowboard.local", True),
        ("cows.example", True),
        ("evil.example", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("", False),
        ("a b", False),
        ("[::1", False),
        ("local", False),
    ],
)
@pytest.mark.parametrize("path", ["/", "/api/state", "/healthz", "/static/app.js"])
def test_only_names_nobody_outside_can_own_are_served(client: FlaskClient, host: str, is_ours: bool, path: str) -> None:
    with client.get(path, headers={"Host": host}) as answer:
        assert answer.status_code == (200 if is_ours else 403)
        if not is_ours and path == "/api/state":
            assert answer.get_json()["field"] == "Host"


def test_the_picture_is_one_jpeg_never_stored(client: FlaskClient, table: FakeTable) -> None:
    table.image = None
    assert client.get("/api/picture.jpg").status_code == 404
    table.image = b"\xff\xd8picture"
    answer = client.get("/api/picture.jpg")
    assert (answer.mimetype, answer.data) == ("image/jpeg", b"\xff\xd8picture")
    assert answer.headers["Cache-Control"] == "no-store"


def test_the_picture_of_the_room_stays_in_the_house(client: FlaskClient, table: FakeTable) -> None:
    table.image = b"\xff\xd8"
    assert client.get("/api/picture.jpg", environ_base={"REMOTE_ADDR": "8.8.8.8"}).status_code == 403


@pytest.mark.parametrize("path", ["/", "/api/state", "/nowhere", "/api/nowhere", "/healthz", "/static/app.js"])
def test_every_answer_carries_the_security_headers(client: FlaskClient, path: str) -> None:
    with client.get(path) as answer:
        assert {name: answer.headers[name] for name in SECURITY_HEADERS} == SECURITY_HEADERS


def test_the_policy_allows_no_inline_script_or_style() -> None:
    policy = SECURITY_HEADERS["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [("/api/nowhere", "GET", 404), ("/api/state", "POST", 405), ("/api/commands", "GET", 405)],
)
def test_api_errors_are_json_with_a_sentence(client: FlaskClient, path: str, method: str, status: int) -> None:
    answer = client.open(path, method=method)
    assert (answer.status_code, answer.get_json()["status"]) == (status, status)
    assert answer.get_json()["sentence"]
    if status == 405:
        assert answer.headers["Allow"]


def test_healthz_tells_what_is_missing_and_503_when_the_table_is_dead(
    client: FlaskClient, table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.get("/healthz").get_json() == {"ok": True, "version": "0.0", "missing": []}
    monkeypatch.setattr(table, "health", lambda: {"ok": False, "version": "0.0", "missing": []})
    assert client.get("/healthz").status_code == 503
