"""The command line: `python -m tools COMMAND`, the same as the console script `littlego COMMAND`."""

from __future__ import annotations

import argparse
import errno
import importlib
import os
import signal
import sys
from collections.abc import Callable

from tools.arguments import COULD_NOT_RUN

if sys.version_info < (3, 11):  # noqa: UP036 - a line to read beats a traceback
    sys.exit("littlego: the tools need Python 3.11 or newer; `sh build.sh` plays with 3.7")

# Each room's module with its commands, and the commands to name should the room not load.
ROOMS = (
    ("tools.opponents.cli", ("play", "match")),
    ("tools.arena.cli", ("arena",)),
    ("tools.grading.cli", ("grade",)),
    ("tools.explain.cli", ("explain", "new")),
    ("tools.knowledge.cli", ("compile", "facts", "test", "schema")),
    ("tools.lint.cli", ("check",)),
    ("tools.effects.cli", ("coverage", "diff")),
    ("tools.mutation.cli", ("mutate",)),
    ("tools.gallery.cli", ("gallery",)),
    ("tools.solver.cli", ("solve",)),
    ("tools.truth.cli", ("label", "grade-patterns", "mine", "prove")),
    ("tools.opponents.training_cli", ("train",)),
    ("tools.opponents.fidelity_cli", ("fidelity",)),
    ("tools.learning.cli", ("tictactoe",)),
    ("tools.submission.cli", ("submit",)),
    ("tools.bench.cli", ("bench",)),
)
# A module, and the extra that brings it.
EXTRAS = {
    "yaml": "knowledge",
    "tqdm": "match",
    "numba": "solver",
    "numpy": "solver",
    "choix": "arena",
    "matplotlib": "arena",
    "scipy": "arena",
    "asyncssh": "cluster",
    "dask": "cluster",
    "dask_jobqueue": "cluster",
    "distributed": "cluster",
}
# These come with the extra `workshop`, all others with `test`.
WORKSHOP = ("jinja2", "markupsafe", "rich", "sgfmill", "watchfiles")
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # what writing to a full or broken disk ends with
STATUSES = "Exit status of every command: 0 fine, 1 findings or failed, 2 could not run."
DESCRIPTION = "A rule-based player of Little-Go, and the workshop in which its rules are written and tested."


def main(argv: list[str] | None = None) -> int:
    """Run one command; return its exit status (see STATUSES)."""
    if sys.stdout is None:  # it is closed: `littlego ... >&-`
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - as long as the process
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # as standard error has it: any locale can print any name
    status = 0
    try:
        try:
            status = _run(argv)
        finally:
            sys.stdout.flush()  # also where argparse has printed a help text and exits
    except BrokenPipeError:  # the reader has seen enough: `littlego match ... | head`
        _drop_output()
        return 128 + signal.SIGPIPE
    except OSError as error:
        if error.errno not in FULL:
            raise
        _drop_output()
        if status != COULD_NOT_RUN:  # else the command itself has said it
            where = f" {error.filename}" if error.filename else ""
            print(f"littlego: cannot write{where}: {error.strerror}", file=sys.stderr)
        return COULD_NOT_RUN
    return status


def _run(argv: list[str] | None) -> int:
    args = _parser().parse_args(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # in order, as after Ctrl-C
    try:
        return args.run(args)
    except ModuleNotFoundError as error:
        print(f"littlego {args.command}: {_missing(error)}", file=sys.stderr)
        return COULD_NOT_RUN
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return 128 + signal.SIGINT


def _drop_output() -> None:
    """Send what is still to be printed nowhere; Python would complain about it once more when it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="littlego", description=DESCRIPTION, epilog=STATUSES)
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for module, commands in ROOMS:
        try:
            importlib.import_module(module).add_parsers(subparsers)
        except ModuleNotFoundError as error:
            for command in commands:
                _add_failing(subparsers, command, error)
    return parser


def _add_failing(subparsers, command: str, error: ModuleNotFoundError) -> None:
    """Add a command whose room cannot be loaded: it says what is missing, and the other rooms still work."""
    takes_anything = {"prefix_chars": "\0", "add_help": False}  # `--check` is then an argument like any other
    parser = subparsers.add_parser(command, help=f"({_missing(error)})", **takes_anything)
    parser.add_argument("rest", nargs="*")
    parser.set_defaults(run=_failing(error))


def _failing(error: ModuleNotFoundError) -> Callable[[argparse.Namespace], int]:
    def run(args: argparse.Namespace) -> int:
        raise error

    return run


def _missing(error: ModuleNotFoundError) -> str:
    name = (error.name or "").partition(".")[0]
    if name in ("tools", "rules"):
        return f"this part is not here: {error}"
    extra = EXTRAS.get(name, "workshop" if name in WORKSHOP else "test")
    return f"needs the Python module {name}: pip install -e '.[{extra}]'"


if __name__ == "__main__":
    sys.exit(main())
