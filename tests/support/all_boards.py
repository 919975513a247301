"""Sets of 4x4 boards, as integers with one bit for each board.

All boards are divided into parts, to keep the integers short. The boards of a part have the same first three cells, and
bit k of a set represents board k of its part. This module does not use rules/.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from slow_matching import MEANS, cells_of, turned_picture

SIZE, FIXED = 4, 3
AREA = SIZE * SIZE
NEAR = [
    [k + step for step in (-SIZE, SIZE) if 0 <= k + step < AREA]
    + [k + step for step in (-1, 1) if 0 <= k % SIZE + step < SIZE]
    for k in range(AREA)
]
PASSES = -1
Sets = list[int]


def _digit(place: int, value: int, places: int) -> int:
    """Return, as a bit set, the numbers below 3**places whose base-3 digit at `place` is `value`."""
    found = ((1 << 3**place) - 1) << value * 3**place
    for above in range(place + 1, places):
        found |= found << 3**above | found << 2 * 3**above
    return found


class Part:
    """The boards with the same first three cells.

    stones: for each symbol and point, the boards with this symbol at this point.
    """

    def __init__(self, fixed: tuple[str, ...]):
        free = AREA - FIXED
        self.all = (1 << 3**free) - 1
        self.stones = {
            symbol: [self.all if fixed[k] == symbol else 0 for k in range(FIXED)]
            + [_digit(place, value, free) for place in range(free)]
            for value, symbol in enumerate(".XO")
        }
        self._legal_moves: dict[int, int] = {}
        self.legal = self.all
        for stone in "XO":
            breathing = _breathing(self.stones[stone], self.stones["."])
            for k in range(AREA):
                self.legal &= ~(self.stones[stone][k] & ~breathing[k])

    def legal_moves(self, move: int) -> int:
        """Return the legal boards on which X may play at a point; a pass is always legal."""
        if move not in self._legal_moves:
            self._legal_moves[move] = self.legal if move == PASSES else self._playable(move)
        return self._legal_moves[move]

    def _playable(self, move: int) -> int:
        own, empty = list(self.stones["X"]), list(self.stones["."])
        own[move], empty[move] = self.all, 0
        stays = _breathing(own, empty)[move]
        others = _breathing(self.stones["O"], empty)
        for near in NEAR[move]:
            stays |= self.stones["O"][near] & ~others[near]
        return stays & self.stones["."][move] & self.legal

    def fires(self, rows: list[str], move: int) -> int:
        """Return the boards on which a drawn pattern without conditions fires for a move."""
        found = 0
        for picture, top, left in _pictures(rows):
            if _move_of(picture, top, left) == move:
                found |= self._matches(picture, top, left)
        return found & self.legal_moves(move) if found else 0

    def _matches(self, picture: list, top: int, left: int) -> int:
        found = self.all
        for r, row in enumerate(picture):
            for c, cell in enumerate(row):
                y, x = top + r, left + c
                if 0 <= y < SIZE and 0 <= x < SIZE:
                    if cell.symbol in "-|+":
                        return 0
                    if cell.symbol != "?":
                        k = SIZE * y + x
                        found &= union(self.stones[symbol][k] for symbol in MEANS[cell.symbol])
                elif cell.symbol != _frame(y, x):
                    return 0
        return found


def union(sets: Iterator[int]) -> int:
    """Return the boards that are in any of the sets."""
    found = 0
    for one in sets:
        found |= one
    return found


def _frame(y: int, x: int) -> str:
    """Return the symbol of a drawing's edge or corner at a place outside the board."""
    outside = (y in (-1, SIZE), x in (-1, SIZE))
    return {(True, True): "+", (True, False): "-", (False, True): "|"}[outside]


def _pictures(rows: list[str]) -> Iterator[tuple[list, int, int]]:
    for symmetry in range(8):
        picture = turned_picture(cells_of(rows, []), symmetry)
        for top in range(-1, SIZE + 2 - len(picture)):
            for left in range(-1, SIZE + 2 - len(picture[0])):
                yield picture, top, left


def _move_of(picture: list, top: int, left: int) -> int:
    for r, row in enumerate(picture):
        for c, cell in enumerate(row):
            if cell.symbol == "*":
                return SIZE * (top + r) + left + c
    return PASSES


def _breathing(stones: Sets, empty: Sets) -> Sets:
    """Return, for each point, the boards on which the point's stone belongs to a chain with a liberty."""
    found = [stones[k] & union(empty[near] for near in NEAR[k]) for k in range(AREA)]
    changed = True
    while changed:
        changed = False
        for k in (*range(AREA), *reversed(range(AREA))):
            wider = found[k] | stones[k] & union(found[near] for near in NEAR[k])
            if wider != found[k]:
                found[k], changed = wider, True
    return found


def parts() -> Iterator[Part]:
    """Yield the parts, which together contain all boards, legal or not."""
    return map(Part, product(".XO", repeat=FIXED))
