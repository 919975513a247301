"""Many codes at once: canonical images, legal moves, places in a sorted list, the part of the labels; and files."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np

from rules.positionkey import LEFT_AT, WHITE_AT
from tools.compiled.board import compiled, count
from tools.compiled.states import canonical, moves_mask, parts
from tools.files import write_bytes

TEST_ONE_IN = 3  # classes of boards
_FACTORS = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)  # splitmix64's


@compiled
def canonical_many(codes):
    """Return the codes of the canonical images, an array of int64."""
    found = np.empty_like(codes)
    for index in range(codes.size):
        found[index] = canonical(codes[index])[0]
    return found


@compiled
def legal_many(codes):
    """Return the masks of the legal moves, bit 25 for the pass, an array of int32."""
    found = np.empty(codes.size, dtype=np.int32)
    for index in range(codes.size):
        found[index] = moves_mask(codes[index])
    return found


@compiled
def count_many(masks):
    """Return the number of bits in each mask, an array of int64."""
    found = np.empty(masks.size, dtype=np.int64)
    for index in range(masks.size):
        found[index] = count(np.int64(masks[index]))
    return found


@compiled
def own_and_theirs(codes):
    """Return the stones of the mover and, 25 bits higher, of the other side: an array of int64."""
    found = np.empty_like(codes)
    for index in range(codes.size):
        own, theirs, _, _, _ = parts(codes[index])
        found[index] = own | theirs << WHITE_AT
    return found


def places(codes: np.ndarray, among: np.ndarray) -> np.ndarray:
    """Return the index of each code among ascending ones, or -1 where it is not there."""
    if not among.size:
        return np.full(codes.size, -1)
    at = np.searchsorted(among, codes).clip(max=among.size - 1)
    return np.where(among[at] == codes, at, -1)


def write_arrays(path: Path, save: Callable = np.savez, **columns: np.ndarray) -> None:
    """Write arrays to an .npz file, whole or not at all; save: np.savez, or np.savez_compressed. Raise OSError."""
    data = io.BytesIO()
    save(data, **columns)
    write_bytes(path, data.getvalue())


def moves_left(codes: np.ndarray) -> np.ndarray:
    """Return the moves left in each position, the next one included."""
    return codes >> LEFT_AT


def scattered(numbers: np.ndarray) -> np.ndarray:
    """Return numbers that look random, uint64: the same for the same number everywhere, and no two alike."""
    words = numbers.astype(np.uint64)
    for shift, factor in zip((30, 27), _FACTORS, strict=True):
        words = (words ^ words >> np.uint64(shift)) * factor
    return words ^ words >> np.uint64(31)


def in_test(codes: np.ndarray) -> np.ndarray:
    """Return which positions belong to the test part, on which no pattern is ever tuned.

    That depends on the board alone, as the mover sees it and turned to its canonical image: positions that differ in
    symmetry, colour, ko or moves left only are never on both sides. codes: of canonical images.
    """
    return scattered(own_and_theirs(codes)) % np.uint64(TEST_ONE_IN) == 0
