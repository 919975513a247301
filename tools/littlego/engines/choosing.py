"""The choice of an engine: the only module that lists the engines. Runs on Python 3.7.

An engine is a folder of this room whose module `engine` has an object ENGINE: see the protocol in `engines/engine`. A
new engine needs an entry in ENGINES. An engine is imported when a question reaches it: the course's game never loads
the large engine.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from littlego.rules.patternfile import PatternFileError

if TYPE_CHECKING:
    from littlego.engines.engine import Engine
    from littlego.rules.patternfile import Book
    from littlego.rules.ruleset import Ruleset

# Each engine with the ruleset in the header of the patterns files that are written for it. The first engine that
# decides a ruleset is the engine of its positions.
ENGINES = {"small": "little-go", "large": "match"}


@lru_cache(maxsize=None)
def _load(name: str) -> Any:
    return import_module(f".{name}.engine", __package__).ENGINE


def engine_for(ruleset: Ruleset, book: Book | None = None, name: str = "patterns") -> Engine:
    """Return the engine that decides positions of a ruleset.

    book: to decide with; raise PatternFileError where the engine does not read the book. name: of the book's file.
    """
    engine: Engine = next(one for one in map(_load, ENGINES) if one.decides(ruleset))
    if book is not None and not engine.reads(book):
        raise PatternFileError(f"{name}: made for {book.ruleset_name}; {ruleset.name} needs patterns made for it")
    return engine


def engine_of(ruleset_name: str) -> Engine:
    """Return the engine of the patterns files for a ruleset; the first engine for an unknown name."""
    engine: Engine = _load(next((one for one, name in ENGINES.items() if name == ruleset_name), next(iter(ENGINES))))
    return engine


def ruleset_in(data: bytes) -> str:
    """Return the name of the ruleset in the header of a patterns.txt, '' without a header."""
    fields = data.partition(b"\n")[0].split(b" ")
    return fields[2].decode("utf-8", "replace") if len(fields) > 2 else ""


def load_book(data: bytes, name: str) -> Book:
    """Return the book in the bytes of a patterns.txt, for the engine of its header; raise PatternFileError.

    name: of the file, for messages.
    """
    return engine_of(ruleset_in(data)).load(data, name)
