"""Checkpoints of the solver: files with the table's results for positions with many moves left.

The solver trusts the results in a checkpoint, so a checkpoint is checked when it is loaded. A digest detects damage to
the file. The file must belong to the user and must not be writable by anybody else. Each load also recomputes a sample
of the results. These checks do not detect forged results far from the end of the game, so run important proofs without
a checkpoint.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import IO

import numpy as np

from littlego.cache import find_fault
from littlego.cli.arguments import ArgumentError, trying_to
from littlego.files import open_plain, sync_folder
from littlego.rules.positionkey import LEFT_AT as CODE_LEFT_AT
from littlego.truth.solver.inputs import position_of_key
from littlego.truth.solver.table import LEFT_AT, LEFT_MASK, REST_AT, SMALLEST, WAYS, put_all, unmixed

LEAST_LEFT = 9  # results with fewer moves left are faster to recompute than to read
VERSION = 2
UNSEALED = 1  # the previous version, whose files have no digest
LARGEST = 1 << 32  # entries of a table: an index takes four bytes
PART = 1 << 22  # entries processed at a time
SAMPLE = 200  # results whose positions are validated
PROVED = 40  # number of results that a load proves again; each takes milliseconds
NEAR = 11  # maximum number of moves left of the results that a load proves again


def save_checkpoint(path: Path, table: np.ndarray, goal: int) -> int:
    """Write all results with at least LEAST_LEFT moves left to a file atomically.

    Return the number of results. Only the owner may read and write the file (mode 600). Raise ArgumentError if the file
    cannot be written.
    """
    at = np.concatenate([*_worth_keeping(table)])
    arrays = np.array([VERSION, goal, table.size], dtype=np.int64), at, table[at]
    temporary = None
    with trying_to(f"write {path}"):
        try:
            handle, temporary = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".new", dir=path.parent)
            with os.fdopen(handle, "wb") as file:
                np.savez(file, head=arrays[0], at=at, entries=arrays[2], digest=_digest(*arrays))
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
            sync_folder(path.parent)
        except BaseException:
            if temporary:
                Path(temporary).unlink(missing_ok=True)
            raise
    return len(at)


def _worth_keeping(table: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the indices of the results with at least LEAST_LEFT moves left, in parts to save memory."""
    for start in range(0, table.size, PART):
        left = table[start : start + PART] >> np.uint64(LEFT_AT) & np.uint64(LEFT_MASK)
        yield (np.flatnonzero(left >= LEAST_LEFT) + start).astype(np.uint32)


def load_checkpoint(path: Path, table: np.ndarray, goal: int, wins: Callable[[int], bool]) -> int:
    """Load the results of a file into a table, and return the number of results.

    wins: a function that computes, without this table, whether the side to move wins. A sample of the file's results is
    compared with the results of this function. Raise ArgumentError for an unreadable, damaged or untrusted file.
    """
    with trying_to(f"read {path}"), open_plain(path) as file:
        if fault := find_fault(file.fileno()):
            raise ArgumentError(f"{path} {fault}, so its results cannot be trusted: run `chmod go-w` or copy the file")
        size, at, entries = _read_arrays(path, file, goal)
    sound = size & size - 1 == 0 and 1 << SMALLEST <= size <= LARGEST and len(at) == len(entries)
    if not sound or len(at) and int(at.max()) >= size:
        raise ArgumentError(
            f"{path}: a damaged checkpoint: {len(at)} indices, {len(entries)} entries, size {size}; expected as many "
            "indices as entries, all below the size, which must be a power of two"
        )
    _refuse_wrong(path, at, entries, size, wins)
    put_all(at, entries, size, table)
    return len(at)


def _read_arrays(path: Path, file: IO[bytes], goal: int) -> tuple[int, np.ndarray, np.ndarray]:
    """Return (size of the table, indices, entries) from a checkpoint file. Raise ArgumentError for an invalid file."""
    try:
        with np.load(file) as kept:
            version, kept_goal, size = (int(number) for number in kept["head"])
            at, entries = kept["at"], kept["entries"].astype(np.uint64)
            sealed = version != VERSION or (kept["digest"] == _digest(kept["head"], at, entries)).all()
    except Exception as error:  # the kind of exception depends on where the file is damaged
        raise ArgumentError(f"{path}: not a checkpoint, or a damaged checkpoint: {str(error)[:80]}") from None
    if version not in (UNSEALED, VERSION) or kept_goal != goal:
        raise ArgumentError(
            f"{path}: found version {version}, goal {kept_goal}; expected version {UNSEALED} or {VERSION}, goal {goal}"
        )
    if not sealed:
        raise ArgumentError(f"{path}: a damaged checkpoint: its results do not match their digest")
    return size, at, entries


def _digest(*arrays: np.ndarray) -> np.ndarray:
    """Return the SHA-256 digest of arrays, as a uint8 array."""
    made = sha256()
    for array in arrays:
        made.update(np.ascontiguousarray(array).data)
    return np.frombuffer(made.digest(), dtype=np.uint8)


def _refuse_wrong(path: Path, at: np.ndarray, entries: np.ndarray, size: int, wins: Callable[[int], bool]) -> None:
    """Raise ArgumentError if a sample of the results contains an invalid position or a wrong result.

    The sample is random, so that nobody can predict which results are checked.
    """
    chosen = np.random.default_rng().permutation(len(at))
    left = entries[chosen] >> np.uint64(LEFT_AT) & np.uint64(LEFT_MASK)
    for index in chosen[:SAMPLE]:
        _code_of(path, int(at[index]), int(entries[index]), size)
    for index in chosen[left <= NEAR][:PROVED]:
        code = _code_of(path, int(at[index]), int(entries[index]), size)
        if wins(code) != bool(entries[index] & np.uint64(1)):
            raise ArgumentError(f"{path}: not usable: the result for the position {code} is wrong")


def _code_of(path: Path, at: int, entry: int, size: int) -> int:
    """Return the code of a table entry's position. Raise ArgumentError if the code or entry is invalid."""
    code = unmixed((entry >> REST_AT) * (size // WAYS) + at // WAYS)
    try:
        position_of_key(str(code))
        if code >> CODE_LEFT_AT != entry >> LEFT_AT & LEFT_MASK:
            raise ArgumentError(f"the position {code} and its result differ in moves left")
    except (ArgumentError, ValueError) as error:
        raise ArgumentError(f"{path}: not usable: a result has no valid position: {error}") from None
    return code
