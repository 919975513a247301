"""What a solver has proved, kept in a file: a long proof can be stopped, and goes on where it was."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tools.arguments import ArgumentError, trying_to
from tools.solver.table import LEFT_AT, LEFT_MASK, SMALLEST, put_all

LEAST_LEFT = 9  # results with fewer moves left are quicker found again than read
VERSION = 1
LARGEST = 1 << 32  # entries of a table: an index takes four bytes
PART = 1 << 22  # entries looked through at once


class CheckpointError(ArgumentError):
    """A checkpoint that cannot be used; the message says which and why."""


def save(path: Path, table: np.ndarray, goal: int) -> int:
    """Write the table's results with many moves left, all or nothing; return their number. Raise ArgumentError."""
    at = np.concatenate([*_worth_keeping(table)])
    temporary = path.with_name(path.name + ".new")
    with trying_to(f"write {path}"):
        try:
            with open(temporary, "wb") as file:
                head = np.array([VERSION, goal, table.size], dtype=np.int64)
                np.savez(file, head=head, at=at, entries=table[at])
            os.replace(temporary, path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    return len(at)


def _worth_keeping(table: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the places of the results with many moves left; part by part, since a table may fill the memory."""
    for start in range(0, table.size, PART):
        left = table[start : start + PART] >> np.uint64(LEFT_AT) & np.uint64(LEFT_MASK)
        yield (np.flatnonzero(left >= LEAST_LEFT) + start).astype(np.uint32)


def load(path: Path, table: np.ndarray, goal: int) -> int:
    """Put the results of a file into a table; return their number. Raise CheckpointError."""
    try:
        with np.load(path) as kept:
            version, kept_goal, size = (int(number) for number in kept["head"])
            at, entries = kept["at"], kept["entries"]
    except OSError as error:
        raise CheckpointError(f"cannot read {path}: {error.strerror or error}") from None
    except Exception as error:  # what numpy and zipfile raise depends on where the damage is
        raise CheckpointError(f"{path}: not a checkpoint, or a damaged one: {str(error)[:80]}") from None
    if (version, kept_goal) != (VERSION, goal):
        raise CheckpointError(f"{path}: version {version}, goal {kept_goal}; expected {VERSION}, {goal}")
    sound = size & size - 1 == 0 and 1 << SMALLEST <= size <= LARGEST and len(at) == len(entries)
    if not sound or len(at) and int(at.max()) >= size:
        raise CheckpointError(f"{path}: a damaged checkpoint: {len(at)} places, {len(entries)} entries, size {size}")
    put_all(at, entries.astype(np.uint64), size, table)
    return len(at)
