"""The mutants of a sequence: changes to its drawing or to the values that all its moves share.

A mutant of the drawing changes the drawing of the whole sequence, not the diagram of a single move. A stone changes its
colour or becomes `?`, a `.` becomes `?`, or a move's number changes places with a `.`. Edges, conditions, numbers,
points, priority and flags change as in the mutants of single patterns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from littlego.judging.mutation.mutants import (
    CELL,
    EDGE,
    FLAGS,
    STAR,
    Mutant,
    Places,
    cells_of,
    draft_of,
    edge_changes,
    mutants_of,
    read_draft,
    read_drafts,
    with_cell,
)
from littlego.knowledge.model import KnownPattern
from littlego.knowledge.sequences import ANY, EMPTY, ORDER, STONES

KEY = "sequence"
_OF_DRAWINGS = (CELL, STAR, EDGE)


def sequence_mutants(
    steps: Sequence[KnownPattern], places: Places, priorities: Iterable[int], ruleset: str
) -> list[tuple[Mutant, KnownPattern]]:
    """Return (mutant, mutated sequence) for each mutant that the reader of patterns accepts.

    A mutated sequence is returned as the pattern of its first move, with the patterns of the other moves as companions.
    steps: the patterns of the sequence's moves. places: the Places of the first pattern.
    """
    first = draft_of(steps[0])
    rows, replies = places.text("sequence").split(), places.text("replies")
    found: list[tuple[Mutant, list[KnownPattern | None]]] = []
    for mutant in _drawings(replace(first, rows=rows, label_rows=[])):
        drawing = ["sequence: |", *(f"  {row}" for row in mutant.draft.rows)]
        drawing += [f'replies: "{replies}"'] if replies else []
        found.append((mutant, [*read_drafts(replace(first, id=steps[0].sequence), ruleset, drawing)]))
    for mutant in mutants_of(steps[0], priorities):
        if mutant.kind not in _OF_DRAWINGS:
            found.append((mutant, [read_draft(_changed_alike(step, mutant.draft), ruleset) for step in steps]))
    return [
        (mutant, replace(known[0], companions=tuple(known[1:]), examples=steps[0].examples))
        for mutant, patterns in found
        if (known := [one for one in patterns if one is not None]) and len(known) == len(patterns)
    ]


def _changed_alike(step: KnownPattern, draft: KnownPattern) -> KnownPattern:
    """Return a move's draft with conditions, points, priority and flags copied from another move's draft."""
    keys = "when_text", "points_text", "priority", *FLAGS
    return replace(draft_of(step), **{key: getattr(draft, key) for key in keys})


def _drawings(draft: KnownPattern) -> Iterator[Mutant]:
    """Yield the mutants of a sequence's drawing. draft: a draft with the rows of this drawing."""
    cells = cells_of(draft.rows)
    for (row, column), symbol in cells.items():
        others = {EMPTY: ANY}.get(symbol, STONES.get(symbol, "") and STONES[symbol] + ANY)
        for other in others:
            changed = replace(draft, rows=with_cell(draft.rows, row, column, other))
            yield Mutant(f"cell {row},{column} {symbol}->{other}", CELL, changed, KEY, row, column)
    for here, number in ((place, symbol) for place, symbol in cells.items() if symbol in ORDER):
        for (row, column), symbol in cells.items():
            if symbol == EMPTY:
                rows = with_cell(with_cell(draft.rows, *here, EMPTY), row, column, number)
                yield Mutant(f"move {number} to {row},{column}", STAR, replace(draft, rows=rows), KEY, *here)
    for name, changed, at in edge_changes(draft):
        yield Mutant(name, EDGE, changed, KEY, *at)
