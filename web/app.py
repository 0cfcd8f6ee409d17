"""The application factory: routes, the guard in front of them, security headers, error pages."""

from __future__ import annotations

import socket
from collections.abc import Sequence

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from controller.runtime.ports import TablePort
from web.api import api_pages, refusal_json
from web.bodies import BODY_LIMIT_BYTES
from web.errors import RefusedError
from web.guard import SECURITY_HEADERS, is_our_host
from web.pages import error_page, people_pages
from web.stream import Watchers, stream_pages

WATCHER_LIMIT = 50  # a thread each; 50 of them with ten events a second took 34 MB (style 6)
WATCHERS = "cowboard.watchers"  # where the server finds them in `app.extensions`


def create_app(
    port: TablePort,
    *,
    watcher_limit: int = WATCHER_LIMIT,
    host_names: Sequence[str] = (),
    heartbeat_s: float = 15.0,
    program_version: str = "",
) -> Flask:
    """The page of this table. Opens and starts nothing; `host_names` are extra names it may be reached by."""
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = 2 * BODY_LIMIT_BYTES
    app.json.sort_keys = False  # type: ignore[attr-defined]  # Flask types the provider's base only
    watchers = Watchers(watcher_limit)
    app.extensions[WATCHERS] = watchers
    app.register_blueprint(people_pages(port, program_version))
    app.register_blueprint(api_pages(port))
    app.register_blueprint(stream_pages(port, watchers, heartbeat_s))
    _guard_hosts(app, (*host_names, *own_names()))
    _set_headers(app)
    _explain_errors(app)
    return app


def own_names() -> tuple[str, ...]:
    """The names this machine calls itself by."""
    name = socket.gethostname().lower()
    return (name, name.partition(".")[0]) if name else ()


def _guard_hosts(app: Flask, names: Sequence[str]) -> None:
    @app.before_request
    def check_host() -> None:
        if not is_our_host(request.headers.get("Host", ""), names):
            seen = request.headers.get("Host", "")[:60]
            accepted = "this table's address, its name.local, or a name from the page's config"
            raise RefusedError(403, f"Host: {seen!r} is not a name of this table; accepted: {accepted}", "Host")


def _set_headers(app: Flask) -> None:
    @app.after_request
    def add_headers(response: Response) -> Response:
        for name, value in SECURITY_HEADERS.items():
            response.headers.setdefault(name, value)
        return response


def _explain_errors(app: Flask) -> None:
    @app.errorhandler(RefusedError)
    def refused(error: RefusedError) -> Response:
        wants_json = request.path.startswith("/api/") or request.path == "/healthz"
        return refusal_json(error) if wants_json else error_page(error)

    @app.errorhandler(HTTPException)
    def http_error(error: HTTPException) -> Response:
        response = refused(RefusedError(error.code or 500, _sentence(error)))
        for name, value in error.get_headers():
            if name == "Allow":
                response.headers[name] = value
        return response


def _sentence(error: HTTPException) -> str:
    match error.code:
        case 404:
            return "There is nothing here."
        case 405:
            allowed = ", ".join(getattr(error, "valid_methods", None) or ())
            return f"method: {request.method} is not usable here; accepted: {allowed}"
        case 413:
            return f"body: longer than {BODY_LIMIT_BYTES} bytes; accepted: one short command"
        case 500:
            return "The page stumbled over its own feet; the game goes on. The log says more."
        case _:
            return f"{error.name}."
