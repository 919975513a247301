"""Writing files that people keep: whole or not at all, and JSON on request. Runs on Python 3.7."""

from __future__ import annotations

import json
import os
import sys
import tempfile

STANDARD_OUTPUT = "-"


def write_text(path: str | os.PathLike, text: str) -> None:
    """Replace a file by this text (UTF-8, LF); a failure leaves the old file whole. Raise OSError."""
    path = os.fspath(path)
    data = text.encode("utf-8")
    if os.path.exists(path) and not os.path.isfile(path):  # a device or a pipe: renaming would put a file in its place
        with open(path, "wb") as file:
            file.write(data)
        return
    folder, name = os.path.split(path)
    handle, temporary = tempfile.mkstemp(prefix=name + ".", suffix=".new", dir=folder or ".")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, os.stat(path).st_mode & 0o777 if os.path.exists(path) else 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def short_name(path: str | os.PathLike) -> str:
    """Return a path as people write it: relative to where they are, if it lies below."""
    relative = os.path.relpath(path)
    return os.fspath(path) if relative.startswith("..") else relative


def write_json(path: str | os.PathLike, value) -> None:
    """Write a value as JSON to a file, whole or not at all, or to standard output for `-`. Raise OSError."""
    text = json.dumps(value, indent=1, ensure_ascii=False) + "\n"
    if path == STANDARD_OUTPUT:
        sys.stdout.write(text)
    else:
        write_text(path, text)
