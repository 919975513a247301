"""Files of numpy arrays (.npz): atomic writes, and the errors that reading a damaged file raises.

This module runs on Python 3.7.
"""

from __future__ import annotations

import io
import zlib
from tokenize import TokenError
from typing import TYPE_CHECKING
from zipfile import BadZipFile

import numpy as np

from littlego.files import write_bytes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DAMAGES = (  # errors that numpy, zipfile and json raise for damaged files; not MemoryError, since files may be large
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    EOFError,
    NotImplementedError,
    OverflowError,
    RecursionError,
    OSError,
    BadZipFile,
    TokenError,  # from numpy, for a damaged header of an array
    zlib.error,
)


def pack_arrays(save: Callable[..., None] = np.savez, **columns: np.ndarray) -> bytes:
    """Return the bytes of an .npz file with these arrays. save: np.savez or np.savez_compressed."""
    data = io.BytesIO()
    save(data, **columns)
    return data.getvalue()


def write_arrays(path: Path | str, save: Callable[..., None] = np.savez, **columns: np.ndarray) -> None:
    """Write arrays to an .npz file atomically; see pack_arrays. Raise OSError on failure."""
    write_bytes(path, pack_arrays(save, **columns))
