"""A position of which only part is known: for each point, which of own, theirs and empty it may still be.

The positions meant are those that the rules allow to look at, not all of which a game can reach: every chain has a
liberty; the ko point, if any, is one that a capture of one stone could just have left, and then the last move was
no pass; Black moves when an even number of moves is made; at least as many moves are made as the stones need.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from littlego.knowledge.model import by_colour, most_left
from littlego.rules.facts import State
from littlego.rules.geometry import around, count, flood, make_grid
from littlego.rules.position import BLACK, WHITE, Position, chains
from littlego.rules.ruleset import Ruleset

AFTER_A_MOVE, AFTER_A_PASS = 1, 2
_cached_grid = cache(make_grid)


class Partial:
    """What is known of a position, from the mover's side; never changed after it is made.

    own, theirs, empty: masks of the points that may be an own stone, one of theirs, empty. clock: bit n is set if
    n moves may be left. passes: AFTER_A_MOVE, AFTER_A_PASS or both. ko: mask of the ko point, or 0. known_*: masks of
    the points that can be one thing only, `open` the points that can still be several.
    """

    __slots__ = (
        "ruleset",
        "grid",
        "own",
        "theirs",
        "empty",
        "clock",
        "passes",
        "ko",
        "known_own",
        "known_theirs",
        "known_empty",
        "open",
    )

    def __init__(self, ruleset: Ruleset, own: int, theirs: int, empty: int, clock: int, passes: int, ko: int = 0):
        self.ruleset = ruleset
        self.grid = _cached_grid(ruleset.size)
        self.own, self.theirs, self.empty = own, theirs, empty
        self.passes, self.ko = passes, ko
        self.known_own = own & ~theirs & ~empty
        self.known_theirs = theirs & ~own & ~empty
        self.known_empty = empty & ~own & ~theirs
        self.open = self.grid[1] & ~(self.known_own | self.known_theirs | self.known_empty)
        self.clock = clock & _moves_left(ruleset, count(self.known_own), count(self.known_theirs))

    def limit(self, own: int = -1, theirs: int = -1, empty: int = -1, clock: int = -1, passes: int = -1) -> Partial:
        """Return this with each domain cut down to the given mask."""
        return Partial(
            self.ruleset,
            self.own & own,
            self.theirs & theirs,
            self.empty & empty,
            self.clock & clock,
            self.passes & passes,
            self.ko,
        )

    def contents(self, point: int) -> Iterator[Partial]:
        """Yield this with each thing that the one-point mask may be: empty, own, theirs."""
        if self.empty & point:
            yield self.limit(own=~point, theirs=~point)
        if self.own & point:
            yield self.limit(theirs=~point, empty=~point)
        if self.theirs & point:
            yield self.limit(own=~point, empty=~point)

    def swap(self) -> Partial:
        """Return this as the opponent would see it if own passed: no ko (see rules.facts.other_side)."""
        return Partial(self.ruleset, self.theirs, self.own, self.empty, self.clock, self.passes)

    def possible(self) -> bool:
        """Return whether a legal position may be left: False is sure, True is sure only once no point is open."""
        if self.grid[1] & ~(self.own | self.theirs | self.empty) or not self.clock or not self.passes:
            return False
        return self._can_breathe(self.known_own, self.own) and self._can_breathe(self.known_theirs, self.theirs)

    def _can_breathe(self, known: int, may_be: int) -> bool:
        """Return whether each known chain touches an empty point, or may grow until it touches one."""
        grid = self.grid
        for chain in chains(known, grid):
            near = around(chain, grid)
            if not near & self.empty and not (near & may_be and around(flood(chain, may_be, grid), grid) & self.empty):
                return False
        return True

    def is_legal(self) -> bool:
        """Return whether a position of which everything is known is legal; its ko point is taken as given."""
        return not self.open and self.possible()

    def is_settled(self) -> bool:
        """Return whether everything is known: no point is open, nor the clock, nor whether theirs passed."""
        return not (self.open or self.clock & (self.clock - 1) or self.passes == AFTER_A_MOVE | AFTER_A_PASS)

    def position(self) -> Position:
        """Return the position, once everything is known."""
        left = self.clock.bit_length() - 1
        colour = colour_to_move(self.ruleset, left)
        black, white = by_colour((self.known_own, self.known_theirs), colour)
        return Position(self.ruleset, black, white, colour, self.ko, self.passes == AFTER_A_PASS, left)


def unknown_position(ruleset: Ruleset) -> Partial:
    """Return the position of which nothing is known but that there is no ko."""
    full = make_grid(ruleset.size)[1]
    return Partial(ruleset, full, full, full, (2 << ruleset.length) - 2, AFTER_A_MOVE | AFTER_A_PASS)


def from_position(position: Position) -> Partial:
    """Return a position of which everything is known."""
    empty = position.grid[1] & ~(position.black | position.white)
    passes = AFTER_A_PASS if position.passed else AFTER_A_MOVE
    return Partial(position.ruleset, position.own, position.theirs, empty, 1 << position.left, passes, position.ko)


def state_of(position: Position) -> State:
    """Return what facts read of a position, as it lies."""
    komi2 = position.ruleset.komi2
    bonus2 = -komi2 if position.colour == BLACK else komi2
    return State(
        position.own,
        position.theirs,
        position.ko,
        position.left,
        position.number,
        position.colour,
        bonus2,
        position.passed,
        position.grid,
    )


def colour_to_move(ruleset: Ruleset, left: int) -> int:
    """Return the colour to move when so many moves are left; Black makes the first move."""
    return BLACK if (ruleset.length - left) % 2 == 0 else WHITE


@cache
def _moves_left(ruleset: Ruleset, own: int, theirs: int) -> int:
    """Return the numbers of moves that may be left, as bits, with at least so many stones on the board."""
    bits, stones = 0, ((1 << own) - 1, (1 << theirs) - 1)
    for colour in (BLACK, WHITE):
        for left in range(1, most_left(ruleset, stones, colour) + 1):
            bits |= (colour_to_move(ruleset, left) == colour) << left
    return bits


def ko_boards(board: Partial, point: int) -> Iterator[tuple[Partial, list[int]]]:
    """Yield the ways in which the ko rule may deny the one-point mask to the mover, as boards with that ko.

    A stone of theirs that just captured one there has no other stone and no other liberty beside it. Other stones
    beside the point, also yielded as one-point masks, need a second liberty: retaking captures just one stone.
    """
    sides = around(point, board.grid)
    for stone in single_points(sides):
        rest = around(stone, board.grid) & ~point
        yield (
            Partial(
                board.ruleset,
                board.own & ~(sides | point),
                board.theirs & ~(rest | point),
                board.empty & ~(sides | rest),
                board.clock,
                board.passes & AFTER_A_MOVE,
                point,
            ),
            single_points(sides & ~stone),
        )


def single_points(mask: int) -> list[int]:
    """Return the points of a mask, each as a mask of its own."""
    points = []
    while mask:
        points.append(mask & -mask)
        mask &= mask - 1
    return points
