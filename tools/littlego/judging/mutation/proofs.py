"""Proofs that a mutant is equivalent to its pattern, and examples that distinguish the two.

The exact search of littlego.knowledge.exact covers every legal Little-Go position. The search proves that a mutant and
its pattern are equivalent, or finds a position in which only the pattern or only the mutant fires. A search that
exceeds its budget proves nothing.

A pin is an example (MATCHES or NO_MATCH) that distinguishes a surviving mutant from its pattern. The author may add
pins to the patterns file. Pins come from the recorded positions, or from the exact search if the recorded positions
yield no pin.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from littlego.judging.mutation.corpus import Corpus
from littlego.judging.mutation.mutants import cells_of, with_cell
from littlego.knowledge.diagrams import MOVE
from littlego.knowledge.exact.questions import NO, YES, Answer, Exact
from littlego.knowledge.model import MATCHES, NO_MATCH, Example, KnownPattern, boards_before, most_left
from littlego.knowledge.textfile import book_for
from littlego.rules.geometry import Point, count
from littlego.rules.patternfile import Book, Pattern
from littlego.rules.position import BLACK, PASS, Position
from littlego.rules.ruleset import LITTLE_GO

STATES = {"X": "X", "O": "O", ".": ".", "x": "X.", "o": "O.", "?": "XO."}  # states that a symbol allows
ENOUGH = 60  # distinguishing boards to collect; the board with the fewest stones is chosen


def fires_alike(pattern: KnownPattern, mutant: KnownPattern) -> bool:
    """Return whether two patterns provably fire for the same moves with the same points in every position."""
    if pattern.table != mutant.table:
        return False
    if not _asks_a_label(pattern.points) and pattern.points == mutant.points:
        return _implies(pattern, mutant).verdict == _implies(mutant, pattern).verdict == YES
    parts = list(_differences(pattern, mutant))
    return bool(parts) and all(Exact([part], LITTLE_GO, positions=()).can_be_legal(0).verdict == NO for part in parts)


def priority_is_moot(old: Pattern, new: Pattern, book: Book) -> bool:
    """Return whether a change of a pattern's priority provably never changes the priority of a move.

    The change has no effect if another pattern, with a priority at least as high as the old and the new priority, fires
    for every legal move on the board. If a sacrifice has the old or the new priority, the function returns False,
    because the change may then decide which pattern leads a move (gives the move its priority). The function also
    returns False for a pattern that passes and for a pattern marked `risk`.
    """
    priorities = old.priority, new.priority
    others = [one for one in book.patterns if one.id != old.id and not one.risk]
    everywhere = [one.priority for one in others if one.rows == [MOVE] and not one.when]
    sacrifices = any(one.sacrifice and one.priority in priorities for one in (*others, old, new))
    return not (old.passes or old.risk or sacrifices) and max(priorities) <= max(
        everywhere, default=min(priorities) - 1
    )


def distinguishing_positions(pattern: KnownPattern, mutant: KnownPattern) -> Iterator[tuple[Position, int]]:
    """Yield (position, move) for which exactly one of the two patterns fires; the move is a point or PASS."""
    for answer in (_implies(mutant, pattern), _implies(pattern, mutant)):
        if answer.verdict == NO and answer.witness is not None and answer.move is not None:
            yield answer.witness, answer.move


def _implies(pattern: KnownPattern, other: KnownPattern) -> Answer:
    return Exact([pattern, other], LITTLE_GO).implies(0, 1)


def _asks_a_label(program: str) -> bool:
    return any(token[0] in "~@" and token != "@*" for token in program.split())


def _differences(pattern: KnownPattern, mutant: KnownPattern) -> Iterator[KnownPattern]:
    """Yield patterns that together fire wherever exactly one of `pattern` and `mutant` fires.

    The function yields nothing if the points, labels or drawing sizes differ, or if more than one cell differs.
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
    """Yield a variant of `one` for each state that `one` but not `other` allows in the differing cell.

    The function yields nothing unless exactly one cell differs.
    """
    others = cells_of(other.rows)
    differing = [(place, symbol) for place, symbol in cells_of(one.rows).items() if symbol != others[place]]
    if len(differing) != 1:
        return
    place, symbol = differing[0]
    for state in STATES[symbol]:
        if state not in STATES[others[place]]:
            yield replace(one, rows=with_cell(one.rows, *place, state))


def find_pin(pattern: KnownPattern, mutant: KnownPattern, recorded: Corpus) -> Example | None:
    """Return the simplest example found that distinguishes a mutant from its pattern, or None."""
    book, other = (book_for([one], LITTLE_GO) for one in (pattern, mutant))
    pins = list(islice(_pins(book, other, recorded), ENOUGH))
    if not pins and (pattern.rows, pattern.when) != (mutant.rows, mutant.when):
        positions = [position for position, _ in distinguishing_positions(pattern, mutant)]
        pins = list(_pins(book, other, Corpus(positions)))
    return min(pins, key=lambda pin: (len(pin.text().splitlines()), sum(map(count, pin.stones))), default=None)


def _pins(book: Book, other: Book, corpus: Corpus) -> Iterator[Example]:
    """Yield at most one example for each move for which exactly one of two patterns fires.

    Each book contains one of the patterns. The function examines all positions of the corpus.
    """
    for index, mine, others in corpus.disagreements(book, other):
        for move in mine.keys() ^ others.keys():
            kind = MATCHES if move in mine else NO_MATCH
            point = move if move == PASS else corpus.tables[index].index(move)
            examples = _as_examples(corpus.positions[index], point, kind)
            yield from islice((one for one in examples if _tells(one, book, other)), 1)


def _tells(example: Example, book: Book, other: Book) -> bool:
    """Return whether an example passes with `book` and fails with `other`; each book contains one pattern."""
    corpus = Corpus([example.position()])
    fires, other_fires = (corpus.fires(one, 0, example.move) for one in (book, other))
    return fires == example.must_fire and other_fires != fires


def _as_examples(position: Position, move: Point, kind: str) -> Iterator[Example]:
    """Yield examples that show a position, from the simplest to the most detailed."""
    stones = position.own, position.theirs
    for previous in (None, *boards_before(position)):
        for colour in (BLACK, position.colour):
            most = most_left(LITTLE_GO, stones, colour)
            for left in (most, position.left - (position.left - most) % 2):
                if 0 < left <= most:
                    yield Example(kind, 0, 0, LITTLE_GO, stones, previous, move, left, colour)
