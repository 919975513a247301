"""By which patterns a position is decided: the open file's, or our own where those are for another game."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rules.engine import Decision
from rules.overrides import Overrides
from rules.patternfile import Book
from rules.position import Position
from rules.ruleset import Ruleset
from tools.data import game_of
from tools.editor.session import Session
from tools.engines.books import overrides_beside
from tools.engines.choosing import engine_for
from tools.explain.cli import patterns_for
from tools.files import short_name
from tools.knowledge.files import read_book


class Decider(NamedTuple):
    """The patterns that decide. name: of their file; book: as the player has them; is_own: whether they are
    those of the open file, as its text is now."""

    name: str
    book: Book
    overrides: Overrides | None
    is_own: bool

    def prepare(self, ruleset: Ruleset) -> None:
        """Make what a first decision on boards of a ruleset would have to make."""
        engine_for(ruleset).prepare(self.book, ruleset.size)

    def decide(self, position: Position) -> Decision:
        """Return the complete decision in a position."""
        return engine_for(position.ruleset).decide(position, self.book, True, self.overrides)


def decider_for(session: Session, position: Position) -> Decider:
    """Return what decides a position; raise ArgumentError where there are no patterns for it."""
    if game_of(position.ruleset.name) == session.entries.ruleset.name:
        overrides = overrides_beside(session.snapshot.path or session.filename, position.ruleset)
        return Decider(session.filename, session.book(), overrides, True)
    path = patterns_for(position.ruleset)
    overrides = overrides_beside(path, position.ruleset)
    return Decider(short_name(path), _book(path), overrides, False)


@lru_cache(maxsize=2)
def _book(path: str) -> Book:
    return read_book(path)
