"""The position key: one 64-bit number for a position of Little-Go.

The solver, the labels of winning moves, the overrides and the proofs (docs/truth.md) use the key. From the lowest bit,
the key's fields are: black stones (25 bits), white stones (25 bits), the ko point plus 1, or 0 for no ko (5 bits),
whether a pass ends the game (1 bit), and the number of moves left, including the next move (5 bits). The number of
moves left determines the mover: Black moves when this number is even, since the game has 24 moves. An array of moves
stores a pass as PASS_POINT instead of PASS.
"""

from __future__ import annotations

from .position import BLACK, PASS, WHITE, Position
from .ruleset import LITTLE_GO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .facts import State
    from .geometry import Mask, Point

POINTS = 25
PASS_POINT = POINTS
WHITE_AT, KO_AT, PASSED_AT, LEFT_AT = 25, 50, 55, 56
_ALL_POINTS, _KO_FIELD = (1 << POINTS) - 1, 31


def pack_fields(black: Mask, white: Mask, ko: Mask, passed: int, left: int) -> int:
    """Return the key of the position with the given fields."""
    return black | white << WHITE_AT | _one_more(ko) << KO_AT | passed << PASSED_AT | left << LEFT_AT


def _one_more(ko: Mask) -> int:
    return ko.bit_length()


def unpack_fields(key: int) -> tuple[Mask, Mask, Mask, int, int]:
    """Return (black, white, ko, passed, left), the fields of the position with this key."""
    ko = 1 << (key >> KO_AT & _KO_FIELD) >> 1  # 0 for no ko point
    return key & _ALL_POINTS, key >> WHITE_AT & _ALL_POINTS, ko, key >> PASSED_AT & 1, key >> LEFT_AT


def pack_state(state: State) -> int:
    """Return the key of a State of Little-Go."""
    black, white = (state.own, state.theirs) if state.colour == BLACK else (state.theirs, state.own)
    return pack_fields(black, white, state.ko, state.passed, state.left)


def pack(position: Position) -> int:
    """Return the key of a Little-Go position.

    Raise ValueError for another ruleset, or if the number of moves left implies that the other side moves.
    """
    if position.ruleset != LITTLE_GO or (position.colour == BLACK) != (position.left % 2 == 0):
        raise ValueError(
            "only positions of a 24-move game on 5x5, in which Black moves if an even number is left, have a key"
        )
    return pack_fields(position.black, position.white, position.ko, int(position.passed), position.left)


def unpack(key: int) -> Position:
    """Return the position for a key."""
    black, white, ko, passed, left = unpack_fields(int(key))
    return Position(LITTLE_GO, black, white, WHITE if left % 2 else BLACK, ko, passed == 1, left)


def pack_move(move: Point) -> int:
    """Return a move as stored in arrays: the point, or PASS_POINT."""
    return PASS_POINT if move == PASS else move


def unpack_move(move: int) -> Point:
    """Return a move as the engine represents it: the point, or PASS."""
    return PASS if move == PASS_POINT else int(move)
