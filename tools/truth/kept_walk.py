"""The layers of a walk in a folder: a run that was stopped goes on after the last whole layer."""

from __future__ import annotations

import io
import shutil
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from tools.arguments import BadArgument
from tools.files import short_name, write_bytes
from tools.truth.walk import Layer

CERTIFICATE = "certificate.json"
WALKS = 8  # kept side by side; the oldest goes when another player's begins


class KeptWalk:
    """The layers of one player's walk, one file each."""

    def __init__(self, folder: Path):
        self.folder = folder

    def load(self, left: int) -> Layer | None:
        """Return the layer with so many moves left, or None where there is none; raise BadArgument for damage."""
        path = self._path(left)
        try:
            with np.load(path, allow_pickle=False) as file:
                return Layer(*(file[name] for name in Layer._fields[:-1]), int(file["cut"]))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
            raise BadArgument(f"{short_name(path)} is damaged: {error}; --fresh walks anew") from None

    def save(self, layer: Layer) -> None:
        """Keep a layer, whole or not at all. Raise OSError."""
        self.folder.mkdir(parents=True, exist_ok=True)
        data = io.BytesIO()
        np.savez(data, **layer._asdict())
        write_bytes(self._path(layer.left), data.getvalue())

    def forget(self) -> None:
        """Begin anew."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _path(self, left: int) -> Path:
        return self.folder / f"layer-{left:02}.npz"


def make_room(folder: Path, wanted: str) -> Path:
    """Return the folder of a walk below the one for all walks; of the others the oldest go, if they are too many."""
    chosen = folder / wanted
    chosen.mkdir(parents=True, exist_ok=True)
    chosen.touch()
    walks = sorted((path for path in folder.iterdir() if path.is_dir()), key=lambda path: path.stat().st_mtime)
    for old in walks[:-WALKS]:
        shutil.rmtree(old, ignore_errors=True)
    return chosen
