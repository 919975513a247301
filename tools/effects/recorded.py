"""Recorded decisions: positions that knowledge is judged by, each with the move that the player is known to play.

tools/data/decisions.txt holds them, one a line: the board as 25 symbols row by row (X Black, O White), who moves,
moves left, the ko point or `-`, `passed` or `-`, the move. `#` starts a comment. They are the positions of the real
games, a sample of our games against roles that err, and at the end some that were put there because a pattern's
points or priority show in them. `littlego dev regenerate decisions --extend` adds what the present player meets; what
is on record stays, and `littlego diff --accept` alone changes its moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rules.engine import decide
from rules.geometry import Point
from rules.patternfile import Book
from rules.position import BLACK, PASS, WHITE, Position
from rules.ruleset import LITTLE_GO
from tools.arguments import ArgumentError
from tools.data import DECISIONS
from tools.draw.boards import board_rows, move_text
from tools.files import LARGEST_SERIES, read_limited, write_text

COLOURS = {"black": BLACK, "white": WHITE}
PASSED_WORDS = {"passed": True, "-": False}
HEADER = "# Recorded decisions: board, who moves, moves left, ko point, passed, move. See tools/effects/recorded.py.\n"


class RecordError(ArgumentError):
    """A line of recorded decisions that cannot be read; the message says where and what."""


@dataclass(frozen=True)
class Recorded:
    """A position and the move, a point or PASS, that is on record for it."""

    position: Position
    move: Point


def read_decisions(path: Path = DECISIONS) -> list[Recorded]:
    """Return the decisions of a file; raise OSError, or RecordError for a line that makes no sense."""
    return parse_decisions(read_text(path), path)


def parse_decisions(text: str, name: str | Path) -> list[Recorded]:
    """Return the decisions of a file's text; raise RecordError, with this name, for a line that makes no sense."""
    return [one for _, one in _parse_lines(text, name)]


def read_text(path: Path) -> str:
    """Return the text of a file of recorded decisions; raise OSError or RecordError."""
    try:
        return read_limited(path, LARGEST_SERIES).decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise RecordError(f"{path}: not a text file: expected recorded decisions in UTF-8") from None


def _parse_lines(text: str, path: str | Path) -> Iterator[tuple[int, Recorded]]:
    """Yield the index and the decision of each line that holds one; path: for messages."""
    for index, line in enumerate(text.splitlines()):
        if line and not line.startswith("#"):
            try:
                yield index, _parse_line(line)
            except ValueError as error:
                raise RecordError(f"{path}:{index + 1}: not a recorded decision: {error}") from None


def write_decisions(decisions: Iterable[Recorded], path: Path = DECISIONS) -> None:
    """Replace the file by these decisions, whole or not at all."""
    write_text(path, HEADER + "".join(map(_format_line, decisions)))


def add_decisions(decisions: Iterable[Recorded], path: Path = DECISIONS) -> None:
    """Put more decisions on record, after those there are; all lines stay. Raise OSError or RecordError."""
    write_text(path, read_text(path).rstrip("\n") + "\n" + "".join(map(_format_line, decisions)))


def accept_moves(moves: dict[str, int], path: Path = DECISIONS) -> int:
    """Put these moves on record, by the text of their positions; return how many lines that changed.

    All other lines stay as they are. Raise OSError, or RecordError for a line that makes no sense; the file is
    replaced whole or not at all.
    """
    text = read_text(path)
    lines = text.splitlines(keepends=True)
    changed = 0
    for index, one in _parse_lines(text, path):
        move = moves.get(position_text(one.position), one.move)  # whatever spaces its line has
        if move != one.move:
            lines[index] = _format_line(Recorded(one.position, move))
            changed += 1
    if changed:
        write_text(path, "".join(lines))
    return changed


def _format_line(one: Recorded) -> str:
    return f"{position_text(one.position)} {move_text(one.move, one.position.ruleset.size)}\n"


def position_text(position: Position) -> str:
    """Return a position as a line of the file has it, the move left out."""
    size = position.ruleset.size
    board = "".join(board_rows(size, position.black, position.white))
    mover = "black" if position.colour == BLACK else "white"
    ko = move_text(position.ko.bit_length() - 1, size) if position.ko else "-"
    return f"{board} {mover} {position.left} {ko} {'passed' if position.passed else '-'}"


def read_position(text: str) -> Position:
    """Return the Position that `position_text` wrote; raise ValueError for any other text."""
    board, mover, left, ko, passed = text.split()
    size = LITTLE_GO.size
    if len(board) != size * size or set(board) - set("XO."):
        raise ValueError(f"expected {size * size} of `X O .`, found {board!r}")
    if mover not in COLOURS:
        raise ValueError(f"expected `black` or `white`, found {mover!r}")
    masks = {symbol: sum(1 << point for point, cell in enumerate(board) if cell == symbol) for symbol in "XO"}
    ko_mask = 0 if ko == "-" else 1 << _parse_point(ko, size)
    if not 1 <= int(left) <= LITTLE_GO.length:
        raise ValueError(f"expected 1 to {LITTLE_GO.length} moves left, found {left}")
    if passed not in PASSED_WORDS:
        raise ValueError(f"expected `passed` or `-`, found {passed!r}")
    return Position(LITTLE_GO, masks["X"], masks["O"], COLOURS[mover], ko_mask, PASSED_WORDS[passed], int(left))


def _parse_line(line: str) -> Recorded:
    position, _, move = line.rstrip().rpartition(" ")
    return Recorded(read_position(position), PASS if move == "PASS" else _parse_point(move, LITTLE_GO.size))


def _parse_point(text: str, size: int) -> int:
    row, column = map(int, text.split(","))
    if not (0 <= row < size and 0 <= column < size):
        raise ValueError(f"the point {text} is not on the board")
    return size * row + column


def decide_all(positions: Iterable[Position], book: Book) -> Iterator[Recorded]:
    """Yield what a book plays in each position."""
    return (Recorded(position, decide(position, book).move) for position in positions)
