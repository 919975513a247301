"""Decisions that differ between two books, and which edits of the patterns are responsible.

A position is decided anew only where the patterns that differ fire differently: all else being equal there, no
decision can change.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rules.engine import Decision, canonical, decide
from rules.geometry import image_of, inverse
from rules.patternfile import Book
from rules.position import PASS, Position
from rules.programs import Reading
from tools.effects.coverage import BUILT_IN
from tools.effects.parts import firings_of, indices_by_id, mixed, part_of, speaking, weight
from tools.effects.without import Without

ALONE, TOGETHER, DECIDES = "alone", "together", "decides"


class Change(NamedTuple):
    """A decision that differs.

    index: of the position among those asked about. before, after: moves. before_by, after_by: the deciding
    patterns; before_by is '' where only the move is known. why: ALONE if each of `responsible` brings the change
    about by itself, or undoing it alone takes it back; TOGETHER if only several do; DECIDES if only the old moves
    are known and no pattern's removal takes the change back: then it is the pattern that decides now.
    """

    index: int
    before: int
    after: int
    before_by: str
    after_by: str
    why: str
    responsible: tuple[str, ...]


class _Side:
    """One of the two books: where its patterns stand, and those of them that differ."""

    def __init__(self, book: Book, edited: Iterable[str]):
        self.book = book
        self.index = indices_by_id(book)
        self.edited = part_of(book, (self.index[name] for name in edited if name in self.index))
        self.weights = {pattern.id: weight(pattern) for pattern in self.edited.patterns}

    def firings(self, reading: Reading, legal: int) -> set[tuple]:
        """Return what the patterns that differ do, with all that a decision takes from it."""
        return {
            (name, move, points, self.weights[name]) for name, move, points in firings_of(self.edited, reading, legal)
        }


class Pair:
    """An old and a new book, in the order of patterns.txt, and the ids of the patterns that differ."""

    def __init__(self, old: Book, new: Book, edited: Iterable[str]):
        edited = list(edited)
        self.old, self.new = _Side(old, edited), _Side(new, edited)

    def changes(self, positions: Iterable[Position]) -> list[Change]:
        """Return the decisions that differ."""
        return [change for index, position in enumerate(positions) if (change := self._change(index, position))]

    def differing(self, position: Position) -> dict[str, set[int]]:
        """Return the patterns that do not fire alike in both books, by id, each with the moves in question."""
        table, state = canonical(position)
        legal = image_of(position.legal(), table)
        reading = Reading(state, self.new.book.bits)
        undo, found = inverse(table), {}
        for name, move, *_ in self.old.firings(reading, legal) ^ self.new.firings(reading, legal):
            found.setdefault(name, set()).add(undo[move] if move != PASS else PASS)
        return found

    def _change(self, index: int, position: Position) -> Change | None:
        differing = self.differing(position)
        if not differing:
            return None
        before, after = decide(position, self.old.book), decide(position, self.new.book)
        if before.move == after.move:
            return None
        # A pattern that fires for both moves as before leaves their order as it was.
        near = [name for name, moves in differing.items() if before.move in moves or after.move in moves]
        alone = near if len(differing) == 1 else [name for name in near if self._suffices(name, before, after)]
        why, who = (ALONE, alone) if alone else (TOGETHER, near)
        return Change(index, before.move, after.move, _by(before), _by(after), why, tuple(sorted(who)))

    def _suffices(self, name: str, before: Decision, after: Decision) -> bool:
        """Return whether this edit alone makes the change, or taking back this one alone undoes it."""
        return (
            _move_with(name, before, self.old, self.new) == after.move
            or _move_with(name, after, self.new, self.old) == before.move
        )


def _move_with(name: str, decision: Decision, own: _Side, other: _Side) -> int:
    """Return what the book of a decision plays once it holds one pattern as the other book has it."""
    entries = [(own.book, own.index[spoken]) for spoken in speaking(decision) if spoken != name]
    if name in other.index:
        entries.append((other.book, other.index[name]))
    return decide(decision.position, mixed(entries, own.book)).move


def changes_from(moves: Iterable[int], positions: Iterable[Position], new: Book) -> list[Change]:
    """Return the decisions that differ from known moves whose book is not known."""
    without, found = Without(new), []
    for index, (before, position) in enumerate(zip(moves, positions, strict=True)):
        after = decide(position, new)
        if after.move != before:
            alone = tuple(sorted(name for name, move in without.moves(after).items() if move == before))
            why, by = ALONE if alone else DECIDES, _by(after)
            found.append(Change(index, before, after.move, "", by, why, alone or (by,)))
    return found


def _by(decision: Decision) -> str:
    firings = decision.chosen.firings
    return firings[0].pattern.id if firings else BUILT_IN
