"""Boards that tell a survivor from its pattern: each is an example that the author could add.

They are looked for among the recorded positions, then among the boards that differ from the pattern's own
examples in one or two points. Finding none proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from rules.geometry import count
from rules.patternfile import Book
from rules.position import BLACK, PASS, Position, chains, liberties
from rules.ruleset import LITTLE_GO
from rules.turn import least_moves_made
from tools.draw.boards import board_rows, board_text
from tools.knowledge.examples import point_name
from tools.knowledge.model import MATCHES, NO_MATCH, Example, KnownPattern, by_colour
from tools.mutation.corpus import Corpus, members

ENOUGH = 60  # boards that tell the two apart, of which the emptiest is taken


@dataclass(frozen=True)
class Pin:
    """An example, MATCHES or NO_MATCH, that holds for a pattern and fails for a mutant of it."""

    example: Example

    @property
    def kind(self) -> str:
        return self.example.kind

    def drawing(self) -> str:
        """Draw the board, the move in parentheses."""
        example = self.example
        return board_text(example.ruleset.size, *example.stones, None if example.move == PASS else example.move)

    def text(self) -> str:
        """Return the example as it stands in a patterns file, without indentation."""
        example = self.example
        lines = ["- board: |", *_rows(example.stones), f"  move: {point_name(example.move, LITTLE_GO.size)}"]
        if example.previous is not None:
            lines += ["  previous: |", *_rows(example.previous)]
        if example.colour != BLACK:
            lines.append("  colour: white")
        if example.moves_left != _most_left(example.stones, example.colour):
            lines.append(f"  moves_left: {example.moves_left}")
        return "\n".join(lines)


def _rows(stones: tuple[int, int]) -> list[str]:
    return ["    " + " ".join(row) for row in board_rows(LITTLE_GO.size, *stones)]


def _most_left(stones: tuple[int, int], colour: int) -> int:
    return LITTLE_GO.length - least_moves_made(*by_colour(stones, colour), colour)


class Pinner:
    """Looks for pins of one pattern's mutants."""

    def __init__(self, pattern: KnownPattern, book: Book, recorded: Corpus):
        self.pattern = pattern
        self.book = book
        self.recorded = recorded
        self._nearby: Corpus | None = None

    def pin(self, mutant: Book) -> Pin | None:
        """Return the pin with the fewest stones that was found, or None."""
        return self._pin_among(self.recorded, mutant) or self._pin_among(self.nearby(), mutant)

    def nearby(self) -> Corpus:
        """Return the boards like the pattern's own examples."""
        if self._nearby is None:
            self._nearby = Corpus([near.position() for example in self.pattern.examples for near in _near(example)])
        return self._nearby

    def _pin_among(self, corpus: Corpus, mutant: Book) -> Pin | None:
        found: list[Pin] = []
        for index in members(corpus.different(self.book, mutant)):
            found += self._pins_at(corpus, index, mutant)
            if len(found) >= ENOUGH:
                break
        return min(found, key=lambda pin: (len(pin.text().splitlines()), count(pin.example.stones[0])), default=None)

    def _pins_at(self, corpus: Corpus, index: int, mutant: Book) -> Iterator[Pin]:
        mine, others = corpus.firings(self.book, index), corpus.firings(mutant, index)
        back = corpus.tables[index]
        for move in mine.keys() ^ others.keys():
            kind = MATCHES if move in mine else NO_MATCH
            for example in _as_examples(corpus.positions[index], move if move == PASS else back.index(move), kind):
                if self._tells(example, mutant):
                    yield Pin(example)
                    break

    def _tells(self, example: Example, mutant: Book) -> bool:
        """Return whether the example holds for the pattern and fails for the mutant."""
        corpus = Corpus([example.position()])
        move = example.move if example.move == PASS else corpus.tables[0][example.move]
        fires, mutant_fires = (move in corpus.firings(book, 0) for book in (self.book, mutant))
        return fires == example.must_fire and mutant_fires != fires


def _as_examples(position: Position, move: int, kind: str) -> Iterator[Example]:
    """Yield examples of a position, from the plainest to the one that says the most about it."""
    stones = position.own, position.theirs
    plain = Example(kind, 0, 0, LITTLE_GO, stones, None, move, _most_left(stones, BLACK), BLACK)
    exact = replace(plain, moves_left=position.left, colour=position.colour)
    if plain.moves_left > 0 and _can_be(stones):
        yield plain
        yield replace(plain, moves_left=max(1, position.left + (plain.moves_left - position.left) % 2))
        yield replace(exact, moves_left=_most_left(stones, position.colour))
        yield exact
        if position.passed and position.number > 1:
            yield replace(plain, previous=stones)
            yield replace(exact, previous=stones)


def _can_be(stones: tuple[int, int]) -> bool:
    """Return whether every chain has a liberty."""
    grid = Position(LITTLE_GO, 0, 0, BLACK, 0, False, 1).grid
    return all(liberties(chain, stones[0] | stones[1], grid) for own in stones for chain in chains(own, grid))


def _near(example: Example) -> Iterator[Example]:
    """Yield the boards that differ from an example's in one or two points, at other times of the game too."""
    points = range(LITTLE_GO.size**2)
    changes = [(point, symbol) for point in points for symbol in "XO."]
    for several in [*((change,) for change in changes), *combinations(changes, 2)]:
        stones = example.stones
        for point, symbol in several:
            rest = [mask & ~(1 << point) for mask in stones]
            stones = rest[0] | (symbol == "X") << point, rest[1] | (symbol == "O") << point
        left = _most_left(stones, example.colour)
        if stones != example.stones and left > 0 and _can_be(stones):
            yield replace(example, stones=stones, previous=None, moves_left=left)
