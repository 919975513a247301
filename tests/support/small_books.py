"""Small books of hand-made patterns, and an engine's decisions with them on drawn boards."""

from __future__ import annotations

from boards import position

from littlego.rules.engine import Candidate, Decision, decide
from littlego.rules.patternfile import Book, Pattern, book_of


def pattern(name: str, rows: str, *rest, **fields) -> Pattern:
    """Return a pattern; the arguments are those of `line`."""
    return Pattern(line(name, rows, *rest, **fields))


def line(
    name: str,
    rows: str,
    points="0",
    when="",
    labels="",
    priority=500,
    specificity=1,
    flags="-",
    kind="shape",
    table="",
) -> str:
    """Return a line of patterns.txt.

    In `rows` and `labels`, `/` or a line break ends a row. `points` and `when` are in postfix notation. `table` is the
    text of a rules.programs.Table.
    """
    drawing, letters = (
        "/".join("".join(row.split()) for row in text.replace("/", "\n").split("\n") if row.strip())
        for text in (rows, labels)
    )
    head = [name, kind, str(priority), str(specificity), flags, drawing, letters]
    return "\t".join([*head, str(points), table, when, f"It is {name}."])


def book(*patterns: Pattern, size=5) -> Book:
    """Return a book of these patterns."""
    return book_of("little-go", size, list(patterns))


def decision(board: str, *patterns: Pattern, complete=True, **situation) -> Decision:
    """Return the decision on a drawn board, with X to move, by only these patterns.

    situation: further arguments of boards.position.
    """
    before = position(board, **situation)
    return decide(before, book(*patterns, size=before.ruleset.size), complete)


def candidate_at(made: Decision, move: int) -> Candidate:
    """Return the candidate for a move."""
    return next(candidate for candidate in made.candidates if candidate.move == move)


def fired(made: Decision, name: str) -> list[int]:
    """Return the moves for which a pattern fired, in ascending order."""
    return sorted(
        candidate.move for candidate in made.candidates if name in [firing.pattern.id for firing in candidate.firings]
    )
