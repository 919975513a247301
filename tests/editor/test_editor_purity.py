"""Tests that the editor's answers can run in a browser: they import neither servers nor processes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from littlego.meaning import modules_below
from littlego.paths import CODE

# Modules that a page in a browser lacks. `threading` can be imported there, but cannot start a thread.
SERVERS = {"asyncio", "socket", "starlette", "uvicorn", "watchfiles", "websockets"}
PROCESSES = {"multiprocessing", "subprocess"}
LACKING = SERVERS | PROCESSES
COMMANDS = {"littlego.editor.authoring.cli"}  # `init` plays a game; the page does not use this module
EDITOR = sorted((CODE / "littlego" / "editor").rglob("*.py"))


def imports_in(node: ast.AST, also_later: bool) -> Iterator[str]:
    """Yield the modules that a source imports when loaded; `also_later` adds imports inside functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            # only modules in rules/ have relative imports
            module = f"littlego.rules.{child.module}" if child.level else child.module
            yield module or ""
            yield from (f"{module}.{alias.name}" for alias in child.names)
        is_typing = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)
        is_later = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
        if not is_typing and (also_later or not is_later):
            yield from imports_in(child, also_later)


def imported(path: Path, also_later: bool = False) -> set[str]:
    """Return the modules that a file imports; see imports_in."""
    return set(imports_in(ast.parse(path.read_text(encoding="utf-8")), also_later))


def loaded_with(names: list[str], files: dict[str, Path]) -> dict[str, str]:
    """Return {module: importer} of all our modules that the named modules load, directly or not."""
    found = dict.fromkeys(names, "")
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        for module in imported(files[name]) if name in files else ():
            parts = module.split(".")
            for end in range(1, len(parts) + 1):
                part = ".".join(parts[:end])
                if part not in found:
                    found[part] = name
                    waiting.append(part)
    return found


def test_loading_the_editor_loads_neither_a_server_nor_processes():
    files = modules_below("littlego.editor")
    names = [name for name in files if name.startswith("littlego.editor")]
    assert len(names) == len(EDITOR)
    names = [name for name in names if name not in COMMANDS]
    loaded = loaded_with(names, files)
    assert "littlego.rules.engine" in loaded and "littlego.knowledge.compiler" in loaded
    assert {name: loaded[name] for name in LACKING & loaded.keys()} == {}


def test_no_function_of_the_editor_imports_a_server_or_processes():
    """A function passed to the editor may still start a process, for example if a player is a program."""
    for path in EDITOR:
        roots = {name.partition(".")[0] for name in imported(path, also_later=True)}
        assert not roots & (LACKING | {"concurrent", "signal", "threading"}), path


def test_nothing_below_the_editor_knows_the_studio_not_even_in_a_function():
    assert not [name for name in modules_below("littlego.editor") if name.startswith("littlego.studio")]


def test_what_functions_import_is_told_from_what_is_loaded(tmp_path):
    path = tmp_path / "module.py"
    path.write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import socket\n"
        "def f():\n    import asyncio\nclass A:\n    import subprocess\n"
    )
    assert imported(path) & LACKING == {"subprocess"}
    assert imported(path, also_later=True) & LACKING == {"subprocess", "asyncio"}
