"""A position of Little-Go in one 64-bit number, its *code*: the key of solver, labels, proof and overrides.

From the lowest bit: black stones (25 bits), white stones (25), the point that the ko rule denies plus one, or 0 (5),
whether a pass ends the game (1), moves left, the next one included (5). Whose move it is follows from the moves left,
since the game is 24 moves long: Black's when they are even.
"""

from __future__ import annotations

from rules.geometry import inverse, symmetry_tables
from rules.position import BLACK, PASS, Position
from rules.ruleset import LITTLE_GO
from tools.compiled.board import FULL, PASSED, captured_by, compiled, first_point, inlined, ko_after, legal_moves
from tools.knowledge.overrides import position_of

WHITE_AT, KO_AT, PASSED_AT, LEFT_AT = 25, 50, 55, 56
TABLES = symmetry_tables(5)
UNDO = tuple([inverse(table) for table in TABLES])
_COLUMN, _ROW = 0b00001_00001_00001_00001_00001, 0b11111
# By how much a transposition moves a point up or down, and the points that it moves so: one diagonal each.
_D0, _D1, _D2, _D3, _D4 = (sum(1 << 5 * row + row + d for row in range(5 - d)) for d in range(5))


def pack(position: Position) -> int:
    """Return the code of a position of Little-Go; ValueError if colour and moves left do not fit together."""
    if position.ruleset != LITTLE_GO or (position.colour == BLACK) != (position.left % 2 == 0):
        raise ValueError("only positions of a 24-move game on 5x5 have a code: Black moves when an even number is left")
    ko = position.ko.bit_length()
    passed = int(position.passed)
    return position.black | position.white << WHITE_AT | ko << KO_AT | passed << PASSED_AT | position.left << LEFT_AT


def unpack(code: int) -> Position:
    """Return the position with a code."""
    return position_of(int(code))


def pack_move(move: int) -> int:
    """Return a move as arrays hold it: the point, or 25 for a pass."""
    return PASSED if move == PASS else move


def unpack_move(move: int) -> int:
    """Return a move as rules/ knows it: the point, or PASS."""
    return PASS if move == PASSED else int(move)


@inlined
def code_of(own, theirs, ko, passed, left):
    """Return the code of a position; ko: a mask."""
    black, white = (theirs, own) if left & 1 else (own, theirs)
    at = first_point(ko) + 1 if ko else 0
    return black | white << WHITE_AT | at << KO_AT | passed << PASSED_AT | left << LEFT_AT


@inlined
def parts(code):
    """Return (own, theirs, ko mask, passed, left) of a code."""
    black, white, at = code & FULL, code >> WHITE_AT & FULL, code >> KO_AT & 31
    left = code >> LEFT_AT
    ko = 1 << at - 1 if at else 0
    if left & 1:
        return white, black, ko, code >> PASSED_AT & 1, left
    return black, white, ko, code >> PASSED_AT & 1, left


@inlined
def _left_right(mask):
    swapped = (mask & _COLUMN) << 4 | (mask & _COLUMN << 1) << 2 | mask & _COLUMN << 2
    return swapped | (mask & _COLUMN << 3) >> 2 | (mask & _COLUMN << 4) >> 4


@inlined
def _top_bottom(mask):
    swapped = (mask & _ROW) << 20 | (mask & _ROW << 5) << 10 | mask & _ROW << 10
    return swapped | (mask & _ROW << 15) >> 10 | (mask & _ROW << 20) >> 20


@inlined
def _transposed(mask):
    above = (mask & _D1) << 4 | (mask & _D2) << 8 | (mask & _D3) << 12 | (mask & _D4) << 16
    below = mask >> 4 & _D1 | mask >> 8 & _D2 | mask >> 12 & _D3 | mask >> 16 & _D4
    return mask & _D0 | above | below


@inlined
def image(mask, symmetry):
    """Return the image of a mask under a symmetry; the same as geometry.image_of with TABLES[symmetry]."""
    if symmetry & 4:
        mask = _transposed(mask)
    if symmetry & 1:
        mask = _left_right(mask)
    return _top_bottom(mask) if symmetry & 2 else mask


@compiled
def canonical(code):
    """Return (the code of the canonical image, its symmetry): the smallest (own, theirs, ko), as the engine takes it.

    Of several symmetries that give the smallest image it is the first.
    """
    own, theirs, ko, passed, left = parts(code)
    best_own, best_theirs, best_ko, best = own, theirs, ko, 0
    for symmetry in range(1, 8):
        new_own = image(own, symmetry)
        if new_own > best_own:
            continue
        new_theirs = image(theirs, symmetry)
        if new_own == best_own and new_theirs > best_theirs:
            continue
        new_ko = image(ko, symmetry)
        if new_own == best_own and new_theirs == best_theirs and new_ko >= best_ko:
            continue
        best_own, best_theirs, best_ko, best = new_own, new_theirs, new_ko, symmetry
    return code_of(best_own, best_theirs, best_ko, passed, left), best


@inlined
def moves_mask(code):
    """Return the mask of the legal moves, with bit 25 for the pass."""
    own, theirs, ko, _, _ = parts(code)
    return legal_moves(own, theirs, ko) | 1 << PASSED


@compiled
def after(code, move):
    """Return the code after a legal move (25 passes). Whether the game is then over, `ends` says."""
    own, theirs, ko, passed, left = parts(code)
    if move == PASSED:
        return code_of(theirs, own, 0, 1, left - 1)
    stone = 1 << move
    taken = captured_by(stone, own, theirs)
    own, theirs = own | stone, theirs & ~taken
    return code_of(theirs, own, ko_after(stone, taken, own, theirs), 0, left - 1)


@compiled
def ends(code, move):
    """Return whether the game is over once this legal move is made."""
    return code >> LEFT_AT == 1 or (move == PASSED and code >> PASSED_AT & 1 == 1)
