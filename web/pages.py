"""The pages for people: the table, what is missing, and the friendly word when something isn't there."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response, current_app, json, render_template, request

from controller.runtime.ports import TablePort
from web.errors import RefusedError
from web.guard import is_public


def people_pages(port: TablePort, program_version: str) -> Blueprint:
    """`GET /`, `/healthz` and `/robots.txt`."""
    pages = Blueprint("pages", __name__)

    @pages.get("/")
    def table() -> Response:
        text = render_template(
            "table.html",
            program_version=program_version,
            may_control=not is_public(request.remote_addr),
            modules=_module_names(),
        )
        return current_app.response_class(text, mimetype="text/html", headers={"Cache-Control": "no-cache"})

    @pages.get("/healthz")
    def healthz() -> Response:
        health = dict(port.health())
        status = 200 if health.get("ok") else 503
        headers = {"Cache-Control": "no-store"}
        return current_app.response_class(
            json.dumps(health), status=status, mimetype="application/json", headers=headers
        )

    @pages.get("/robots.txt")
    def robots() -> Response:
        return current_app.response_class("User-agent: *\nDisallow: /\n", mimetype="text/plain")

    return pages


def error_page(refused: RefusedError) -> Response:
    """A refusal as a page for people."""
    text = render_template("error.html", status=refused.status, sentence=refused.sentence)
    return current_app.response_class(text, status=refused.status, mimetype="text/html")


def _module_names() -> tuple[str, ...]:
    """The page's scripts, named in its head so that a browser fetches them all at once and not one after the other."""
    folder = Path(current_app.static_folder or "")
    return tuple(sorted(path.name for path in folder.glob("*.js")))
