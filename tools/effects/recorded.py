"""Recorded decisions: positions that knowledge is judged by, each with the move that the player is known to play.

tools/data/decisions.txt holds them, one a line: the board as 25 symbols row by row (X Black, O White), who moves,
moves left, the ko point or `-`, `passed` or `-`, the move. `#` starts a comment. They are the positions of the real
games, a sample of our games against roles that err, and at the end some that were put there because a pattern's
points or priority show in them. `python -m tools.effects.recorded` adds what the present player meets; what is on
record stays, and `littlego diff --accept` alone changes its moves.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rules.engine import decide
from rules.patternfile import Book, load
from rules.position import BLACK, PASS, WHITE, Position
from rules.ruleset import LITTLE_GO
from tools.arguments import ArgumentError
from tools.data import DECISIONS
from tools.draw.boards import board_rows, move_text
from tools.effects.corpora import decisions_against
from tools.files import write_text
from tools.match.recorded_games import different_positions, recorded_positions
from tools.opponents.ours import PATTERNS
from tools.opponents.roles import ROLES

GAMES, SEED = 60, 7  # against each role, and the seed of these games
NOISE = (0.0, 0.1, 0.3)  # share of the role's moves that are random, in turn
MOST = 3000  # positions kept of these games
COLOURS = {"black": BLACK, "white": WHITE}
PASSED = {"passed": True, "-": False}
HEADER = "# Recorded decisions: board, who moves, moves left, ko point, passed, move. See tools/effects/recorded.py.\n"


class BadRecord(ArgumentError):
    """A line of recorded decisions that cannot be read; the message says where and what."""


@dataclass(frozen=True)
class Recorded:
    """A position and the move, a point or PASS, that is on record for it."""

    position: Position
    move: int


def read(path: Path = DECISIONS) -> list[Recorded]:
    """Return the decisions of a file; raise OSError, or BadRecord for a line that makes no sense."""
    return parsed(text_of(path), path)


def parsed(text: str, name: str | Path) -> list[Recorded]:
    """Return the decisions of a file's text; raise BadRecord, with this name, for a line that makes no sense."""
    return [one for _, one in _records(text, name)]


def text_of(path: Path) -> str:
    """Return the text of a file of recorded decisions; raise OSError or BadRecord."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise BadRecord(f"{path}: not a text file: expected recorded decisions in UTF-8") from None


def _records(text: str, path: str | Path) -> Iterator[tuple[int, Recorded]]:
    """Yield the index and the decision of each line that holds one; path: for messages."""
    for index, line in enumerate(text.splitlines()):
        if line and not line.startswith("#"):
            try:
                yield index, _recorded(line)
            except ValueError as error:
                raise BadRecord(f"{path}:{index + 1}: not a recorded decision: {error}") from None


def write(decisions: Iterable[Recorded], path: Path = DECISIONS) -> None:
    """Replace the file by these decisions, whole or not at all."""
    write_text(path, HEADER + "".join(f"{_line(one)}\n" for one in decisions))


def accept(moves: dict[str, int], path: Path = DECISIONS) -> int:
    """Put these moves on record, by the text of their positions; return how many lines that changed.

    All other lines stay as they are. Raise OSError, or BadRecord for a line that makes no sense; the file is
    replaced whole or not at all.
    """
    text = text_of(path)
    lines = text.splitlines(keepends=True)
    changed = 0
    for index, one in _records(text, path):
        position = position_text(one.position)  # whatever spaces its line has
        if moves.get(position, one.move) != one.move:
            lines[index] = f"{position} {move_text(moves[position], LITTLE_GO.size)}\n"
            changed += 1
    if changed:
        write_text(path, "".join(lines))
    return changed


def _line(one: Recorded) -> str:
    return f"{position_text(one.position)} {move_text(one.move, one.position.ruleset.size)}"


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
    masks = {symbol: sum(1 << point for point, found in enumerate(board) if found == symbol) for symbol in "XO"}
    ko_mask = 0 if ko == "-" else 1 << _point(ko, size)
    if not 1 <= int(left) <= LITTLE_GO.length:
        raise ValueError(f"expected 1 to {LITTLE_GO.length} moves left, found {left}")
    if passed not in PASSED:
        raise ValueError(f"expected `passed` or `-`, found {passed!r}")
    return Position(LITTLE_GO, masks["X"], masks["O"], COLOURS[mover], ko_mask, PASSED[passed], int(left))


def read_move(text: str) -> int:
    """Return the move, a point or PASS, that is spelled `row,column` or PASS; raise ValueError for any other text."""
    return PASS if text == "PASS" else _point(text, LITTLE_GO.size)


def _recorded(line: str) -> Recorded:
    position, _, move = line.rstrip().rpartition(" ")
    return Recorded(read_position(position), read_move(move))


def _point(text: str, size: int) -> int:
    row, column = map(int, text.split(","))
    if not (0 <= row < size and 0 <= column < size):
        raise ValueError(f"the point {text} is not on the board")
    return size * row + column


def decided(positions: Iterable[Position], book: Book) -> Iterator[Recorded]:
    """Yield what a book plays in each position."""
    return (Recorded(position, decide(position, book).move) for position in positions)


def gather(book: Book) -> list[Position]:
    """Return the positions to record: all of the real games, then a sample of our games against erring roles."""
    real = recorded_positions()
    met = [
        decision.position
        for number, (role, noise) in enumerate((role, noise) for role in ROLES for noise in NOISE)
        for decision in decisions_against(role, book, GAMES, SEED + number, noise)
    ]
    everything = different_positions([*real, *met])
    others = everything[len(real) :]
    return real + sorted(random.Random(SEED).sample(others, min(MOST, len(others))), key=lambda one: -one.left)


def extended(known: list[Recorded], book: Book) -> list[Recorded]:
    """Return the decisions on record, and after them those in the positions gathered now that are not."""
    everything = different_positions([*(one.position for one in known), *gather(book)])
    return known + list(decided(everything[len(known) :], book))


if __name__ == "__main__":
    write(extended(read() if DECISIONS.exists() else [], load(PATTERNS)))
    sys.exit(0)
