"""One-line texts of Little-Go positions: board, mover, moves left, ko point, previous pass."""

from __future__ import annotations

from littlego.games.boards import board_rows, move_text
from littlego.rules.geometry import Point
from littlego.rules.position import BLACK, WHITE, Position
from littlego.rules.ruleset import LITTLE_GO

COLOURS = {"black": BLACK, "white": WHITE}
PASSED_WORDS = {"passed": True, "-": False}


def position_text(position: Position) -> str:
    """Return a Little-Go position as text: board, mover, moves left, ko point or `-`, `passed` or `-`."""
    size = position.ruleset.size
    board = "".join(board_rows(size, position.black, position.white))
    mover = "black" if position.colour == BLACK else "white"
    ko = move_text(position.ko.bit_length() - 1, size) if position.ko else "-"
    return f"{board} {mover} {position.left} {ko} {'passed' if position.passed else '-'}"


def read_position(text: str) -> Position:
    """Return the 5x5 position for a text in position_text's format; raise ValueError for other texts."""
    board, mover, left, ko, passed = text.split()
    size = LITTLE_GO.size
    if len(board) != size * size or set(board) - set("XO."):
        raise ValueError(f"expected {size * size} characters, each X, O or ., found {board!r}")
    if mover not in COLOURS:
        raise ValueError(f"expected `black` or `white`, found {mover!r}")
    masks = {symbol: sum(1 << point for point, cell in enumerate(board) if cell == symbol) for symbol in "XO"}
    ko_mask = 0 if ko == "-" else 1 << read_point(ko, size)
    most = LITTLE_GO.length
    if not 1 <= int(left) <= most:
        raise ValueError(f"expected 1 to {most} moves left, found {left}")
    if passed not in PASSED_WORDS:
        raise ValueError(f"expected `passed` or `-`, found {passed!r}")
    return Position(LITTLE_GO, masks["X"], masks["O"], COLOURS[mover], ko_mask, PASSED_WORDS[passed], int(left))


def read_point(text: str, size: int) -> Point:
    """Return the point for `row,column`; raise ValueError for any other text or a point off the board."""
    row, column = map(int, text.split(","))
    if not (0 <= row < size and 0 <= column < size):
        raise ValueError(f"the point {text} is not on the board")
    return size * row + column
