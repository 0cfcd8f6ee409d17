"""The pages for people: small, local, without inline code, friendly when something isn't there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import web
from tests.support.fake_table import FakeTable
from web.app import create_app

WEB = Path(web.__file__).parent
STATIC = sorted(path for path in (WEB / "static").iterdir() if path.is_file())
SOURCES = STATIC + sorted((WEB / "templates").iterdir())
FIRST_LOAD_LIMIT_BYTES = 150_000
FILE_LINES_LIMIT = 400


def page() -> str:
    return create_app(FakeTable(), program_version="1.2.3").test_client().get("/").get_data(as_text=True)


def test_everything_the_page_loads_is_under_150_kb_together() -> None:
    assert len(page().encode()) + sum(path.stat().st_size for path in STATIC) < FIRST_LOAD_LIMIT_BYTES


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_each_file_can_be_read_in_one_sitting(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= FILE_LINES_LIMIT


def test_the_page_names_only_files_that_are_served() -> None:
    client = create_app(FakeTable()).test_client()
    paths = re.findall(r'(?:src|href)="(/static/[^"]+)"', page())
    assert len(paths) > 10
    for path in paths:
        with client.get(path) as answer:
            assert answer.status_code == 200, path


def test_every_script_is_fetched_at_once() -> None:
    assert set(re.findall(r'modulepreload" href="/static/([^"]+)', page())) == {
        path.name for path in STATIC if path.suffix == ".js"
    }


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_nothing_comes_from_elsewhere(path: Path) -> None:
    text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|(?:src|href)=\"//", text)


@pytest.mark.parametrize("path", [p for p in SOURCES if p.suffix == ".js"], ids=lambda path: path.name)
def test_text_only_becomes_text(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text)


@pytest.mark.parametrize("path", [p for p in SOURCES if p.suffix in (".html", ".svg")], ids=lambda path: path.name)
def test_no_inline_style_or_code(path: Path) -> None:
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)", path.read_text("utf-8"))


def test_a_watcher_from_the_open_internet_gets_no_controls() -> None:
    client = create_app(FakeTable()).test_client()
    assert 'data-control="yes"' in client.get("/").get_data(as_text=True)
    foreign = client.get("/", environ_base={"REMOTE_ADDR": "8.8.8.8"}).get_data(as_text=True)
    assert 'data-control="no"' in foreign


def test_search_engines_are_sent_away() -> None:
    client = create_app(FakeTable()).test_client()
    assert "Disallow: /" in client.get("/robots.txt").get_data(as_text=True)
    assert 'name="robots" content="noindex' in page()


def test_a_page_that_is_not_there_says_so_kindly() -> None:
    answer = create_app(FakeTable()).test_client().get("/<b>nowhere")
    text = answer.get_data(as_text=True)
    assert (answer.status_code, answer.mimetype) == (404, "text/html")
    assert "There is nothing here." in text
    assert "Back to the table" in text


def test_what_a_stranger_sends_is_escaped_on_the_error_page() -> None:
    answer = create_app(FakeTable()).test_client().get("/", headers={"Host": "<script>"})
    assert answer.status_code == 403
    assert "<script>" not in answer.get_data(as_text=True)
