"""The report of `grade-patterns`: the player and its patterns on one part of the labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rules.patternfile import Book
from tools.arguments import ArgumentError
from tools.compiled.engine import fired_many
from tools.compiled.states import unpack, unpack_move
from tools.draw.boards import move_text
from tools.effects.recorded import position_text
from tools.grades.grades import (
    COLOURS,
    MEASURES,
    PHASES,
    THREW,
    Graded,
    blamed,
    blunder_rate,
    blunders,
    graded,
    pattern_counts,
)
from tools.labels.decider import Decider
from tools.labels.labels import load
from tools.labels.sources import MET, SOURCES


@dataclass(frozen=True)
class Report:
    """What was graded. name: of the positions. everything: those by which the patterns are judged; player: those by
    which the player is; patched: the same with overrides, if there are any. counts: see grades.pattern_counts."""

    name: str
    everything: Graded
    player: Graded
    patched: Graded | None
    counts: np.ndarray

    def as_json(self) -> dict:
        """Return everything as plain values."""
        graded_patterns = zip(self.everything.book.patterns, self.counts, strict=True)
        return {
            "positions": self.name,
            "measures": MEASURES,
            "player": _player_json(self.player),
            "with_exceptions": _player_json(self.patched) if self.patched else None,
            "blamed": blamed(self.player),
            "patterns": {pattern.id: _pattern_json(counts) for pattern, counts in graded_patterns},
            "thrown": [_decision_json(self.player, index) for index in np.flatnonzero(self.player.fates == THREW)],
        }


def grade(book: Book, part: str, source: str | None, path: Path, overrides: Mapping[int, int]) -> Report:
    """Return the report on a part.

    source: one of SOURCES, or `all`, or None for the usual one of each table. path: of the labels. overrides: code of
    a canonical image -> move; patterns are judged without them.
    """
    labels = load(part, SOURCES.get(source or "", 0), path)
    if not labels.codes.size:
        raise ArgumentError(f"no position of the {part} part comes from this source: label some with `littlego label`")
    decider = Decider(book, {})
    everything = graded(decider, labels)
    judged = everything if source else everything.where(labels.tags & MET != 0)
    patched = graded(Decider(book, overrides), judged.labels) if overrides else None
    name = f"the {part} part, {source or 'met'}: {judged.labels.codes.size} positions"
    counts = pattern_counts(everything, lambda codes: fired_many(codes, decider.program))
    return Report(name, everything, judged, patched, counts)


def too_many(report: Report, percent: float) -> bool:
    """Return whether either colour gives away more than this share of its wins."""
    rows = blunders(report.patched or report.player)
    return any(100 * blunder_rate(rows, colour).share > percent for colour in COLOURS)


def _player_json(found: Graded) -> dict:
    rows = blunders(found)
    return {
        "mean": {colour: blunder_rate(rows, colour)._asdict() for colour in COLOURS},
        "rows": [{**vars(row), "colour": row.colour, **row.rate._asdict()} for row in rows],
    }


def _pattern_json(counts: np.ndarray) -> dict:
    """Return the measures, in their order, by phase and colour."""
    return {
        phase: {colour: counts[number, side].tolist() for side, colour in enumerate(COLOURS)}
        for number, (phase, _, _) in enumerate(PHASES)
    }


def _decision_json(found: Graded, index: int) -> dict:
    code, winning = int(found.labels.codes[index]), int(found.labels.winning[index])
    position = unpack(code)
    size = position.ruleset.size
    return {
        "code": code,
        "position": position_text(position),
        "played": move_text(unpack_move(found.moves[index]), size),
        "winning": [move_text(unpack_move(move), size) for move in range(26) if winning >> move & 1],
        "by": found.by(index),
    }
