"""Boards on which a pattern fires: a few boards for each role (decides, supports, present or vetoed)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from littlego.editor.positions import position_text
from littlego.games.boards import board_rows, move_text
from littlego.judging.corpus import Corpus
from littlego.judging.coverage import COUNTS
from littlego.rules.patternfile import Book
from littlego.rules.position import BLACK, Position


def samples(
    book: Book, pattern: str, corpus: Corpus, most: int, counts: Counter[str]
) -> Iterator[tuple[int, int, list[dict[str, Any]]]]:
    """Yield (number of finished parts, total number of parts, sample boards from the latest part).

    The corpus is searched in parts for boards on which the pattern fires. See sample_json for the format of a board.
    most: the maximum number of boards for each role. The boards are evenly spaced within a part. counts: a counter that
    receives the number of positions with each role.
    """
    parts = corpus.parts()
    for done, part in enumerate(parts, 1):
        found, positions, boards = part.roles(book, pattern), part.positions(), []
        for role in COUNTS:
            here = [(number, move) for name, number, move in found if name == role]
            left = most - counts[role]
            chosen = _evenly(here, left) if left > 0 else []
            boards += [sample_json(positions[number], move, role) for number, move in chosen]
            counts[role] += len(here)
        yield done, len(parts), boards


def _evenly(rows: Sequence[tuple[int, int]], most: int) -> Sequence[tuple[int, int]]:
    """Return at most `most` of the rows, evenly spaced."""
    return rows[:: max(1, -(-len(rows) // most))]


def sample_json(position: Position, move: int, role: str) -> dict[str, Any]:
    """Return a board as a JSON object, with the role of a pattern in the decision on this board.

    The keys are `position` (in the syntax of editor.positions), `rows` (X is Black), `colour` (the side to move),
    `played` (the chosen move) and `role`.
    """
    size = position.ruleset.size
    return {
        "position": position_text(position),
        "rows": board_rows(size, position.black, position.white),
        "colour": "black" if position.colour == BLACK else "white",
        "played": move_text(move, size),
        "role": role,
    }
