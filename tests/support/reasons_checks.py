"""Brute-force checks of reasons: the engine decides again with books that lack some patterns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import combinations

from littlego.engines.reasons.contrast import RESULT, contrast
from littlego.knowledge.parts import firing_ids, indices_by_id, part_of
from littlego.rules.engine import Decision, decide
from littlego.rules.geometry import Point
from littlego.rules.patternfile import Book
from littlego.rules.position import Position


def played_without(position: Position, book: Book, names: Collection[str]) -> Point:
    """Return the engine's move with the book's patterns except those in `names`."""
    rest = (index for name, index in indices_by_id(book).items() if name not in names)
    return decide(position, part_of(book, rest)).move


def wrong_reasons(positions: Iterable[Position], book: Book) -> list[str]:
    """Return the errors in the reasons for the book's moves in these positions.

    If all patterns that a reason names are removed, the move must change. If only some of them are removed, the
    move must stay.
    """
    return [fault for position in positions for fault in _faults(position, book)]


def _faults(position: Position, book: Book) -> list[str]:
    decision = decide(position, book)
    reason, where = contrast(decision), f"{position.black:x} {position.white:x} {position.left}"
    small = part_of(book, (indices_by_id(book)[name] for name in firing_ids(decision)))
    if not reason.named:
        needed = [some for some in _large_sets(decision) if played_without(position, small, some) != decision.move]
        decided = decision.chosen.result2 is None or reason.by != RESULT
        return [f"{where}: the reason names no pattern, but {some} change the move" for some in needed if decided]
    if played_without(position, book, reason.named) == decision.move:
        return [f"{where}: {reason.named} do not change the move"]
    subsets = (some for size in range(1, len(reason.named)) for some in combinations(reason.named, size))
    return [f"{where}: {some} suffice" for some in subsets if played_without(position, small, some) != decision.move]


def _large_sets(decision: Decision) -> Iterator[set[str]]:
    """Yield sets of pattern ids: all that fire, all that fire for the chosen move, and each id alone."""
    yield (fired := firing_ids(decision))
    yield {firing.pattern.id for firing in decision.chosen.firings}
    yield from ({name} for name in sorted(fired))
