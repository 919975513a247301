"""By which patterns a position is decided: the open file's, or our own where those are for another game."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rules.engine import Decision
from rules.overrides import Overrides
from rules.patternfile import Book
from rules.position import Position
from rules.ruleset import Ruleset
from tools.editor.session import Session
from tools.effects.books import read_book
from tools.explain.cli import patterns_for
from tools.files import short_name
from tools.games.match import MatchPosition
from tools.knowledge.keys import MATCH
from tools.opponents.ours import decide_by_book, is_large, overrides_beside


class Decider(NamedTuple):
    """The patterns that decide. name: of their file; book: as the player has them; is_own: whether they are
    those of the open file, as its text is now."""

    name: str
    book: Book
    overrides: Overrides | None
    is_own: bool

    def prepare(self, ruleset: Ruleset) -> None:
        """Make what a first decision on boards of a ruleset would have to make."""
        if is_large(ruleset):
            from tools.large.engine import prepare_large

            prepare_large(self.book, ruleset.size)

    def decide(self, position: Position) -> Decision:
        """Return the complete decision in a position."""
        return decide_by_book(position, self.book, True, self.overrides)


def decider_for(session: Session, position: Position) -> Decider:
    """Return what decides a position; raise ArgumentError where there are no patterns for it."""
    is_match = isinstance(position, MatchPosition)
    if is_match == (session.entries.ruleset is MATCH):
        overrides = overrides_beside(session.snapshot.path or session.filename, position.ruleset)
        return Decider(session.filename, session.book(), overrides, True)
    path = patterns_for(position.ruleset)
    overrides = overrides_beside(path, position.ruleset)
    return Decider(short_name(path), _book(path), overrides, False)


@lru_cache(maxsize=2)
def _book(path: str) -> Book:
    return read_book(path)
