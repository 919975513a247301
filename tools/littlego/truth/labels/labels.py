"""Labelled positions: exact results and winning moves from the solver.

tools/littlego/truth/labels/labels.npz has three columns, with one entry for each position modulo symmetry. `codes`
contains the codes (keys, see rules/positionkey) of the canonical images in ascending order. `losing` contains masks of
the mover's losing moves, with bit 25 for the pass. In a lost position, all legal moves are losing moves. `tags`
contains masks of the positions' sources: see littlego.truth.labels.SOURCES.

`littlego dev label` creates the file and adds labels to it, but never removes a label. The file is committed because
solving the positions took hours and because measurements must be reproducible. Labels never become stale: they follow
from the rules of the game and do not depend on a player.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from littlego.arrays import DAMAGES, pack_arrays
from littlego.cli.arguments import ArgumentError
from littlego.engines.compiled.board import count, jit
from littlego.engines.compiled.states import canonical, moves_mask, parts
from littlego.files import short_name, write_bytes
from littlego.paths import LABELS
from littlego.rules.positionkey import LEFT_AT, WHITE_AT
from littlego.truth.labels import FACTORS, TEST, TEST_ONE_IN

_TYPES = {"codes": np.int64, "losing": np.int32, "tags": np.uint8}


class Labels(NamedTuple):
    """Labelled positions in ascending order of codes.

    codes: the codes of the positions. winning: masks of the winning moves, 0 for a lost position. tags: masks of the
    positions' sources.
    """

    codes: np.ndarray
    winning: np.ndarray
    tags: np.ndarray

    def where(self, wanted: np.ndarray | Sequence[int]) -> Labels:
        """Return the labels that a mask or a list of indices selects."""
        return Labels(*(column[wanted] for column in self))


def load(part: str | None = None, sources: int = 0, path: Path = LABELS) -> Labels:
    """Return the labels of a part that come from given sources.

    part: `working`, `test`, or None for both parts. sources: a mask of SOURCES, 0 for any source. Raise ArgumentError,
    with a one-line message, for a missing or damaged file.
    """
    labels = _read(path)
    wanted = np.ones(labels.codes.size, dtype=bool) if part is None else in_test(labels.codes) == (part == TEST)
    if sources:
        wanted &= labels.tags & sources != 0
    return labels.where(wanted)


def load_known(path: Path) -> Labels:
    """Return the labels in a file, or no labels if the file does not exist. Raise ArgumentError for a damaged file."""
    return load(path=path) if path.exists() else empty_labels()


def _read(path: Path) -> Labels:
    try:
        with np.load(path, allow_pickle=False) as file:
            codes, losing, tags = (file[name].astype(kind, casting="safe") for name, kind in _TYPES.items())
    except FileNotFoundError:
        raise ArgumentError(f"{short_name(path)} does not exist: create it with `littlego dev label`") from None
    except DAMAGES as error:
        raise ArgumentError(f"{short_name(path)} is damaged or not a file of labels: {error}") from None
    if not codes.shape == losing.shape == tags.shape == (codes.size,) or (np.diff(codes) <= 0).any():
        raise ArgumentError(f"{short_name(path)} is damaged: its columns are inconsistent")
    return Labels(codes, legal_many(codes) & ~losing, tags)


def empty_labels() -> Labels:
    """Return an empty set of labels."""
    return Labels(*(np.zeros(0, dtype=kind) for kind in _TYPES.values()))


def save(labels: Labels, path: Path = LABELS) -> None:
    """Write the labels to a file atomically. Raise OSError on failure."""
    write_bytes(path, to_bytes(labels))


def to_bytes(labels: Labels) -> bytes:
    """Return the bytes of a file with the labels. Equal labels give equal bytes."""
    losing = legal_many(labels.codes) & ~labels.winning
    return pack_arrays(np.savez_compressed, codes=labels.codes, losing=losing, tags=labels.tags)


def join_labels(first: Labels, second: Labels) -> Labels:
    """Return the union of two sets of labels. A position that is in both sets has the tags of both."""
    codes = np.union1d(first.codes, second.codes)
    winning, tags = np.zeros(codes.size, dtype=np.int32), np.zeros(codes.size, dtype=np.uint8)
    for labels in (first, second):
        at = np.searchsorted(codes, labels.codes)
        winning[at] = labels.winning
        tags[at] |= labels.tags
    return Labels(codes, winning, tags)


_FACTORS = tuple(map(np.uint64, FACTORS))


@jit
def canonical_many(codes: np.ndarray) -> np.ndarray:
    """Return the code of each position's canonical image, as int64."""
    result = np.empty_like(codes)
    for index in range(codes.size):
        result[index] = canonical(codes[index])[0]
    return result


@jit
def legal_many(codes: np.ndarray) -> np.ndarray:
    """Return a mask of the legal moves for each code, as int32. Bit 25 is the pass."""
    result = np.empty(codes.size, dtype=np.int32)
    for index in range(codes.size):
        result[index] = moves_mask(codes[index])
    return result


@jit
def count_many(masks: np.ndarray) -> np.ndarray:
    """Return the number of bits in each mask, as int64."""
    result = np.empty(masks.size, dtype=np.int64)
    for index in range(masks.size):
        result[index] = count(np.int64(masks[index]))  # type: ignore[call-arg]
    return result


@jit
def own_and_theirs(codes: np.ndarray) -> np.ndarray:
    """Return, for each code, a mask of the stones of both sides, as int64.

    The mask contains the mover's stones and, 25 bits higher, the opponent's stones.
    """
    result = np.empty_like(codes)
    for index in range(codes.size):
        own, theirs, _, _, _ = parts(codes[index])
        result[index] = own | theirs << WHITE_AT
    return result


def find_places(codes: np.ndarray, among: np.ndarray) -> np.ndarray:
    """Return the index of each code in the ascending array `among`, or -1 if the array lacks the code."""
    if not among.size:
        return np.full(codes.size, -1)
    at = np.searchsorted(among, codes).clip(max=among.size - 1)
    return np.where(among[at] == codes, at, -1)


def moves_left(codes: np.ndarray) -> np.ndarray:
    """Return the number of moves left in each position, including the next move."""
    return codes >> LEFT_AT


def scatter(numbers: np.ndarray) -> np.ndarray:
    """Return pseudo-random uint64 hashes of numbers, equal on every machine and without collisions."""
    words = numbers.astype(np.uint64)
    for shift, factor in zip((30, 27), _FACTORS, strict=True):
        words = (words ^ words >> np.uint64(shift)) * factor
    return words ^ words >> np.uint64(31)


def in_test(codes: np.ndarray) -> np.ndarray:
    """Return, for each position, whether it is in the test part, which must not be used to tune patterns.

    The part depends only on the points of the mover's and of the opponent's stones. Positions that differ only by a
    symmetry, or in colour, ko or number of moves left, are therefore in the same part. codes: codes of canonical
    images.
    """
    return np.asarray(scatter(own_and_theirs(codes)) % np.uint64(TEST_ONE_IN) == 0, dtype=bool)
