"""Candidates in numba: the score of each move from the patterns that fire, and the ranking of moves.

This module reimplements Candidate, rank and is_vetoed of rules/engine. Using littlego.engines.reasons.choice, which
numba also compiles, would be slower, because it needs a choice.Table for each position. A decision would take 27%
longer: 48.8 microseconds instead of 38.4, measured on 52,566 random positions.
"""

from __future__ import annotations

from littlego.engines.compiled import facts
from littlego.engines.compiled.board import first_point, jit, jit_inlined
from littlego.engines.compiled.life import is_eye
from littlego.engines.compiled.matching import AREA, bucket_of
from littlego.engines.compiled.programs import (
    ASKED,
    CANDIDATE_ROW,
    CANDIDATES,
    CARE,
    CELLS,
    END,
    FIRED,
    FIRING_CELLS,
    FIRING_MOVE,
    FIRING_PATTERN,
    FIRING_POINTS,
    FIRING_ROW,
    FORBID,
    LABELS,
    MOVE,
    NOTHING,
    PATTERN,
    PATTERN_ROW,
    PATTERNS,
    PRIORITY,
    RISK,
    RULED_OUT,
    SACRIFICE,
    SPECIFICITY,
    STARTS,
    VALUE,
)
from littlego.engines.compiled.reading import firings_of, holds, of_pattern, points_of_placement
from littlego.rules.engine import BUILT_IN, LAST_RESORT, RISKED
from littlego.rules.positionkey import PASS_POINT
from littlego.rules.safety import LOST_END

# Columns of a candidate: its score, the row of its deciding pattern or -1, whether it is barred (vetoed, but not by
# the safety check).
TOP, SUM, SPECIFIC, DECIDER, BARRED = range(CANDIDATE_ROW)
NO_PATTERN = -1


@jit_inlined
def of(move, column, scratch):
    """Return the value in a column of a candidate."""
    return scratch[CANDIDATES + CANDIDATE_ROW * move + column]


@jit
def score_all(moves, state, program, scratch):
    rest = moves
    while rest:
        _score(first_point(rest), state, program, scratch)
        rest &= rest - 1


@jit
def _score(move, state, program, scratch):
    """Fill in a legal move's candidate from the move's firings; only each pattern's best placement counts."""
    word = state.own | state.theirs << AREA
    bucket = STARTS + bucket_of(move, state.own, state.theirs)
    decider, barred, total = NO_PATTERN, 0, 0
    pattern, may_fire, fired, most = NO_PATTERN, False, False, 0
    for k in range(program[bucket], program[bucket + 1]):
        placement = program[k]
        if word & program[placement + CARE] != program[placement + VALUE]:
            continue
        cells = program[placement + CELLS]
        if program[placement + PATTERN] != pattern:
            pattern, fired = program[placement + PATTERN], False
            may_fire = scratch[of_pattern(pattern, program) + RULED_OUT] == 0 and holds(
                program[pattern + MOVE], program[pattern + LABELS], cells, state, program, scratch
            )
        if not may_fire or (fired and program[pattern + ASKED] == NOTHING):
            continue
        if not holds(program[pattern + LABELS], program[pattern + END], cells, state, program, scratch):
            continue
        points = points_of_placement(pattern, cells, state, program, scratch)
        if fired:
            if points > most:
                total += points - most
                most = points
                _note_firing(move, pattern, points, cells, 0, program, scratch)
            continue
        fired, most = True, points
        scratch[of_pattern(pattern, program) + FIRED] |= 1 << move
        _note_firing(move, pattern, points, cells, 1, program, scratch)
        if program[pattern + RISK]:  # see price_of
            continue
        total += points
        barred |= program[pattern + FORBID]
        if decider == NO_PATTERN or _leads(pattern, decider, program):
            decider = pattern
    if decider == NO_PATTERN:
        score_built_in(move, state, scratch)
    else:
        _keep(move, program[decider + PRIORITY], total, program[decider + SPECIFICITY], decider, barred, scratch)


@jit_inlined
def _note_firing(move, pattern, points, cells, more, program, scratch):
    """Record that a pattern fires for a move.

    more: 1 to append a firing, 0 to replace the last firing.
    """
    head = firings_of(program)
    row = head + 1 + FIRING_ROW * (scratch[head] + more - 1)
    scratch[head] += more
    scratch[row + FIRING_MOVE] = move
    scratch[row + FIRING_PATTERN] = (pattern - program[PATTERNS]) // PATTERN_ROW
    scratch[row + FIRING_POINTS] = points
    scratch[row + FIRING_CELLS] = cells


@jit_inlined
def _leads(pattern, other, program):
    return decides(
        program[pattern + PRIORITY],
        program[pattern + SPECIFICITY],
        program[other + PRIORITY],
        program[other + SPECIFICITY],
    )


@jit_inlined
def decides(priority, specificity, other_priority, other_specificity):
    """Return whether a firing replaces the leading firing; arrays of values are compared elementwise."""
    return (priority > other_priority) | ((priority == other_priority) & (specificity > other_specificity))


@jit_inlined
def _keep(move, top, total, specific, decider, barred, scratch):
    at = CANDIDATES + CANDIDATE_ROW * move
    scratch[at + TOP] = top
    scratch[at + SUM] = total
    scratch[at + SPECIFIC] = specific
    scratch[at + DECIDER] = decider
    scratch[at + BARRED] = barred


@jit
def score_built_in(move, state, scratch):
    """Fill in a move's candidate with the move's score without patterns, as rules.engine.decide does."""
    if move == PASS_POINT:
        _keep(move, LAST_RESORT, 0, 0, NO_PATTERN, 0, scratch)
        return
    stone = 1 << move
    total = 100 * facts.captures(state, 0, stone) + facts.own_liberties(state, 0, stone)
    _keep(move, BUILT_IN, total, 0, NO_PATTERN, int(is_eye(stone, state.own, state.theirs, state.grid)), scratch)


@jit
def best_of(moves, scratch):
    """Return the best-ranked move of a mask."""
    best = first_point(moves)
    rest = moves & (moves - 1)
    while rest:
        move = first_point(rest)
        rest &= rest - 1
        if _outranks(move, best, scratch):
            best = move
    return best


@jit_inlined
def outranks(priority, points, specificity, other_priority, other_points, other_specificity):
    """Return whether a move outranks another move that is earlier in point order (the pass is last)."""
    if priority != other_priority:
        return priority > other_priority
    if points != other_points:
        return points > other_points
    return specificity > other_specificity


@jit_inlined
def comes_before(move, other, scratch):
    """Return whether a move ranks before another move; on a tie, point order decides."""
    return _outranks(move, other, scratch) or (move < other and not _outranks(other, move, scratch))


@jit_inlined
def _outranks(move, other, scratch):
    return outranks(
        of(move, TOP, scratch),
        of(move, SUM, scratch),
        of(move, SPECIFIC, scratch),
        of(other, TOP, scratch),
        of(other, SUM, scratch),
        of(other, SPECIFIC, scratch),
    )


@jit_inlined
def is_vetoed(move, loss, program, scratch):
    """Return whether a move that loses `loss` stones is vetoed."""
    if of(move, BARRED, scratch) or loss <= 0:
        return of(move, BARRED, scratch) != 0
    if loss >= LOST_END:
        return True
    return not is_spared(move, program, scratch) and not (loss == RISKED and price_of(move, program, scratch))


@jit_inlined
def is_spared(move, program, scratch):
    """Return whether the leading pattern of a move is a `sacrifice` pattern."""
    decider = of(move, DECIDER, scratch)
    return decider != NO_PATTERN and program[decider + SACRIFICE] != 0


@jit_inlined
def pay(move, loss, program, scratch):
    """Add the price of a risked stone, if any, to a move's points; return whether there is a price.

    Call this function at most once for each move. See rules.engine.Candidate.judge.
    """
    if loss != RISKED or of(move, BARRED, scratch) or is_spared(move, program, scratch):
        return False
    price = price_of(move, program, scratch)
    scratch[CANDIDATES + CANDIDATE_ROW * move + SUM] += price
    return price != 0


@jit
def price_of(move, program, scratch):
    """Return the price of losing RISKED stones: a negative number of points, or 0 for no price.

    There is no price if no `risk` pattern allows the loss, or if only `risk` patterns fire for the move.
    """
    price, reaches, head = 0, False, firings_of(program)
    if of(move, DECIDER, scratch) == NO_PATTERN:
        return 0
    for row in range(head + 1, head + 1 + FIRING_ROW * scratch[head], FIRING_ROW):
        pattern = program[PATTERNS] + PATTERN_ROW * scratch[row + FIRING_PATTERN]
        if scratch[row + FIRING_MOVE] == move and program[pattern + RISK]:
            price += scratch[row + FIRING_POINTS]
            reaches |= program[pattern + PRIORITY] >= of(move, TOP, scratch)
    return price if reaches else 0


@jit_inlined
def is_less_bad(loss, barred, other_loss, other_barred):
    """Return whether a vetoed move is better than another vetoed move.

    A smaller loss is better; on equal losses, a move that is not barred is better than a barred move.
    """
    return loss < other_loss or (loss == other_loss and barred < other_barred)
