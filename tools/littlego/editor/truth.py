"""A pattern's truth strip: the graded decisions of the pattern in solved positions.

A grade states whether the decision keeps the win. The strip covers the positions in which the pattern decides or
supports the move, without the positions of the labels' test part. The decisions are graded as in `littlego dev
grade-patterns`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from littlego.editor.positions import position_text
from littlego.engines.compiled.engine import compile_book, fires_many
from littlego.engines.compiled.reasons import reasons_many
from littlego.engines.compiled.roles import DECIDES, ROLE, SUPPORTS, speakers_of
from littlego.knowledge.parts import indices_by_id, part_of
from littlego.paths import LABELS
from littlego.rules.patternfile import Book
from littlego.rules.positionkey import unpack
from littlego.truth.grades.decisions import BLUNDERED, FREE, KEPT, LOST, decision_json, names_text, outcome_of
from littlego.truth.labels import WORKING
from littlego.truth.labels.labels import Labels, legal_many, load

OUTCOMES = {"blundered": BLUNDERED, "kept": KEPT, "free": FREE, "lost": LOST}  # outcomes of a decision, by name
ROLES = {"decides": DECIDES, "supports": SUPPORTS}
BLOCK = 1024  # number of positions for each part of a strip
_OUTCOME_NAMES, _ROLE_NAMES = ({number: name for name, number in names.items()} for names in (OUTCOMES, ROLES))


class Some(NamedTuple):
    """A part of a truth strip.

    done: the number of positions graded so far. of: the number of all positions in which the pattern fires.

    Each decision has `outcome` (a key of OUTCOMES), `role` (decides or supports), `position` (in the syntax of
    editor.positions), `left` (the moves left), and the keys of decision_json. A `blundered` decision loses the win, and
    a `kept` decision keeps the win. A decision is `free` if every legal move wins, and `lost` if none wins.
    """

    decisions: list[dict[str, Any]]
    done: int
    of: int


@lru_cache(maxsize=1)
def labels_of(path: Path, _: int) -> Labels:
    """Return the working part of a file's labels, cached until the file changes."""
    return load(WORKING, path=path)


def strip(book: Book, pattern: str, path: Path = LABELS) -> Iterator[Some]:
    """Yield the parts of a pattern's truth strip; raise ArgumentError if there are no labels."""
    labels = labels_of(path, path.stat().st_mtime_ns if path.exists() else 0)
    index = indices_by_id(book)[pattern]
    alone = compile_book(part_of(book, [index]))
    fired = [number for number, fires in enumerate(fires_many(labels.codes, alone)) if fires]
    program = compile_book(book)
    for start in range(0, max(len(fired), 1), BLOCK):
        some = fired[start : start + BLOCK]
        yield Some(decisions_of(book, program, index, labels.where(some)), start + len(some), len(fired))


def decisions_of(book: Book, program: Any, index: int, labels: Labels) -> list[dict[str, Any]]:
    """Return the decisions in which the book's pattern at `index` decides or supports the move.

    program: see compile_book.
    """
    reasons = reasons_many(labels.codes, program, with_firings=False)
    legal, found = legal_many(labels.codes), []
    for number, role in enumerate(reasons.of_pattern(index)):
        if role & ROLE < SUPPORTS:
            continue
        code, winning, move = (int(column[number]) for column in (labels.codes, labels.winning, reasons.moves))
        by = names_text([book.patterns[one].id for one in speakers_of(reasons.of_position(number))])
        position = unpack(code)
        found.append(
            {
                "outcome": _OUTCOME_NAMES[outcome_of(winning, int(legal[number]), move)],
                "role": _ROLE_NAMES[role & ROLE],
                "left": position.left,
                **decision_json(code, winning, move, by),
                "position": position_text(position),
            }
        )
    return found
