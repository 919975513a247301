"""The rule engine for numba: the same decisions as rules.engine.decide, about ninety times as fast.

A position is passed as a code, the integer key that rules.positionkey defines. Python code calls `decide_many`,
`fired_many` and `scores_many` with the program that `compile_book` makes from a book. These functions release the GIL,
and threads may share a program. Compiled code calls `decide_one(code, program, scratch)`. The argument `scratch` must
be the result of `new_scratch` for the same program, and only one thread may use it; neither condition is checked.

`board` explains which code is shared with rules/ and which code is implemented again for numba; this module implements
rules.engine again. tests/engines/compiled/test_compiled_engine.py checks that both engines agree in random games, games
of the player against a random player, and recorded positions, with several books.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from littlego.engines.compiled.board import first_point, jit, jit_inlined, legal_moves
from littlego.engines.compiled.programs import (
    BY_PATTERN,
    FIRED,
    HOW_MANY,
    OF_A_PATTERN,
    PATTERN_ROW,
    PATTERNS,
    compile_book,
)
from littlego.engines.compiled.reading import address, begin, new_scratch
from littlego.engines.compiled.safety import checked, loss_of, outcome
from littlego.engines.compiled.scoring import (
    BARRED,
    DECIDER,
    NO_PATTERN,
    SPECIFIC,
    SUM,
    TOP,
    best_of,
    comes_before,
    is_less_bad,
    is_vetoed,
    of,
    pay,
    score_all,
)
from littlego.engines.compiled.states import canonical, image, state_of
from littlego.rules.position import Position
from littlego.rules.positionkey import PASS_POINT, POINTS, pack

__all__ = [
    "codes_of",
    "compile_book",
    "decide_many",
    "decide_one",
    "fired_many",
    "fires_many",
    "new_scratch",
    "scores_many",
    "winning_endings",
]

MOVES = POINTS + 1
ALLOWED, VETOED, BARRED_MOVE, ILLEGAL = range(4)  # status of a move in scores_many


@jit
def decide_one(code, program, scratch):
    """Return (move, decider) for a position given as a code.

    Move 25 is a pass. `decider` is the index of the deciding pattern, or -1 if no pattern decides.
    """
    return decide_at(code, address(program), address(scratch))


@jit
def decide_at(code, program, scratch):
    """Return (move, decider) for a code, as `decide_one` does; program, scratch: addresses of the arrays."""
    state, symmetry = canonical_state(code)
    begin(state, program, scratch)
    moves = legal_moves(state.own, state.theirs, state.ko) | 1 << PASS_POINT
    last = 0 < state.left <= 2
    move = _exact_choice(state, moves, program, scratch) if last else _choice(state, moves, program, scratch)
    decider = of(move, DECIDER, scratch)
    if decider != NO_PATTERN:
        decider = (decider - program[PATTERNS]) // PATTERN_ROW
    return undone(move, symmetry), decider


@jit
def canonical_state(code):
    """Return (the canonical image as a State, the symmetry that produces it)."""
    code, symmetry = canonical(code)
    return state_of(code), symmetry


@jit_inlined
def undone(move, symmetry):
    """Convert a move on the board's image under a symmetry to a move on the board."""
    if move == PASS_POINT:
        return move
    back = 11 - symmetry if symmetry == 5 or symmetry == 6 else symmetry  # the quarter turns are mutual inverses
    return first_point(image(1 << move, back))


@jit
def _choice(state, moves, program, scratch):
    """Return the best move without a veto, else the move with the smallest loss: see rules.engine.best."""
    score_all(moves, state, program, scratch)
    check = checked(state)
    losses = np.empty(MOVES, np.int64)
    rest, risked = moves, -1
    while rest:
        move = best_of(rest, scratch)
        if risked >= 0 and comes_before(risked, move, scratch):
            return risked
        rest &= ~(1 << move)
        losses[move] = loss_of(state, check, move)
        if is_vetoed(move, losses[move], program, scratch):
            continue
        is_risked = pay(move, losses[move], program, scratch)
        if risked < 0 or comes_before(move, risked, scratch):
            risked = move
        if not is_risked:
            return risked
    return risked if risked >= 0 else _least_bad(moves, losses, scratch)


@jit
def _least_bad(moves, losses, scratch):
    """Return the move with the smallest loss.

    Ties go to moves that only the safety check vetoes, then to the best-ranked move.
    """
    best, rest = -1, moves
    while rest:
        move = best_of(rest, scratch)
        rest &= ~(1 << move)
        if best < 0 or is_less_bad(losses[move], of(move, BARRED, scratch), losses[best], of(best, BARRED, scratch)):
            best = move
    return best


@jit
def _exact_choice(state, moves, program, scratch):
    """Return the move with the best exact result.

    On a tie, prefer moves that are not barred, then the best rank. `state` must have at most two moves left.
    """
    equal = best_endings(state, moves)
    score_all(equal, state, program, scratch)
    free, rest = 0, equal
    while rest:
        move = first_point(rest)
        rest &= rest - 1
        if not of(move, BARRED, scratch):
            free |= 1 << move
    return best_of(free if free else equal, scratch)


@jit
def best_endings(state, moves):
    """Return a mask of the moves in `moves` with the best exact result.

    `state` must have at most two moves left.
    """
    best, equal, rest = -1000, 0, moves
    while rest:
        move = first_point(rest)
        rest &= rest - 1
        result2 = outcome(state, move)
        if result2 > best:
            best, equal = result2, 0
        if result2 == best:
            equal |= 1 << move
    return equal


def winning_endings(codes: np.ndarray) -> np.ndarray:
    """Return an int32 mask of the winning moves (by exact result) for each position; bit 25 is the pass.

    Each position must have at most two moves left.
    """
    return _winning_endings(np.ascontiguousarray(codes, np.int64))


@jit
def _winning_endings(codes):
    masks = np.zeros(codes.size, np.int32)
    for k in range(codes.size):
        state = state_of(codes[k])
        rest = legal_moves(state.own, state.theirs, state.ko) | 1 << PASS_POINT
        while rest:
            move = first_point(rest)
            rest &= rest - 1
            if outcome(state, move) > 0:
                masks[k] |= 1 << move
    return masks


def codes_of(positions: Iterable[Position]) -> np.ndarray:
    """Return positions as int64 codes; raise ValueError for positions that rules.positionkey.pack rejects."""
    return np.array([pack(position) for position in positions], dtype=np.int64)


def decide_many(codes: np.ndarray | Sequence[int], program: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (moves int8, deciders int16) for an array of codes.

    Move 25 is a pass, and decider -1 means that no pattern decides.
    """
    return _decide_many(np.ascontiguousarray(codes, np.int64), program)


@jit
def _decide_many(codes, program):
    scratch = new_scratch(program)
    moves, deciders = np.empty(codes.size, np.int8), np.empty(codes.size, np.int16)
    for k in range(codes.size):
        move, decider = decide_one(codes[k], program, scratch)
        moves[k], deciders[k] = move, decider
    return moves, deciders


def fired_many(codes: np.ndarray | Sequence[int], program: np.ndarray) -> np.ndarray:
    """Return, for each code and pattern, a mask of the legal moves for which the pattern fires.

    The masks are int32 [codes, patterns]. Bit 25 is the pass.
    """
    return _fired_many(np.ascontiguousarray(codes, np.int64), program)


def fires_many(codes: np.ndarray | Sequence[int], program: np.ndarray) -> list[bool]:
    """Return for each code whether any pattern fires for a legal move."""
    fired: list[bool] = fired_many(codes, program).any(axis=1).tolist()
    return fired


@jit
def _fired_many(codes, program):
    scratch = new_scratch(program)
    fired = np.zeros((codes.size, program[HOW_MANY]), np.int32)
    for k in range(codes.size):
        scratch[BY_PATTERN + FIRED :: OF_A_PATTERN] = 0
        symmetry = score_position(codes[k], address(program), address(scratch))[1]
        for pattern in range(program[HOW_MANY]):
            rest = scratch[BY_PATTERN + OF_A_PATTERN * pattern + FIRED]
            while rest:
                fired[k, pattern] |= 1 << undone(first_point(rest), symmetry)
                rest &= rest - 1
    return fired


@jit
def score_position(code, program, scratch):
    """Score every legal move and the pass; return (state, symmetry, legal moves of the canonical image)."""
    state, symmetry = canonical_state(code)
    begin(state, program, scratch)
    moves = legal_moves(state.own, state.theirs, state.ko) | 1 << PASS_POINT
    score_all(moves, state, program, scratch)
    return state, symmetry, moves


def scores_many(codes: np.ndarray, program: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (scores int32 [codes, 26, 3], against int8 [codes, 26]) of all 26 moves, the pass last.

    scores: the priority, points and specificity of each move. against: 0 (allowed), 1 (vetoed by the safety check), 2
    (vetoed by a pattern or because the move fills an eye) or 3 (illegal). With at most two moves left, the safety check
    is not used, because exact results then take precedence over scores.
    """
    return _scores_many(np.ascontiguousarray(codes, np.int64), program)


@jit
def _scores_many(codes, program):
    scratch = new_scratch(program)
    scores, against = np.zeros((codes.size, MOVES, 3), np.int32), np.full((codes.size, MOVES), ILLEGAL, np.int8)
    for k in range(codes.size):
        state, symmetry, moves = score_position(codes[k], address(program), address(scratch))
        check = checked(state)
        while moves:
            move = first_point(moves)
            moves &= moves - 1
            real = undone(move, symmetry)
            loss = 0 if 0 < state.left <= 2 else loss_of(state, check, move)
            pay(move, loss, address(program), address(scratch))
            for column in (TOP, SUM, SPECIFIC):
                scores[k, real, column] = of(move, column, address(scratch))
            vetoed = is_vetoed(move, loss, address(program), address(scratch))
            against[k, real] = BARRED_MOVE if of(move, BARRED, address(scratch)) else VETOED if vetoed else ALLOWED
    return scores, against
