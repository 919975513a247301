"""Rules about a move: cells around it, edges of the board, facts; and for which rows of a table a rule fires.

A rule is a sorted tuple of literals. Each literal is a tuple that begins with its kind:

    ("cell", row, column, symbol)                               row and column from the move; symbol: X O . x o
    ("chain", row, column, symbol, fact, operator, number)      the same, and a fact about the chain there
    ("edge", axis, line)                                        the move is on that line (0: row, 1: column), 0 to 4
    ("fact", fact, operator, number)                            a fact about the move or about the game
"""

from __future__ import annotations

from functools import cache

import numpy as np

from rules.facts import FACTS
from rules.positionkey import PASS_POINT
from tools.compiled.board import FULL, around, compiled, count, flood
from tools.compiled.facts import fact
from tools.compiled.states import TABLES, UNDO, parts, state_of
from tools.labels.arrays import own_and_theirs
from tools.mining.table import Table

CELL, CHAIN, EDGE, FACT = "cell", "chain", "edge", "fact"
EMPTY, OWN, THEIRS, OUTSIDE = range(4)
# Of each symbol, whether it fits an empty point, an own stone, one of theirs, no point at all.
SYMBOLS = {
    symbol: np.array(fits, bool)
    for symbol, fits in {
        "X": (0, 1, 0, 0),
        "O": (0, 0, 1, 0),
        ".": (1, 0, 0, 0),
        "x": (1, 1, 0, 0),
        "o": (1, 0, 1, 0),
    }.items()
}
CHAIN_FACTS = ("liberties", "size")
# Not worth a condition: always the same for a move, nearly the same as another, or about the board and not the move.
_LEFT_OUT = {"legal", "colour", "passed", "ko_ban", "move_number", "lead", "eye", "their_legal"}
GAME_FACTS = ("moves_left", "margin2")
MOVE_FACTS = tuple(name for name, fact in FACTS.items() if fact.kinds == ("point",) and name not in _LEFT_OUT)
_NUMBERS = {name: number for number, name in enumerate(FACTS)}
COMPARED = {"<=": np.less_equal, ">=": np.greater_equal, "==": np.equal}

Literal = tuple
Rule = tuple[Literal, ...]


@compiled
def _facts(codes, positions, moves, numbers, about_moves):
    found = np.zeros((numbers.size, moves.size), np.int16)
    for row in range(moves.size):
        state = state_of(codes[positions[row]])
        point = 1 << moves[row] & FULL
        for k in range(numbers.size):
            if not about_moves[k]:
                found[k, row] = fact(numbers[k], state, 0, 0, 0)
            elif point:
                found[k, row] = fact(numbers[k], state, 0, point, 0)
    return found


@compiled
def _chains(codes):
    """Return (liberties, stones) of the chain at each point, int8 [positions, 26]; the last column is no point."""
    liberties, sizes = np.zeros((codes.size, 26), np.int8), np.zeros((codes.size, 26), np.int8)
    for position in range(codes.size):
        own, theirs, _, _, _ = parts(codes[position])
        empty = FULL & ~(own | theirs)
        for point in range(25):
            bit = 1 << point
            stones = own if own & bit else theirs
            if stones & bit:
                chain = flood(bit, stones)
                liberties[position, point] = count(around(chain) & empty)
                sizes[position, point] = count(chain)
    return liberties, sizes


class Features:
    """What literals say of the rows of a table: planes of bits, [8 symmetries, words], made when they are asked for."""

    def __init__(self, table: Table):
        self.table = table
        self.rows = table.move.size
        words = own_and_theirs(table.codes)[:, None] >> np.arange(50) & 1
        self.cells = np.full((table.codes.size, 26), OUTSIDE, np.int8)
        self.cells[:, :25] = OWN * words[:, :25] + THEIRS * words[:, 25:]
        names = MOVE_FACTS + GAME_FACTS
        numbers = np.array([_NUMBERS[name] for name in names])
        about_moves = np.array([name in MOVE_FACTS for name in names])
        values = _facts(table.codes, table.position, table.move.astype(np.int64), numbers, about_moves)
        self.facts = dict(zip(names, values, strict=True))
        self.chains = dict(zip(CHAIN_FACTS, _chains(table.codes), strict=True))
        self._planes: dict[Literal, np.ndarray] = {}
        self.everywhere = self._packed(np.repeat((table.move != PASS_POINT)[None], 8, axis=0))

    def plane(self, literal: Literal) -> np.ndarray:
        """Return where a literal holds; what does not depend on the symmetry has one row of bits, not eight."""
        if literal not in self._planes:
            self._planes[literal] = self._made(literal)
        return self._planes[literal]

    def _made(self, literal: Literal) -> np.ndarray:
        kind = literal[0]
        if kind == FACT:
            _, name, operator, number = literal
            return self._packed(COMPARED[operator](self.facts[name], number)[None])
        if kind == EDGE:
            _, axis, line = literal
            lines = np.array([[divmod(table[move], 5)[axis] for move in range(25)] + [-1] for table in TABLES])
            return self._packed(lines[:, self.table.move] == line)
        points = _points(*literal[1:3])[:, self.table.move]
        holds = SYMBOLS[literal[3]][self.cells[self.table.position, points]]
        if kind == CHAIN:
            name, operator, number = literal[4:]
            holds &= COMPARED[operator](self.chains[name][self.table.position, points], number)
        return self._packed(holds)

    def _packed(self, holds: np.ndarray) -> np.ndarray:
        wide = np.zeros((holds.shape[0], (self.rows + 63) // 64 * 64), bool)
        wide[:, : self.rows] = holds
        return np.packbits(wide, axis=1, bitorder="little").view(np.uint64)

    def fits(self, rule: Rule) -> np.ndarray:
        """Return in which symmetries a rule fits each row: bits [8, words]."""
        found = self.everywhere
        for literal in rule:
            found = found & self.plane(literal)
        return found

    def fired(self, rule: Rule) -> np.ndarray:
        """Return for which rows a rule fires, in any symmetry: booleans."""
        return self.unpacked(np.bitwise_or.reduce(self.fits(rule), axis=0))

    def unpacked(self, bits: np.ndarray) -> np.ndarray:
        """Return the booleans of a row of bits."""
        return np.unpackbits(bits.view(np.uint8), count=self.rows, bitorder="little").view(bool)


@cache
def _points(row: int, column: int) -> np.ndarray:
    """Return [symmetry, move]: the point that lies there from the move on the image, 25 for none."""
    found = np.full((8, 26), 25)
    for symmetry, (table, undo) in enumerate(zip(TABLES, UNDO, strict=True)):
        for move in range(25):
            r, c = divmod(table[move], 5)
            if 0 <= r + row < 5 and 0 <= c + column < 5:
                found[symmetry, move] = undo[5 * (r + row) + c + column]
    return found


def plain(rule: Rule) -> Rule:
    """Return the one that stands for a rule and its images under the symmetries."""
    return min(tuple(sorted(_turned(literal, symmetry) for literal in rule)) for symmetry in range(8))


def _turned(literal: Literal, symmetry: int) -> Literal:
    kind = literal[0]
    if kind == FACT:
        return literal
    if kind == EDGE:
        axis, line = literal[1:]
        axis ^= symmetry >> 2 & 1
        return kind, axis, 4 - line if symmetry & (1 if axis else 2) else line
    row, column = literal[1:3]
    if symmetry & 4:
        row, column = column, row
    return kind, -row if symmetry & 2 else row, -column if symmetry & 1 else column, *literal[3:]


def size_of(rule: Rule) -> float:
    """Return how much there is to a rule: cells far from the move and conditions weigh more."""
    return sum(_SIZES[literal[0]](literal) for literal in rule)


_SIZES = {
    CELL: lambda cell: (0.6 if cell[3] in "xo" else 1.0) + 0.2 * max(abs(cell[1]), abs(cell[2])),
    CHAIN: lambda cell: 3.0 + 0.2 * max(abs(cell[1]), abs(cell[2])),
    EDGE: lambda edge: 1.0 + (0.5 if edge[2] == 2 else 0.0),
    FACT: lambda asked: 2.5,
}


def conditions_of(rule: Rule) -> int:
    """Return how many conditions a pattern for this rule needs."""
    return sum(literal[0] in (FACT, CHAIN) for literal in rule)
