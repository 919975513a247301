"""The loops of mining over many positions and their moves, compiled by numba; rows are the moves of table.Table."""

from __future__ import annotations

import numpy as np

from tools.compiled.board import FULL, around, compiled, count, first_point, flood, inlined
from tools.compiled.facts import fact
from tools.compiled.safety import checked, loss_of
from tools.compiled.scoring import is_less_bad, outranks
from tools.compiled.states import parts, state_of


@compiled
def fact_values(codes, positions, moves, numbers, about_moves):
    """Return what facts say of the rows, int16 [fact, row]; about_moves: which of them ask about the move."""
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


@compiled
def chain_values(codes):
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


@compiled
def losses_of(codes, positions, moves):
    """Return what the safety check fears of each row, int16."""
    losses = np.empty(moves.size, np.int16)
    for row in range(moves.size):
        state = state_of(codes[positions[row]])
        losses[row] = loss_of(state, checked(state), moves[row])
    return losses


@compiled
def compare_choices(starts, scores, losses, wins, chosen, rows):
    """Return for each position what other scores would change: 1 a blunder fixed, -1 a win spoilt, else 0.

    rows: those whose scores differ.
    """
    changes = np.zeros(starts.size - 1, np.int8)
    for position in range(changes.size):
        first, end = starts[position], starts[position + 1]
        if not rows[first:end].any():
            continue
        best, any_free = -1, scores.free[first:end].any()
        for row in range(first, end):
            if any_free and not scores.free[row]:
                continue
            if best < 0 or _is_better(row, best, any_free, scores, losses):
                best = row
        changes[position] = np.int8(wins[best]) - np.int8(wins[chosen[position]])
    return changes


@inlined
def _is_better(row, other, any_free, scores, losses):
    """Return whether a move is chosen rather than one that comes before it in the order of points.

    any_free: whether a move is not vetoed. If none is, the least loss goes first.
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


@compiled
def classify_matches(starts, wins, fired):
    """Return for each position whether none of its rows fires (0), all that do win (1), all lose (2), or neither (3).

    fired: whether a rule fires for each row.
    """
    kinds = np.zeros(starts.size - 1, np.int8)
    for position in range(kinds.size):
        for row in range(starts[position], starts[position + 1]):
            if fired[row]:
                kinds[position] |= 1 if wins[row] else 2
    return kinds


@compiled
def weigh_planes(planes, fits, worth):
    """Return for each plane the worth, good and bad, of the rows that fit once it is asked for as well."""
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
