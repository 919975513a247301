"""Knowledge files as the commands of this room ask for them: as their author wrote them, and without a pattern."""

from __future__ import annotations

import os
from collections.abc import Collection

from rules.patternfile import Book
from tools.arguments import ArgumentError
from tools.effects.books import read_knowledge
from tools.effects.parts import indices_by_id, part_of
from tools.knowledge.model import KnownPattern
from tools.knowledge.problems import no_such


def as_written(path: str) -> list[KnownPattern]:
    """Return the patterns of a file as their author wrote them: of a patterns.txt, those of the YAML file beside it.

    Raise ArgumentError where there are none.
    """
    found = read_knowledge(path)
    if not found.known:
        found = read_knowledge(os.path.splitext(path)[0] + ".yaml")
    return list(found.known.values())


def without(book: Book, ids: Collection[str]) -> Book:
    """Return the book without these patterns; raise ArgumentError for an id that it does not have."""
    index_of = indices_by_id(book)
    for unknown in sorted(set(ids) - index_of.keys()):
        raise ArgumentError(no_such("pattern", unknown, index_of))
    return part_of(book, (index for name, index in index_of.items() if name not in ids))
