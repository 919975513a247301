"""Whether a mutant is in every position as good as its pattern: proved, refuted by a position, or left open.

The exact search of tools.exact looks at every position that is legal to look at; what it cannot decide within
its budget is left open, and counts as no proof.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rules.patternfile import Book, Pattern
from rules.position import Position
from rules.ruleset import LITTLE_GO
from tools.exact.questions import NO, YES, Answer, Exact
from tools.knowledge.diagrams import MOVE
from tools.knowledge.model import KnownPattern

STATES = {"X": "X", "O": "O", ".": ".", "x": "X.", "o": "O.", "?": "XO."}  # what a symbol allows


def fires_alike(pattern: KnownPattern, mutant: KnownPattern) -> bool:
    """Return whether it is proved that both fire for the same moves with the same points, in every position."""
    if not _asks_a_label(pattern.points) and pattern.points == mutant.points:
        return _implies(pattern, mutant).verdict == _implies(mutant, pattern).verdict == YES
    parts = list(_differences(pattern, mutant))
    return bool(parts) and all(_never_fires(part) for part in parts)


def priority_is_moot(old: Pattern, new: Pattern, book: Book) -> bool:
    """Return whether no move's priority depends on which of two priorities a pattern has: another pattern, one that
    fires for every point, has as high a one. No sacrifice may have theirs: which firing leads would then count."""
    priorities = old.priority, new.priority
    others = [one for one in book.patterns if one.id != old.id]
    everywhere = [one.priority for one in others if one.rows == [MOVE] and not one.when]
    sacrifices = any(one.sacrifice and one.priority in priorities for one in (*others, old, new))
    return not old.passes and not sacrifices and max(priorities) <= max(everywhere, default=min(priorities) - 1)


def told_apart(pattern: KnownPattern, mutant: KnownPattern) -> Iterator[tuple[Position, int]]:
    """Yield positions, each with a move, a point or PASS, for which one of the two fires and the other does not."""
    for answer in (_implies(mutant, pattern), _implies(pattern, mutant)):
        if answer.verdict == NO and answer.witness is not None:
            yield answer.witness, answer.move


def _implies(pattern: KnownPattern, other: KnownPattern) -> Answer:
    return Exact([pattern, other], LITTLE_GO).implies(0, 1)


def _never_fires(pattern: KnownPattern) -> bool:
    return Exact([pattern], LITTLE_GO, positions=()).can_be_legal(0).verdict == NO


def _asks_a_label(program: str) -> bool:
    return any(token[0] in "~@" and token != "@*" for token in program.split())


def _differences(pattern: KnownPattern, mutant: KnownPattern) -> Iterator[KnownPattern]:
    """Yield patterns that fire just where one of the two does and the other does not, placement by placement.

    There are none where the two differ in more than a cell or the conditions.
    """
    if pattern.points != mutant.points or pattern.label_rows != mutant.label_rows:
        return
    for one, other in ((pattern, mutant), (mutant, pattern)):
        if one.rows == other.rows:
            for condition in other.when:
                if condition not in one.when:
                    yield replace(one, when=[*one.when, f"{condition} not"])
        elif list(map(len, one.rows)) == list(map(len, other.rows)):
            yield from _without_cell(one, other)


def _without_cell(one: KnownPattern, other: KnownPattern) -> Iterator[KnownPattern]:
    """Yield the pattern with the cell in which it differs from the other as only itself allows it."""
    places = [(row, column) for row, line in enumerate(one.rows) for column in range(len(line))]
    differing = [(row, column) for row, column in places if one.rows[row][column] != other.rows[row][column]]
    if len(differing) != 1:
        return
    row, column = differing[0]
    allowed, others = (STATES[rows[row][column]] for rows in (one.rows, other.rows))
    for state in allowed:
        if state not in others:
            line = one.rows[row]
            rows = [*one.rows[:row], line[:column] + state + line[column + 1 :], *one.rows[row + 1 :]]
            yield replace(one, rows=rows)
