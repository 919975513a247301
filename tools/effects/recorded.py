"""Recorded decisions: positions that knowledge is judged by, each with the move that the player is known to play.

tests/data/decisions.txt holds them, one a line: the board as 25 symbols row by row (X Black, O White), who moves,
moves left, the ko point or `-`, `passed` or `-`, the move. `#` starts a comment. `python -m tools.effects.recorded`
makes the file anew from the real games and from our games against roles that err.
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
from tools.cache import ROOT
from tools.draw.boards import board_rows, move_text
from tools.effects.corpora import decisions_against, different, recorded_games
from tools.files import write_text
from tools.opponents.ours import PATTERNS
from tools.opponents.roles import ROLES

DECISIONS = ROOT / "tests" / "data" / "decisions.txt"
REAL_GAMES = ROOT / "tests" / "data" / "real_games.jsonl"
GAMES, SEED = 60, 7  # against each role, and the seed of these games
NOISE = (0.0, 0.1, 0.3)  # share of the role's moves that are random, in turn
MOST = 3000  # positions kept of these games
COLOURS = {"black": BLACK, "white": WHITE}
HEADER = "# Recorded decisions: board, who moves, moves left, ko point, passed, move. See tools/effects/recorded.py.\n"


class BadRecord(ValueError):
    """A line of recorded decisions that cannot be read; the message says where and what."""


@dataclass(frozen=True)
class Recorded:
    """A position and the move, a point or PASS, that is on record for it."""

    position: Position
    move: int


def read(path: Path = DECISIONS) -> list[Recorded]:
    """Return the decisions of a file; raise OSError, or BadRecord for a line that makes no sense."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line and not line.startswith("#"):
            try:
                found.append(_recorded(line))
            except (ValueError, KeyError, IndexError) as error:
                raise BadRecord(f"{path}:{number}: not a recorded decision: {error}") from None
    return found


def write(decisions: Iterable[Recorded], path: Path = DECISIONS) -> None:
    """Replace the file by these decisions, whole or not at all."""
    write_text(path, HEADER + "".join(f"{_line(one)}\n" for one in decisions))


def _line(one: Recorded) -> str:
    position, size = one.position, one.position.ruleset.size
    board = "".join(board_rows(size, position.black, position.white))
    mover = "black" if position.colour == BLACK else "white"
    ko = move_text(position.ko.bit_length() - 1, size) if position.ko else "-"
    passed = "passed" if position.passed else "-"
    return f"{board} {mover} {position.left} {ko} {passed} {move_text(one.move, size)}"


def _recorded(line: str) -> Recorded:
    board, mover, left, ko, passed, move = line.split()
    size = LITTLE_GO.size
    if len(board) != size * size or set(board) - set("XO."):
        raise ValueError(f"expected {size * size} of `X O .`, found {board!r}")
    masks = {symbol: sum(1 << point for point, found in enumerate(board) if found == symbol) for symbol in "XO"}
    ko_mask = 0 if ko == "-" else 1 << _point(ko, size)
    position = Position(
        LITTLE_GO, masks["X"], masks["O"], COLOURS[mover], ko_mask, passed == "passed", int(left)
    )
    return Recorded(position, PASS if move == "PASS" else _point(move, size))


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
    real = different(recorded_games(REAL_GAMES))
    met = [
        [decision.position for decision in decisions_against(role, book, GAMES, SEED + number, noise)]
        for number, (role, noise) in enumerate((role, noise) for role in ROLES for noise in NOISE)
    ]
    everything = different([real, *met])
    others = everything[len(real) :]
    return real + sorted(random.Random(SEED).sample(others, min(MOST, len(others))), key=lambda one: -one.left)


if __name__ == "__main__":
    patterns = load(PATTERNS)
    write(decided(gather(patterns), patterns))
    sys.exit(0)
