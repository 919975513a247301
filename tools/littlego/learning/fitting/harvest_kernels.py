"""The inner loops of `dev harvest`, compiled by numba.

A board is a flat int8 array of EMPTY, BLACK, WHITE and, in the margin around the board, OUTSIDE. `width` is the number
of points per row, margin included. Each image (rotation or reflection) of a shape has a code: the XOR of one random
number per cell, selected by the cell's content. The code of the shape is the smallest code of its images. Three arrays
describe the cells: `rows` (offsets from the centre, [symmetries, cells]), `keys` (random numbers, [cells, contents])
and `ends` (the number of cells up to each ring, where a ring contains the cells at one distance from the centre).
"""

from __future__ import annotations

import numpy as np

from littlego.engines.compiled.board import jit, jit_inlined
from littlego.learning.fitting.table import FIVE

EMPTY, BLACK, WHITE, OUTSIDE = 0, 1, 2, 3
FAR = 20  # distances from here on count as one, and so does an unknown last move
MOST = 400  # more than the points of a board


@jit_inlined
def content(board, point, colour):
    """Return a point's content as `colour` sees it: EMPTY, BLACK (own), WHITE (opposing) or OUTSIDE."""
    found = board[point]
    return 3 - found if colour == WHITE and found in (BLACK, WHITE) else found


@jit_inlined
def extend(board, point, colour, first, last, rows, keys, codes):
    """Add the cells `first` to `last` - 1 to the codes of a shape's images; return the smallest code."""
    smallest = np.int64(0)
    for symmetry in range(rows.shape[0]):
        code = codes[symmetry]
        for cell in range(first, last):
            code ^= keys[cell, content(board, point + rows[symmetry, cell], colour)]
        codes[symmetry] = code
        if symmetry == 0 or code < smallest:
            smallest = code
    return smallest


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
def played_shapes(board, moves, width, rows, keys, ends, codes, cells):
    """Fill `codes` and `cells` with the shapes around the moves of a game that starts on an empty board.

    moves: the points of the moves, as indices of `board`. codes: int64 [moves, rings], the code of the shape up to each
    ring. cells: int8 [moves, cells], the content of each cell.
    """
    stack, seen, images = np.zeros(board.size, np.int64), np.zeros(board.size, np.int64), np.zeros(8, np.int64)
    colour = BLACK
    for at in range(moves.size):
        images[:] = 0
        first = 0
        for ring in range(ends.size):
            codes[at, ring] = extend(board, moves[at], colour, first, ends[ring], rows, keys, images)
            first = ends[ring]
        for cell in range(rows.shape[1]):
            cells[at, cell] = content(board, moves[at] + rows[0, cell], colour)
        play(board, moves[at], colour, width, stack, seen)
        colour = 3 - colour


@jit_inlined
def find(known, code):
    """Return the index of a code in the sorted array `known`, or -1 if `known` lacks the code."""
    index = np.searchsorted(known, code)
    return index if index < known.size and known[index] == code else -1


@jit
def largest_shape(board, point, colour, rows, keys, ends, known, images):
    """Return the index of the largest known shape around a point, or -1 if no shape there is known.

    images: a work array, int64 [symmetries].
    """
    images[:] = 0
    largest, first = np.int64(-1), 0
    for ring in range(ends.size):
        index = find(known, extend(board, point, colour, first, ends[ring], rows, keys, images))
        if index < 0:
            break
        largest, first = index, ends[ring]
    return largest


@jit
def steps(point, last, width):
    """Return the Manhattan distance between two points, at most FAR; FAR if `last` is 0 (no last move)."""
    away = abs(point // width - last // width) + abs(point % width - last % width)
    return min(away, FAR) if last else FAR


@jit
def learn(board, moves, width, rows, keys, ends, known, weights, totals, rate, counts):
    """Learn from the moves of a game; return four sums over these moves.

    The sums are the number of moves, the number ranked first, the number ranked among the first FIVE, and the total of
    -ln(probability). weights: float [shapes + 1 + FAR + 1], the weights of the known shapes, of unknown shapes, and of
    the distances from the last move. rate: AdaGrad's learning rate; 0 leaves the weights unchanged. totals: sums of
    squared gradients for AdaGrad. counts: float [weights, 2], to which the function adds, for each weight, the number
    of played moves and the number of candidate moves whose scores include the weight. Moves that the ko rule forbids
    count as candidates.
    """
    stack, seen, images = np.zeros(board.size, np.int64), np.zeros(board.size, np.int64), np.zeros(8, np.int64)
    features, scores = np.zeros((MOST, 2), np.int64), np.zeros(MOST)
    far, colour, last, result = weights.size - FAR - 1, BLACK, 0, np.zeros(4)
    for move in moves:
        number, right = 0, -1
        for point in range(board.size):
            if board[point] == EMPTY and may_play(board, point, colour, width, stack, seen):
                shape = largest_shape(board, point, colour, rows, keys, ends, known, images)
                features[number, 0] = shape if shape >= 0 else far - 1
                features[number, 1] = far + steps(point, last, width)
                scores[number] = weights[features[number, 0]] + weights[features[number, 1]]
                right = number if point == move else right
                number += 1
        if right >= 0:
            _step(features[:number], scores[:number], right, weights, totals, rate, counts, result)
        play(board, move, colour, width, stack, seen)
        last, colour = move, 3 - colour
    return result


@jit
def _step(features, scores, right, weights, totals, rate, counts, result):
    chances = np.exp(scores - scores.max())
    chances /= chances.sum()
    better = (scores > scores[right]).sum()
    result += np.array([1.0, better == 0, better < FIVE, -np.log(chances[right])])
    for row in range(scores.size):
        slope = (row == right) - chances[row]
        for column in range(2):
            weight = features[row, column]
            counts[weight, 0] += row == right
            counts[weight, 1] += 1
            if rate:
                totals[weight] += slope * slope
                weights[weight] += rate * slope / np.sqrt(1 + totals[weight])
