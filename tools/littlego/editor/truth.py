"""A pattern's truth strip: its decisions in solved positions, and whether each decision keeps the win.

The positions are the labelled positions of the working part, graded as in `littlego dev grade-patterns`; positions
without a firing of the pattern are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from littlego.editor.positions import position_text
from littlego.engines.compiled.engine import compile_book, fired_many
from littlego.engines.compiled.reasons import DECIDES, ROLE, SUPPORTS
from littlego.knowledge.parts import indices_by_id, part_of
from littlego.paths import LABELS
from littlego.rules.patternfile import Book
from littlego.rules.positionkey import unpack
from littlego.truth.grades.grades import BLUNDERED, FREE, KEPT, LOST, Graded, grade_decisions, graded_json
from littlego.truth.labels import WORKING
from littlego.truth.labels.decider import Decider
from littlego.truth.labels.labels import Labels, load

OUTCOMES = {"blundered": BLUNDERED, "kept": KEPT, "free": FREE, "lost": LOST}  # outcomes of a decision, by name
ROLES = {"decides": DECIDES, "supports": SUPPORTS}
BLOCK = 1024  # number of positions to grade between two events
_NAMES = {number: name for name, number in OUTCOMES.items()}


class Some(NamedTuple):
    """A part of a strip, after `done` of the `of` positions in which the pattern fires.

    decisions: for each decision, outcome (a key of OUTCOMES: `blundered` gives the win away, `kept` keeps it, `free`
    means that every move wins, `lost` that no move wins), role (decides or supports), position (in request syntax),
    left (the moves left), and the keys of graded_json.
    """

    decisions: list[dict[str, Any]]
    done: int
    of: int


@lru_cache(maxsize=1)
def labels_of(path: Path, _: int) -> Labels:
    """Return the labels of the working part in a file."""
    return load(WORKING, path=path)


def strip(book: Book, pattern: str, path: Path = LABELS) -> Iterator[Some]:
    """Yield a pattern's decisions in solved Little-Go positions; raise ArgumentError without labels."""
    labels = labels_of(path, path.stat().st_mtime_ns if path.exists() else 0)
    index = indices_by_id(book)[pattern]
    alone = compile_book(part_of(book, [index]))
    fired = np.flatnonzero(fired_many(labels.codes, alone).any(axis=1))
    decider = Decider(book, {})
    for start in range(0, max(fired.size, 1), BLOCK):
        some = fired[start : start + BLOCK]
        graded = grade_decisions(decider, labels.where(some)) if some.size else None
        yield Some(decisions_of(graded, index) if graded else [], start + some.size, fired.size)


def decisions_of(graded: Graded, index: int) -> list[dict[str, Any]]:
    """Return the decisions that the pattern at `index` in the book decides or supports."""
    roles = graded.roles[:, index] & ROLE
    outcomes = graded.outcomes
    said = [int(number) for number in np.flatnonzero(roles >= SUPPORTS)]
    names = {number: name for name, number in ROLES.items()}
    return [
        {
            "outcome": _NAMES[int(outcomes[number])],
            "role": names[int(roles[number])],
            "left": unpack(int(graded.labels.codes[number])).left,
            **graded_json(graded, number),
            "position": position_text(unpack(int(graded.labels.codes[number]))),
        }
        for number in said
    ]
