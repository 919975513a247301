"""Escaping of untrusted text: invisible characters and terminal controls become visible escapes.

File names, values in a patterns file and the standard error of programs may contain sequences that move the cursor, or
that recolour or reverse the surrounding text. The commands print through a PrintableFile, which applies `printable` to
every text. Code that controls the terminal on purpose, for colours and progress bars, gets the underlying file from
`own_file`. This module runs on Python 3.7.
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
    """Return a text with each invisible character, except spaces, replaced by a Python escape.

    The function escapes control characters (`\\x1b`, `\\n`), direction marks (`\\u202e`), zero-width characters, line
    and paragraph separators (`\\u2028`), lone surrogates (`\\udc80`) and unassigned characters. Letters, accents and
    symbols of all scripts are kept. lines: whether to keep line feeds.
    """
    return (_NOT_ASCII_LINES if lines else _NOT_ASCII_TEXT).sub(_escape, text)


def is_line(text: str) -> bool:
    """Return whether a text is one line without control characters, line separators or surrogates."""
    return not any(category(character) in ("Cc", "Cs", "Zl", "Zp") for character in text)


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    if character.isprintable() or category(character) == "Zs":  # a no-break space counts as a space
        return character
    return character.encode("unicode_escape").decode("ascii")


class PrintableFile:
    """A text file that passes written texts through `printable`, but keeps line feeds.

    The class has no `buffer` and no `detach`, because writing to the underlying binary file would bypass the escaping.
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
    """Return the file that a PrintableFile wraps; return any other file unchanged.

    Use this function only in code that controls the terminal and prints our own texts.
    """
    return file.file if isinstance(file, PrintableFile) else file


@contextmanager
def printable_output() -> Iterator[None]:
    """Escape standard output and standard error during the `with` block; ignore a stream that is None."""
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
