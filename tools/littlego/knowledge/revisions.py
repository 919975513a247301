"""Functions that read a named file from the disk or from a git revision.

A name such as `HEAD:patterns.yaml` refers to a git revision, unless a file on the disk has this name.
"""

from __future__ import annotations

import os
from contextlib import suppress
from errno import ETIMEDOUT
from pathlib import Path
from typing import TYPE_CHECKING

from littlego.cli.arguments import KNOWLEDGE, ArgumentError
from littlego.files import read_limited, short_name
from littlego.paths import HOME

if TYPE_CHECKING:
    from subprocess import CompletedProcess

# A repository may come from a stranger, and its configuration may name programs that git would run: a file monitor,
# hooks, and programs that fetch missing objects.
_SETTINGS = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
_ENVIRONMENT = {"GIT_ALLOW_PROTOCOL": "none", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}

TIMEOUT = 60  # seconds for git


def read_beside(name: str | os.PathLike[str], other: str) -> bytes:
    """Return the contents of a file as `read_near` does, or b"" if the file cannot be read."""
    try:
        return read_near(name, other)
    except ArgumentError:
        return b""


def read_near(name: str | os.PathLike[str], other: str) -> bytes:
    """Return the contents of a file whose path is relative to the folder of a patterns file.

    name: the name of the patterns file. other: the path of the file to read. If the patterns file is in a git revision,
    the function reads the other file from the same revision. Raise ArgumentError if the file cannot be read.
    """
    name = os.fspath(name)
    revision, colon, path = ("", "", name) if os.path.exists(name) else name.rpartition(":")
    return read_data(revision + colon + os.path.join(os.path.dirname(path), other))


def read_data(name: str | os.PathLike[str]) -> bytes:
    """Return the contents of a file on the disk or in a git revision.

    Raise ArgumentError if the file cannot be read.
    """
    try:
        return read_limited(name)
    except OSError as error:
        if ":" in os.fspath(name):
            return _from_git(os.fspath(name))
        raise ArgumentError(f"cannot read {short_name(name)}: {error.strerror}; expected {KNOWLEDGE}") from None


def is_revision(name: str) -> bool:
    """Return whether git finds a commit with this name; return False if git does not start or times out."""
    with suppress(OSError):
        words = ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"]
        return not _git(words, _work_tree()).returncode
    return False


def _git(words: list[str], folder: Path | None = None) -> CompletedProcess[bytes]:
    """Run git and return the finished process.

    Git runs no program that the repository's configuration names. words: the arguments. folder: the folder to run git
    in, by default the current folder. Raise OSError if git does not start or takes longer than TIMEOUT seconds.
    """
    import subprocess  # not available in a browser

    command, environment = ["git", *_SETTINGS, *words], {**os.environ, **_ENVIRONMENT}
    try:
        return subprocess.run(command, capture_output=True, cwd=folder, timeout=TIMEOUT, env=environment)
    except subprocess.TimeoutExpired:
        raise OSError(ETIMEDOUT, f"no answer within {TIMEOUT} s") from None


def _work_tree() -> Path:
    """Return the folder in which to run git.

    The result is the current folder if it is in a repository, else the project's folder. Raise OSError as `_git` does.
    """
    return HOME if _git(["rev-parse", "--is-inside-work-tree"]).returncode else Path.cwd()


def _from_git(name: str) -> bytes:
    try:
        # `show` would also run the programs that verify signatures and convert files.
        done = _git(["cat-file", "blob", "--end-of-options", name], _work_tree())
    except OSError as error:
        raise ArgumentError(f"cannot read {name}: git: {error.strerror}") from None
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["git cat-file failed"]
        raise ArgumentError(f"cannot read {name}: {lines[0].removeprefix('fatal: ')}")
    return done.stdout
