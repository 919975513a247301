"""The player's modules side by side: which there are, what each is called, and their imports rewritten to match.

`rules/engine.py` becomes `littlego_engine.py`, and `from rules.engine import decide` becomes
`from littlego_engine import decide`. Several modules and no single one: each keeps its own names, and Python
keeps every one of them compiled between turns, which it does not do for the program itself.
"""

from __future__ import annotations

import ast
from pathlib import Path

PLAYER = "my_player3.py"
PACKAGE = "rules"
PREFIX = "littlego_"
MADE_BY = b"# Made by `littlego submit`; edit the sources, not this file.\n"


class CannotFlatten(Exception):
    """A source with an import that has no flat form; the text gives file, line, what was found and what is expected."""


def flat_sources(root: Path) -> dict[str, bytes]:
    """Return {file name: text} of the player and of every module of rules/ that it needs, by name.

    root: the repository's folder. Raise CannotFlatten, or OSError where a source cannot be read.
    """
    found: dict[str, bytes] = {}
    waiting = [PLAYER]
    while waiting:
        name = waiting.pop()
        if name not in found:
            path = root / source_of(name)
            found[name], needed = flattened(path.read_bytes(), path.relative_to(root).as_posix())
            waiting += needed
    return dict(sorted(found.items()))


def source_of(name: str) -> str:
    """Return the path in the repository of a flat file's source."""
    return name if name == PLAYER else f"{PACKAGE}/{name.removeprefix(PREFIX)}"


def flattened(source: bytes, shown: str) -> tuple[bytes, list[str]]:
    """Return a module's text with flat imports, and the flat files that it needs. shown: its path in messages."""
    lines = source.splitlines(keepends=True)
    needed: list[str] = []
    edits = []
    for node in ast.walk(ast.parse(source, shown)):
        if isinstance(node, ast.ImportFrom | ast.Import):
            text, modules = _rewritten(node, shown)
            if modules:
                edits.append((_offset(lines, node.lineno, node.col_offset), _end(lines, node), text.encode()))
                needed += [f"{PREFIX}{module}.py" for module in modules]
    for start, end, text in sorted(edits, reverse=True):
        source = source[:start] + text + source[end:]
    return MADE_BY + source, needed


def _rewritten(node: ast.ImportFrom | ast.Import, shown: str) -> tuple[str, list[str]]:
    """Return the flat form of an import statement and the modules of rules/ it names; none if it names none."""
    if isinstance(node, ast.Import):
        if any(_ours(alias.name) for alias in node.names):
            raise _no_flat_form(node, shown)
        return "", []
    if node.level:
        raise _no_flat_form(node, shown)
    if node.module == PACKAGE:
        renamed = [f"import {PREFIX}{alias.name} as {alias.asname or alias.name}" for alias in node.names]
        return "; ".join(renamed), [alias.name for alias in node.names]
    if not _ours(node.module or ""):
        return "", []
    module = (node.module or "").removeprefix(PACKAGE + ".")
    if "." in module or any(alias.name == "*" for alias in node.names):
        raise _no_flat_form(node, shown)
    names = ", ".join(f"{alias.name} as {alias.asname}" if alias.asname else alias.name for alias in node.names)
    return f"from {PREFIX}{module} import {names}", [module]


def _ours(module: str) -> bool:
    return module == PACKAGE or module.startswith(PACKAGE + ".")


def _no_flat_form(node: ast.stmt, shown: str) -> CannotFlatten:
    return CannotFlatten(
        f"{shown}:{node.lineno}:{node.col_offset + 1}: found `{ast.unparse(node)}`, which has no flat form; "
        f"expected `from {PACKAGE}.module import name` or `from {PACKAGE} import module`"
    )


def _offset(lines: list[bytes], line: int, column: int) -> int:
    """Return the byte offset of a line (from 1) and column (UTF-8 bytes, from 0), as ast counts them."""
    return sum(len(text) for text in lines[: line - 1]) + column


def _end(lines: list[bytes], node: ast.stmt) -> int:
    return _offset(lines, node.end_lineno or node.lineno, node.end_col_offset or 0)
