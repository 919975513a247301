"""What can be said of the handed-in files without running them: names, Python 3.7 syntax, imports."""

from __future__ import annotations

import ast
import sys
from pathlib import PurePath

ACCEPTED = (".py", ".txt", ".json")
MOST_BYTES = 8 << 20  # of all files together
OLDEST = (3, 7)
NEWER_MODULES = {"graphlib", "tomllib", "zoneinfo"}  # of the standard library, but not yet of Python 3.7


def complaints(files: dict[str, bytes]) -> list[str]:
    """Return what is wrong with the files, one line each: their size, kinds of file, syntax, imports from elsewhere."""
    found = [f"{name}: the course accepts only {', '.join(ACCEPTED)}" for name in files if not _accepted(name)]
    together = sum(map(len, files.values()))
    if together > MOST_BYTES:
        found.append(f"all files together are {together:,} bytes, expected at most {MOST_BYTES:,}")
    modules = {name.removesuffix(".py") for name in files if name.endswith(".py")}
    for name, data in files.items():
        if name.endswith(".py"):
            found += _complaints_about(name, data, modules)
    return found


def _accepted(name: str) -> bool:
    return PurePath(name).suffix in ACCEPTED and PurePath(name).name == name


def _complaints_about(name: str, data: bytes, modules: set[str]) -> list[str]:
    try:
        tree = ast.parse(data, name, feature_version=OLDEST)
    except SyntaxError as error:
        return [f"{name}:{error.lineno}:{error.offset}: no Python {OLDEST[0]}.{OLDEST[1]} syntax: {error.msg}"]
    found = []
    for node in ast.walk(tree):
        for module in _imported(node):
            if not module or (module not in modules and not _standard(module)):
                shown = f"imports {module}" if module else "imports relatively"
                found.append(f"{name}:{node.lineno}: {shown}, expected the standard library or a file beside it")
    return found


def _imported(node: ast.AST) -> list[str]:
    """Return the top-level modules that a statement imports; '' for a relative import."""
    if isinstance(node, ast.Import):
        return [alias.name.partition(".")[0] for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return ["" if node.level else (node.module or "").partition(".")[0]]
    return []


def _standard(module: str) -> bool:
    return module in sys.stdlib_module_names and module not in NEWER_MODULES
