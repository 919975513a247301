"""An entry of patterns.yaml as text, made from a drawing: placeholders to edit, and two examples that hold."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import indent

from rules.geometry import around, points_of
from rules.position import BLACK, Position, chains
from rules.turn import least_moves_made
from tools.draw.boards import EMPTY, board_rows
from tools.explain.scaffold import Drawing, matches
from tools.knowledge.model import MATCHES, NO_MATCH, SUMMARY_TO_WRITE, Example

_CHANGES = {"X": ".O", "O": ".X", ".": "OX"}  # what a cell becomes in an example that must not match, likeliest first
_INDENT = " " * 8  # of an example


class NoCounterexample(ValueError):
    """A drawing that asks for nothing beside the move: it fires wherever that is legal."""


def entry_text(name: str, kind: str, drawing: Drawing, position: Position, move: int) -> str:
    """Return the entry, indented as it stands under `patterns:`; raise NoCounterexample."""
    other = counterexample(drawing, position, move)
    lines = [
        f"  - id: {name}",
        f"    class: {kind}",
        f'    summary: "{SUMMARY_TO_WRITE}"',
        "    priority: 500",
        "    points: 10",
        "    diagram: |",
        *(f"      {' '.join(row)}" for row in drawing.rows()),
        "    examples:",
        "      matches:",
        _example(MATCHES, position, move),
        "      no_match:",
        _example(NO_MATCH, *other),
    ]
    return "\n".join(lines)


def _example(kind: str, position: Position, move: int) -> str:
    stones = position.own, position.theirs
    example = Example(kind, 0, 0, position.ruleset, stones, None, move, position.left, position.colour)
    return indent(example.text(), _INDENT)


def counterexample(drawing: Drawing, position: Position, move: int) -> tuple[Position, int]:
    """Return a position and a legal move there for which the drawing does not fire, as like the given one as can be.

    One cell of the drawing is changed, near the move if that will do; else it is the same board with another move;
    else several cells are changed. Raise NoCounterexample where nothing will do.
    """
    cells = _changeable(drawing, move)
    for change in _by_plainness(cells, position):
        changed = _changed(position, *change)
        if _can_arise(changed, move) and not _fits(drawing, changed, move):
            return changed, move
    for point in points_of(position.legal()):
        if not _fits(drawing, position, point):
            return position, point
    while found := _fits(drawing, position, move):
        asked = sorted(set().union(*map(points_of, found)) - {move})
        changes = (_changed(position, *change) for change in _by_plainness(asked, position))
        fewer = [one for one in changes if _can_arise(one, move) and len(_fits(drawing, one, move)) < len(found)]
        if not fewer:
            raise NoCounterexample
        position = min(fewer, key=lambda one: len(_fits(drawing, one, move)))
    return position, move


def _fits(drawing: Drawing, position: Position, move: int) -> list[int]:
    """Return the points asked about, as a mask, of each way in which the drawing fires for a move."""
    found = matches(drawing.rows(), position.own, position.theirs, drawing.size)
    return [asked for fitting, asked in found if fitting == move]


def _by_plainness(points: Iterable[int], position: Position) -> list[tuple[int, str]]:
    """Return (point, new symbol) of each change of one of the points, a stone gone first: that is the plainest."""
    cells = "".join(board_rows(position.ruleset.size, position.own, position.theirs))
    changes = [(point, symbol) for point in points for symbol in _CHANGES[cells[point]]]
    return sorted(changes, key=lambda change: change[1] != EMPTY)


def _changeable(drawing: Drawing, move: int) -> list[int]:
    """Return the points that the drawing asks about, the nearest to the move first."""
    size = drawing.size
    row, column = divmod(move, size)
    asked = [point for point in drawing.points() if point != move and point not in drawing.hidden]
    return sorted(asked, key=lambda point: (abs(point // size - row) + abs(point % size - column), point))


def _changed(position: Position, point: int, symbol: str) -> Position:
    """Return the position with another symbol on a point, and as many moves left as that allows at most."""
    bit = 1 << point
    own, theirs = position.own & ~bit, position.theirs & ~bit
    if symbol == "X":
        own |= bit
    elif symbol == "O":
        theirs |= bit
    black, white = (own, theirs) if position.colour == BLACK else (theirs, own)
    left = min(position.left, position.ruleset.length - least_moves_made(black, white, position.colour))
    return Position(position.ruleset, black, white, position.colour, 0, False, left, (), position.grid)


def _can_arise(position: Position, move: int) -> bool:
    """Return whether every chain has a liberty, a move is left, and this one is legal."""
    empty = position.grid[1] & ~(position.black | position.white)
    found = chains(position.black, position.grid) + chains(position.white, position.grid)
    sound = position.left >= 1 and all(around(chain, position.grid) & empty for chain in found)
    return sound and bool(position.legal() >> move & 1)
