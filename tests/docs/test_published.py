"""What is published: links lead somewhere, commands exist, nothing is left to be written."""

from __future__ import annotations

import re
import shlex
from importlib import import_module

import click
import pytest

from controller.cli import COMMANDS
from tests.support.tree import ROOT, files

DOCUMENTS = [str(path.relative_to(ROOT)) for path in files(".md")]
TEXT = (".c", ".css", ".h", ".html", ".in", ".js", ".json", ".md", ".py", ".sh", ".svg", ".toml")
UNFINISHED = re.compile(r"\b(" + "|".join(("TO" + "DO", "TB" + "D", "FIX" + "ME", "X" + "XX")) + r")\b|insert \w+ here")


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def prose(text: str) -> str:
    """A document without its code."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))


def anchors(text: str) -> set[str]:
    """The anchors that a page gives its headings."""
    headings = re.findall(r"^#+ +(.+)$", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_relative_link_leads_somewhere(document: str) -> None:
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(read(document))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (ROOT / document).parent / path if path else ROOT / document
        is_section = anchor and target.suffix == ".md"
        if not target.exists() or (is_section and anchor not in anchors(target.read_text(encoding="utf-8"))):
            broken.append(link)

    assert broken == []


def test_nothing_published_is_left_to_be_written() -> None:
    unfinished = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in (*files(*TEXT), ROOT / "play", ROOT / "test", ROOT / "Makefile")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if UNFINISHED.search(line)
    ]

    assert unfinished == []


def shown_commands() -> list[tuple[str, list[str]]]:
    """Every line `cowboard …` in a document's shell blocks: the document and the words."""
    found = []
    for document in DOCUMENTS:
        for block in re.findall(r"^```(?:sh|bash|console)\n(.*?)^```", read(document), re.MULTILINE | re.DOTALL):
            for line in block.replace("\\\n", " ").splitlines():
                words = shlex.split(line.removeprefix("$ "), comments=True)
                if words[:1] == ["cowboard"]:
                    found.append((document, words[1:]))
    return found


def test_every_command_shown_exists_with_its_options() -> None:
    unknown = []
    for document, words in shown_commands():
        if words[0] not in COMMANDS:
            unknown.append(f"{document}: cowboard {words[0]}")
            continue
        known = {option for parameter in options(words[0]) for option in parameter.opts} | {"--help"}
        unknown += [f"{document}: {' '.join(words)}" for word in words if word.startswith("--") and word not in known]

    assert shown_commands()
    assert unknown == []


def options(name: str) -> list[click.Option]:
    command = import_module(f"controller.cli.{name}").command
    return [parameter for parameter in command.params if isinstance(parameter, click.Option)]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_used_by_a_test(name: str) -> None:
    tests = "\n".join(path.read_text(encoding="utf-8") for path in files(".py") if ROOT / "tests" in path.parents)
    unused = [option.opts[0] for option in options(name) if f'"{option.opts[0]}"' not in tests]

    assert unused == []


def test_the_changelog_has_an_entry_for_this_version() -> None:
    from controller import __version__

    assert re.search(rf"^## {re.escape(__version__)}\b", read("CHANGELOG.md"), re.MULTILINE)


def test_the_licence_is_named_where_tools_look() -> None:
    assert read("LICENSE").startswith("MIT License")
    assert 'license = "MIT"' in read("pyproject.toml")
