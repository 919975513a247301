"""Boards on which a pattern fires, out of the decisions on record: some of each thing that it does there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rules.patternfile import Book
from rules.position import BLACK, Position
from rules.positionkey import unpack_move
from tools.compiled.engine import compile_book, fired_many
from tools.compiled.reasons import ROLE, ROLE_NAMES, VETOED, reasons_many
from tools.data import ENGINE_GAMES
from tools.draw.boards import board_rows, move_text
from tools.editor.comparing import corpus_at
from tools.editor.positions import position_text
from tools.effects.coverage import VETOED as VETOED_NAME
from tools.effects.large_survey import sampled_places
from tools.effects.parts import indices_by_id, part_of
from tools.large.engine import decide_large
from tools.match.packed_games import read_packed
from tools.reasons.contrast import roles_of

ORDER = (*ROLE_NAMES, VETOED_NAME)  # what a pattern does, the most telling first
MOST_LARGE = 20  # kept positions of each board size that are looked at, of a match


def samples(book: Book, pattern: str, path: Path, most: int) -> tuple[dict[str, int], list[dict[str, Any]]]:
    """Return (count by what the pattern does, boards) in the decisions on record in a file.

    most: boards of each thing that it does, evenly from all. See sample_json.
    """
    corpus, index = corpus_at(path), indices_by_id(book)[pattern]
    fired = fired_many(corpus.codes, compile_book(part_of(book, [index]))).any(axis=1)
    numbers = np.flatnonzero(fired)
    reasons = reasons_many(corpus.codes[numbers], compile_book(book), with_firings=False)
    column = reasons.roles[:, index]
    by_role = {name: np.flatnonzero(column & ROLE == role) for name, role in ROLE_NAMES.items()}
    by_role[VETOED_NAME] = np.flatnonzero(column & VETOED)
    boards = [
        sample_json(corpus.recorded[numbers[row]].position, unpack_move(int(reasons.moves[row])), role)
        for role in ORDER
        for row in _evenly(by_role[role].tolist(), most)
    ]
    return {role: len(by_role[role]) for role in ORDER}, boards


def _evenly(rows: Sequence[int], most: int) -> Sequence[int]:
    """Return at most so many of some rows, from all parts of them."""
    return rows[:: max(1, -(-len(rows) // most))] if most else rows


def large_samples(book: Book, pattern: str) -> Iterator[tuple[int, int, dict[str, Any] | None]]:
    """Yield (positions looked at, of all, the board if it fires there) in kept games of matches."""
    positions = [
        position
        for places in sampled_places(read_packed(ENGINE_GAMES), MOST_LARGE).values()
        for one in places
        for position in one.positions()
    ]
    for number, position in enumerate(positions, 1):
        decision = decide_large(position, book)
        role = roles_of(decision).get(pattern)
        yield number, len(positions), sample_json(position, decision.move, role) if role else None


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
