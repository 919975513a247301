"""The house: who may know whom, and that every room says what it is and stays small."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = sorted([ROOT / "my_player3.py", *(ROOT / "rules").glob("*.py"), *(ROOT / "tools").rglob("*.py")])
LONGEST = 1000  # lines


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
    assert text.count("\n") <= LONGEST, f"{name(path)} has more than {LONGEST} lines"
    assert max(map(len, text.splitlines())) <= 120, f"{name(path)} has long lines"


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
