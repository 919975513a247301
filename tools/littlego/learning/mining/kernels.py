"""Inner loops of `mine`, `tune` and `weigh`, compiled by numba. A row is a move in a position, as in table.Table."""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from littlego.engines.compiled.board import FULL, around, count, first_point, flood, jit, jit_inlined
from littlego.engines.compiled.facts import fact
from littlego.engines.compiled.safety import checked, loss_of
from littlego.engines.compiled.scoring import decides, is_less_bad, outranks
from littlego.engines.compiled.states import parts, state_of


@jit
def fact_values(codes, positions, moves, numbers, about_moves):
    """Return the value of each fact for each row, int16 [facts, rows].

    numbers: the indices of the facts. about_moves: for each fact, whether it depends on the move. For a pass, a fact
    that depends on the move has the value 0.
    """
    values = np.zeros((numbers.size, moves.size), np.int16)
    for row in range(moves.size):
        state = state_of(codes[positions[row]])
        point = 1 << moves[row] & FULL
        for k in range(numbers.size):
            if not about_moves[k]:
                values[k, row] = fact(numbers[k], state, 0, 0, 0)
            elif point:
                values[k, row] = fact(numbers[k], state, 0, point, 0)
    return values


@jit
def chain_values(codes):
    """Return (liberties, sizes) of the chain at each point, both int8 [positions, 26]; column 25 is 0."""
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


@jit
def losses_of(codes, positions, moves):
    """Return the loss that the safety check expects after each row's move, int16 [rows]."""
    losses = np.empty(moves.size, np.int16)
    for row in range(moves.size):
        state = state_of(codes[positions[row]])
        losses[row] = loss_of(state, checked(state), moves[row])
    return losses


@jit
def compare_choices(starts, scores, losses, wins, chosen, rows):
    """Return the effect of new scores on each position: int8 [positions].

    The effect is 1 for a fixed blunder, -1 for a spoilt win, else 0. rows: bool [rows], whether the row's score has
    changed.
    """
    changes = np.zeros(starts.size - 1, np.int8)
    for position in range(changes.size):
        first, end = starts[position], starts[position + 1]
        if not rows[first:end].any():
            continue
        best = _first_of(first, end, scores.free[first:end].any(), scores, losses)
        changes[position] = np.int8(wins[best]) - np.int8(wins[chosen[position]])
    return changes


@jit_inlined
def _first_of(first, end, any_free, scores, losses):
    """Return the row of the move that the player chooses among the rows from `first` to `end` - 1.

    any_free: whether at least one row is not vetoed.
    """
    best = -1
    for row in range(first, end):
        if any_free and not scores.free[row]:
            continue
        if best < 0 or _is_better(row, best, any_free, scores, losses):
            best = row
    return best


@jit_inlined
def _is_better(row, other, any_free, scores, losses):
    """Return whether the player prefers the move of `row` to the move of `other`, an earlier row.

    any_free: whether at least one move of the position is not vetoed. If all moves are vetoed, the player chooses the
    move with the smallest loss.
    """
    barred, other_barred = scores.barred[row], scores.barred[other]
    if not any_free and (losses[row] != losses[other] or barred != other_barred):
        return is_less_bad(losses[row], barred, losses[other], other_barred)
    return outranks(
        scores.priority[row],
        scores.points[row],
        scores.specificity[row],
        scores.priority[other],
        scores.points[other],
        scores.specificity[other],
    )


@jit
def classify_matches(starts, wins, fired):
    """Classify each position by the moves for which a rule fires; return the classes, int8 [positions].

    Classes: the rule fires for no move (0), only for winning moves (1), only for losing moves (2), or for both (3).
    fired: bool [rows], whether the rule fires for the row.
    """
    kinds = np.zeros(starts.size - 1, np.int8)
    for position in range(kinds.size):
        for row in range(starts[position], starts[position + 1]):
            if fired[row]:
                kinds[position] |= 1 if wins[row] else 2
    return kinds


@jit
def weigh_planes(planes, fits, worth):
    """Return (good, bad) for each literal: sums of `worth` over the matching rows.

    A row matches if the literal and the rule fit it in the same symmetry. good: the sum of the positive values. bad:
    minus the sum of the negative values.

    planes: a bit plane for each literal. fits: the bits of the rule, see rules.Features.fits. worth: float [rows], the
    value of each row, see table.worths.
    """
    good, bad = np.zeros(planes.shape[0]), np.zeros(planes.shape[0])
    fitting = np.array([word for word in range(fits.shape[1]) if fits[:, word].any()])
    for k in range(planes.shape[0]):
        for word in fitting:
            some = np.uint64(0)
            for symmetry in range(8):
                some |= fits[symmetry, word] & planes[k, symmetry, word]
            bits = np.int64(some)
            while bits != 0:
                row = word * 64 + first_point(bits)
                bits &= bits - 1
                if worth[row] > 0:
                    good[k] += worth[row]
                else:
                    bad[k] -= worth[row]
    return good, bad


Ground = namedtuple(
    "Ground",
    "boards left margin weight starts chosen move wins priority points specificity free barred bare losses facts",
)
Ground.__doc__ = """Positions and their moves, one row per move, for testing patterns; see climbing.Ground.

For each position: boards, own | theirs << 25; left, the moves left; margin, the fact margin2; weight; starts, the first
row (followed by the number of rows); chosen, the row of the move played. For each row: move, wins, the columns of
table.Scores; bare, whether no pattern fires; losses, the losses that the safety check expects; facts, int16 [facts,
rows].
"""
_Rows = namedtuple("_Rows", "priority points specificity free barred fires")  # of a position, with an added pattern
_ROOM = 26  # moves of a position
Asked = namedtuple("Asked", "care value move margin_least margin_most facts least most")
Asked.__doc__ = """The placements and conditions of a pattern.

care, value, move: an item for each placement, see rules.matching; the move 25 is a pass. margin_least, margin_most:
limits of margin2. facts: indices in Ground.facts. least, most: limits of the facts' values. All limits are
inclusive."""


@jit
def weigh_pattern(ground, asked, lefts, worths, priority, specificity, changed, squares, keep):
    """Add up the weighted effect of an additional pattern: wins kept minus wins given away.

    lefts: bool [moves left], whether the pattern applies at each number of moves left. worths: the points to try.
    changed: float [worths, moves left], to which the function adds the effects. squares: an array of the same shape, to
    which the function adds the squared weights of changed positions, for the standard error. keep: whether to add the
    pattern to `ground`; if so, `worths` must contain a single number.
    """
    numbers, flags = np.empty((3, _ROOM), np.int64), np.empty((3, _ROOM), np.bool_)
    new = _Rows(numbers[0], numbers[1], numbers[2], flags[0], flags[1], flags[2])
    for k in range(ground.boards.size):
        left = ground.left[k]
        if not lefts[left] or not asked.margin_least <= ground.margin[k] <= asked.margin_most:
            continue
        moves = _moves_of(ground.boards[k], asked)
        first, end = ground.starts[k], ground.starts[k + 1]
        if not moves or not _mark_rows(ground, asked, moves, first, end, new.fires):
            continue
        any_free = _rank_rows(ground, priority, specificity, first, end, new)
        for trial in range(worths.size):
            best = _best_row(ground, worths[trial], first, end, any_free, new)
            change = np.int64(ground.wins[best]) - np.int64(ground.wins[ground.chosen[k]])
            changed[trial, left] += change * ground.weight[k]
            squares[trial, left] += change * change * ground.weight[k] ** 2
            if keep:
                ground.chosen[k] = best
                _keep_rows(ground, first, end, new)


@jit_inlined
def _rank_rows(ground, priority, specificity, first, end, new):
    """Store in `new` each row's priority, specificity and vetoes with an additional pattern.

    The points are not stored. Return whether at least one row is not vetoed.
    """
    any_free = False
    for row in range(first, end):
        at = row - first
        bare = new.fires[at] and ground.bare[row]
        leads = bare or (
            new.fires[at] and decides(priority, specificity, ground.priority[row], ground.specificity[row])
        )
        new.priority[at] = priority if leads else ground.priority[row]
        new.specificity[at] = specificity if leads else ground.specificity[row]
        new.free[at] = ground.losses[row] <= 0 if bare else ground.free[row]
        new.barred[at] = ground.barred[row] and not bare
        any_free |= new.free[at]
    return any_free


@jit_inlined
def _best_row(ground, worth, first, end, any_free, new):
    """Store in `new` each row's points with an additional pattern; return the row that the player chooses."""
    for row in range(first, end):
        at = row - first
        new.points[at] = ground.points[row]
        if new.fires[at]:
            new.points[at] = worth if ground.bare[row] else worth + ground.points[row]
    return first + _first_of(0, end - first, any_free, new, ground.losses[first:end])


@jit_inlined
def _keep_rows(ground, first, end, new):
    for row in range(first, end):
        at = row - first
        ground.priority[row], ground.points[row] = new.priority[at], new.points[at]
        ground.specificity[row] = new.specificity[at]
        ground.free[row], ground.barred[row] = new.free[at], new.barred[at]
        ground.bare[row] = ground.bare[row] and not new.fires[at]


@jit_inlined
def _moves_of(board, asked):
    """Return the mask of the moves for which at least one placement of the pattern fits the board."""
    moves = 0
    for k in range(asked.care.size):
        if board & asked.care[k] == asked.value[k]:
            moves |= 1 << asked.move[k]
    return moves


@jit_inlined
def _mark_rows(ground, asked, moves, first, end, fires):
    """Store in `fires` whether a pattern fires for each row of a position; return whether it fires at all."""
    found = False
    for row in range(first, end):
        holds = moves >> ground.move[row] & 1 == 1
        for k in range(asked.facts.size):
            holds = holds and asked.least[k] <= ground.facts[asked.facts[k], row] <= asked.most[k]
        fires[row - first] = holds
        found |= holds
    return found


Rows = namedtuple("Rows", "starts move wins losses chosen weight groups")
Rows.__doc__ = """Positions and their moves, one row per move, for testing changed points; see Ground.

groups: for each position, the column to which weigh_points adds the position's effect."""
Fired = namedtuple("Fired", "positions moves")
Fired.__doc__ = """Positions where a pattern fires, and per position the mask of the pattern's moves (bit 25: pass)."""


@jit
def weigh_points(rows, scores, asked, worths, changed, squares, keep):
    """Add up the weighted effect of changing a pattern's points: wins kept minus wins given away.

    rows: see Rows. scores: the rows' scores, see table.Scores. asked: see Fired. worths: numbers to add to the points
    where the pattern fires. changed: float [worths, groups], to which the function adds the effects. squares: an array
    of the same shape, to which the function adds the squared weights of changed positions, for the standard error.
    keep: whether to keep the changed points; if so, `worths` must contain a single number.
    """
    for k in range(asked.positions.size):
        position = asked.positions[k]
        first, end = rows.starts[position], rows.starts[position + 1]
        any_free = scores.free[first:end].any()
        for trial in range(worths.size):
            _add_points(rows.move, scores.points, asked.moves[k], first, end, worths[trial])
            best = _first_of(first, end, any_free, scores, rows.losses)
            change = np.int64(rows.wins[best]) - np.int64(rows.wins[rows.chosen[position]])
            changed[trial, rows.groups[position]] += change * rows.weight[position]
            squares[trial, rows.groups[position]] += change * change * rows.weight[position] ** 2
            if keep:
                rows.chosen[position] = best
            else:
                _add_points(rows.move, scores.points, asked.moves[k], first, end, -worths[trial])


@jit_inlined
def _add_points(move, points, moves, first, end, worth):
    for row in range(first, end):
        if moves >> move[row] & 1:
            points[row] += worth
