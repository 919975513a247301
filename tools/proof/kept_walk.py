"""The layers of walks in folders, for a second look at them; and room for more."""

from __future__ import annotations

import shutil
from pathlib import Path

from tools.labels.arrays import write_arrays
from tools.proof.walk import Layer

CERTIFICATE = "certificate.json"
MOST = 8  # folders kept side by side; the oldest go


def layer_file(folder: Path, left: int) -> Path:
    """Return the file of the layer with so many moves left."""
    return folder / f"layer-{left:02}.npz"


def save_layer(folder: Path, layer: Layer) -> None:
    """Write a layer, whole or not at all. Raise OSError."""
    write_arrays(layer_file(folder, layer.left), **layer._asdict())


def make_room(folder: Path, wanted: str) -> Path:
    """Return a folder below another one; of its neighbours the oldest go, if there are too many."""
    chosen = folder / wanted
    chosen.mkdir(parents=True, exist_ok=True)
    chosen.touch()
    kept = sorted((path for path in folder.iterdir() if path.is_dir()), key=lambda path: path.stat().st_mtime)
    for old in kept[:-MOST]:
        shutil.rmtree(old, ignore_errors=True)
    return chosen
