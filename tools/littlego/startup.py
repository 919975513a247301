"""Checks at process start: standard streams, the path of the interpreter, the working folder.

This module runs on Python 3.7.
"""

from __future__ import annotations

import os
import sys

MODES = {"stdin": "r", "stdout": "w", "stderr": "w"}


def open_closed_streams() -> None:
    """Connect each closed standard stream to the null device. A shell closes streams with `0<&-` or `>&-`.

    Without this function, newly opened files could get the descriptors 0 to 2, and child processes would use them as
    standard streams.
    """
    while True:
        descriptor = os.open(os.devnull, os.O_RDWR)
        if descriptor >= len(MODES):
            os.close(descriptor)
            break
        os.set_inheritable(descriptor, True)
    for descriptor, (name, mode) in enumerate(MODES.items()):
        if getattr(sys, name) is None:
            setattr(sys, name, open(descriptor, mode, closefd=False))  # noqa: SIM115 - open as long as the process runs


def drop_output() -> None:
    """Discard pending standard output, so that Python does not report a failed write again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def find_missing_interpreter() -> str:
    """Return an error message with a remedy if Python does not know its own path, else ''.

    Without this path, the process cannot start Python again.
    """
    return "" if sys.executable else "Python cannot find its own path without PATH; start Python by its full path"


def find_missing_folder() -> str:
    """Return an error message with a remedy if the current folder was deleted, else ''.

    Without the current folder, relative file names cannot be resolved.
    """
    try:
        os.getcwd()
    except FileNotFoundError:
        return "the current folder was deleted; change to another folder"
    return ""
