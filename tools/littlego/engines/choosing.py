"""The list of all engines, and the selection of the engine for a ruleset. This module runs on Python 3.7.

Each engine is a subpackage of this package. In each subpackage, the module `engine` defines ENGINE, an object that
implements the protocol in `engines/engine`. A new engine needs an entry in ENGINES. An engine is imported at its first
use, so a game of 5x5 Little-Go never loads the large engine.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from littlego.files import describe_conflict
from littlego.rules.patternfile import PatternFileError
from littlego.rules.turn import as_written

if TYPE_CHECKING:
    from littlego.engines.engine import Engine
    from littlego.rules.patternfile import Book
    from littlego.rules.ruleset import Ruleset

# Engine name -> the ruleset name in the header of the engine's patterns files. If several engines support a ruleset,
# the first of them is used.
ENGINES = {"small": "little-go", "large": "match"}


@lru_cache(maxsize=None)
def _load(name: str) -> Any:
    return import_module(f".{name}.engine", __package__).ENGINE


def engine_for(ruleset: Ruleset, book: Book | None = None, name: str = "patterns") -> Engine:
    """Return the engine that decides positions of a ruleset.

    book: the book that the engine will use. name: the name of the book's file. Raise PatternFileError if the engine
    does not understand the book.
    """
    engine: Engine = next(one for one in map(_load, ENGINES) if one.decides(ruleset))
    if book is not None and not engine.reads(book):
        raise PatternFileError(f"{name}: these patterns are for {book.ruleset_name}, not for {ruleset.name}")
    return engine


def engine_of(ruleset_name: str) -> Engine:
    """Return the engine for a ruleset's patterns files, or the first engine if the ruleset is unknown."""
    engine: Engine = _load(next((one for one, name in ENGINES.items() if name == ruleset_name), next(iter(ENGINES))))
    return engine


def ruleset_in(data: bytes) -> str:
    """Return the ruleset name in the header of a patterns.txt, or '' if there is no header."""
    fields = data.partition(b"\n")[0].split(b" ")
    return fields[2].decode("utf-8", "replace") if len(fields) > 2 else ""


def load_book(data: bytes, name: str) -> Book:
    """Return the book in the bytes of a patterns.txt, read by the engine for the file's ruleset.

    name: the file's name in messages. Windows line ends are accepted, as in the player. Raise PatternFileError if the
    file is invalid.
    """
    try:
        return engine_of(ruleset_in(data)).load(as_written(data), name)
    except PatternFileError:
        conflict = describe_conflict(data)
        if conflict:
            raise PatternFileError(f"{name}: {conflict}") from None
        raise
