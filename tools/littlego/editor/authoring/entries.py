"""The patterns.yaml entry of a new pattern: its drawing, a matching example and a counterexample."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from textwrap import indent

from littlego.editor.authoring.scaffold import Drawing, matches
from littlego.games.boards import EMPTY, board_rows
from littlego.games.match import MatchPosition
from littlego.knowledge.model import MATCHES, NO_MATCH, SUMMARY_TO_WRITE, Example, by_colour, most_left
from littlego.knowledge.tables import Points
from littlego.rules.geometry import Point, around, points_of
from littlego.rules.position import Position, chains

POINTS = 10  # points of a new pattern unless labelled positions suggest other points
_CHANGES = {"X": ".O", "O": ".X", ".": "OX"}  # symbol of a point -> its other symbols in counterexamples
_INDENT = " " * 8  # the indentation of an example
_LETTERS = "ABCD"  # labels of the chains next to the move


@dataclass(frozen=True)
class Draft:
    """A new pattern, made from a position and a legal move in it.

    name: the id. kind: the class. summary: by default a placeholder, which the author replaces.
    """

    name: str
    kind: str
    drawing: Drawing
    position: Position
    move: Point
    summary: str = SUMMARY_TO_WRITE

    @property
    def letters(self) -> dict[Point, str]:
        """Labels for at most four drawn chains next to the move: {a point of the chain: label}."""
        position = self.position
        drawn = sum(1 << point for point in self.drawing.points() if point not in self.drawing.hidden)
        beside = around(1 << self.move, position.grid) & drawn
        all_chains = chains(position.own, position.grid) + chains(position.theirs, position.grid)
        stones = sorted(points_of(chain & beside)[0] for chain in all_chains if chain & beside)
        return dict(zip(stones, _LETTERS, strict=False))


class CounterexampleError(ValueError):
    """Raised if the drawing fires for every position and move that the search for a counterexample tries."""


def entry_text(draft: Draft, points: Points | int = POINTS, labelled: bool = False) -> str:
    """Return the entry's text, indented as required below `patterns:`.

    labelled: whether to label the chains next to the move. Raise CounterexampleError if there is no counterexample.
    """
    other = find_counterexample(draft.drawing, draft.position, draft.move)
    labels = draft.drawing.label_rows(draft.letters) if labelled and draft.letters else []
    lines = [
        f"  - id: {draft.name}",
        f"    class: {draft.kind}",
        f"    summary: {json.dumps(draft.summary, ensure_ascii=False)}",
        "    priority: 500",
        *_format_points(points if isinstance(points, Points) else Points(str(points))),
        "    diagram: |",
        *(f"      {' '.join(row)}" for row in draft.drawing.rows()),
        *(["    labels: |", *(f"      {' '.join(row)}" for row in labels)] if labels else []),
        "    examples:",
        "      matches:",
        _format_example(MATCHES, draft.position, draft.move),
        "      no_match:",
        _format_example(NO_MATCH, *other),
    ]
    return "\n".join(lines)


def _format_points(points: Points) -> list[str]:
    if not points.rows:
        return [f"    points: {points.line}"]
    return ["    points:", *indent(points.text, " " * 6).splitlines()]


def _format_example(kind: str, position: Position, move: Point) -> str:
    return indent(Example.of_position(kind, position, move).text(), _INDENT)


def find_counterexample(drawing: Drawing, position: Position, move: Point) -> tuple[Position, int]:
    """Return a position and a legal move for which the drawing does not fire.

    The first choice is the same move on a board with one changed cell of the drawing. The search tries removed stones
    before other changes, and cells near the move before distant cells. The second choice is another move on the
    original board. The last choice is the same move on a board with several changed cells. Raise CounterexampleError if
    the search finds no counterexample.
    """
    cells = _changeable_points(drawing, move)
    for change in _plainest_changes(cells, position):
        changed = _with_symbol(position, *change)
        if _can_arise(changed, move) and not _ways_to_fit(drawing, changed, move):
            return changed, move
    for point in points_of(position.legal()):
        if not _ways_to_fit(drawing, position, point):
            return position, point
    while ways := _ways_to_fit(drawing, position, move):
        asked = sorted({point for mask in ways for point in points_of(mask)} - {move})
        changes = (_with_symbol(position, *change) for change in _plainest_changes(asked, position))
        fewer = [one for one in changes if _can_arise(one, move) and len(_ways_to_fit(drawing, one, move)) < len(ways)]
        if not fewer:
            raise CounterexampleError
        position = min(fewer, key=lambda one: len(_ways_to_fit(drawing, one, move)))
    return position, move


def _ways_to_fit(drawing: Drawing, position: Position, move: Point) -> list[int]:
    """Return, for each placement that matches at a move, a mask of the points under cells other than `?`."""
    fitting = matches(drawing.rows(), position.own, position.theirs, drawing.size)
    return [asked for place, asked in fitting if place == move]


def _plainest_changes(points: Iterable[int], position: Position) -> list[tuple[int, str]]:
    """Return each possible change as (point, new symbol); changes that remove a stone come first."""
    cells = "".join(board_rows(position.ruleset.size, position.own, position.theirs))
    changes = [(point, symbol) for point in points for symbol in _CHANGES[cells[point]]]
    return sorted(changes, key=lambda change: change[1] != EMPTY)


def _changeable_points(drawing: Drawing, move: Point) -> list[int]:
    """Return the drawn points, nearest to the move first, without the move and the points under `?`."""
    asked = [point for point in drawing.points() if point != move and point not in drawing.hidden]
    return sorted(asked, key=lambda point: (drawing.distance(point, move), point))


def _with_symbol(position: Position, point: Point, symbol: str) -> Position:
    """Return the position with `symbol` on a point.

    If necessary, the number of moves left is reduced to the maximum that the new stones allow.
    """
    bit = 1 << point
    own = position.own & ~bit | (bit if symbol == "X" else 0)
    theirs = position.theirs & ~bit | (bit if symbol == "O" else 0)
    left = min(position.left, most_left(position.ruleset, (own, theirs), position.colour))
    stones = by_colour((own, theirs), position.colour)
    if isinstance(position, MatchPosition):
        moves = [None if move == point else move for move in (position.last, position.own_last)]
        return position.ruleset.start(stones, position.colour, position.prisoners, *moves)
    return Position(position.ruleset, *stones, position.colour, 0, False, left, (), position.grid)


def _can_arise(position: Position, move: Point) -> bool:
    """Return whether every chain has a liberty, at least one move is left, and `move` is legal."""
    empty = position.grid[1] & ~(position.black | position.white)
    stones = chains(position.black, position.grid) + chains(position.white, position.grid)
    goes_on = position.left >= 1 or not position.ruleset.length
    sound = goes_on and all(around(chain, position.grid) & empty for chain in stones)
    return sound and bool(position.legal() >> move & 1)
