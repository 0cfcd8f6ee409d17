"""The JSON side of the page: state, commands with their version, the virtual table's hands, picture, description."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, json, request

from controller.runtime.ports import Answer, TablePort
from web.bodies import BODY_LIMIT_BYTES, parse_command, parse_hands
from web.errors import RefusedError
from web.guard import OUR_HEADER, is_public, is_same_origin
from web.openapi import load_openapi

NO_STORE = {"Cache-Control": "no-store"}


def api_pages(port: TablePort) -> Blueprint:
    """Every route under `/api/` but the stream."""
    pages = Blueprint("api", __name__, url_prefix="/api")

    @pages.get("/state")
    def state() -> Response:
        return _json_text(port.snapshot().body, 200)

    @pages.post("/commands")
    def commands() -> Response:
        version, name, arguments = parse_command(_checked_body())
        return answer_json(port.command(name, arguments, version, f"page {request.remote_addr}"))

    @pages.post("/hands")
    def hands() -> Response:
        return answer_json(port.hands(parse_hands(_checked_body())))

    @pages.get("/picture.jpg")
    def picture() -> Response:
        _refuse_public("The camera picture is for this table's own network")
        image = port.picture()
        if image is None:
            raise RefusedError(404, "There is no camera picture: no camera is connected, or none came yet.")
        return current_app.response_class(image, mimetype="image/jpeg", headers=NO_STORE)

    @pages.get("/openapi.json")
    def openapi() -> Response:
        return _json_text(load_openapi(), 200)

    return pages


def answer_json(answer: Answer) -> Response:
    """The table's answer as JSON, under its own status."""
    body = {"status": answer.status, "sentence": answer.sentence, "version": answer.version, "field": None}
    return _json_text(json.dumps(body), answer.status)


def refusal_json(refused: RefusedError) -> Response:
    """A refusal by the page itself, in the same form as the table's answers."""
    body = {"status": refused.status, "sentence": refused.sentence, "version": None, "field": refused.field}
    response = _json_text(json.dumps(body), refused.status)
    if refused.status == 503:
        response.headers["Retry-After"] = "5"
    return response


def _json_text(text: str, status: int) -> Response:
    return current_app.response_class(text, status=status, mimetype="application/json", headers=NO_STORE)


def _checked_body() -> bytes:
    """The bytes of a POST that may change the game.

    Raises:
        RefusedError: 403 a public address, a foreign page or no header of ours; 415 not JSON; 413 too long.
    """
    _refuse_public("The game is played from this table's own network")
    if not is_same_origin(request.headers.get("Origin"), request.host):
        seen = request.headers.get("Origin", "")[:60]
        raise RefusedError(403, f"Origin: {seen!r} is a foreign page; accepted: this table's own page", "Origin")
    if request.headers.get(OUR_HEADER) != "1":
        raise RefusedError(403, f"{OUR_HEADER}: missing; accepted: the header {OUR_HEADER}: 1", OUR_HEADER)
    if request.mimetype != "application/json":
        seen = request.mimetype[:60]
        raise RefusedError(415, f"Content-Type: {seen!r}; accepted: application/json", "Content-Type")
    too_long = RefusedError(413, f"body: longer than {BODY_LIMIT_BYTES} bytes; accepted: one short command", "body")
    if (request.content_length or 0) > BODY_LIMIT_BYTES:
        raise too_long
    raw = request.stream.read(BODY_LIMIT_BYTES + 1)
    if len(raw) > BODY_LIMIT_BYTES:
        raise too_long
    return raw


def _refuse_public(what: str) -> None:
    if is_public(request.remote_addr):
        raise RefusedError(403, f"{what}; {request.remote_addr} is a public address. Watching is free.")
