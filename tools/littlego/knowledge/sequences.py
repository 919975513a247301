"""The reader of sequences: numbered moves in one drawing, each of which can become a pattern.

The drawing shows the stones before the first move, with `X` for the side that begins. The moves are `1` to `9`, then
`a` to `z`. The diagram of a move's pattern shows the stones just before the move; captured stones are removed. In this
diagram, `X` is the player who makes the move.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from littlego.knowledge import fields
from littlego.knowledge.diagrams import EDGES, MOVE, Diagram, Labels, diagram_of, is_rectangle, read_labels
from littlego.knowledge.fields import Cells
from littlego.knowledge.problems import quoted
from littlego.knowledge.source import Source

ORDER = "123456789abcdefghijklmnopqrstuvwxyz"  # symbols of the moves
STONES = {"X": "O", "O": "X"}  # each side's opponent
EMPTY, ANY = ".", "?"
_RANGE = re.compile(r"([0-9]{1,2})(?: *- *([0-9]{1,2}))?")

Cell = tuple[int, int]  # row and column
Stones = dict[Cell, str]  # X is the side that begins


@dataclass
class Step:
    """The diagram of one move of a sequence."""

    diagram: Diagram
    drawn: Cells  # the drawing of the whole sequence; the labels are aligned with it

    def labels(self, source: Source, node: yaml.Node, size: int) -> Labels | None:
        """Return the sequence's labels for this diagram, or report mistakes in the labels and return None."""
        return read_labels(
            source, node, self.diagram, size, ["".join(symbol for symbol, _ in row) for row in self.drawn]
        )


def read_sequence(source: Source, node: yaml.Node, size: int) -> dict[int, Step] | None:
    """Return {one-based move number: Step} for a sequence.

    For an invalid sequence, report a mistake and return None. size: the largest board size of the ruleset.
    """
    known = source.count
    cells = fields.block(source, node, "sequence")
    if cells is None or not is_rectangle(source, cells, "sequence"):
        return None
    _check_symbols(source, cells)
    moves = _moves_of(source, cells) if source.count == known else []
    if source.count > known:
        return None
    diagrams: dict[int, Step] = {}
    for number, stones in _boards(source, cells, moves):
        diagram = diagram_of(source, _drawn_before(cells, moves, number, stones), size)
        if diagram is None:
            return None
        diagrams[number] = Step(diagram, cells)
    return diagrams if source.count == known else None


def read_replies(source: Source, node: yaml.Node, most: int) -> list[int]:
    """Return the move numbers in a value such as `2-6, 8`, in ascending order.

    For an invalid value, report a mistake and return []. most: the number of the last move.
    """
    numbers: set[int] = set()
    text = node.value if isinstance(node, yaml.ScalarNode) else ""
    for part in text.split(","):
        found = _RANGE.fullmatch(part.strip())
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
        if not 1 <= first <= last <= most:
            wanted = f"move numbers from 1 to {most}, such as `2-{max(most, 2)}` or `1, 2`"
            source.report_at(node, "P037", f"`replies` is {quoted(text)}", wanted)
            return []
        numbers.update(range(first, last + 1))
    return sorted(numbers)


def _check_symbols(source: Source, cells: Cells) -> None:
    known = {*STONES, EMPTY, ANY, *EDGES, *ORDER}
    for symbol, place in (cell for row in cells for cell in row):
        if symbol not in known:
            hint = "number the moves, starting with `1`" if symbol == MOVE else ""
            wanted = "X O . ? | - + and moves, `1` to `9` and `a` to `z`"
            source.report(place, "P021", f"unknown symbol {quoted(symbol)} in a sequence", wanted, hint)


def _moves_of(source: Source, cells: Cells) -> list[Cell]:
    """Return the cell of each move, in order. Report missing and duplicate moves."""
    found: dict[int, tuple[Cell, int]] = {}
    for row, symbols in enumerate(cells):
        for column, (symbol, place) in enumerate(symbols):
            number = ORDER.find(symbol)
            if number in found:
                hint = "draw the number of each move once"
                source.report(place, "P037", f"a second move `{symbol}`", "each move once", hint)
            elif number >= 0:
                found[number] = (row, column), place
    if not found:
        source.report(cells[0][0][1], "P037", "a sequence without a move", "`1` where the first move is played")
    for number in sorted(found):
        if number and number - 1 not in found:
            hint = "in a sequence `x` and `o` are moves too, not stones or empty points"
            message, wanted = f"move `{ORDER[number]}` without move `{ORDER[number - 1]}`", "moves without a gap"
            source.report(found[number][1], "P037", message, wanted, hint if ORDER[number] in "xo" else "")
            break
    return [found[number][0] for number in sorted(found)]


def _boards(source: Source, cells: Cells, moves: list[Cell]) -> Iterator[tuple[int, Stones]]:
    """Yield (number of a move, stones before the move) for each move.

    Report a move after which the chain of the new stone has no liberty.
    """
    stones: Stones = {
        (row, column): symbol
        for row, symbols in enumerate(cells)
        for column, (symbol, _) in enumerate(symbols)
        if symbol in STONES
    }
    for number, move in enumerate(moves, 1):
        yield number, dict(stones)
        side = "X" if number % 2 else "O"
        stones[move] = side
        _take(stones, STONES[side], cells)
        if _without_liberty(stones, move, cells):
            place = cells[move[0]][move[1]][1]
            message = f"move `{ORDER[number - 1]}` has no liberty"
            source.report(place, "P037", message, "a legal move", "draw more of the board around this move")


def _take(stones: Stones, colour: str, cells: Cells) -> None:
    """Remove the chains of one colour that have no liberty."""
    for taken in [_without_liberty(stones, cell, cells) for cell, symbol in stones.items() if symbol == colour]:
        for cell in taken:
            stones.pop(cell, None)


def _without_liberty(stones: Stones, start: Cell, cells: Cells) -> set[Cell]:
    """Return the chain through a cell if it has no liberty, else an empty set.

    Every adjacent point without a known stone is a liberty, even outside the drawing, but not beyond a drawn edge.
    """
    chain, border = {start}, [start]
    while border:
        row, column = border.pop()
        for near in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if near in chain:
                continue
            if not (0 <= near[0] < len(cells) and 0 <= near[1] < len(cells[0])):
                return set()
            if stones.get(near) == stones[start]:
                chain.add(near)
                border.append(near)
            elif near not in stones and cells[near[0]][near[1]][0] not in EDGES:
                return set()
    return chain


def _drawn_before(cells: Cells, moves: list[Cell], number: int, stones: Stones) -> Cells:
    """Return the cells of a move's diagram, in which X is the player who makes the move.

    cells: the sequence's drawing. moves: the cell of each move. stones: the stones before the move.
    """
    is_second = number % 2 == 0
    drawn: Cells = []
    for row, symbols in enumerate(cells):
        drawn.append([])
        for column, (symbol, place) in enumerate(symbols):
            stone = stones.get((row, column), "")
            if (row, column) == moves[number - 1]:
                symbol = MOVE
            elif stone:
                symbol = STONES[stone] if is_second else stone
            elif symbol in STONES or symbol in ORDER:
                symbol = EMPTY
            drawn[-1].append((symbol, place))
    return drawn
