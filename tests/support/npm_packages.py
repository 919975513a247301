"""A pytest mark that skips tests if node or an npm package is missing, and functions that run node.

If LITTLEGO_NEEDS_NODE is set, as in CI, the whole run stops with an error instead.

tests/support/npm/package-lock.json names the packages by version and digest; `npm ci` in its folder installs the
packages.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).with_name("npm")
PACKAGES = FOLDER / "node_modules"
IS_NEEDED = "LITTLEGO_NEEDS_NODE"  # set by .ci/run, where a skipped test would go unnoticed
LONGEST = 120  # timeout of a program in seconds
TELL = "const tell = (value) => console.log(JSON.stringify(value));\n"


def why_not() -> str:
    """Return why node or a package is unavailable on this machine, or ''."""
    if shutil.which("node") is None:
        return "there is no `node`"
    wanted = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))["dependencies"]
    for name, version in wanted.items():
        found = PACKAGES / name / "package.json"
        if not found.is_file():
            return f"there is no {name}: run `npm ci --prefix tests/support/npm`"
        if (has := json.loads(found.read_text(encoding="utf-8"))["version"]) != version:
            return f"{name} is {has}, expected {version}: run `npm ci --prefix tests/support/npm`"
    return ""


WHY_NOT = why_not()

if WHY_NOT and os.environ.get(IS_NEEDED):
    pytest.exit(f"{IS_NEEDED} is set, and {WHY_NOT}", returncode=2)

needs_node = pytest.mark.skipif(bool(WHY_NOT), reason=f"NOT RUN: {WHY_NOT}")


def run_node(script: str, told: Any, *options: str) -> Any:
    """Run a script of tests/support/npm with a JSON value; return the script's JSON answer. options: node's options."""
    return _answer(["node", *options, str(FOLDER / script)], told)


def eval_node(script: str, told: Any = None) -> Any:
    """Run a module's text and return the value that it passes to `tell`. told: the module's input, as JSON."""
    return _answer(["node", "--input-type=module", "--eval", TELL + script], told)


def _answer(command: list[str], told: Any) -> Any:
    done = subprocess.run(command, input=json.dumps(told), capture_output=True, text=True, timeout=LONGEST)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
