"""A naive matcher of diagrams, which draws the board with its edge and overlays the diagram.

The only part of rules/ that this module uses is the constant for a pass.
"""

from __future__ import annotations

from typing import NamedTuple

from littlego.rules.position import PASS

MEANS = {"X": "X", "O": "O", ".": ".", "*": ".", "x": "X.", "o": "O.", "?": "XO.", "-": "-", "|": "|", "+": "+"}


class Cell(NamedTuple):
    """A drawn cell: its symbol, and the index of its label in reading order, or None."""

    symbol: str
    label: int | None


class Match(NamedTuple):
    """A match: the symmetry, the diagram's top-left point on the board, the move, the labelled points."""

    symmetry: int
    place: int
    move: int
    labels: tuple


def slow_matches(rows, label_rows, board, size) -> set[Match]:
    framed = ["+" + "-" * size + "+", *("|" + row + "|" for row in board), "+" + "-" * size + "+"]
    found = set()
    for symmetry in range(8):
        picture = turned_picture(cells_of(rows, label_rows), symmetry)
        for top in range(size + 3 - len(picture)):
            for left in range(size + 3 - len(picture[0])):
                if lies(picture, framed, top, left):
                    found.add(meaning(picture, symmetry, top, left, size))
    return found


def cells_of(rows, label_rows):
    letters = [(r, c) for r, row in enumerate(label_rows) for c, letter in enumerate(row) if letter.isupper()]
    number = {place: index for index, place in enumerate(letters)}
    return [[Cell(symbol, number.get((r, c))) for c, symbol in enumerate(row)] for r, row in enumerate(rows)]


def turned_picture(picture, symmetry):
    if symmetry & 4:
        swap = {"-": "|", "|": "-"}
        columns = zip(*picture, strict=True)
        picture = [[Cell(swap.get(cell.symbol, cell.symbol), cell.label) for cell in column] for column in columns]
    if symmetry & 1:
        picture = [row[::-1] for row in picture]
    if symmetry & 2:
        picture = picture[::-1]
    return picture


def lies(picture, framed, top, left):
    return all(
        framed[top + r][left + c] in MEANS[cell.symbol] for r, row in enumerate(picture) for c, cell in enumerate(row)
    )


def meaning(picture, symmetry, top, left, size):
    points = {}
    corner = None
    for r, row in enumerate(picture):
        for c, cell in enumerate(row):
            if cell.symbol in "-|+":
                continue
            point = size * (top + r - 1) + left + c - 1
            corner = point if corner is None else corner
            if cell.symbol == "*":
                points["move"] = point
            if cell.label is not None:
                points[cell.label] = point
    labels = tuple(points[index] for index in sorted(key for key in points if key != "move"))
    return Match(symmetry, corner, points.get("move", PASS), labels)
