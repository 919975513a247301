"""Boards as text, both ways: `X` Black (or the mover), `O` White (or the opponent), `.` empty. Runs on Python 3.7."""

from __future__ import annotations

import re

from rules.geometry import LARGEST, SMALLEST
from rules.position import PASS, RESIGN

EMPTY, BLACK_STONE, WHITE_STONE = ".", "X", "O"
_COLUMN_NUMBERS = re.compile(r"\s*\d(\s+\d)+\s*")
_ROW_NUMBER = re.compile(r"\s*\d{1,2}(?=[\s(])")


class BadBoard(ValueError):
    """A drawn board that cannot be read; row and column (zero-based) say where, or are None."""

    def __init__(self, message: str, row: int | None = None, column: int | None = None):
        super().__init__(message)
        self.row = row
        self.column = column


def parse_board(text: str) -> tuple[int, int, int]:
    """Read a drawn square board, spaces between cells optional; board_text's own drawings read back too.

    Return (size, mask of X, mask of O). Raise BadBoard where a row's length or a symbol is wrong.
    """
    rows = _bare_rows(text)
    size = len(rows)
    if not SMALLEST <= size <= LARGEST:
        raise BadBoard(f"a board has {SMALLEST} to {LARGEST} rows, this one has {size}")
    masks = {BLACK_STONE: 0, WHITE_STONE: 0}
    for row, cells in enumerate(rows):
        if len(cells) != size:
            raise BadBoard(f"row {row} has {len(cells)} points, expected {size}", row)
        for column, symbol in enumerate(cells):
            if symbol in masks:
                masks[symbol] |= 1 << size * row + column
            elif symbol != EMPTY:
                raise BadBoard(f"unknown symbol {symbol!r}, expected X, O or .", row, column)
    return size, masks[BLACK_STONE], masks[WHITE_STONE]


def _bare_rows(text: str) -> list[str]:
    """Return the rows of symbols alone: no spaces, no coordinates, no parentheses around a move."""
    lines = text.strip().splitlines()
    if lines and _COLUMN_NUMBERS.fullmatch(lines[0]):
        lines = [_ROW_NUMBER.sub("", line, count=1) for line in lines[1:]]
    return ["".join(line.replace("(", " ").replace(")", " ").split()) for line in lines]


def board_rows(size: int, black: int, white: int) -> list[str]:
    """Return one string of symbols a row, without spaces."""
    symbols = [
        BLACK_STONE if black >> point & 1 else WHITE_STONE if white >> point & 1 else EMPTY
        for point in range(size * size)
    ]
    return ["".join(symbols[size * row : size * row + size]) for row in range(size)]


def board_text(size: int, black: int, white: int, move: int | None = None) -> str:
    """Draw a board with its coordinates; the point `move`, if any, stands in parentheses."""
    lines = ["   " + " ".join(str(column % 10) for column in range(size))]
    for row, cells in enumerate(board_rows(size, black, white)):
        line = list(f"{row:2} " + " ".join(cells) + " ")
        if move is not None and move // size == row:
            column = 3 + 2 * (move % size)
            line[column - 1], line[column + 1] = "(", ")"
        lines.append("".join(line).rstrip())
    return "\n".join(lines)


def move_text(move: int, size: int) -> str:
    """Return a move as `row,column` or PASS, as output.txt spells it; RESIGN reads `resigns`."""
    if move in (PASS, RESIGN):
        return "PASS" if move == PASS else "resigns"
    row, column = divmod(move, size)
    return f"{row},{column}"
