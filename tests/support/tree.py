"""The project's files as the machine checks see them: our modules with their parse trees, and what is published."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("controller", "firmware_bridge", "vision", "web")
# Made by tools or holding what a tool made; the rest of the tree is published.
_NOT_OURS = {"__pycache__", "var", "build", "dist", "node_modules"}


@dataclass(frozen=True)
class Module:
    """One Python file: its dotted name, its text and its parse tree."""

    path: Path
    name: str
    text: str
    tree: ast.Module

    @property
    def shown(self) -> str:
        """The path from the root, for messages."""
        return str(self.path.relative_to(ROOT))


def files(*suffixes: str) -> Iterator[Path]:
    """Every published file with one of these endings, in order."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(name for name in folders if name not in _NOT_OURS and not name.startswith("."))
        yield from (Path(folder, name) for name in sorted(names) if name.endswith(suffixes))


@cache
def modules() -> tuple[Module, ...]:
    """Our four packages' modules, in order."""
    return tuple(module for module in python_files() if module.name.split(".")[0] in PACKAGES)


@cache
def python_files() -> tuple[Module, ...]:
    """Every Python file of the project, tests included."""
    return tuple(_parsed(path) for path in files(".py"))


def _parsed(path: Path) -> Module:
    parts = path.relative_to(ROOT).with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    text = path.read_text(encoding="utf-8")
    return Module(path, name, text, ast.parse(text))


def imports(module: Module) -> Iterator[str]:
    """The dotted names a module imports, wherever in it; `from a import b` gives `a.b` too where that is a module."""
    known = {other.name for other in modules()}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            inner = [name for name in names if name in known]
            yield from inner
            if len(inner) < len(names):
                yield node.module


def functions(module: Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function and method of a module."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
