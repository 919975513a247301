"""Tests that a turn's code runs on Python 3.7 (if installed) and has few imports."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
import vermin

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "rules").glob("*.py")) + [ROOT / "my_player3.py"]
# these modules are built in or nearly so, so their import costs nothing
ALLOWED = {"__future__", "array", "binascii", "errno", "gc", "io", "posix", "rules", "struct", "sys", "zlib"}
PYTHON37 = os.environ.get("LITTLEGO_PYTHON37")

REPLAY = """
import sys
sys.path[:0] = [sys.argv[1]]
from rules import position, ruleset
import json, os
for name in sorted(os.listdir(os.path.join(sys.argv[1], "rules"))):
    if name.endswith(".py"):
        __import__("rules." + name[:-3])
with open(os.path.join(sys.argv[1], "tools", "littlego", "records", "real_games.jsonl")) as lines:
    games = [json.loads(line) for line in lines][:40]
for game in games:
    now = position.opening(ruleset.LITTLE_GO)
    for record in game["moves"]:
        board = record["board"]
        assert now.black == sum(1 << n for n in range(25) if board[n] == "1"), record
        assert now.white == sum(1 << n for n in range(25) if board[n] == "2"), record
        move = position.PASS if record["move"] == "PASS" else 5 * record["move"][0] + record["move"][1]
        assert move == position.PASS or now.legal() >> move & 1, record
        now = now.play(move)
    assert position.winner_of(now) == game["winner"]
print(sys.version_info[:2], len(games))
"""


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_syntax_and_library_are_python_37(path):
    source = path.read_text()
    ast.parse(source, feature_version=(3, 7))
    minimum = [version for version in vermin.visit(source).minimum_versions() if version][-1]
    assert minimum <= (3, 7), f"{path.name} needs Python {minimum}"


def imports(tree):
    """Return (line, module) of the imports under a node.

    The result excludes fallbacks in `except ImportError`, imports for type checkers, and imports of the last resort.
    """
    found = []
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found.append((node.lineno, "." * node.level + (node.module or "")))
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            found += imports(ast.Module(node.orelse, []))
        elif not isinstance(node, ast.ExceptHandler) and getattr(node, "name", "") != "give_up":
            found += imports(node)
    return found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_imports_are_cheap_ones(path):
    for line, name in imports(ast.parse(path.read_text())):
        assert name.startswith(".") or name.split(".")[0] in ALLOWED, f"{path.name}:{line} imports {name}"


def test_importing_the_player_loads_no_slow_module():
    modules = [f"rules.{path.stem}" for path in SOURCES if path.parent.name == "rules"]
    command = [sys.executable, "-S", "-E", "-c", f"import {', '.join(modules)}, sys; print(*sys.modules)"]
    loaded = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert "rules.turn" in loaded
    assert not set(loaded) & {"typing", "re", "json", "dataclasses", "pathlib", "tempfile", "hashlib", "os"}


def test_a_real_python_37_replays_real_games():
    if not PYTHON37:
        warnings.warn("LITTLEGO_PYTHON37 is not set: rules/ was not run under a real Python 3.7", stacklevel=1)
        pytest.skip("set LITTLEGO_PYTHON37 to a Python 3.7 interpreter to run rules/ under it")
    run = subprocess.run([PYTHON37, "-E", "-c", REPLAY, str(ROOT)], capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (0, "(3, 7) 40\n"), run.stderr
