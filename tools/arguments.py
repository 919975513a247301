"""What many commands share: arguments, how they say that something cannot be done, how they end."""

from __future__ import annotations

import argparse
import errno
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tools.data import PATTERNS_YAML
from tools.files import refuse_installed

FINE, FINDINGS, COULD_NOT_RUN = range(3)  # exit statuses
POSIX = "a POSIX system: Linux, macOS, or WSL on Windows"
MOST_RANDOM = 20  # moves of an opening
KNOWLEDGE = "a patterns.yaml or patterns.txt, or a revision's, such as HEAD:patterns.yaml"


def natural(text: str) -> int:
    """Read a whole number from 0; for argparse, which names what was wrong with any other text."""
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"expected 0 or more, found {number}")
    return number


def positive(text: str) -> int:
    """Read a whole number from 1."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected 1 or more, found {number}")
    return number


def opening_moves(text: str) -> int:
    """Read how many moves at the beginning of a game are random; the players must have some left to choose."""
    count = natural(text)
    if count > MOST_RANDOM:
        raise argparse.ArgumentTypeError(f"expected {MOST_RANDOM} or less, found {count}: a game has 24 moves")
    return count


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add `--json [FILE]`: the results for a program, to a file or, without one, to standard output."""
    parser.add_argument(
        "--json", nargs="?", const="-", type=json_file, metavar="FILE", help="results as JSON, to FILE or to stdout"
    )


def json_file(name: str) -> str:
    """Read where JSON is to be written: `-`, or a file that is called so or holds JSON already.

    Anything else was meant as another argument, as in `check --json patterns.yaml`, and would be lost.
    """
    if name == "-" or os.path.exists(name) and not os.path.isfile(name):  # a device, a pipe
        return name
    with suppress(OSError), open(name, "rb") as file:
        if file.read(1000).lstrip()[:1] not in (b"", b"{", b"["):
            raise argparse.ArgumentTypeError(f"{name} holds something else; for standard output put --json last")
        return name
    if not name.endswith(".json"):
        raise argparse.ArgumentTypeError(f"expected FILE.json, found {name}; for standard output put --json last")
    return name


def add_yaml(parser: argparse.ArgumentParser) -> None:
    """Add the argument `[FILE]`, named `yaml`: the patterns.yaml that a command is about."""
    parser.add_argument(
        "yaml", nargs="?", type=Path, default=PATTERNS_YAML, metavar="FILE", help="default: patterns.yaml"
    )


def add_file(
    parser: argparse.ArgumentParser, default: str | os.PathLike[str] = PATTERNS_YAML, wanted: str = KNOWLEDGE
) -> None:
    """Add `--file FILE`, or `--patterns FILE`: the patterns file of a command whose other arguments are something else.

    wanted: what the file may be. The argument's name is `patterns`.
    """
    parser.add_argument(
        "--file",
        "--patterns",
        dest="patterns",
        default=default,
        metavar="FILE",
        help=f"where the patterns are, {wanted} (default: {os.path.basename(default)})",
    )


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add `--jobs N`: how many processes to use."""
    parser.add_argument("--jobs", type=positive, default=jobs(), metavar="N", help="processes (default: one a core)")


def add_scheduler(parser: argparse.ArgumentParser) -> None:
    """Add `--scheduler ADDRESS`: do the work on a Dask cluster; None without it."""
    parser.add_argument(
        "--scheduler",
        type=_address,
        metavar="ADDRESS",
        help="work on the Dask cluster of this scheduler, tcp://HOST:8786, not on processes here (docs/cluster.md)",
    )


def _address(text: str) -> str:
    if not re.fullmatch(r"((tcp|tls)://)?[^\s/]+:\d+", text):
        raise argparse.ArgumentTypeError(f"expected the address of a Dask scheduler, tcp://HOST:8786, found {text!r}")
    return text


def jobs() -> int:
    """Return how many processes to use where nobody says otherwise: one a core that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class ArgumentError(ValueError):
    """An argument that cannot be used; the message says what was found and what is expected."""


def complaining(command: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """Return the command with a ArgumentError turned into a line on standard error and exit status 2.

    A --json file that cannot be written is told before the command runs, which may take hours.
    """

    def run(args: argparse.Namespace) -> int:
        try:
            name = getattr(args, "json", None)
            if name not in (None, "-"):
                check_target(name)
            return command(args)
        except ArgumentError as error:
            print(f"littlego: {error}", file=sys.stderr)
            return COULD_NOT_RUN

    return run


def default_patterns(say: bool = True) -> Path:
    """Return the patterns.yaml that is meant where no file is named: the one in this folder, else the shipped one.

    say: tell on standard error which one it is where it does not lie in this folder.
    """
    here = Path("patterns.yaml")
    if here.is_file():
        return here
    if say:
        print(f"littlego: no patterns.yaml in this folder; taking {PATTERNS_YAML}", file=sys.stderr)
    return PATTERNS_YAML


def require_posix(what: str) -> None:
    """Raise ArgumentError where the system cannot measure and limit processes, as Windows cannot."""
    try:
        import resource  # noqa: F401
    except ImportError:
        raise ArgumentError(f"{what} needs {POSIX}") from None


@contextmanager
def trying_to(do: str) -> Iterator[None]:
    """Raise the ArgumentError `cannot do ...: why` where the body raises OSError; do: as in `read patterns.yaml`."""
    try:
        yield
    except OSError as error:
        raise ArgumentError(f"cannot {do}: {error.strerror or error}") from None


def check_target(name: str | os.PathLike[str]) -> None:
    """Raise ArgumentError where no file of this name can be written; write nothing."""
    folder = os.path.dirname(os.path.realpath(name))
    with trying_to(f"write {name}"):
        refuse_installed(name)
        if os.path.isdir(name):
            raise _os_error(errno.EISDIR)
        if os.path.exists(name) and not os.path.isfile(name):  # a device, a pipe
            return
        if not os.path.isdir(folder):
            raise _os_error(errno.ENOENT)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise _os_error(errno.EROFS if _is_read_only(folder) else errno.EACCES)


def _is_read_only(folder: str) -> bool:
    return hasattr(os, "statvfs") and bool(os.statvfs(folder).f_flag & os.ST_RDONLY)


def _os_error(number: int) -> OSError:
    return OSError(number, os.strerror(number))
