"""Compiled functions of these rooms call none in another file of them: numba knows their file's date alone."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[3]
ROOMS = ("labels", "grades", "mining", "proof")
DECORATORS = {"compiled", "inlined", "njit"}


def decorator_name(decorator: ast.expr) -> str:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return called.id if isinstance(called, ast.Name) else ""


def test_compiled_functions_use_no_compiled_function_of_another_file():
    looked_at = 0
    for path in sorted(path for room in ROOMS for path in (ROOT / "tools" / room).glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        foreign = {
            name.asname or name.name
            for node in imports
            if (node.module or "").startswith(tuple(f"tools.{room}" for room in ROOMS))
            for name in node.names
            if name.name.islower()
        }
        for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
            if DECORATORS & {decorator_name(one) for one in function.decorator_list}:
                looked_at += 1
                used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
                assert not used & foreign, f"{path.name}: {function.name}"
    assert looked_at > 10
