"""What a solver has proved, kept in a file: a long proof can be stopped, and goes on where it was."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from tools.arguments import BadArgument
from tools.solver.table import LEFT_AT as ENTRY_LEFT_AT
from tools.solver.table import LEFT_MASK, REST_AT, WAYS

LEAST_LEFT = 9  # results with fewer moves left are quicker found again than read
VERSION = 1


class BadCheckpoint(BadArgument):
    """A checkpoint that cannot be used; the message says which and why."""


def save(path: Path, table: np.ndarray, goal: int) -> int:
    """Write the table's results with many moves left, all or nothing; return their number."""
    at = np.flatnonzero((table >> np.uint64(ENTRY_LEFT_AT) & np.uint64(LEFT_MASK)) >= LEAST_LEFT)
    head = np.array([VERSION, goal, table.size], dtype=np.uint64)
    temporary = path.with_name(path.name + ".tmp")
    with open(temporary, "wb") as file:
        np.savez(file, head=head, at=at.astype(np.uint64), entries=table[at])
    os.replace(temporary, path)
    return len(at)


def load(path: Path, table: np.ndarray, goal: int) -> int:
    """Put the results of a file into a table; return their number. Raise BadCheckpoint."""
    try:
        with np.load(path) as kept:
            version, kept_goal, size = (int(number) for number in kept["head"])
            at, entries = kept["at"], kept["entries"]
    except (OSError, ValueError, KeyError, EOFError, ImportError) as error:
        raise BadCheckpoint(f"{path}: no checkpoint of the solver: {error}") from None
    except Exception as error:  # what a damaged zip file raises depends on where the damage is
        raise BadCheckpoint(f"{path}: a damaged checkpoint: {error}") from None
    if (version, kept_goal) != (VERSION, goal) or len(at) != len(entries):
        raise BadCheckpoint(f"{path}: version {version}, goal {kept_goal}; expected {VERSION}, {goal}")
    if size == table.size:
        table[at.astype(np.int64)] = entries
    else:
        _rehash(at, entries, size // WAYS, table)
    return len(at)


def _rehash(at: np.ndarray, entries: np.ndarray, buckets: int, table: np.ndarray) -> None:
    """Put entries of a table of another size where they belong in this one, four to a bucket at most."""
    low = np.uint64((1 << REST_AT) - 1)
    words = (entries >> np.uint64(REST_AT)) * np.uint64(buckets) + at // np.uint64(WAYS)
    here = np.uint64(table.size // WAYS)
    moved = words // here << np.uint64(REST_AT) | entries & low
    first = (words % here).astype(np.int64) * WAYS
    for way in range(WAYS):
        table[first + way] = np.where(table[first + way] == 0, moved, table[first + way])
