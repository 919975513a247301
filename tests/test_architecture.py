"""The house: who may know whom, and that every room says what it is and stays small."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROGRAMS = [ROOT / "my_player3.py", ROOT / "littlego.py"]
MODULES = sorted([*PROGRAMS, *(ROOT / "rules").glob("*.py"), *(ROOT / "tools").rglob("*.py")])
LONGEST_MODULE, LONGEST_FUNCTION = 1000, 40  # lines
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
    assert docstring and len(docstring.split()) >= 3, f"{name(path)} has no docstring that says what it is"
    assert text.count("\n") <= LONGEST_MODULE, f"{name(path)} has more than {LONGEST_MODULE} lines: two ideas?"
    assert max(map(len, text.splitlines())) <= 120, f"{name(path)} has long lines"


def too_long_functions(text: str) -> list[str]:
    """Return the names of the functions that are too long, from `def`, decorators not counted, to their last line."""
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [one.name for one in functions if (one.end_lineno or 0) - one.lineno >= LONGEST_FUNCTION]


@pytest.mark.parametrize("head", ["def long():", "async def long():", "class Room:\n  def long(self):"])
def test_too_long_functions_are_seen(head):
    def drawn(lines: int) -> str:
        return "@decorated\n" * (not head.startswith("class")) + head + "\n    pass" * (lines - 1)

    assert not too_long_functions(drawn(LONGEST_FUNCTION))
    assert too_long_functions(drawn(LONGEST_FUNCTION + 1)) == ["long"]


def test_no_function_is_too_long():
    """But for those of LONGER_FUNCTIONS, each of which still needs it."""
    long = {f"{name(path)}: {one}" for path in MODULES for one in too_long_functions(path.read_text(encoding="utf-8"))}
    assert long - LONGER_FUNCTIONS.keys() == set(), f"more than {LONGEST_FUNCTION} lines: two ideas?"
    assert LONGER_FUNCTIONS.keys() - long == set(), "no longer needed in LONGER_FUNCTIONS"


def dotted(path: Path) -> str:
    """Return the name by which a module is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(node: ast.AST) -> Iterator[str]:
    """Yield the modules that code imports anywhere, for type checkers too."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert not child.level, "relative imports are not used here"
            submodules = {f"{child.module}.{alias.name}" for alias in child.names} & NAMES
            yield from submodules or [child.module]
        else:
            yield from imports(child)


NAMES = {dotted(path) for path in MODULES}


def circle_in(graph: dict[str, set[str]]) -> list[str]:
    """Return a circle of nodes that lead to each other, if there is any."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def test_circles_are_seen():
    assert circle_in({"a": {"b"}, "b": {"c"}, "c": {"a"}}) and not circle_in({"a": {"b", "c"}, "b": {"c"}})
    for text in ("def f():\n    from rules import engine", "if TYPE_CHECKING:\n    from rules import engine"):
        assert "rules.engine" in set(imports(ast.parse(text)))


def test_no_import_circle():
    """No circle of imports at the head of a module, inside a function or for type checkers."""
    graph = {}
    for path in MODULES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        graph[dotted(path)] = (set(imports(tree)) & NAMES) - {dotted(path)}
    assert not circle_in(graph)


def test_every_room_says_what_it_owns():
    rooms = [folder for folder in (ROOT / "tools").iterdir() if folder.is_dir() and any(folder.glob("*.py"))]
    assert len(rooms) >= 4
    for room in [ROOT / "rules", *rooms]:
        docstring = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8")))
        assert docstring and len(docstring.split()) >= 4, name(room)


def test_no_machine_path_and_no_merge_mark_slips_in():
    for path in [*MODULES, ROOT / "pyproject.toml", ROOT / "build.sh"]:
        text = path.read_text(encoding="utf-8")
        for mark in ("/" + "work/", "/" + "root/", "<" * 7, ">" * 7):
            assert mark not in text, f"{name(path)}: {mark}"


def test_rooms_of_tests_mirror_the_code():
    folders = {path.parent for path in (ROOT / "tests").rglob("test_*.py")}
    for folder in folders - {ROOT / "tests"}:
        assert (ROOT / folder.relative_to(ROOT / "tests")).is_dir(), f"{name(folder)} mirrors no folder"


def test_test_files_have_unique_names():
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert len(names) == len(set(names))
