"""The file with the games of a grading that are over: a line of JSON each, so that it can go on where it was.

What is read is held against the digests of the lines, and each game's outcome against its own moves.
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
UNSEALED = "littlego grade 1"  # lines without digests: read as they are, and gone on with


class KeptGames:
    """The games that are over: `outcomes`, and `add` for one more."""

    def __init__(self, outcomes: Iterable[Outcome] = (), chain: ChainFile | None = None):
        self.outcomes = list(outcomes)
        self._chain = chain

    def add(self, outcome: Outcome) -> None:
        """Keep a game; it is in the file when this returns. Raise ArgumentError where that is full, or gone."""
        self.outcomes.append(outcome)
        if self._chain:
            self._chain.add(outcome)

    def seal(self) -> str:
        """Say in the file that all games are there; return the digest of it all, '' without a file."""
        if not self._chain:
            return ""
        if not is_seal(self._chain.values[-1]):
            self._chain.add({SEALED: len(self.outcomes)})
        return self._chain.digest


def head_of(program: Program, seed: int, factor: float, games: int) -> dict[str, Any]:
    """Return what all games in a file have in common; with another one they would be no repetitions of each other."""
    return {
        "format": FORMAT,
        "program": f"{program.name} {os.path.basename(program.folder)}, {program.runs}",
        "roles": _digest_roles(),
        "seed": seed,
        "factor": factor,
        "games": games,
    }


def _digest_roles() -> str:
    """Return a key for all that decides the roles' moves: what their sources mean, and their tables."""
    files = sorted({file for role in table.ROLES.values() for file in role.files})
    return digest(meaning_of(table.__name__), *(sha256(Path(file).read_bytes()).hexdigest() for file in files))


@contextmanager
def open_kept(path: str | None, head: dict[str, Any]) -> Iterator[KeptGames]:
    """Open a file of games that are over, or begin it; without a path nothing is written.

    Raise ArgumentError where it holds something else, or games of another program, other options or other roles.
    """
    if path is None:
        yield KeptGames()
        return
    if os.path.exists(path) and not os.path.isfile(path):  # a device may have no end
        raise ArgumentError(f"cannot write {path}: it is no plain file")
    with trying_to(f"write {path}"):
        file = open(path, "a+b", buffering=0)  # noqa: SIM115 - closed below
    with file:
        import fcntl  # missing on Windows

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ArgumentError(f"{path} is being written by another grading; name another file") from None
        yield _load(path, file, head)


def _load(path: str, file: IO[bytes], head: dict[str, Any]) -> KeptGames:
    """Return the games in a file, without a last line that is broken off; write the head into an empty one."""
    try:
        chain = ChainFile(file)
        if chain.is_begun_with(head):
            chain.add(head)
        there, *lines = chain.values
        if there["format"] != (UNSEALED if chain.unsealed else FORMAT):
            raise ValueError(there["format"])
        for key, value in head.items():
            if key != "format" and there.get(key) != value:
                found = printable(str(there.get(key)))
                raise ArgumentError(f"{path}: its games have {key} {found}, these {value}; name another file")
        kept = _take_lines(path, lines, head)
    except ChainError as error:
        raise ArgumentError(f"{path}{error}; bring back a copy of it, or name another file") from None
    except ArgumentError:  # said already
        raise
    except (ValueError, TypeError, KeyError, IndexError, RecursionError):
        raise ArgumentError(f"{path} holds something else than graded games; name another file") from None
    _tell_of(path, chain, kept.outcomes)
    chain.mend()
    return KeptGames(kept.outcomes, chain)


def _tell_of(path: str, chain: ChainFile, outcomes: Sequence[Outcome]) -> None:
    """Say on standard error what was found in a file that was there before."""
    if chain.unsealed:
        print(f"{path}: its first games were kept without digests, and replayed now", file=sys.stderr)
    if chain.broken:
        print(f"{path}: its last line is broken off, and left out", file=sys.stderr)
    if outcomes:
        print(f"{path}: {plural(len(outcomes), 'game')} taken from it", file=sys.stderr)


def _take_lines(path: str, lines: Iterable[Any], head: dict[str, Any]) -> Lines:
    """Return what the lines after the first come to; raise ArgumentError."""
    kept = Lines(Plan(head["seed"], head["games"], head["factor"]))
    for number, line in enumerate(lines, 2):
        try:
            kept.take(number, line)
        except LineError as error:
            raise ArgumentError(
                f"{path}:{number}: damaged: {printable(str(error))}; bring back a copy of it, or name another file"
            ) from None
    return kept
