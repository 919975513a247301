"""Labelled positions: won or lost for the mover, and by which moves; exact, from the solver.

tools/data/labels.npz holds them, one entry for each position modulo symmetry: `codes` (of canonical images,
ascending), `winning` (the mask of the mover's winning moves, bit 25 for the pass; 0: lost) and `tags` (where the
position was met, see SOURCES). `littlego label` makes it and only ever adds to it. It is in the repository because
it takes hours of solving, never goes stale, and makes every figure measured on it repeatable: a label is a fact of
the game, not of the player whose games led there.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile

import numpy as np

from tools.arguments import ArgumentError
from tools.data import LABELS
from tools.files import short_name
from tools.labels.arrays import canonical_many, in_test, legal_many, places, write_arrays
from tools.labels.sources import TEST

_TYPES = {"codes": np.int64, "losing": np.int32, "tags": np.uint8}


class Labels(NamedTuple):
    """Positions in ascending order of their codes, the masks of their winning moves (0: lost), and their tags."""

    codes: np.ndarray
    winning: np.ndarray
    tags: np.ndarray

    def where(self, wanted: np.ndarray) -> Labels:
        """Return the positions that a mask or a list of indices picks."""
        return Labels(*(column[wanted] for column in self))


def load(part: str | None = None, sources: int = 0, path: Path = LABELS) -> Labels:
    """Return the labels of a part, `working`, `test` or None for both, met in one of the sources (bits; 0 for any).

    Raise ArgumentError, in one line, for a file that is missing or damaged.
    """
    labels = _read(path)
    wanted = np.ones(labels.codes.size, dtype=bool)
    if part is not None:
        wanted = in_test(labels.codes) == (part == TEST)
    if sources:
        wanted &= labels.tags & sources != 0
    return labels.where(wanted)


def known(path: Path) -> Labels:
    """Return the labels in a file, none where there is no file; raise ArgumentError for a damaged one."""
    return load(path=path) if path.exists() else empty()


def _read(path: Path) -> Labels:
    try:
        with np.load(path, allow_pickle=False) as file:
            codes, losing, tags = (file[name].astype(kind, casting="safe") for name, kind in _TYPES.items())
    except FileNotFoundError:
        raise ArgumentError(f"there is no {short_name(path)}: make it with `littlego label`") from None
    except (OSError, ValueError, KeyError, TypeError, BadZipFile, EOFError) as error:
        raise ArgumentError(f"{short_name(path)} is damaged, or no file of labels: {error}") from None
    if not codes.shape == losing.shape == tags.shape == (codes.size,) or (np.diff(codes) <= 0).any():
        raise ArgumentError(f"{short_name(path)} is damaged: its columns do not belong together")
    return Labels(codes, legal_many(codes) & ~losing, tags)


def empty() -> Labels:
    """Return no labels."""
    return Labels(*(np.zeros(0, dtype=kind) for kind in _TYPES.values()))


def save(labels: Labels, path: Path = LABELS) -> None:
    """Replace the file, whole or not at all; the same labels give the same bytes. Raise OSError."""
    columns = labels.codes, legal_many(labels.codes) & ~labels.winning, labels.tags
    write_arrays(path, np.savez_compressed, **dict(zip(_TYPES, columns, strict=True)))


def joined(first: Labels, second: Labels) -> Labels:
    """Return the labels of both; a position in both has the tags of both."""
    codes = np.union1d(first.codes, second.codes)
    winning, tags = np.zeros(codes.size, dtype=np.int32), np.zeros(codes.size, dtype=np.uint8)
    for labels in (first, second):
        at = np.searchsorted(codes, labels.codes)
        winning[at] = labels.winning
        tags[at] |= labels.tags
    return Labels(codes, winning, tags)


def looked_up(codes: np.ndarray, labels: Labels) -> np.ndarray:
    """Return the index of each position in the labels, whatever way its board is turned, or -1."""
    return places(canonical_many(np.asarray(codes, dtype=np.int64)), labels.codes)
