"""The file with a grading's finished games, from which an interrupted grading resumes.

The first line contains the settings, and each game is one line of JSON. The reader of the file verifies each line's
digest, if any, and replays each game's moves to verify the outcome.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from littlego.cache import digest
from littlego.cli.arguments import ArgumentError, trying_to
from littlego.grading.chain import ChainError, ChainFile
from littlego.grading.games import Outcome
from littlego.grading.lines import SEALED, LineError, Lines, Plan, is_seal
from littlego.knowledge.problems import plural
from littlego.match.student_programs import Program
from littlego.meaning import meaning_of
from littlego.players.roles import table
from littlego.printable import printable

FORMAT = "littlego grade 2"
UNSEALED = "littlego grade 1"  # format of files without digests, which are still read and resumed


class KeptGames:
    """The finished games of a grading, optionally stored in a file. outcomes: the outcomes so far."""

    def __init__(self, outcomes: Iterable[Outcome] = (), chain: ChainFile | None = None):
        self.outcomes = list(outcomes)
        self._chain = chain

    def add(self, outcome: Outcome) -> None:
        """Add a game, and write it to the file, if any.

        The written game is on the disk when the method returns. A void game, which could not be judged, is not written,
        so a resumed grading plays it again. Raise ArgumentError if writing fails.
        """
        self.outcomes.append(outcome)
        if self._chain and not outcome.void:
            self._chain.add(outcome)

    def seal(self) -> str:
        """Mark the file as complete and return the digest of all lines; return '' if there is no file."""
        if not self._chain:
            return ""
        if not is_seal(self._chain.values[-1]):
            self._chain.add({SEALED: sum(not outcome.void for outcome in self.outcomes)})
        return self._chain.digest


def head_of(program: Program, seed: int, factor: float, games: int) -> dict[str, Any]:
    """Return the settings that all games in a file share.

    The file's first line stores the settings as JSON.
    """
    return {
        "format": FORMAT,
        "program": f"{program.name} {os.path.basename(program.folder)}, {program.runs}",
        "roles": digest_roles(),
        "seed": seed,
        "factor": factor,
        "games": games,
    }


def digest_roles() -> str:
    """Return a digest of the roles' parsed sources and tables, which determine the roles' moves."""
    files = sorted({file for role in table.ROLES.values() for file in role.files})
    return digest(meaning_of(table.__name__), *(sha256(Path(file).read_bytes()).hexdigest() for file in files))


@contextmanager
def open_kept(path: str | None, head: dict[str, Any], report: bool = True) -> Iterator[KeptGames]:
    """Open or create a file of finished games; yield its KeptGames. path: None to keep the games in memory.

    head: see head_of. report: whether to print a description of an existing file's content to standard error.

    Raise ArgumentError if the file cannot be written, is damaged, does not contain finished games, or is being written
    by another grading. Also raise ArgumentError if the file was written for another program, other options or other
    roles.
    """
    if path is None:
        yield KeptGames()
        return
    if os.path.exists(path) and not os.path.isfile(path):  # a device may have no end
        raise ArgumentError(f"cannot write {path}: it is not a regular file")
    with trying_to(f"write {path}"):
        file = open(path, "a+b", buffering=0)  # noqa: SIM115 - closed below
    with file:
        import fcntl  # missing on Windows

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ArgumentError(f"{path} is being written by another grading; name another file") from None
        yield _load(path, file, head, report)


def _load(path: str, file: IO[bytes], head: dict[str, Any], report: bool) -> KeptGames:
    """Return the games in a file, after removing an incomplete last line.

    If the file is empty or contains only an incomplete header, write the header.
    """
    try:
        chain = ChainFile(file)
        if chain.is_begun_with(head):
            chain.add(head)
        there, *lines = chain.values
        if there["format"] != (UNSEALED if chain.unsealed else FORMAT):
            raise ValueError(there["format"])
        for key, value in head.items():
            if key != "format" and there.get(key) != value:
                actual = printable(str(there.get(key)))
                raise ArgumentError(f"{path}: `{key}` is {actual}; expected {value}; name another file")
        kept = _take_lines(path, lines, head)
    except ChainError as error:
        raise ArgumentError(f"{path}{error}; restore a copy of the file, or name another file") from None
    except ArgumentError:  # has its message already
        raise
    except (ValueError, TypeError, KeyError, IndexError, RecursionError):
        raise ArgumentError(f"{path} does not contain graded games; name another file") from None
    if report:
        _tell_of(path, chain, kept.outcomes)
    chain.mend()
    return KeptGames(kept.outcomes, chain)


def _tell_of(path: str, chain: ChainFile, outcomes: Sequence[Outcome]) -> None:
    """Print a description of an existing file's content to standard error."""
    if chain.unsealed:
        print(f"{path}: its first games have no digests and were verified by replay", file=sys.stderr)
    if chain.broken:
        print(f"{path}: its last line is incomplete and was ignored", file=sys.stderr)
    if outcomes:
        print(f"{path}: resuming with {plural(len(outcomes), 'game')}", file=sys.stderr)


def _take_lines(path: str, lines: Iterable[Any], head: dict[str, Any]) -> Lines:
    """Return the Lines after a file's first line; raise ArgumentError for a damaged line."""
    kept = Lines(Plan(head["seed"], head["games"], head["factor"]))
    for number, line in enumerate(lines, 2):
        try:
            kept.take(number, line)
        except LineError as error:
            raise ArgumentError(
                f"{path}:{number}: damaged: {printable(str(error))}; restore a copy of the file, or name another file"
            ) from None
    return kept
