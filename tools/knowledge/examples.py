"""Running the examples of patterns with the player's own engine: does each pattern fire where it says?"""

from __future__ import annotations

from dataclasses import dataclass

from rules import engine
from rules.patternfile import Book
from rules.position import Position
from tools.draw.boards import move_text
from tools.knowledge.model import MATCHES, NO_MATCH, Example, KnowledgeBase, KnownPattern
from tools.knowledge.nearmiss import near_misses
from tools.knowledge.problems import Problem
from tools.knowledge.textfile import book_of_one


@dataclass(frozen=True)
class Outcome:
    """What became of an example: the moves that the pattern proposed there, and whether that is as drawn."""

    pattern: KnownPattern
    example: Example
    moves: list[int]
    passed: bool


def firings_for(pattern: KnownPattern, position: Position, book: Book | None = None) -> dict[int, engine.Firing]:
    """Return a pattern's best firing for each move that it fires for (a point or PASS), as the player finds them.

    book: one that holds the pattern, by default one of its own.
    """
    decision = engine.decide(position, _book(pattern, position, book), complete=True)
    return _firings(pattern, decision)


def moves_fired(pattern: KnownPattern, position: Position, book: Book | None = None) -> list[int]:
    """Return the moves that a pattern fires for, in order; a tenth of the work where their firings do not matter.

    A decision scores every move and vets few, but in the last two moves, where it scores the best alone.
    """
    decision = engine.decide(position, _book(pattern, position, book), complete=0 < position.left <= 2)
    return sorted(_firings(pattern, decision))


def _book(pattern: KnownPattern, position: Position, book: Book | None) -> Book:
    return book or book_of_one(pattern, position.ruleset)


def _firings(pattern: KnownPattern, decision: engine.Decision) -> dict[int, engine.Firing]:
    return {
        candidate.move: firing
        for candidate in decision.candidates
        for firing in candidate.firings
        if firing.pattern.id == pattern.id
    }


def run_examples(base: KnowledgeBase) -> list[Outcome]:
    """Return the outcome of every example of every pattern."""
    return [
        outcome_of(pattern, example, book)
        for pattern in base.patterns
        for book in [book_of_one(pattern, base.ruleset)]
        for example in pattern.examples
    ]


def outcome_of(pattern: KnownPattern, example: Example, book: Book | None = None) -> Outcome:
    """Return what becomes of one example."""
    moves = moves_fired(pattern, example.position(), book)
    fired = bool(moves) if example.move is None else example.move in moves
    return Outcome(pattern, example, moves, fired == example.must_fire)


def problem_of(outcome: Outcome, filename: str) -> Problem | None:
    """Return what to tell the author of an example that fails, or None where it passes or is known to fail."""
    example, size = outcome.example, outcome.example.ruleset.size
    if outcome.passed or example.is_todo:
        return None
    fired = ", ".join(point_name(move, size) for move in outcome.moves) or "nowhere"
    place = "anywhere" if example.move is None else f"for {point_name(example.move, size)}"
    message = f"`{outcome.pattern.id}` fires {fired if fired == 'nowhere' else 'for ' + fired}"
    wanted = f"it to fire {place}" if example.must_fire else f"it not to fire {place}"
    hint = _nearest(outcome) + "correct the diagram or the conditions, or move the example under `todo_match`"
    if not example.must_fire:
        hint = hint.replace("todo_match", "todo_no_match")
    code = "P070" if example.must_fire else "P071"
    return Problem(filename, example.line, example.column, code, message, wanted, hint, example.drawing())


def problem_of_todo(outcome: Outcome, filename: str) -> Problem | None:
    """Return what to tell the author of an example that is known to fail and passes, or None for any other."""
    example = outcome.example
    if not (outcome.passed and example.is_todo):
        return None
    message = f"an example under `{example.kind}` that passes today"
    wanted = f"it under `{MATCHES if example.must_fire else NO_MATCH}`"
    return Problem(filename, example.line, example.column, "L213", message, wanted)


def _nearest(outcome: Outcome) -> str:
    """Return what fails where the pattern comes nearest to firing as an example wants it to, or ''."""
    example = outcome.example
    if not example.must_fire or example.move is None:
        return ""
    misses = near_misses(outcome.pattern, example.position(), example.move)
    if not misses:
        return f"no placement of the diagram has its move at {point_name(example.move, example.ruleset.size)}; "
    return f"nearest there: {misses[0].failed}; "


def point_name(move: int, size: int) -> str:
    """Return a move as examples write it: `row,column`, zero-based, or `pass`."""
    return move_text(move, size).lower()
