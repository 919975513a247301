"""Positions at hand, and which patterns fire there: most questions are answered by one of them.

What fires is found by the player's own code, so that no witness rests on the bounds or the search.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from random import Random

from rules.patternfile import Book
from rules.position import Position
from rules.programs import Reading
from rules.ruleset import Ruleset
from tools.exact.partial import colour_to_move, from_position, state_of
from tools.knowledge.firing import hits
from tools.knowledge.model import KnownPattern
from tools.knowledge.textfile import book_for

SEED, STEPS, POOL = 5, 1000, 40  # of the walks that look for witnesses near positions at hand


def firings(book: Book, position: Position) -> dict[int, int]:
    """Return, for each legal move that patterns fire for, the set of their indexes as bits."""
    fired: dict[int, int] = {}
    for index, move, _ in hits(book, Reading(state_of(position), book.bits), position.legal()):
        fired[move] = fired.get(move, 0) | 1 << index
    return fired


class Samples:
    """Positions with what fires there; rows: (position, move, indexes of the patterns that fire, as bits)."""

    def __init__(self, patterns: list[KnownPattern], ruleset: Ruleset, positions: Iterable[Position]):
        self.ruleset = ruleset
        self.positions = list(positions)
        book = book_for(patterns, ruleset)
        self.rows = [
            (position, move, fired) for position in self.positions for move, fired in firings(book, position).items()
        ]

    def fires(self, p: int, and_also: int | None = None, but_not: int | None = None) -> tuple[Position, int] | None:
        """Return a position and a move for which P fires, together with another pattern or without it."""
        wanted = 1 << p | (1 << and_also if and_also is not None else 0)
        looked_at = wanted | (1 << but_not if but_not is not None else 0)
        return next(((position, move) for position, move, fired in self.rows if fired & looked_at == wanted), None)

    def variant_fires(self, pattern: KnownPattern) -> tuple[Position, int] | None:
        """Return a position and a move for which a pattern fires that is none of those at hand."""
        book = book_for([pattern], self.ruleset)
        positions = chain((example.position() for example in pattern.examples), self.positions)
        return next(((position, move) for position in positions for move in firings(book, position)), None)

    def walk(self, base: KnownPattern, other: KnownPattern, both: bool) -> tuple[Position, int] | None:
        """Return a position and a move for which `base` fires with the other pattern, or without it if not `both`.

        Positions for which base fires are changed at random, a point or two at a time, as long as it still fires.
        """
        book, random = book_for([base, other], self.ruleset), Random(SEED)
        wanted = 3 if both else 1
        pool = [one for one in self.positions if any(fired & 1 for fired in firings(book, one).values())][:POOL]
        for _ in range(STEPS if pool else 0):
            position = change_some(random.choice(pool), random)
            fired = firings(book, position) if position else {}
            for move, patterns in fired.items():
                if position and patterns == wanted:
                    return position, move
            if position and any(patterns & 1 for patterns in fired.values()):
                pool = [*pool[1 - POOL :], position]
        return None


def change_some(position: Position, random: Random) -> Position | None:
    """Return the position with one to three points or the clock changed, or None where that is not legal."""
    black, white, left, passed = position.black, position.white, position.left, position.passed
    ruleset = position.ruleset
    for _ in range(random.choice((1, 1, 2, 3))):
        point = 1 << random.randrange(ruleset.size**2)
        what = random.randrange(3)
        black = black & ~point | (point if what == 1 else 0)
        white = white & ~point | (point if what == 2 else 0)
    if random.random() < 0.25:
        left, passed = random.randint(1, ruleset.length), random.random() < 0.1
    colour = colour_to_move(ruleset, left)
    if colour != position.colour:
        black, white = white, black
    position = Position(ruleset, black, white, colour, 0, passed, left)
    return position if from_position(position).is_legal() else None
