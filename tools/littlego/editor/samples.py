"""Boards on which a pattern fires, out of recorded positions: some of each thing that it does there."""

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
    """Yield (parts of a corpus looked at, of all, boards there on which a pattern fires); see sample_json.

    most: boards of each thing that it does, evenly from all of a part. counts: gets how often it does each.
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
    """Return at most so many of some rows, from all parts of them."""
    return rows[:: max(1, -(-len(rows) // most))]


def sample_json(position: Position, move: int, role: str) -> dict[str, Any]:
    """Return a board: position (as requests have it), rows (X Black), colour to move, played, role of the pattern."""
    size = position.ruleset.size
    return {
        "position": position_text(position),
        "rows": board_rows(size, position.black, position.white),
        "colour": "black" if position.colour == BLACK else "white",
        "played": move_text(move, size),
        "role": role,
    }
