"""Boards and diagrams as text: `X` Black (or the mover), `O` White (or the opponent), `.` empty.

This module parses and draws boards. On boards up to size NUMBERED_ALONE, rows and columns are numbered from 0 at the
top left; larger boards also show the letters and numbers of Go diagrams. The module also transforms pattern diagrams,
edges included, by the board's symmetries, and describes each symmetry in words. This module runs on Python 3.7.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from littlego.games.lookalikes import describe_lookalike
from littlego.games.sizes import LITTLE_GO_SIZES
from littlego.games.vertices import LETTERS, vertex_text
from littlego.rules.geometry import SYMMETRIES, Mask, Point, turned
from littlego.rules.position import PASS, RESIGN

SIDES = ("top", "bottom", "left", "right")  # sides of a board or a diagram
EMPTY, BLACK_STONE, WHITE_STONE = ".", "X", "O"
NUMBERED_ALONE = 9  # largest board size drawn without letters
_FIRST = 3  # text column of a drawn board's first point
_COLUMN_TENS = re.compile(r"\s*1(\s+1)*\s*")
_COLUMN_NUMBERS = re.compile(r"\s*\d(\s+\d)+\s*")
_COLUMN_LETTERS = re.compile(r"\s*A(\s+[B-HJ-T])+\s*")
_ROW_NUMBER = re.compile(r"\s*\d{1,2}(?=[\s(])")
_ROW_NUMBER_BEHIND = re.compile(r"(?<=[\s)])\d{1,2}\s*$")
_TRANSPOSED = str.maketrans("|-", "-|")  # a transposition turns a horizontal edge into a vertical one
_TURNS = (
    "",
    "mirrored",
    "upside down",
    "half turn",
    "transposed",
    "turned right",
    "turned left",
    "antitransposed",
)


class BoardError(ValueError):
    """Raised for a drawn board that cannot be parsed.

    row, column: the zero-based row and column of the error; None if unknown.
    """

    def __init__(self, message: str, row: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.row = row
        self.column = column


def parse_board(text: str) -> tuple[int, Mask, Mask]:
    """Return (size, mask of X, mask of O) of a drawn square board.

    Spaces between points are optional. The function also accepts the output of board_text. Raise BoardError for a wrong
    symbol, row length or size.
    """
    rows = _bare_rows(text)
    size = _check_shape(rows)
    masks = {BLACK_STONE: 0, WHITE_STONE: 0}
    for row, cells in enumerate(rows):
        for column, symbol in enumerate(cells):
            if symbol != EMPTY:
                masks[symbol] |= 1 << size * row + column
    return size, masks[BLACK_STONE], masks[WHITE_STONE]


def _check_shape(rows: Sequence[str]) -> int:
    """Return the size of a board; raise BoardError for a wrong symbol or shape.

    The function checks the symbols first: if the text is not a drawing, an error about its size would not help.
    """
    size = len(rows)
    for row, cells in enumerate(rows):
        for column, symbol in enumerate(cells):
            if symbol not in (EMPTY, BLACK_STONE, WHITE_STONE):
                odd = describe_lookalike(symbol)
                shown = f"{symbol!r} ({odd})" if odd else repr(symbol)
                raise BoardError(f"unknown symbol {shown}, expected X, O or .", row, column)
    widths = sorted({len(cells) for cells in rows})
    if len(widths) == 1 and widths[0] != size and LITTLE_GO_SIZES.allow(widths[0]):
        counted = f"{size} row{'' if size == 1 else 's'} of {widths[0]} points"
        raise BoardError(f"{counted}, expected {widths[0]} rows: a board is square")
    if not LITTLE_GO_SIZES.allow(size):
        raise BoardError(f"a board has {LITTLE_GO_SIZES.text} rows, found {size}")
    for row, cells in enumerate(rows):
        if len(cells) != size:
            raise BoardError(f"row {row} has {len(cells)} points, expected {size}", row)
    return size


def _bare_rows(text: str) -> list[str]:
    """Return a drawing's rows of symbols, without spaces, coordinates or parentheses around a move."""
    lines = text.strip().splitlines()
    if len(lines) > 1 and _COLUMN_TENS.fullmatch(lines[0]) and _COLUMN_NUMBERS.fullmatch(lines[1]):
        lines = lines[1:]
    if lines and _COLUMN_NUMBERS.fullmatch(lines[0]):
        lines = [_ROW_NUMBER.sub("", line, count=1) for line in lines[1:]]
    if lines and _COLUMN_LETTERS.fullmatch(lines[0]):
        lines = [_ROW_NUMBER_BEHIND.sub("", line) for line in lines[1:] if not _COLUMN_LETTERS.fullmatch(line)]
    return ["".join(line.replace("(", " ").replace(")", " ").split()) for line in lines]


def board_rows(size: int, black: Mask, white: Mask) -> list[str]:
    """Return the rows of a board, each as a string of symbols without spaces."""
    symbols = [
        BLACK_STONE if black >> point & 1 else WHITE_STONE if white >> point & 1 else EMPTY
        for point in range(size * size)
    ]
    return ["".join(symbols[size * row : size * row + size]) for row in range(size)]


def board_text(size: int, black: Mask, white: Mask, move: Point | None = None) -> str:
    """Return the drawing of a board with coordinates. move: a point to put in parentheses.

    All drawings show numbers from 0 at the top and on the left. Boards larger than NUMBERED_ALONE also show the column
    letters of Go diagrams above and below the board, and row numbers counted from the bottom on the right.
    """
    lettered, heads = size > NUMBERED_ALONE, _column_heads(size)
    lines = heads[:]
    for row, cells in enumerate(board_rows(size, black, white)):
        line = list(f"{row:2} " + " ".join(cells) + (f" {size - row:2}" if lettered else " "))
        if move is not None and move // size == row:
            column = _FIRST + 2 * (move % size)
            line[column - 1], line[column + 1] = "(", ")"
        lines.append("".join(line).rstrip())
    return "\n".join(lines + heads[-1:] if lettered else lines)


def _column_heads(size: int) -> list[str]:
    """Return the lines above a drawn board: column numbers and, on large boards, column letters."""
    units = "   " + " ".join(str(column % 10) for column in range(size))
    if size <= NUMBERED_ALONE:
        return [units]
    tens = ["   " + " ".join(str(column // 10 or " ") for column in range(size))] if size > 10 else []
    return [*tens, units, "   " + " ".join(LETTERS[:size])]


def mark_points(drawn: str, points: Iterable[Point], mark: str) -> str:
    """Return a drawing from board_text in which `mark` replaces the symbols of the given points."""
    lines = drawn.splitlines()
    size = len(_bare_rows(drawn))
    above = next(number for number, line in enumerate(lines) if line.startswith(" 0"))
    for point in points:
        row, column = divmod(point, size)
        at = _FIRST + 2 * column
        lines[above + row] = lines[above + row][:at] + mark + lines[above + row][at + 1 :]
    return "\n".join(lines)


def move_text(move: Point, size: int) -> str:
    """Return a move as `row,column` or PASS, as in output.txt; RESIGN becomes `resigns`."""
    if move in (PASS, RESIGN):
        return "PASS" if move == PASS else "resigns"
    row, column = divmod(move, size)
    return f"{row},{column}"


def move_text_both(move: Point, size: int) -> str:
    """Return a move as `row,column`, followed by its vertex on boards with letters: `3,15 (Q16)`."""
    text = move_text(move, size)
    return f"{text} ({vertex_text(move, size)})" if move >= 0 and size > NUMBERED_ALONE else text


def diagram_images(
    rows: Sequence[str], label_rows: Sequence[str] = ()
) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the 1, 2, 4 or 8 distinct symmetric forms of a diagram and its labels, the original first."""
    return list(dict.fromkeys(_turn_diagram(rows, label_rows, symmetry) for symmetry in range(SYMMETRIES)))


def describe_turn(rows: Sequence[str], label_rows: Sequence[str], symmetry: int) -> str:
    """Return a symmetry's effect on a diagram in words, such as `half turn`, or '' for no change."""
    drawn = _turn_diagram(rows, label_rows, symmetry)
    return _TURNS[next(number for number in range(SYMMETRIES) if _turn_diagram(rows, label_rows, number) == drawn)]


def _turn_diagram(
    rows: Sequence[str], label_rows: Sequence[str], symmetry: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return turn_rows(rows, symmetry), turn_rows(label_rows, symmetry)


def turn_rows(rows: Sequence[str], symmetry: int) -> tuple[str, ...]:
    """Return the rows of a drawing, edges included, transformed by a symmetry (see geometry.turned)."""
    if not rows:
        return ()
    height, width = len(rows), len(rows[0])
    cells = {
        turned(symmetry, row, column, height, width): symbol
        for row, symbols in enumerate(rows)
        for column, symbol in enumerate(symbols.translate(_TRANSPOSED) if symmetry & 4 else symbols)
    }
    height, width = (width, height) if symmetry & 4 else (height, width)
    return tuple("".join(cells[row, column] for column in range(width)) for row in range(height))


def draw_edges(rows: Sequence[str], sides: Collection[str], symbols: str = "-|+") -> list[str]:
    """Return a drawing's rows with board edges on the given sides.

    sides: some of SIDES. symbols: the characters for a horizontal edge, a vertical edge and a corner.
    """
    flat, upright, corner = tuple(symbols)
    left, right = "left" in sides, "right" in sides
    rim = [corner * left + flat * len(rows[0]) + corner * right]
    inner = [upright * left + row + upright * right for row in rows]
    return rim * ("top" in sides) + inner + rim * ("bottom" in sides)
