"""Tests of the architecture: imports between packages, and each package's description and size."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WORKSHOP = ROOT / "tools" / "littlego"
PROGRAM = ROOT / "my_player3.py"
MODULES = sorted([PROGRAM, *(ROOT / "rules").glob("*.py"), *WORKSHOP.rglob("*.py")])
MOST_PACKAGES = 17
LONGEST_MODULE, LONGEST_FUNCTION = 1000, 40  # lines
LONGEST_SUMMARY = 100  # characters of a docstring's first sentence
LONGER_FUNCTIONS = {
    "tools/littlego/truth/solver/search.py: search": "a single loop that numba compiles: a call in it would cost time"
}


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_the_layers_are_kept():
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "0 broken" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_module_says_what_it_is_and_is_not_too_long(path):
    text = path.read_text(encoding="utf-8")
    docstring = ast.get_docstring(ast.parse(text))
    assert docstring and len(docstring.split()) >= 3, f"{name(path)} has no descriptive docstring"
    assert text.count("\n") <= LONGEST_MODULE, f"{name(path)} has more than {LONGEST_MODULE} lines: two ideas?"
    assert max(map(len, text.splitlines())) <= 120, f"{name(path)} has long lines"


def long_summaries(text: str) -> list[str]:
    """Return the first sentences of docstrings that are longer than LONGEST_SUMMARY characters."""
    described = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = [ast.get_docstring(node) or "" for node in ast.walk(ast.parse(text)) if isinstance(node, described)]
    summaries = (re.split(r"(?<=[.!?])\s", " ".join(one.split("\n\n")[0].split()))[0] for one in docstrings)
    return [one for one in summaries if len(one) > LONGEST_SUMMARY]


def test_long_summaries_are_seen():
    assert not long_summaries(f'"""{"a" * (LONGEST_SUMMARY - 1)}. a, b: the parameters."""')
    assert long_summaries(f'def f():\n    """{"a" * LONGEST_SUMMARY}. More."""') == ["a" * LONGEST_SUMMARY + "."]


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_no_summary_is_too_long(path):
    assert not long_summaries(path.read_text(encoding="utf-8"))


def too_long_functions(text: str) -> list[str]:
    """Return the names of functions that are too long, from `def` to the last line, without decorators."""
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [one.name for one in functions if (one.end_lineno or 0) - one.lineno >= LONGEST_FUNCTION]


@pytest.mark.parametrize("head", ["def long():", "async def long():", "class Room:\n  def long(self):"])
def test_too_long_functions_are_seen(head):
    def drawn(lines: int) -> str:
        return "@decorated\n" * (not head.startswith("class")) + head + "\n    pass" * (lines - 1)

    assert not too_long_functions(drawn(LONGEST_FUNCTION))
    assert too_long_functions(drawn(LONGEST_FUNCTION + 1)) == ["long"]


def test_no_function_is_too_long():
    """LONGER_FUNCTIONS lists the exceptions; each listed function must still be too long."""
    long = {f"{name(path)}: {one}" for path in MODULES for one in too_long_functions(path.read_text(encoding="utf-8"))}
    assert long - LONGER_FUNCTIONS.keys() == set(), f"more than {LONGEST_FUNCTION} lines: two ideas?"
    assert LONGER_FUNCTIONS.keys() - long == set(), "no longer needed in LONGER_FUNCTIONS"


def dotted(path: Path) -> str:
    """Return a module's import name."""
    if path.is_relative_to(WORKSHOP):
        parts = path.relative_to(WORKSHOP.parent).with_suffix("").parts
    else:
        parts = ("littlego", *path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(node: ast.AST, package: str) -> Iterator[str]:
    """Yield the modules that code imports, even for type checkers. package: the base of relative imports."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            module = ".".join(filter(None, [package, child.module])) if child.level else child.module
            submodules = {f"{module}.{alias.name}" for alias in child.names} & NAMES
            yield from submodules or [module]
        else:
            yield from imports(child, package)


NAMES = {dotted(path) for path in MODULES}


def imports_of(path: Path) -> set[str]:
    """Return the modules that a module imports."""
    return set(imports(ast.parse(path.read_text(encoding="utf-8")), dotted(path).rpartition(".")[0]))


def circle_in(graph: dict[str, set[str]]) -> list[str]:
    """Return a cycle of the graph, or [] if there is no cycle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def test_circles_are_seen():
    assert circle_in({"a": {"b"}, "b": {"c"}, "c": {"a"}}) and not circle_in({"a": {"b", "c"}, "b": {"c"}})
    for text in (
        "def f():\n    from . import engine",
        "if TYPE_CHECKING:\n    from .engine import decide",
        "from littlego.rules import engine",
    ):
        assert "littlego.rules.engine" in set(imports(ast.parse(text), "littlego.rules"))


def test_no_import_circle():
    """The test covers imports at the head of a module, inside functions, and for type checkers.

    The package `littlego` itself is excluded, since it loads its API only when a name of the API is used.
    """
    graph = {dotted(path): (imports_of(path) & NAMES) - {dotted(path), "littlego"} for path in MODULES}
    assert not circle_in({name: below for name, below in graph.items() if name != "littlego"})


def test_the_engine_of_the_player_has_one_name_in_a_process():
    """The player's process loads the engine as `rules`; under two names, each class would exist twice."""
    modules = [*WORKSHOP.rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
    assert not [name(path) for path in modules if any(one.split(".")[0] == "rules" for one in imports_of_any(path))]
    loaded = "import sys, littlego.api, littlego.cli.main, littlego.players.registry, littlego.engines.small.engine\n"
    code = loaded + "print(*(name for name in sys.modules if name.split('.')[0] == 'rules'))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.stdout == "\n", done.stderr


def imports_of_any(path: Path) -> set[str]:
    return {one for one in imports(ast.parse(path.read_text(encoding="utf-8")), "littlego.any") if one}


def test_subpackages_are_few_and_say_what_they_own():
    packages = [folder for folder in WORKSHOP.iterdir() if folder.is_dir() and any(folder.glob("*.py"))]
    packages = [package for package in packages if not package.is_symlink()]  # rules/ as type checkers see it
    assert len(packages) <= MOST_PACKAGES
    for package in [ROOT / "rules", *packages]:
        docstring = ast.get_docstring(ast.parse((package / "__init__.py").read_text(encoding="utf-8")))
        assert docstring and len(docstring.split()) >= 4, name(package)


def test_every_package_has_its_layer():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = project["tool"]["importlinter"]["contracts"][-1]
    layers = {one for layer in contract["layers"] for one in layer.split(" | ")}
    modules = {dotted(path) for path in [*WORKSHOP.glob("*.py"), *WORKSHOP.glob("*/__init__.py")]}
    assert modules - layers == {"littlego", "littlego.__main__", "littlego.api", "littlego.rules"} & modules
    assert layers <= modules


def test_no_machine_path_and_no_merge_mark_slips_in():
    for path in [*MODULES, ROOT / "pyproject.toml", ROOT / "build.sh"]:
        text = path.read_text(encoding="utf-8")
        for mark in ("/" + "work/", "/" + "root/", "<" * 7, ">" * 7):
            assert mark not in text, f"{name(path)}: {mark}"


def test_folders_of_tests_mirror_the_code():
    folders = {path.parent for path in (ROOT / "tests").rglob("test_*.py")}
    for folder in folders - {ROOT / "tests"}:
        mirrored = folder.relative_to(ROOT / "tests")
        assert (ROOT / mirrored).is_dir() or (WORKSHOP / mirrored).is_dir(), f"{name(folder)} mirrors no folder"


def test_test_files_have_unique_names():
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert len(names) == len(set(names))
