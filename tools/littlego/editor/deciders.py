"""The patterns that decide a position.

The open file's patterns decide positions of the file's ruleset, and the default patterns decide all other positions.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from littlego.cli.arguments import default_patterns
from littlego.editor.session import Session
from littlego.engines.books import overrides_beside
from littlego.engines.choosing import engine_for
from littlego.files import short_name
from littlego.knowledge.files import read_book
from littlego.paths import game_of
from littlego.rules.engine import Decision
from littlego.rules.overrides import Overrides
from littlego.rules.patternfile import Book
from littlego.rules.position import Position
from littlego.rules.ruleset import Ruleset


class Decider(NamedTuple):
    """The patterns that decide a position.

    name: the name of the patterns file. book: the compiled patterns. overrides: the overrides beside the file, or None.
    is_own: whether the patterns come from the current text of the open file.
    """

    name: str
    book: Book
    overrides: Overrides | None
    is_own: bool

    def prepare(self, ruleset: Ruleset) -> None:
        """Prepare the engine for a ruleset, so that the first decision is fast."""
        engine_for(ruleset).prepare(self.book, ruleset.size)

    def decide(self, position: Position) -> Decision:
        """Return the complete decision in a position."""
        return engine_for(position.ruleset).decide(position, self.book, True, self.overrides)


def decider_for(session: Session, position: Position) -> Decider:
    """Return the Decider for a position.

    Raise ArgumentError if there are no patterns for the position's ruleset.
    """
    if game_of(position.ruleset.name) == session.entries.ruleset.name:
        overrides = overrides_beside(session.snapshot.path or session.filename, position.ruleset)
        return Decider(session.filename, session.book(), overrides, True)
    path = str(default_patterns(ruleset=position.ruleset.name))
    overrides = overrides_beside(path, position.ruleset)
    return Decider(short_name(path), _book(path), overrides, False)


@lru_cache(maxsize=2)
def _book(path: str) -> Book:
    return read_book(path)
