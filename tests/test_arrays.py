"""Every reader of an .npz file reports a damaged file in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from littlego.arrays import pack_arrays
from littlego.cli.arguments import ArgumentError
from littlego.learning.zero.checkpoint import CheckpointError, load_state
from littlego.players.zero.network import WeightsError, load_network
from littlego.truth.labels.labels import load
from littlego.truth.labels.positions import load_codes, load_positions
from littlego.truth.proof.values import KnownValues
from littlego.truth.proof.walk import layer_file, load_layer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NAMES = ("codes", "losing", "tags", "winning", "numbers", "left", "cut", "about")
LEFT = 9


def read_values(folder: Path, data: bytes) -> None:
    (folder / f"values-{LEFT:02}.npz").write_bytes(data)
    KnownValues(folder, "values", np.int8).look_up(np.zeros(1, dtype=np.int64), LEFT)


def read_layer(folder: Path, data: bytes) -> None:
    layer_file(folder, LEFT).write_bytes(data)
    load_layer(folder, LEFT)


def reads(reader: Callable[[Path], object]) -> Callable[[Path, bytes], None]:
    def read(folder: Path, data: bytes) -> None:
        (folder / "arrays.npz").write_bytes(data)
        reader(folder / "arrays.npz")

    return read


READERS = {
    "labels": reads(lambda path: load(path=path)),
    "positions": reads(lambda path: load_positions(path, [path])),
    "codes": reads(load_codes),
    "values": read_values,
    "layer": read_layer,
    "checkpoint": reads(lambda path: load_state(str(path))),
    "network": reads(lambda path: load_network(str(path))),
}


def header_damaged() -> bytes:
    """Return a file in which no header of an array ends: numpy raises TokenError."""
    return pack_arrays(np.savez, **dict.fromkeys(NAMES, np.arange(500))).replace(b", }", b",  ")


def stream_damaged() -> bytes:
    """Return a file whose compressed data are not valid: zlib raises an error."""
    data = bytearray(pack_arrays(np.savez_compressed, **dict.fromkeys(NAMES, np.arange(500))))
    for name in NAMES:
        at = data.index(f"{name}.npy".encode()) + len(f"{name}.npy") + 20  # behind the extra field of a local header
        data[at : at + 40] = b"\xff" * 40
    return bytes(data)


@pytest.mark.parametrize("damaged", [header_damaged, stream_damaged])
@pytest.mark.parametrize("kind", READERS)
def test_a_damaged_file_is_reported(tmp_path, kind, damaged):
    with pytest.raises((ArgumentError, CheckpointError, WeightsError), match="damaged|cannot read|not a weights file"):
        READERS[kind](tmp_path, damaged())
