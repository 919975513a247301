"""Tests that build.sh and the roles run on Python 3.7 with only its standard library.

The ruff settings in pyproject.toml list the modules of both, and enforce Python 3.7 syntax for these modules.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import vermin

ROOT = Path(__file__).parents[2]
TARGETS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ruff"]["per-file-target-version"]
PATTERNS = [name for name in TARGETS if name.startswith("tools/")]
LISTED = sorted(path.relative_to(ROOT).as_posix() for pattern in PATTERNS for path in ROOT.glob(pattern))
PYTHON37 = os.environ.get("LITTLEGO_PYTHON37")
LOAD = """
import sys
sys.path.insert(0, sys.argv[1])
import littlego.players.build_host, littlego.players.__main__, littlego.engines.small.engine
for name, module in sorted(sys.modules.items()):
    if name.partition(".")[0] == "littlego" and not name.startswith("littlego.rules"):
        print("tools/" + module.__file__[len(sys.argv[1]) + 1:])
"""


def load(python):
    """Return the package's modules that build.sh and the roles load, without any installed package."""
    command = [python, "-S", "-E", "-B", "-c", LOAD, str(ROOT / "tools")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def is_bare(name):
    """Return whether a module contains only a package's docstring."""
    return (ROOT / name).read_text().count("\n") <= 1


def needs_numpy(name):
    """Return whether only the learning player loads a module, and only if it plays."""
    return name.endswith("littlego/arrays.py") or ("/players/zero/" in name and not name.endswith("/player.py"))


def test_the_list_is_what_build_and_the_roles_load():
    listed = [name for name in LISTED if not needs_numpy(name)]
    loaded, listed = ([name for name in names if not is_bare(name)] for names in (load(sys.executable), listed))
    assert sorted(loaded) == listed, "adapt per-file-target-version in pyproject.toml"
    assert {TARGETS[pattern] for pattern in PATTERNS} == {"py37"}


def test_a_real_python_37_loads_the_same():
    if not PYTHON37:
        pytest.skip("set LITTLEGO_PYTHON37 to a Python 3.7 interpreter")
    assert load(PYTHON37) == load(sys.executable)


@pytest.mark.parametrize("name", LISTED)
def test_syntax_and_library_are_python_37(name):
    source = (ROOT / name).read_text()
    ast.parse(source, feature_version=(3, 7))
    minimum = [version for version in vermin.visit(source).minimum_versions() if version][-1]
    assert minimum <= (3, 7), f"{name} needs Python {minimum}"
