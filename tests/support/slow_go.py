"""A slow implementation of the rules of Go on dicts, as an independent check of the bitboards.

A board is a dict from (row, column) to "X", "O" or ".". This module does not use rules/.
"""

from __future__ import annotations


def board_of(size: int, black: int, white: int) -> dict:
    """Return the board that two masks describe."""
    board = {}
    for row in range(size):
        for column in range(size):
            bit = 2 ** (row * size + column)
            board[row, column] = "X" if black // bit % 2 else "O" if white // bit % 2 else "."
    return board


def masks_of(board: dict) -> tuple[int, int]:
    """Return the (black, white) masks of a board."""
    size = size_of(board)
    return mask({p for p in board if board[p] == "X"}, size), mask({p for p in board if board[p] == "O"}, size)


def mask(points, size: int) -> int:
    """Return the mask of points given as (row, column)."""
    return sum(2 ** (row * size + column) for row, column in points)


def points(bits: int, size: int) -> list:
    """Return the points of a mask as (row, column)."""
    return [(n // size, n % size) for n in range(size * size) if bits // 2**n % 2]


def size_of(board: dict) -> int:
    """Return the board's size."""
    return max(row for row, _ in board) + 1


def beside(board: dict, point) -> list:
    """Return the point's neighbours on the board."""
    row, column = point
    near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [p for p in near if p in board]


def patch(board: dict, point) -> set:
    """Return the connected points with the same content as the point: a chain or an empty region."""
    found, queue = {point}, [point]
    while queue:
        for near in beside(board, queue.pop()):
            if near not in found and board[near] == board[point]:
                found.add(near)
                queue.append(near)
    return found


def border(board: dict, area: set) -> set:
    """Return the points next to the area and outside it."""
    return {near for point in area for near in beside(board, point)} - area


def free(board: dict, point) -> set:
    """Return the liberties of the chain at a point."""
    return {p for p in border(board, patch(board, point)) if board[p] == "."}


def play(board: dict, point, stone: str):
    """Return (board, captured points) after a move; None for an occupied point or suicide. Kos are ignored."""
    if board[point] != ".":
        return None
    board = dict(board)
    board[point] = stone
    taken = set()
    for near in beside(board, point):
        if board[near] not in (".", stone) and not free(board, near):
            taken |= patch(board, near)
    for lost in taken:
        board[lost] = "."
    return (board, taken) if free(board, point) else None


def legal(board: dict, stone: str, forbidden: dict | None) -> set:
    """Return the points where a stone may be placed; a move must not repeat the board `forbidden`."""
    found = set()
    for point in board:
        after = play(board, point, stone)
        if after and after[0] != forbidden:
            found.add(point)
    return found
