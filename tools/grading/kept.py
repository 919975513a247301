"""The file with the games of a grading that are over: a line of JSON each, so that it can go on where it was."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from tools.arguments import ArgumentError, trying_to
from tools.cache import digest
from tools.grading.games import GradedGame, Outcome
from tools.match.student_programs import Program
from tools.meaning import meaning_of
from tools.opponents.roles import table

FORMAT = "littlego grade 1"


class KeptGames:
    """The games that are over: `outcomes`, and `add` for one more."""

    def __init__(self, outcomes: Iterable[Outcome] = (), file: IO[bytes] | None = None):
        self.outcomes = list(outcomes)
        self._file = file

    def add(self, outcome: Outcome) -> None:
        """Keep a game; it is in the file when this returns. Raise ArgumentError where that is full, or gone."""
        self.outcomes.append(outcome)
        if self._file:
            _write(self._file, outcome)


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
        yield KeptGames(_load(path, file, head), file)


def _load(path: str, file: IO[bytes], head: dict[str, Any]) -> list[Outcome]:
    """Return the games in a file, without a last line that is broken off; write the head into an empty one."""
    file.seek(0)
    data = file.read()
    if not data:
        _write(file, head)
        return []
    *lines, rest = data.split(b"\n")
    try:
        there, outcomes = (
            json.loads(lines[0]),
            [Outcome(GradedGame(*game), *rest) for game, *rest in map(json.loads, lines[1:])],
        )
        if there["format"] != FORMAT:
            raise ValueError(there["format"])
    except (ValueError, TypeError, KeyError, IndexError):
        raise ArgumentError(f"{path} holds something else than graded games; name another file") from None
    for key, value in head.items():
        if there.get(key) != value:
            raise ArgumentError(f"{path}: its games have {key} {there.get(key)}, these {value}; name another file")
    if rest:
        file.truncate(len(data) - len(rest))
    return outcomes


def _write(file: IO[bytes], value: dict[str, Any] | Outcome) -> None:
    """Append a line, or leave the file as it was and raise ArgumentError."""
    data = json.dumps(value).encode("ascii") + b"\n"
    end = os.fstat(file.fileno()).st_size
    with trying_to(f"write {file.name}"):
        try:
            while data:
                data = data[file.write(data) :]
        except OSError:
            file.truncate(end)
            raise
