"""Evidence that two patterns differ or agree, in addition to examples and recorded decisions.

For Little-Go, an exact search can prove that two patterns fire for the same moves, or find a position in which the
firings differ. For matches, few mutants can be proved equivalent (see implied.py), so a survivor may still be
equivalent.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Protocol

from littlego.cache import Cache, digest
from littlego.cli.arguments import ArgumentError
from littlego.engines.choosing import engine_of
from littlego.games.match import NAME as MATCH
from littlego.judging.mutation.corpus import Corpus, members
from littlego.judging.mutation.implied import cell_is_implied, priority_is_implied
from littlego.judging.mutation.lines import Firings, Lines, book_of_lines, firings_of, lines_of, moves_fired, pattern_of
from littlego.judging.mutation.proofs import find_pin, fires_alike, priority_is_moot
from littlego.knowledge.model import MATCHES, NO_MATCH, Example, KnownPattern
from littlego.knowledge.parts import weight
from littlego.meaning import meaning_of
from littlego.rules.geometry import Mask, count
from littlego.rules.patternfile import Book
from littlego.rules.position import Position
from littlego.rules.ruleset import LITTLE_GO

ENOUGH = 20  # number of distinguishing boards to collect; of the smallest boards, one with the fewest stones is chosen


class Evidence(Protocol):
    """Evidence about a pattern and its mutants, from recorded positions and from proofs."""

    def may_differ(self, old: Lines, new: Lines) -> Container[int]:
        """Return a superset of the indexes of recorded positions in which two patterns fire differently."""

    def is_proved(self, pattern: KnownPattern, mutant: KnownPattern) -> bool:
        """Return whether a mutant is proved to be equivalent to its pattern."""

    def find_pins(self, pattern: KnownPattern, mutants: Mapping[str, KnownPattern]) -> dict[str, Example]:
        """Return {mutant name: example with few stones that distinguishes the mutant from its pattern}.

        Mutants without such an example are omitted.
        """

    def check_record(self) -> None:
        """Raise ArgumentError if `mutate --record` does not support this game."""


class ExactEvidence:
    """Evidence for Little-Go patterns, from the exact search of littlego.knowledge.exact."""

    def __init__(self, positions: Sequence[Position], book: Book, cache: Cache | None) -> None:
        self.book, self._positions, self._cache = book, positions, cache
        self._prover = meaning_of("littlego.judging.mutation.proofs")

    @cached_property
    def corpus(self) -> Corpus:
        """The recorded positions."""
        return Corpus(self._positions)

    def may_differ(self, old: Lines, new: Lines) -> frozenset[int]:
        pairs = [(_book_of(one), _book_of(other)) for one, other in zip(old, new, strict=True) if one != other]
        return frozenset(number for pair in pairs for number in members(self.corpus.find_differences(*pair)))

    def is_proved(self, pattern: KnownPattern, mutant: KnownPattern) -> bool:
        """Return whether a mutant is proved to be equivalent to its pattern.

        Two effects of a mutant do not count as differences, because they concern only ties between patterns or moves: a
        pattern with fewer conditions is less specific, and a pattern with a lower priority may no longer lead.
        """
        (line, *_), (other, *_) = lines_of(pattern), lines_of(mutant)
        old, new, form = pattern_of(line), pattern_of(other), engine_of(LITTLE_GO.name).form
        if (mutant.points, mutant.table) != (pattern.points, pattern.table):
            return False
        if form(old) == form(new):
            return weight(old)[1:] == weight(new)[1:] and priority_is_moot(old, new, self.book)
        key = digest("alike", self._prover, line, other)
        alike: bool | None = self._cache.get(key) if self._cache else None
        if alike is None:
            refuted = any(self.corpus.disagreements(_book_of(line), _book_of(other)))  # may save the search
            alike = not refuted and fires_alike(pattern, mutant)
            if self._cache:
                self._cache.put(key, alike)
        return alike

    def find_pins(self, pattern: KnownPattern, mutants: Mapping[str, KnownPattern]) -> dict[str, Example]:
        found = {name: find_pin(pattern, mutant, self.corpus) for name, mutant in mutants.items()}
        return {name: pin for name, pin in found.items() if pin is not None}

    def check_record(self) -> None:
        return


class MatchEvidence:
    """Evidence for match patterns, from implications of conditions and from recorded positions."""

    def __init__(self, positions: Sequence[Position], book: Book, _: Cache | None) -> None:
        self._positions, self._patterns = positions, book.patterns

    def may_differ(self, old: Lines, new: Lines) -> range:
        return range(len(self._positions))

    def is_proved(self, pattern: KnownPattern, mutant: KnownPattern) -> bool:
        pair = pattern_of(lines_of(pattern)[0]), pattern_of(lines_of(mutant)[0])
        return cell_is_implied(*pair) or priority_is_implied(*pair, self._patterns)

    def find_pins(self, pattern: KnownPattern, mutants: Mapping[str, KnownPattern]) -> dict[str, Example]:
        lines, others = lines_of(pattern), {name: lines_of(mutant) for name, mutant in mutants.items()}
        asked = tuple(dict.fromkeys(line for one in (lines, *others.values()) for line in one))
        boards: dict[str, list[Example]] = {name: [] for name in others}
        for position in self._positions:
            left = [name for name, found in boards.items() if len(found) < ENOUGH]
            fired = firings_of(asked, MATCH, position) if left else {}
            for name in left:
                boards[name] += _telling_boards(lines, others[name], position, fired)
        return {name: min(found, key=_busyness) for name, found in boards.items() if found}

    def check_record(self) -> None:
        raise ArgumentError(
            "--record supports only little-go; to record a sample of match games, use "
            "`littlego diff --ruleset match --record`"
        )


EVIDENCE: dict[str, Callable[[Sequence[Position], Book, Cache | None], Evidence]] = {
    LITTLE_GO.name: ExactEvidence,
    MATCH: MatchEvidence,
}


def _book_of(line: str) -> Book:
    return book_of_lines((line,), LITTLE_GO.name)


def _busyness(example: Example) -> tuple[int, int]:
    stones: Mask = example.stones[0] | example.stones[1]
    return example.ruleset.size, count(stones)


def _telling_boards(lines: Lines, mutant: Lines, position: Position, fired: Mapping[str, Firings]) -> Iterator[Example]:
    """Yield examples that distinguish a pattern from its mutant; each example shows `position`.

    fired: {line of the pattern or the mutant: firings in `position`}.
    """
    before, after = ({move for line in one for move in fired.get(line, ())} for one in (lines, mutant))
    for move in sorted(before ^ after):
        kind = MATCHES if move in before else NO_MATCH
        example = replace(Example.of_position(kind, position, move), moves_left=0)
        drawn = example.position()
        found = [move in moves_fired(one, MATCH, drawn) for one in (lines, mutant)]
        if found == [example.must_fire, not example.must_fire]:
            yield example
