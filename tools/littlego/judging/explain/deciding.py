"""Complete decisions, and decisions with other patterns, even if the number of moves left is unknown."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from littlego.cli.arguments import ArgumentError
from littlego.engines.choosing import engine_for
from littlego.engines.draw.decisions import decision_json
from littlego.engines.engine import Engine
from littlego.judging.explain.uncounted import left_json
from littlego.knowledge.answers import WhatIf, book_without
from littlego.rules.overrides import Overrides
from littlego.rules.patternfile import Book, PatternFileError
from littlego.rules.position import Position
from littlego.rules.uncounted import Uncounted


def decide_asked(positions: list[Position], book: Book, overrides: Overrides | None) -> Uncounted:
    """Return the complete decision for a position, even if the number of moves left is unknown.

    positions: a position for each possible number of moves left (see littlego.records.inputs.positions_at). Raise
    ArgumentError if the patterns are for another game.
    """
    return _engine(positions[0], book).decide_uncounted(positions, book, True, overrides)


def _engine(position: Position, book: Book) -> Engine:
    """Return the engine for a position and a book; raise ArgumentError for another game's book."""
    try:
        return engine_for(position.ruleset, book)
    except PatternFileError as error:
        raise ArgumentError(f"{error}; for a drawn board of a match, add --ruleset match") from None


def decide_otherwise(
    found: Uncounted,
    book: Book,
    overrides: Overrides | None,
    other: tuple[str, Book] | None = None,
    without: Collection[str] = (),
) -> WhatIf:
    """Return how the decision changes with another book, without some patterns, or both.

    other: (name, book) of the other patterns file. Both decisions, before and after the changes, are for the number of
    moves left that `found` assumes. Raise ArgumentError if the book lacks an id in `without`, or if a book is for
    another game.
    """
    changes, position = [], found.decision.position
    now = found.decision
    if found.refused is not None:
        now = _engine(position, book).decide(position, book, True, overrides)
    if other:
        changes.append(f"with {other[0]}")
        book = other[1]
    if without:
        names = dict.fromkeys(without)
        book = book_without(book, names)
        changes.append("without " + " and ".join(names))
    words = ", ".join(changes)
    then = _engine(position, book).decide(position, book, True, overrides)
    return WhatIf(words[0].upper() + words[1:], now, then)


def explain_json(found: Uncounted, **answers: Any) -> dict[str, Any]:
    """Return the JSON object that `explain --json` writes.

    The object contains the values of decision_json, `left` (see left_json) and the answers.
    """
    return {**decision_json(found.decision), "left": left_json(found), **answers}
