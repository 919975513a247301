"""Edits to a drawing: change a cell, a label or a drawn edge, or add or remove a row or column.

The labels stay aligned with the drawing. If a cell of `labels` repeats the symbol of the drawing's cell, an edit
changes both cells. A new row or column is added to the drawing and to the labels.
"""

from __future__ import annotations

from itertools import compress

import yaml

from littlego.cli.arguments import ArgumentError
from littlego.editor.changes import Change
from littlego.editor.edits import Editing
from littlego.games.boards import SIDES, draw_edges
from littlego.judging.mutation.mutants import with_cell, with_line, without_edges
from littlego.knowledge import fields
from littlego.knowledge.diagrams import EDGES, LETTERS, MOVE, SYMBOLS
from littlego.knowledge.fields import Cells
from littlego.knowledge.sequences import ORDER
from littlego.knowledge.source import Source
from littlego.rules.matching import parse_shape

ANYTHING, NO_LABEL, EMPTY = "?", ".", "."
DRAWN = ("diagram", "sequence")


def rows_of(cells: Cells) -> list[str]:
    """Return the rows of a drawing without spaces."""
    return ["".join(symbol for symbol, _ in row) for row in cells]


def read_block(source: Source, node: yaml.Node | None, what: str) -> Cells:
    """Return a drawing's cells, each with its index in the source, or [] if there is no readable drawing."""
    quiet = Source(source.text, source.filename)
    return (fields.block(quiet, node, what) if node is not None else None) or []


class DrawingEdit:
    """An editor of an entry's drawing and labels.

    The constructor raises ArgumentError for an unreadable drawing, and for a drawing whose rows differ in length.
    """

    def __init__(self, editing: Editing):
        self.editing = editing
        values = editing.values
        self.key = next((key for key in DRAWN if key in values), "diagram")
        self.cells = read_block(editing.source, values.get(self.key), self.key)
        self.labels = read_block(editing.source, values.get("labels"), "labels")
        self.rows = rows_of(self.cells)
        if not self.cells:
            raise ArgumentError(f"the entry has no readable `{self.key}`; set this key first")
        if len(set(map(len, self.rows))) > 1:
            raise ArgumentError(f"the rows of `{self.key}` differ in length; give all rows the same length first")

    def cell(self, row: int, column: int, symbol: str) -> list[Change]:
        """Return the changes that draw a symbol in a cell.

        If the symbol marks a move, it is removed from its previous cell.
        """
        known = self._symbol(self.rows, row, column)
        if self.key == "diagram" and symbol not in SYMBOLS:
            raise ArgumentError(f"`{symbol}` is not a symbol of a diagram; expected one of {' '.join(SYMBOLS)}")
        if known in EDGES:
            raise ArgumentError(f"cannot draw on the edge `{known}` at {row},{column}; expected a point of the board")
        if self.key == "sequence" and symbol not in (*ORDER, "X", "O", EMPTY, ANYTHING):
            raise ArgumentError(f"`{symbol}` is not a symbol of a sequence; expected X, O, `.`, `?`, 1 to 9 or a to z")
        wanted = {(row, column): symbol}
        if symbol == MOVE or self.key == "sequence" and symbol in ORDER:  # a move symbol is unique in the drawing
            for y, line in enumerate(self.rows):
                wanted |= {(y, x): EMPTY for x, one in enumerate(line) if one == symbol and (y, x) != (row, column)}
        return sorted(change for (y, x), one in wanted.items() for change in self._set(y, x, one))

    def _set(self, row: int, column: int, symbol: str) -> list[Change]:
        at = self.cells[row][column][1]
        changes = [self.editing.change(at, at + 1, symbol)]
        if row < len(self.labels) and column < len(self.labels[row]):
            repeated, at = self.labels[row][column]
            if repeated == self.rows[row][column] != symbol:  # the labels repeat the drawing's symbol here
                changes.append(self.editing.change(at, at + 1, symbol))
        return changes

    def label(self, row: int, column: int, letter: str) -> list[Change]:
        """Return the changes that label a cell with a letter, or remove the cell's label if the letter is ''."""
        symbol = self._symbol(self.rows, row, column)
        if letter and (letter not in LETTERS or symbol in EDGES):
            wanted = "a capital letter other than X and O on a point"
            raise ArgumentError(f"cannot put the label `{letter}` on `{symbol}`; expected {wanted}")
        if not self.labels:
            return self.editing.set("labels", with_cell(self.rows, row, column, letter)) if letter else []
        rows = rows_of(self.labels)
        if not letter and not any(one in LETTERS for line in with_cell(rows, row, column, NO_LABEL) for one in line):
            return self.editing.remove("labels")
        known, at = self.labels[row][column] if row < len(rows) and column < len(rows[row]) else ("", -1)
        if not known:
            raise ArgumentError("the labels are not aligned with the drawing; align them first")
        return [self.editing.change(at, at + 1, letter or symbol)]

    def edge(self, side: str) -> list[Change]:
        """Return the changes that draw the board's edge on a side, or remove the edge that is drawn there."""
        self._check(side)
        sides = self._sides()
        return self._redraw(self._inner(self.rows), self._inner(self._label_rows()), sides ^ {side})

    def grow(self, side: str) -> list[Change]:
        """Return the changes that add a row or column of `?` on a side, inside a drawn edge of the board."""
        self._check(side)
        rows, labels = self._inner(self.rows), self._inner(self._label_rows())
        return self._redraw(
            with_line(rows, side, ANYTHING), labels and with_line(labels, side, NO_LABEL), self._sides()
        )

    def shrink(self, side: str) -> list[Change]:
        """Return the changes that remove the outermost row or column of points on a side."""
        self._check(side)
        rows, labels = self._inner(self.rows), self._inner(self._label_rows())
        gone = {"top": rows[0], "bottom": rows[-1]}.get(side) or "".join(row[-(side == "right")] for row in rows)
        if MOVE in gone or any(one in ORDER for one in gone) and self.key == "sequence":
            raise ArgumentError(f"the outermost points at the {side} include a move; put the move elsewhere first")
        fewer = [_without_line(drawn, side) if drawn else [] for drawn in (rows, labels)]
        if not fewer[0] or not fewer[0][0]:
            raise ArgumentError("this is the only row or column; a drawing needs at least one point")
        return self._redraw(fewer[0], fewer[1], self._sides())

    def _check(self, side: str) -> None:
        if side not in SIDES:
            raise ArgumentError(f"unknown side `{side}`; expected one of {', '.join(SIDES)}")

    def _symbol(self, rows: list[str], row: int, column: int) -> str:
        if not (0 <= row < len(rows) and 0 <= column < len(rows[0])):
            raise ArgumentError(f"no cell {row},{column}; the drawing has {len(rows)} rows of {len(rows[0])} cells")
        return rows[row][column]

    def _sides(self) -> frozenset[str]:
        return frozenset(compress(SIDES, parse_shape(self.rows).edges))

    def _inner(self, rows: list[str]) -> list[str]:
        return without_edges(rows, self._sides())

    def _label_rows(self) -> list[str]:
        rows = rows_of(self.labels)
        if rows and list(map(len, rows)) != list(map(len, self.rows)):
            raise ArgumentError("the labels are not aligned with the drawing; align them first")
        return rows

    def _redraw(self, rows: list[str], labels: list[str], sides: frozenset[str]) -> list[Change]:
        """Return the changes that draw new rows and labels.

        rows, labels: rows of symbols without the board's edges. sides: the sides on which to draw the board's edge.
        """
        values, editing = self.editing.values, self.editing
        changes = editing.set_block(values[self.key], draw_edges(rows, sides))
        if any(one in LETTERS for row in labels for one in row):
            changes += editing.set_block(values["labels"], draw_edges(labels, sides))
        elif labels:
            changes += editing.remove("labels")
        return sorted(changes)


def _without_line(rows: list[str], side: str) -> list[str]:
    if side in ("top", "bottom"):
        return rows[1:] if side == "top" else rows[:-1]
    return [row[1:] if side == "left" else row[:-1] for row in rows]
