"""Pins, examples that tell a survivor from its pattern, for the author to add: MATCHES or NO_MATCH.

They are looked for among the recorded positions, then by the exact search of tools.mutation.proofs.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from rules.geometry import around, count, flood
from rules.patternfile import Book
from rules.position import BLACK, PASS, Position
from rules.ruleset import LITTLE_GO
from tools.knowledge.model import MATCHES, NO_MATCH, Example, KnownPattern, most_left
from tools.knowledge.textfile import book_of_one
from tools.mutation.corpus import Corpus, members
from tools.mutation.proofs import told_apart

ENOUGH = 60  # boards that tell the two apart, of which the emptiest is taken


def pin_of(pattern: KnownPattern, mutant: KnownPattern, recorded: Corpus) -> Example | None:
    """Return an example that tells a mutant from its pattern, with few stones, or None where none was found."""
    book, other = (book_of_one(one, LITTLE_GO) for one in (pattern, mutant))
    found = list(islice(_pins(book, other, recorded), ENOUGH))
    if not found and (pattern.rows, pattern.when) != (mutant.rows, mutant.when):
        positions = [position for position, _ in told_apart(pattern, mutant)]
        found = list(_pins(book, other, Corpus(positions)))
    return min(found, key=_length, default=None)


def _length(pin: Example) -> tuple[int, int]:
    return len(pin.text().splitlines()), sum(map(count, pin.stones))


def _pins(book: Book, other: Book, corpus: Corpus) -> Iterator[Example]:
    """Yield the examples that the positions of a corpus make in which two books of one pattern fire differently."""
    for index in members(corpus.different(book, other)):
        back = corpus.tables[index]
        mine, others = corpus.firings(book, index), corpus.firings(other, index)
        for move in mine.keys() ^ others.keys():
            kind = MATCHES if move in mine else NO_MATCH
            examples = _as_examples(corpus.positions[index], move if move == PASS else back.index(move), kind)
            yield from islice((one for one in examples if _tells(one, book, other)), 1)


def _tells(example: Example, book: Book, other: Book) -> bool:
    """Return whether the example holds for a book of one pattern and fails for another."""
    corpus = Corpus([example.position()])
    move = example.move if example.move == PASS else corpus.tables[0][example.move]
    fires, other_fires = (move in corpus.firings(one, 0) for one in (book, other))
    return fires == example.must_fire and other_fires != fires


def _as_examples(position: Position, move: int, kind: str) -> Iterator[Example]:
    """Yield examples of a position, from the plainest to the one that says the most about it."""
    stones = position.own, position.theirs
    for previous in (None, *_boards_before(position)):
        for colour in (BLACK, position.colour):
            most = most_left(LITTLE_GO, stones, colour)
            for left in (most, position.left - (position.left - most) % 2):
                if 0 < left <= most:
                    yield Example(kind, 0, 0, LITTLE_GO, stones, previous, move, left, colour)


def _boards_before(position: Position) -> Iterator[tuple[int, int]]:
    """Yield (own, theirs) before the opponent's last move, where that was a pass or took a ko."""
    own, theirs, ko = position.own, position.theirs, position.ko
    if position.passed:
        yield own, theirs
    takers = around(ko, position.grid) & theirs
    while takers:
        taker = takers & -takers
        takers ^= taker
        if flood(taker, theirs, position.grid) == taker and not around(taker, position.grid) & ~(own | theirs | ko):
            yield own | ko, theirs & ~taker
