"""A partially known position: the possible contents of each point.

A point contains a stone of either side or is empty. The number of moves left, and whether the last move was a pass, may
also be unknown.

A completion is a fully known position that has one of the possible contents at each point. A completion must be legal,
but need not occur in any game. A legal completion meets three conditions. Every chain has a liberty. If there is a ko
point, the stones allow a last move that captured a single stone there. The number of moves played fits the side to move
and is large enough for the stones on the board.
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
    """An immutable partial position from the mover's side."""

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
        self.own, self.theirs, self.empty = own, theirs, empty  # masks of the points that may have each content
        self.passes, self.ko = passes, ko  # AFTER_A_MOVE, AFTER_A_PASS or both; the mask of the ko point, or 0
        # Masks of the points with a single possible content. `open` is the mask of all points with several.
        self.known_own = own & ~theirs & ~empty
        self.known_theirs = theirs & ~own & ~empty
        self.known_empty = empty & ~own & ~theirs
        self.open = self.grid[1] & ~(self.known_own | self.known_theirs | self.known_empty)
        # Bit n is set if n moves may be left.
        self.clock = clock & _moves_left(ruleset, count(self.known_own), count(self.known_theirs))

    def limit(self, own: int = -1, theirs: int = -1, empty: int = -1, clock: int = -1, passes: int = -1) -> Partial:
        """Return a copy of the position in which only the possibilities in the masks remain.

        own, theirs, empty: masks of points. clock: a mask in which bit n stands for n moves left. passes: AFTER_A_MOVE,
        AFTER_A_PASS or both. The mask -1 keeps all possibilities.
        """
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
        """Yield a copy of the position for each possible content of a point. point: a one-point mask."""
        if self.empty & point:
            yield self.limit(own=~point, theirs=~point)
        if self.own & point:
            yield self.limit(theirs=~point, empty=~point)
        if self.theirs & point:
            yield self.limit(own=~point, empty=~point)

    def swap(self) -> Partial:
        """Return the position with the sides swapped and without a ko: see rules.facts.other_side."""
        return Partial(self.ruleset, self.theirs, self.own, self.empty, self.clock, self.passes)

    def possible(self) -> bool:
        """Return whether the position may have a legal completion.

        False means that no legal completion exists. If the content of every point is known, True means that the
        position is legal, apart from the ko point, which is not checked.
        """
        if self.grid[1] & ~(self.own | self.theirs | self.empty) or not self.clock or not self.passes:
            return False
        return self._can_breathe(self.known_own, self.own) and self._can_breathe(self.known_theirs, self.theirs)

    def _can_breathe(self, known: int, may_be: int) -> bool:
        """Return whether each known chain may have a liberty.

        The liberty may belong to the chain itself, or to stones that may join it. known: a mask of one side's known
        stones. may_be: a mask of the points that may contain a stone of this side.
        """
        grid = self.grid
        for chain in chains(known, grid):
            near = around(chain, grid)
            if not near & self.empty and not (near & may_be and around(flood(chain, may_be, grid), grid) & self.empty):
                return False
        return True

    def is_legal(self) -> bool:
        """Return whether every point is known and the position is legal. The ko point is not checked."""
        return not self.open and self.possible()

    def is_settled(self) -> bool:
        """Return whether the position is fully known.

        Full knowledge includes the contents of all points, the moves left, and whether the last move was a pass.
        """
        return not (self.open or self.clock & (self.clock - 1) or self.passes == AFTER_A_MOVE | AFTER_A_PASS)

    def position(self) -> Position:
        """Return the position as a Position. All properties of the position must be known: see is_settled."""
        left = self.clock.bit_length() - 1
        colour = colour_to_move(self.ruleset, left)
        black, white = by_colour((self.known_own, self.known_theirs), colour)
        return Position(self.ruleset, black, white, colour, self.ko, self.passes == AFTER_A_PASS, left)


def unknown_position(ruleset: Ruleset) -> Partial:
    """Return the partial position in which nothing is known, except that there is no ko."""
    full = make_grid(ruleset.size)[1]
    return Partial(ruleset, full, full, full, (2 << ruleset.length) - 2, AFTER_A_MOVE | AFTER_A_PASS)


def from_position(position: Position) -> Partial:
    """Return a position as a partial position in which every point is known."""
    empty = position.grid[1] & ~(position.black | position.white)
    passes = AFTER_A_PASS if position.passed else AFTER_A_MOVE
    return Partial(position.ruleset, position.own, position.theirs, empty, 1 << position.left, passes, position.ko)


def state_of(position: Position) -> State:
    """Return the State of a position, in the position's own orientation, for fact functions."""
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
    """Return the colour to move when `left` moves are left."""
    return BLACK if (ruleset.length - left) % 2 == 0 else WHITE


@cache
def _moves_left(ruleset: Ruleset, own: int, theirs: int) -> int:
    """Return a bit mask of possible numbers of moves left. own, theirs: the minimum number of stones of each side."""
    bits, stones = 0, ((1 << own) - 1, (1 << theirs) - 1)
    for colour in (BLACK, WHITE):
        for left in range(1, most_left(ruleset, stones, colour) + 1):
            bits |= (colour_to_move(ruleset, left) == colour) << left
    return bits


def ko_boards(board: Partial, point: int) -> Iterator[tuple[Partial, list[int]]]:
    """Yield (board, masks) for each way in which the ko rule can ban the mover from a point.

    point: a mask of the banned point, where the opponent has just captured one stone. The capturing stone is a chain of
    one stone, and the banned point is the chain's only liberty. masks: a one-point mask for each other stone of the
    opponent beside the point. Each of these stones needs a second liberty; otherwise, retaking the ko would capture
    more than one stone.
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
    """Return a one-point mask for each point of a mask."""
    points = []
    while mask:
        points.append(mask & -mask)
        mask &= mask - 1
    return points
