"""Tests that no turn of the course's game imports code of the match, and no submission contains it."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from littlego.rules.ruleset import LITTLE_GO
from littlego.submission.folder import PLAYER, player_files
from littlego.submission.turns import real_turns

ROOT = Path(__file__).resolve().parents[2]


def loaded_by_a_turn(folder: Path, player: Path) -> set[str]:
    """Play a real game's turn in a new process, as the course's host does.

    Return the modules that Python's import report lists, without the standard library.
    """
    (folder / "input.txt").write_text(real_turns()[40].input_text(), encoding="ascii", newline="\n")
    command = [sys.executable, "-S", "-E", "-B", "-X", "importtime", str(player)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (folder / "output.txt").read_text(encoding="ascii").count(",") == 1
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    assert "builtins" in loaded or "zipimport" in loaded  # the output contains the import report
    return {name for name in loaded if name.split(".")[0] not in sys.stdlib_module_names} - {"imported package"}


def test_a_turn_loads_nothing_of_the_tools_nor_of_any_library(tmp_path):
    loaded = loaded_by_a_turn(tmp_path, ROOT / PLAYER)
    assert "rules.position" in loaded
    assert {name.split(".")[0] for name in loaded} == {"rules"}  # no tools, no rpds


def test_nor_does_a_turn_of_what_is_handed_in(tmp_path):
    for folder in ("player", "work"):
        (tmp_path / folder).mkdir()
    for name, data in player_files(ROOT).items():
        (tmp_path / "player" / name).write_bytes(data)
    loaded = loaded_by_a_turn(tmp_path / "work", tmp_path / "player" / PLAYER)
    assert "littlego_position" in loaded
    assert all(name.startswith("littlego_") for name in loaded)


def imports_of(source: bytes) -> set[str]:
    """Return the modules that a source imports anywhere, without the standard library."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            found.add(node.module or ".")
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name for name in found if name.split(".")[0] not in sys.stdlib_module_names}


def test_what_is_handed_in_is_made_of_the_engine_alone():
    engine = {f"littlego_{path.stem}" for path in (ROOT / "rules").glob("*.py")}
    files = player_files(ROOT)
    assert set(files) <= {f"{name}.py" for name in engine} | {PLAYER, "patterns.txt", "overrides.txt"}
    for name in files:
        if name.endswith(".py"):
            assert imports_of(files[name]) <= engine, name


def test_the_courses_game_needs_no_match_to_be_named():
    code = (
        "import sys; from littlego.games.game import opening, ruleset_named; opening(ruleset_named('little-go')); "
        "print('littlego.games.match' in sys.modules or 'rpds' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("False", "")
    assert LITTLE_GO.name == "little-go"
