"""What strangers wrote, shown as text: what would steer a terminal, or hide in it, becomes a visible escape.

Names of files, the scalars of a patterns file, what a program says on standard error: all of it may hold sequences
that move the cursor, recolour or reverse what stands around them. The commands print through a PrintableFile, so that
no place that prints can forget it; what steers the terminal on purpose, colours and progress bars, asks for the file
below with `own_file`. Runs on Python 3.7.
"""

from __future__ import annotations

import re
import sys
from contextlib import contextmanager
from typing import Any, Iterable, Iterator, TextIO, cast
from unicodedata import category

_NOT_ASCII_TEXT = re.compile("[^ -~]")
_NOT_ASCII_LINES = re.compile("[^ -~\n]")


def printable(text: str, lines: bool = False) -> str:
    """Return a text with each character that is no visible one or a space written as Python escapes it.

    Those are the control characters (`\\x1b`, `\\n`), the marks of direction and of no width (`\\u202e`), what ends a
    line or a paragraph (`\\u2028`), half a surrogate pair (`\\udc80`) and what has no meaning yet. All letters, accents
    and symbols stay, whatever their script. lines: keep the line feeds of a text of several lines. Doing it twice
    changes nothing more.
    """
    return (_NOT_ASCII_LINES if lines else _NOT_ASCII_TEXT).sub(_escape, text)


def is_line(text: str) -> bool:
    """Return whether a text can stand in a line and in a file: without control characters, line ends, surrogates."""
    return not any(category(character) in ("Cc", "Cs", "Zl", "Zp") for character in text)


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    if character.isprintable() or category(character) == "Zs":  # a no-break space is a space
        return character
    return character.encode("unicode_escape").decode("ascii")


class PrintableFile:
    """A text file to which everything is written as `printable` has it, line feeds kept.

    It hides the bytes below, so that nobody writes around it.
    """

    def __init__(self, file: TextIO) -> None:
        self.file = file

    def write(self, text: str) -> int:
        self.file.write(printable(text, lines=True))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        if name in ("buffer", "detach"):
            raise AttributeError(f"a PrintableFile has no {name}")
        return getattr(self.file, name)


def own_file(file: TextIO) -> TextIO:
    """Return the file below a PrintableFile, else the file: for what steers the terminal and prints only our words."""
    return file.file if isinstance(file, PrintableFile) else file


@contextmanager
def printable_output() -> Iterator[None]:
    """Make standard output and standard error printable while the body runs; a closed one stays as it is."""
    wrapped = {}
    for name in ("stdout", "stderr"):
        file = getattr(sys, name)
        if file is not None and not isinstance(file, PrintableFile):
            wrapped[name] = cast(TextIO, PrintableFile(file))
            setattr(sys, name, wrapped[name])
    try:
        yield
    finally:
        for name, file in wrapped.items():
            if getattr(sys, name) is file:
                setattr(sys, name, own_file(file))
