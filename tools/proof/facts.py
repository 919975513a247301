"""Facts about positions, kept between runs: sorted codes with a number each, one file for each number of moves left.

A fact here is true of the game, whoever plays it: a walk after an edit of the patterns finds again what an earlier one
has solved.
"""

from __future__ import annotations

from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from tools.arguments import ArgumentError
from tools.files import short_name
from tools.labels.arrays import places, write_arrays


class Facts:
    """Numbers by code. folder, name: of the files, which are read when first asked for.

    kind: the numbers' dtype. Several processes may add to the same files; should two save at the same moment, some
    facts of one are lost, never damaged.
    """

    def __init__(self, folder: Path, name: str, kind: type):
        self.folder = folder
        self.name = name
        self.kind = kind
        self.known: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self.changed: set[int] = set()
        self.seen: dict[int, int] = {}  # moves left -> when the file read or written last was changed

    def look_up(self, codes: np.ndarray, left: int) -> tuple[np.ndarray, np.ndarray]:
        """Return (which of the codes are known, their numbers, 0 where not). left: moves left in all of them."""
        keys, known = self._of(left)
        at = places(codes, keys)
        found, numbers = at >= 0, np.zeros(codes.size, dtype=self.kind)
        numbers[found] = known[at[found]]
        return found, numbers

    def add(self, codes: np.ndarray, numbers: np.ndarray, left: int) -> None:
        """Add facts about positions with so many moves left."""
        if codes.size:
            self.known[left] = _joined(self._of(left), (codes, numbers.astype(self.kind)))
            self.changed.add(left)

    def save(self) -> None:
        """Write what is new, each file whole or not at all. Raise OSError."""
        for left in sorted(self.changed):
            path = self._path(left)
            if _changed(path) != self.seen.get(left):  # another process has written to it
                self.known[left] = _joined(self.known[left], self._read(path))
            path.parent.mkdir(parents=True, exist_ok=True)
            write_arrays(path, codes=self.known[left][0], numbers=self.known[left][1])
            self.seen[left] = _changed(path)
            self.changed.discard(left)

    def _of(self, left: int) -> tuple[np.ndarray, np.ndarray]:
        if left not in self.known:
            path = self._path(left)
            self.seen[left] = _changed(path)
            self.known[left] = self._read(path)
        return self.known[left]

    def _path(self, left: int) -> Path:
        return self.folder / f"{self.name}-{left:02}.npz"

    def _read(self, path: Path) -> tuple[np.ndarray, np.ndarray]:
        if not path.exists():
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=self.kind)
        try:
            with np.load(path, allow_pickle=False) as file:
                return file["codes"].astype(np.int64), file["numbers"].astype(self.kind)
        except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
            raise ArgumentError(f"{short_name(path)} is damaged: {error}; delete it, and it is made again") from None


def _changed(path: Path) -> int:
    """Return when a file was changed, 0 if there is none."""
    return path.stat().st_mtime_ns if path.exists() else 0


def _joined(first: tuple[np.ndarray, np.ndarray], second: tuple[np.ndarray, np.ndarray]):
    """Return the facts of both, in ascending order of the codes."""
    codes, at = np.unique(np.concatenate([first[0], second[0]]), return_index=True)
    return codes, np.concatenate([first[1], second[1]])[at]
