"""Python interpreters of this machine: the running Python and, if installed, Python 3.7 and 2.7."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import NamedTuple

VARIABLE = "LITTLEGO_PYTHON37"
_ASK = (  # this code is also valid in Python 2
    "import sys; path = getattr(sys, '_base_executable', '') or sys.executable; "
    "sys.stdout.write('%d.%d %s' % (sys.version_info[0], sys.version_info[1], path))"
)


class Interpreter(NamedTuple):
    """A Python interpreter: its version, such as `3.7`, and the path of its binary."""

    version: str
    path: str


class InterpreterError(Exception):
    """Raised if a named interpreter does not run or has the wrong version."""


def interpreters() -> list[Interpreter]:
    """Return the running Python, preceded by an installed Python 3.7 unless the running Python is 3.7.

    Raise InterpreterError if LITTLEGO_PYTHON37 names anything but Python 3.7.
    """
    old, this = python37(), ask_interpreter(sys.executable)
    running = Interpreter("{}.{}".format(*sys.version_info), this.path if this else sys.executable)
    return [old, running] if old and old.version != running.version else [running]


def python37() -> Interpreter | None:
    """Return the Python 3.7 named by LITTLEGO_PYTHON37, else the Python 3.7 on PATH, else None.

    Raise InterpreterError if LITTLEGO_PYTHON37 names anything but Python 3.7.
    """
    named = os.environ.get(VARIABLE)
    if named:
        python = ask_interpreter(named)
        if python is None or python.version != "3.7":
            seen = "does not run" if python is None else f"is Python {python.version}"
            raise InterpreterError(
                f"{VARIABLE} names {named}, which {seen}; expected the path of Python 3.7, or no value"
            )
        return python
    return _find_on_path("3.7", "python3.7")


def python27() -> Interpreter | None:
    """Return the Python 2.7 on PATH, or None if there is none."""
    return _find_on_path("2.7", "python2.7", "python2")


def _find_on_path(version: str, *names: str) -> Interpreter | None:
    pythons = map(ask_interpreter, filter(None, map(shutil.which, names)))
    return next((python for python in pythons if python and python.version == version), None)


def ask_interpreter(command: str) -> Interpreter | None:
    """Return the interpreter that a command starts, directly or through a launcher such as pyenv's.

    Return None if the command does not run.
    """
    numbered = re.search(r"python(\d\.\d+)$", command)
    launched = dict(os.environ, PYENV_VERSION=numbered[1]) if numbered else None  # required by pyenv
    try:
        done = subprocess.run(
            [command, "-S", "-E", "-c", _ASK], capture_output=True, text=True, timeout=60, env=launched
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    version, _, path = done.stdout.strip().partition(" ")
    return Interpreter(version, os.path.realpath(path)) if path and not done.returncode else None


def named_interpreter(command: str) -> Interpreter | None:
    """Return the interpreter that a command names, or None if the command does not run.

    Links in the path are resolved only if the command is a launcher. An interpreter of a virtual environment therefore
    finds the environment's packages.
    """
    base = ask_interpreter(command)
    found = shutil.which(command)
    if base is None or found is None:
        return None
    with open(found, "rb") as file:
        is_launcher = file.read(2) == b"#!"  # such as pyenv's, which works for its owner only
    return base if is_launcher else Interpreter(base.version, os.path.abspath(found))
