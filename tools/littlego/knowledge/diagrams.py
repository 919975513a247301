"""The reader of a pattern's diagram and labels; it reports mistakes in both."""

from __future__ import annotations

from dataclasses import dataclass, field

import yaml

from littlego.knowledge import fields
from littlego.knowledge.fields import Cells
from littlego.knowledge.problems import plural, quoted
from littlego.knowledge.source import Source
from littlego.rules.matching import point_bits
from littlego.rules.ruleset import LITTLE_GO

SYMBOLS = {
    "X": "own stone",
    "O": "opponent's stone",
    ".": "empty",
    "*": "empty, the move",
    "x": "own stone or empty",
    "o": "opponent's stone or empty",
    "?": "any point of the board",
}
EDGES = {"|": "edge at the side", "-": "edge at the top or bottom", "+": "corner of the board"}
LETTERS = frozenset("ABCDEFGHIJKLMNPQRSTUVWYZ")  # X and O are reserved for stones
MOVE = "*"
_LOOKALIKES = {"0": "O", "Q": "O", "#": "X", "_": ".", "B": "X", "W": "O", "×": "X", "!": "|", "=": "-", ",": "."}


@dataclass
class Diagram:
    """A pattern's diagram: the symbols and the drawn board edges."""

    rows: list[str]  # the symbols, including board edges, without spaces
    cells: Cells = field(repr=False)
    edges: tuple[bool, bool, bool, bool]  # whether the top, bottom, left and right edges are drawn

    def edge_at(self, row: int, column: int) -> str:
        """Return the symbol that the drawn edges require in a cell, or '' for a point of the board."""
        top, bottom, left, right = self.edges
        flat = (row == 0 and top) or (row == len(self.rows) - 1 and bottom)
        upright = (column == 0 and left) or (column == len(self.rows[0]) - 1 and right)
        return "+" if flat and upright else "-" if flat else "|" if upright else ""

    def specificity(self) -> int:
        """Return the number of cells other than `?` and edges."""
        return sum(symbol in SYMBOLS and symbol != "?" for row in self.rows for symbol in row)


@dataclass
class Labels:
    """The labels that a pattern gives to points of a diagram."""

    rows: list[str] = field(default_factory=list)  # aligned with the diagram, `.` for no letter
    symbols: dict[str, list[str]] = field(default_factory=dict)  # the diagram's symbols below each letter
    indexes: dict[str, int] = field(default_factory=dict)  # the text index of each letter's first occurrence


def read_diagram(source: Source, node: yaml.Node, size: int, passes: bool) -> Diagram | None:
    """Return the diagram for boards of a size, or report its mistakes and return None.

    passes: whether the pattern's move is a pass.
    """
    cells = fields.block(source, node, "diagram")
    if cells is None or not is_rectangle(source, cells):
        return None
    return diagram_of(source, cells, size, passes)


def diagram_of(source: Source, cells: Cells, size: int, passes: bool = False) -> Diagram | None:
    """Return the diagram with the given rows, or report mistakes and return None.

    cells: the rows, which must have equal lengths. size, passes: see read_diagram.
    """
    known = source.count
    rows = ["".join(symbol for symbol, _ in row) for row in cells]
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    diagram = Diagram(rows, cells, ("-" in rows[0], "-" in rows[-1], "|" in columns[0], "|" in columns[-1]))
    _check_symbols(source, diagram)
    if source.count == known and _has_points(source, diagram, size):
        _check_move(source, diagram, passes)
    return diagram if source.count == known else None


def is_rectangle(source: Source, cells: Cells, what: str = "diagram") -> bool:
    """Return whether all rows are as long as the first; report each row of another length.

    what: the name of the drawing, for messages.
    """
    width, known = len(cells[0]), source.count
    for number, row in enumerate(cells[1:], 2):
        if len(row) != width:
            last = next(before[-1][1] for before in reversed(cells[:number]) if before)  # empty rows have no cells
            place = row[width][1] if len(row) > width else last + 1
            source.report(
                place,
                "P020",
                f"row {number} of the {what} has {plural(len(row), 'symbol')}",
                expected=f"{plural(width, 'symbol')}, as in row 1",
                hint="`?` fills a cell that does not matter",
            )
    return source.count == known


def _check_symbols(source: Source, diagram: Diagram) -> None:
    for number, row in enumerate(diagram.cells):
        for column, (symbol, place) in enumerate(row):
            wanted = diagram.edge_at(number, column)
            if symbol not in SYMBOLS and symbol not in EDGES:
                hint = f"did you mean `{_LOOKALIKES[symbol]}`?" if symbol in _LOOKALIKES else ""
                source.report(place, "P021", f"unknown symbol {quoted(symbol)}", " ".join([*SYMBOLS, *EDGES]), hint)
            elif wanted and symbol != wanted:
                source.report(
                    place, "P022", f"`{symbol}` interrupts the drawn edge of the board", f"`{wanted}` ({EDGES[wanted]})"
                )
            elif not wanted and symbol in EDGES:
                source.report(
                    place,
                    "P022",
                    f"`{symbol}` on the board",
                    expected="a point: " + " ".join(SYMBOLS),
                    hint="`-` fills the first or last row, `|` the first or last column, `+` the corner",
                )


def _has_points(source: Source, diagram: Diagram, size: int) -> bool:
    """Return whether the diagram contains at least one point of the board.

    Report a diagram that consists only of edges, and a height or width that does not fit the board.
    """
    top, bottom, left, right = diagram.edges
    place = diagram.cells[0][0][1]
    height, width = len(diagram.rows) - top - bottom, len(diagram.rows[0]) - left - right
    if height < 1 or width < 1:
        source.report(place, "P023", "a diagram of edges alone", "at least one point of the board")
        return False
    for length, noun, both in ((height, "row", top and bottom), (width, "column", left and right)):
        if length > size:
            source.report(
                place, "P024", f"the diagram has {plural(length, noun)} of points", f"at most {size}, the board's size"
            )
        elif both and length < size:
            source.report(
                place,
                "P024",
                f"edges on both sides of {plural(length, noun)}",
                expected=f"{plural(size, noun)} between them",
                hint="remove one of the two edges, or draw all points between them",
            )
    return True


def _check_move(source: Source, diagram: Diagram, passes: bool) -> None:
    stars = [place for row in diagram.cells for symbol, place in row if symbol == MOVE]
    if passes:
        for place in stars:
            source.report(
                place, "P027", "`*` together with `move: pass`", "a diagram without `*`", "remove one of the two"
            )
    elif not stars:
        source.report(
            diagram.cells[0][0][1],
            "P025",
            "no `*` in the diagram",
            expected="exactly one `*`",
            hint="mark the move, or write `move: pass`",
        )
    else:
        for place in stars[1:]:
            source.report(
                place, "P026", "a second `*` in the diagram", "exactly one `*`", "write two patterns for two moves"
            )


def read_labels(
    source: Source, node: yaml.Node, diagram: Diagram, size: int, repeated: list[str] | None = None
) -> Labels | None:
    """Return the labels of a diagram, or report their mistakes and return None.

    Each cell of the labels must contain a letter, `.` or the symbol of the same cell in the diagram. repeated: the rows
    of a sequence's drawing, whose symbols the labels may also repeat.
    """
    known = source.count
    cells = fields.block(source, node, "labels")
    if cells is None:
        return None
    drawn = diagram.rows
    for number, row in enumerate(cells):
        if number >= len(drawn) or len(row) != len(drawn[number]):
            message = f"row {number + 1} of the labels has {plural(len(row), 'symbol')}"
            wanted = f"{plural(len(drawn), 'row')} of {plural(len(drawn[0]), 'symbol')}, as in the diagram"
            source.report(row[0][1] if row else node.start_mark.index, "P030", message, wanted)
    if len(cells) < len(drawn):
        message = f"the labels have {plural(len(cells), 'row')}"
        source.report(
            cells[0][0][1] if cells[0] else node.start_mark.index,
            "P030",
            message,
            f"{plural(len(drawn), 'row')}, as in the diagram",
        )
    if source.count > known:
        return None
    labels = _collect_letters(source, cells, diagram, repeated or drawn)
    _check_letters(source, labels, size)
    return labels if source.count == known else None


def _collect_letters(source: Source, cells: Cells, diagram: Diagram, repeated: list[str]) -> Labels:
    labels = Labels()
    for row, drawn, shown in zip(cells, diagram.rows, repeated, strict=True):
        letters = ""
        for (letter, place), symbol, seen in zip(row, drawn, shown, strict=True):
            is_label = letter != symbol and letter in LETTERS
            letters += letter if is_label else "."
            if is_label and symbol in EDGES:
                source.report(place, "P031", f"the label `{letter}` on the edge `{symbol}`", "a point of the board")
            elif is_label:
                labels.symbols.setdefault(letter, []).append(symbol)
                labels.indexes.setdefault(letter, place)
            elif letter in "XO" and letter != seen:
                source.report(
                    place, "P032", f"`{letter}` as a label", "another capital letter", "X and O are always stones"
                )
            elif letter not in (symbol, seen, "."):
                source.report(
                    place,
                    "P033",
                    f"unknown label {quoted(letter)}",
                    f"a capital letter, `.`, or the diagram's own `{symbol}`",
                )
        labels.rows.append(letters)
    return labels


def _check_letters(source: Source, labels: Labels, size: int) -> None:
    # The labels, the move and the place must fit into one 64-bit word on boards with packed placements. Files for
    # larger boards have no packed placements, but the same limit applies.
    most = (64 - 3) // point_bits(min(size, LITTLE_GO.size)) - 2
    if sum(map(len, labels.symbols.values())) > most:
        source.report(min(labels.indexes.values()), "P034", "too many labelled points", f"at most {most}")
    for letter, symbols in labels.symbols.items():
        if len(symbols) > 1 and (len(set(symbols)) > 1 or symbols[0] not in "XOxo"):
            source.report(
                labels.indexes[letter],
                "P035",
                f"the label `{letter}` stands on {' and '.join(f'`{symbol}`' for symbol in symbols)}",
                expected="one point, or several stones of one kind (X, O, x or o)",
                hint="use a different letter for each point",
            )
