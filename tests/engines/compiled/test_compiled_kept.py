"""Tests that the cache key of compiled code covers its module and everything that the module imports."""

from __future__ import annotations

import ast

import pytest

from littlego.cache import ROOT
from littlego.engines.compiled import folder_of
from littlego.meaning import modules_below

COMPILERS = {"njit", "jit", "cfunc", "vectorize"}
# board.py sets numba's cache folder before it compiles
DOOR = ROOT / "tools" / "littlego" / "engines" / "compiled" / "board.py"


def compiler_calls(path):
    """Yield a module's direct calls of numba's compilers, which only `jit` in board.py may make."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    from_numba = {alias.name for node in imports if node.module == "numba" for alias in node.names}
    for node in ast.walk(tree):
        called = getattr(node, "func", None)
        if getattr(called, "attr", "") in COMPILERS or getattr(called, "id", "") in COMPILERS & from_numba:
            yield ast.unparse(node)


def test_all_that_is_compiled_goes_by_one_door():
    calls = {path: list(compiler_calls(path)) for path in (ROOT / "tools").rglob("*.py")}
    assert len(calls.pop(DOOR)) == 4
    for path, found in calls.items():
        assert all("'cache': False" in call for call in found), f"{path}: use `jit` of littlego.engines.compiled.board"


@pytest.mark.parametrize(
    "module", ["littlego.truth.solver.search", "littlego.truth.proof.walk", "littlego.learning.mining.kernels"]
)
def test_the_folder_of_a_module_covers_all_that_its_functions_call(module):
    assert folder_of(module) != folder_of("littlego.engines.compiled")
    assert {"littlego.engines.compiled.board", "littlego.engines.compiled.states"} <= set(modules_below(module))


def test_all_modules_of_the_compiled_engine_share_a_folder():
    assert len({folder_of(f"littlego.engines.compiled.{name}") for name in ("board", "life", "engine")}) == 1
    assert folder_of("littlego.rules.facts") == folder_of("littlego.engines.compiled")  # the engine compiles facts


def test_a_module_that_is_not_of_the_tools_has_a_folder_too():
    assert folder_of(__name__) == folder_of("littlego.truth.solver")
