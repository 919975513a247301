"""Shared code of commands: exit statuses, argument errors, default patterns and file access."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from littlego.files import STANDARD_OUTPUT, read_limited, refuse_installed, refuse_special, short_name, write_json
from littlego.paths import is_shipped, patterns_file

FINE, FINDINGS, COULD_NOT_RUN = range(3)  # exit statuses
POSIX = "a POSIX system: Linux, macOS, or WSL on Windows"
MOST_RANDOM = 20  # maximum number of random moves in an opening
KNOWLEDGE = "a patterns.yaml or patterns.txt, optionally in a git revision, such as HEAD:patterns.yaml"


def jobs() -> int:
    """Return the default number of processes: the number of cores that this process can use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class ArgumentError(ValueError):
    """Raised for an unusable argument or file. The command prints the message and exits with status 2."""


def default_patterns(say: bool = True, ruleset: str = "little-go") -> Path:
    """Return the path of the default patterns.yaml: the file in the current folder, else the shipped file.

    say: whether to print the path on standard error, unless the current folder contains the shipped file. ruleset: the
    ruleset of the patterns; for a match, the file is patterns.match.yaml.
    """
    path = patterns_file(ruleset, "yaml")
    if say and not is_shipped(path):
        print(f"littlego: using {path} in this folder", file=sys.stderr)
    elif say and path.is_absolute():
        print(f"littlego: no {path.name} in this folder; using {path}", file=sys.stderr)
    return path


def require_posix(what: str) -> None:
    """Raise ArgumentError on a system without the module `resource`, such as Windows. what: the message's subject."""
    try:
        import resource  # noqa: F401
    except ImportError:
        raise ArgumentError(f"{what} needs {POSIX}") from None


@contextmanager
def trying_to(do: str) -> Iterator[None]:
    """Turn an OSError in the `with` block into the ArgumentError `cannot DO: REASON`.

    do: the action, such as `read my.yaml`.
    """
    try:
        yield
    except OSError as error:
        raise ArgumentError(f"cannot {do}: {error.strerror or error}") from None


def read_file(path: Path) -> bytes:
    """Return the content of a file. Raise ArgumentError if the file cannot be read."""
    with trying_to(f"read {short_name(path)}"):
        return read_limited(path)


def write_results(place: str | os.PathLike[str] | None, results: Callable[[], object]) -> None:
    """Write the value of results() as JSON to the file `place`.

    The place `-` is standard output. If the place is None, the function writes nothing and does not call `results`.
    Raise ArgumentError if writing fails.
    """
    if place:
        with trying_to(f"write {place}"):
            write_json(place, results())


def show_results(text: str, json: str | None, results: Callable[[], object]) -> None:
    """Print a text and write the results as write_results does. If JSON goes to standard output, omit the text."""
    if json != STANDARD_OUTPUT:
        print(text)
    write_results(json, results)


def check_target(name: str | os.PathLike[str]) -> None:
    """Raise ArgumentError if a file of this name cannot be written. The check does not change the file."""
    folder = os.path.dirname(os.path.realpath(name))
    with trying_to(f"write {name}"):
        refuse_installed(name)
        refuse_special(name)
        if os.path.isdir(name):
            raise _os_error(errno.EISDIR)
        if os.path.exists(name) and not os.path.isfile(name):  # a device or a pipe
            return
        if not os.path.isdir(folder):
            raise _os_error(errno.ENOENT)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise _os_error(errno.EROFS if _is_read_only(folder) else errno.EACCES)


def _is_read_only(folder: str) -> bool:
    return hasattr(os, "statvfs") and bool(os.statvfs(folder).f_flag & os.ST_RDONLY)


def _os_error(number: int) -> OSError:
    return OSError(number, os.strerror(number))
