"""Labels of the working part for a page.

This module replaces littlego.truth.labels.labels, which needs numpy. The labels are read from a file that `littlego
site` generates, and that the page loads when a task needs labels: see littlego.studio.site.later.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

from littlego.cli.arguments import ArgumentError
from littlego.paths import LABELS
from littlego.studio.site.in_browser.memory import Numbers, call
from littlego.truth.labels import WORKING

HEAD = 10  # bytes before the header of an array in an .npz; the last two are the header's length
KINDS = {"codes": "q", "losing": "i"}  # kinds of numbers, as `array` names them


class Labels(NamedTuple):
    """Positions with their winning moves, sorted by code. winning: masks of the moves, 0 for a lost position."""

    codes: array[int]
    winning: array[int]

    def where(self, wanted: Sequence[int]) -> Labels:
        """Return the labels at the given indices."""
        return Labels(*(array(column.typecode, [column[index] for index in wanted]) for column in self))


def load(part: str, path: Path = LABELS) -> Labels:
    """Return the labels of the working part.

    Raise ArgumentError for any other part, or if the labels file is not loaded.
    """
    if part != WORKING:
        raise ArgumentError(f"the playground has no labels of the {part} part; use the {WORKING} part")
    if not path.exists():
        raise ArgumentError(
            "the exact results of positions did not load: connect to the network, then try again. Once loaded, they"
            " are available without a network"
        )
    return _read(path, path.stat().st_mtime_ns)


def load_known(path: Path) -> Labels:
    """Return the labels of the working part, or no labels if the file is not loaded."""
    return load(WORKING, path) if path.exists() else Labels(array("q"), array("q"))


@lru_cache(maxsize=1)
def _read(path: Path, _: int) -> Labels:
    codes, losing = _columns(path)
    pairs = zip(legal_many(codes), losing, strict=True)
    return Labels(codes, array("q", [legal & ~lost for legal, lost in pairs]))


def _columns(path: Path) -> Iterator[array[int]]:
    """Yield the arrays named in KINDS from an .npz file."""
    with ZipFile(path) as file:
        for name, kind in KINDS.items():
            data = file.read(f"{name}.npy")
            column = array(kind)
            column.frombytes(data[HEAD + int.from_bytes(data[HEAD - 2 : HEAD], "little") :])
            yield column


def legal_many(codes: array[int]) -> array[int]:
    """Return, for each code, a mask of the legal moves; bit 25 stands for the pass."""
    masks = Numbers(len(codes))
    call("legal", Numbers.of(codes), len(codes), masks)
    return masks.values()
