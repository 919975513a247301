"""The inner loops of `dev harvest`, compiled by numba.

A board is a flat int8 array of EMPTY, BLACK, WHITE and, in the margin around the board, OUTSIDE. `width` is the number
of points per row, margin included. Each image (rotation or reflection) of a shape has a code: the XOR of one random
number per cell, selected by the cell's content, and, for an answer, one for the cell of the last move. The code of the
shape is the smallest code of its images. Four arrays describe the cells: `rows` (offsets from the centre, [symmetries,
cells]), `keys` (random numbers, [cells, contents], in the order of shapes.CONTENTS), `marks` (random numbers for the
last move, [cells]) and `ends` (the number of cells up to each ring, where a ring contains the cells at one distance
from the centre; the first end is 0).
"""

from __future__ import annotations

import numpy as np

from littlego.engines.compiled.board import jit, jit_inlined

EMPTY, BLACK, WHITE, OUTSIDE = 0, 1, 2, 3
FAR = 19  # distances from here on count as one, and so does an unknown move
DISTANCES = (FAR + 1) ** 2  # pairs of the distances from the opponent's last move and from the mover's own


@jit_inlined
def content(board, point, colour):
    """Return a point's content as `colour` sees it: EMPTY, BLACK (own), WHITE (opposing) or OUTSIDE."""
    found = board[point]
    return 3 - found if colour == WHITE and found in (BLACK, WHITE) else found


@jit
def shape_codes(board, point, colour, last, rows, keys, marks, ends, codes):
    """Fill codes[0] with the codes of the shapes around a point and codes[1] with the answers' codes.

    last: the opponent's last move, or 0. codes: int64 [2, rings]; all codes of the answers are -1 if the last move
    is not in a cell around the point.
    """
    images, answers = np.zeros(rows.shape[0], np.int64), np.zeros(rows.shape[0], np.int64)
    codes[:], first, answering = -1, 0, False
    for symmetry in range(rows.shape[0]):
        for cell in range(rows.shape[1]):
            if point + rows[symmetry, cell] == last:
                answers[symmetry], answering = marks[cell], True
    for ring in range(ends.size):
        for symmetry in range(rows.shape[0]):
            for cell in range(first, ends[ring]):
                images[symmetry] ^= keys[cell, content(board, point + rows[symmetry, cell], colour)]
        first = ends[ring]
        codes[0, ring] = images.min()
        if answering:
            codes[1, ring] = (images ^ answers).min()


@jit
def has_liberty(board, start, but, width, stack, seen, stamp):
    """Return whether the chain at `start` has a liberty other than the point `but`.

    seen: an array in which the function marks visited stones with `stamp`, a number not used before.
    """
    colour, stack[0], seen[start], count, at = board[start], start, stamp, 1, 0
    while at < count:
        point = stack[at]
        at += 1
        for step in (1, -1, width, -width):
            near = point + step
            if board[near] == EMPTY and near != but:
                return True
            if board[near] == colour and seen[near] != stamp:
                seen[near] = stamp
                stack[count] = near
                count += 1
    return False


@jit
def may_play(board, point, colour, width, stack, seen):
    """Return whether a move at an empty point is not suicide.

    seen: see has_liberty; seen[0] is the last stamp that was used.
    """
    for step in (1, -1, width, -width):
        if board[point + step] == EMPTY:
            return True
    for step in (1, -1, width, -width):
        near = board[point + step]
        if near != OUTSIDE:
            seen[0] += 1
            if has_liberty(board, point + step, point, width, stack, seen, seen[0]) == (near == colour):
                return True
    return False


@jit
def play(board, point, colour, width, stack, seen):
    """Play a move and remove the captured stones."""
    board[point] = colour
    for step in (1, -1, width, -width):
        start = point + step
        if board[start] == 3 - colour:
            seen[0] += 1
            if not has_liberty(board, start, start, width, stack, seen, seen[0]):
                _remove(board, start, width, stack)


@jit
def _remove(board, start, width, stack):
    colour, stack[0], count, at = board[start], start, 1, 0
    board[start] = EMPTY
    while at < count:
        point = stack[at]
        at += 1
        for step in (1, -1, width, -width):
            if board[point + step] == colour:
                board[point + step] = EMPTY
                stack[count] = point + step
                count += 1


@jit
def played_shapes(board, moves, width, rows, keys, marks, ends, codes, cells):
    """Fill `codes` and `cells` with the shapes around the moves of a game that starts on an empty board.

    moves: the points of the moves, as indices of `board`. codes: int64 [moves, 2, rings], see shape_codes. cells: int8
    [moves, cells + 1], the content of each cell, then the cell of the opponent's last move, or -1.
    """
    stack, seen = np.zeros(board.size, np.int64), np.zeros(board.size, np.int64)
    colour, last = BLACK, 0
    for at in range(moves.size):
        shape_codes(board, moves[at], colour, last, rows, keys, marks, ends, codes[at])
        cells[at, rows.shape[1]] = -1
        for cell in range(rows.shape[1]):
            cells[at, cell] = content(board, moves[at] + rows[0, cell], colour)
            if moves[at] + rows[0, cell] == last:
                cells[at, rows.shape[1]] = cell
        play(board, moves[at], colour, width, stack, seen)
        colour, last = 3 - colour, moves[at]


@jit_inlined
def largest(known, codes):
    """Return the index, in the sorted array `known`, of the last code before the first unknown code.

    The result is known.size if the first code is unknown.
    """
    found = known.size
    for code in codes:
        index = np.searchsorted(known, code)
        if index == known.size or known[index] != code:
            break
        found = index
    return found


@jit_inlined
def distance_class(point, last, width):
    """Return the distance between two points, at most FAR (see shapes.distance); FAR if `last` is 0."""
    rows, columns = abs(point // width - last // width), abs(point % width - last % width)
    return min(rows + columns + max(rows, columns), FAR) if last else FAR


@jit
def options(board, moves, chosen, width, rows, keys, marks, ends, known, features, starts, right):
    """Fill arrays with the features of all legal moves before each chosen move; return the number of rows.

    chosen: bool [moves]. features: int32 [rows, 3], the largest known shape, the largest known answer (for both:
    known.size if none is known) and the pair of distances. starts: int64 [chosen moves + 1], the first row of each
    choice, then the number of rows. right: int64 [chosen moves], the row of the move, or -1 for an illegal move. Moves
    that the ko rule forbids count as legal.
    """
    stack, seen = np.zeros(board.size, np.int64), np.zeros(board.size, np.int64)
    codes = np.zeros((2, ends.size), np.int64)
    colour, last, own, row, choice = BLACK, 0, 0, 0, 0
    for at in range(moves.size):
        if chosen[at]:
            right[choice] = -1
            for point in range(board.size):
                if board[point] == EMPTY and may_play(board, point, colour, width, stack, seen):
                    shape_codes(board, point, colour, last, rows, keys, marks, ends, codes)
                    pair = distance_class(point, last, width) * (FAR + 1) + distance_class(point, own, width)
                    features[row, 0] = largest(known, codes[0])
                    features[row, 1] = largest(known, codes[1])
                    features[row, 2] = pair
                    if point == moves[at]:
                        right[choice] = row
                    row += 1
            choice += 1
            starts[choice] = row
        play(board, moves[at], colour, width, stack, seen)
        colour, last, own = 3 - colour, moves[at], last
    return row


@jit
def slopes(features, starts, right, weight, shapes, distances, slope, distance_slope, rank):
    """Return the weighted sum of -ln(probability), and add its slope with respect to each score.

    features: see options. starts: int64 [choices + 1], the first row of each choice. right: int64 [choices]. weight:
    float [choices]. shapes: float [shapes + 1], the scores of the known shapes, then 0 for unknown shapes. distances:
    float [DISTANCES]. slope, distance_slope: arrays like `shapes` and `distances`. rank: int64 [choices], set to the
    number of moves with higher scores than the chosen move.
    """
    surprise = 0.0
    for choice in range(right.size):
        first, end = starts[choice], starts[choice + 1]
        scores = np.empty(end - first)
        for row in range(first, end):
            scores[row - first] = shapes[features[row, 0]] + shapes[features[row, 1]] + distances[features[row, 2]]
        top, best = scores[right[choice] - first], scores.max()
        rank[choice] = (scores > top).sum()
        scores = np.exp(scores - best)
        total = scores.sum()
        surprise += weight[choice] * (np.log(total) + best - top)
        for row in range(first, end):
            change = weight[choice] * (scores[row - first] / total - (row == right[choice]))
            slope[features[row, 0]] += change
            slope[features[row, 1]] += change
            distance_slope[features[row, 2]] += change
    return surprise
