"""Files by name, here or in a revision of git.

A name with a colon that is no file means a revision: `HEAD:patterns.yaml`.
"""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from pathlib import Path

from tools.arguments import KNOWLEDGE, ArgumentError
from tools.data import CODE
from tools.files import read_limited, short_name


def read_beside(name: str | os.PathLike[str], other: str) -> bytes:
    """Return what another file holds, in the folder and of the revision of a patterns file; b"" if there is none."""
    try:
        return read_near(name, other)
    except ArgumentError:
        return b""


def read_near(name: str | os.PathLike[str], other: str) -> bytes:
    """Return what `read_beside` does; raise ArgumentError where there is no such file."""
    name = os.fspath(name)
    revision, colon, path = ("", "", name) if os.path.exists(name) else name.rpartition(":")
    return read_data(revision + colon + os.path.join(os.path.dirname(path), other))


def read_data(name: str | os.PathLike[str]) -> bytes:
    """Return what a file, or a revision's, holds; raise ArgumentError."""
    try:
        return read_limited(name)
    except OSError as error:
        if ":" in os.fspath(name):
            return _from_git(os.fspath(name))
        raise ArgumentError(f"cannot read {short_name(name)}: {error.strerror}; expected {KNOWLEDGE}") from None


def is_revision(name: str) -> bool:
    """Return whether git knows a commit of this name."""
    with suppress(OSError):
        words = ["git", "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"]
        return not subprocess.run(words, capture_output=True, cwd=_work_tree(), timeout=60).returncode
    return False


def _work_tree() -> Path:
    """Return the folder whose revisions are meant: this one where git keeps it, else the repository of the tools."""
    words = ["git", "rev-parse", "--is-inside-work-tree"]
    return CODE if subprocess.run(words, capture_output=True, timeout=60).returncode else Path.cwd()


def _from_git(name: str) -> bytes:
    try:
        done = subprocess.run(["git", "show", name], capture_output=True, cwd=_work_tree(), timeout=60)
    except OSError as error:
        raise ArgumentError(f"cannot read {name}: git: {error.strerror}") from None
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["git show failed"]
        raise ArgumentError(f"cannot read {name}: {lines[0].removeprefix('fatal: ')}")
    return done.stdout
