"""One position decided in full, as `explain` tells of it: with all numbers of moves left, and with other knowledge."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from rules.overrides import Overrides
from rules.patternfile import Book
from rules.position import Position
from rules.uncounted import Uncounted, decide_uncounted
from tools.arguments import ArgumentError
from tools.draw.decisions import decision_json
from tools.explain.answers import WhatIf, book_without
from tools.explain.uncounted import left_json
from tools.knowledge.keys import MATCH
from tools.opponents.ours import decide_by_book, is_large


def decide_asked(positions: list[Position], book: Book, overrides: Overrides | None) -> Uncounted:
    """Return the complete decision, for all numbers of moves left that may be where the engine of the course decides.

    positions: see tools.match.inputs.positions_at. Raise ArgumentError where the patterns are for the match and the
    position is not.
    """
    position = positions[0]
    if is_large(position.ruleset):
        return Uncounted(decide_by_book(position, book, True), [position.left])
    if book.ruleset_name == MATCH.name:
        hint = "for a drawn board of a match add --ruleset match"
        raise ArgumentError(f"the patterns are for the match, the position is of {position.ruleset.name}; {hint}")
    return decide_uncounted(positions, book, True, overrides)


def decide_otherwise(
    found: Uncounted,
    book: Book,
    overrides: Overrides | None,
    other: tuple[str, Book] | None = None,
    without: Collection[str] = (),
) -> WhatIf:
    """Return what changes with another book, given with its name, or without some patterns, or both.

    It is decided for the one number of moves left that was believed, both times. Raise ArgumentError for an id that the
    book does not have.
    """
    changes, position = [], found.decision.position
    now = found.decision if found.refused is None else decide_by_book(position, book, True, overrides)
    if other:
        changes.append(f"with {other[0]}")
        book = other[1]
    if without:
        names = dict.fromkeys(without)
        book = book_without(book, names)
        changes.append("without " + " and ".join(names))
    words = ", ".join(changes)
    return WhatIf(words[0].upper() + words[1:], now, decide_by_book(position, book, True, overrides))


def explain_json(found: Uncounted, **answers: Any) -> dict[str, Any]:
    """Return what `explain --json` writes: decision_json's keys, left (see left_json), and an answer by its name."""
    return {**decision_json(found.decision), "left": left_json(found), **answers}
