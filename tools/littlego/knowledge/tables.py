"""Points by colour and phase of the game: the phases of a file, and the tables of its patterns.

A file declares its phases once, each with the least number of moves left in it. A table then has two rows of numbers,
one number for each phase, and optionally an expression that counts something. On one line, as in
KnownPattern.points_text, a table is written as YAML: `{each: 9 * size(A), black: [4, 19, 23, 13], white: 7}`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import yaml

from littlego.engines.draw.tables import phase_of
from littlego.knowledge import fields
from littlego.knowledge.expressions import LARGEST_INTEGER
from littlego.knowledge.keys import POINTS_KEYS
from littlego.knowledge.problems import plural
from littlego.knowledge.programs import worked_out
from littlego.knowledge.source import Source, compose
from littlego.rules.position import BLACK, WHITE
from littlego.rules.programs import Table
from littlego.rules.ruleset import LITTLE_GO

EACH, ROWS = "each", ("black", "white")
MOST_PHASES, MOST_LEFT = 9, 999
Phases = Mapping[str, int]  # the least number of moves left in each phase, the earliest phase first
Row = tuple[int, ...]  # a number for each phase
_DECLARE = "declare `phases:` above `patterns:`, each phase with the least number of moves left in it"


@dataclass(frozen=True)
class Points:
    """Points as an author writes them: an expression, and a row of numbers for each colour.

    rows: Black's and White's numbers, or () without a table. bounds: the least number of moves left in each phase.
    """

    each: str = ""
    rows: tuple[Row, ...] = ()
    bounds: Row = ()

    @classmethod
    def of(cls, text: str, table: str) -> Points:
        """Return the points of a pattern. text, table: its KnownPattern.points_text and KnownPattern.table."""
        return cls.compiled(_each_in(text) if table else one_line(text), table)

    @classmethod
    def compiled(cls, each: str, table: str) -> Points:
        """Return points from an expression in the author's notation and a table as in patterns.txt."""
        if not table:
            return cls(each)
        known = Table(table)
        return cls("" if each == "0" else each, known.rows, known.bounds)

    @property
    def table(self) -> str:
        """The table as in patterns.txt, '' without a table: see rules.programs.Table."""
        return "/".join(" ".join(map(str, row)) for row in (self.bounds, *self.rows)) if self.rows else ""

    @property
    def line(self) -> str:
        """The points on one line, as the value of `points`."""
        if not self.rows:
            return self.each or "0"
        rows = {name: row_text(row) for name, row in zip(ROWS, self.rows, strict=True)}
        return _flow({EACH: _in_flow(self.each), **rows} if self.each else rows)

    def with_cell(self, row: int, phases: Iterable[int], number: int) -> Points:
        """Return the points with another number in some phases of a row."""
        rows = [list(numbers) for numbers in self.rows]
        for phase in phases:
            rows[row][phase] = number
        return replace(self, rows=tuple(map(tuple, rows)))


def unnamed(bounds: Row) -> dict[str, int]:
    """Return phases that have numbers as names, for patterns that were compiled."""
    return {f"from-{least}": least for least in bounds}


def number_in(table: str, colour: int, left: int) -> int:
    """Return a table's number for a colour with `left` moves left. table: as in patterns.txt, '' for the number 0."""
    return Table(table).number(colour, left) if table else 0


def allowed_cells(when: Sequence[str], bounds: Row, length: int = LITTLE_GO.length) -> set[tuple[int, int]]:
    """Return (index of the row, index of the phase) of each cell of a table that some position can use.

    when: the pattern's conditions as postfix programs, of which those on the colour, the moves left and the move number
    exclude cells. length: the number of moves of a game.
    """
    allowed = set()
    for left in range(1, length + 1):
        colour = WHITE if (length - left) % 2 else BLACK
        known = {"colour": colour, "moves_left": left, "move_number": length + 1 - left}
        if all(worked_out(condition, known) != "0" for condition in when):
            allowed.add((colour - 1, phase_of(bounds, left)))
    return allowed


def row_text(row: Sequence[int]) -> str:
    """Return the numbers of a row as an author writes them: a single number if all are equal."""
    return str(row[0]) if len(set(row)) == 1 else f"[{', '.join(map(str, row))}]"


def one_line(text: str) -> str:
    """Return a scalar's text on one line."""
    return " ".join(text.split())


def block_of(line: str) -> list[str]:
    """Return the lines of a table that is written on one line, or [] for a number or an expression."""
    source = Source(line, "points")
    node = compose(source) if line.startswith("{") else None
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    return [f"{key.value}: {_written(source, value)}" for key, value in pairs]


def line_of(source: Source, node: yaml.Node) -> str:
    """Return a value of `points` on one line, as its author wrote the value."""
    if isinstance(node, yaml.ScalarNode):
        return one_line(node.value)
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    return _flow({str(key.value): _in_flow(_written(source, value)) for key, value in pairs})


def _flow(values: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{key}: {value}" for key, value in values.items()) + "}"


def _in_flow(text: str) -> str:
    """Return a value of a table on one line, in quotes if a comma would end it."""
    return json.dumps(text) if set(text) & set(",{}:#") and not text.startswith("[") else one_line(text)


def _written(source: Source, node: yaml.Node) -> str:
    """Return a value of a table as on a line of its own, where only a leading dash needs quotes."""
    if isinstance(node, yaml.ScalarNode) and not node.value.startswith("- "):
        return str(node.value)
    return source.text[node.start_mark.index : node.end_mark.index]


def read_points(line: str, bounds: Row) -> Points:
    """Return points that are written on one line. bounds: the phases of a table.

    Raise ValueError for a table that does not fit the phases.
    """
    source = Source(line, "points")
    node = compose(source)
    if not isinstance(node, yaml.MappingNode):
        return Points(one_line(line))
    rows = read_rows(source, node, unnamed(bounds))
    if rows is None:
        raise ValueError("; ".join(problem.text for problem in source.problems) or "no table")
    return Points(_each_in(line), rows, bounds)


def _each_in(text: str) -> str:
    """Return the expression of a table that is written on one line, or ''."""
    node = compose(Source(text, "points"))
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    return next((one_line(value.value) for key, value in pairs if key.value == EACH), "")


# -- the reader -------------------------------------------------------------------------------------------------------


def read_phases(source: Source, node: yaml.Node, length: int) -> dict[str, int] | None:
    """Return the phases that a file declares, or report their mistakes and return None.

    length: the number of moves of a game, 0 without a limit.
    """
    known = source.count
    if not isinstance(node, yaml.MappingNode) or not node.value:
        what = "an empty mapping" if isinstance(node, yaml.MappingNode) else fields.kind_of(node)
        source.report_at(node, "P009", f"`phases` is {what}", "a mapping, such as `opening: 13`, then `end: 1`")
        return None
    phases: dict[str, int] = {}
    for key, value in node.value:
        name = fields.name(source, key, "the phase")
        least = fields.integer(source, value, f"`{name}`", 1, length or MOST_LEFT) if name else None
        if name in phases:
            source.report_at(key, "P007", f"duplicate phase `{name}`", "each phase once")
        if name and least is not None:
            _check_order(source, value, least, phases)
            phases[name] = least
    last = next(iter(reversed(phases.values())), 1)
    if source.count == known and last != 1:
        wanted = "1, the least number of moves left in the last phase"
        source.report_at(node.value[-1][1], "P055", f"the last phase ends with {last} moves left", wanted)
    if len(phases) > MOST_PHASES:
        source.report_at(node, "P055", plural(len(phases), "phase"), f"at most {MOST_PHASES}")
    return phases if source.count == known else None


def _check_order(source: Source, node: yaml.Node, least: int, earlier: Phases) -> None:
    if earlier and least >= [*earlier.values()][-1]:
        name, before = [*earlier.items()][-1]
        wanted = f"a number below {before}, the least number in `{name}`"
        source.report_at(node, "P055", f"the phases are not in order: {least} after {before}", wanted, "earliest first")


def read_rows(source: Source, node: yaml.MappingNode, phases: Phases | None) -> tuple[Row, Row] | None:
    """Return the rows of a table, or report the mistakes and return None.

    phases: the file's phases, {} if the file declares none, None if their declaration has mistakes.
    """
    known = source.count
    values = fields.mapping(source, node, POINTS_KEYS, "`points`") or {}
    if phases is not None and not phases:
        source.report_at(
            node, "P056", "a table of points in a file without `phases`", "the phases of the game", _DECLARE
        )
    rows = []
    for name in ROWS:
        if name in values:
            rows.append(_read_row(source, values[name], name, phases))
        else:
            source.report_at(node, "P008", f"`points` without `{name}`", "a row for `black` and a row for `white`")
    if source.count > known or not phases:
        return None
    black, white = rows
    return black, white


def _read_row(source: Source, node: yaml.Node, name: str, phases: Phases | None) -> Row:
    """Return a row's numbers, one for each phase; () after reporting a mistake."""
    is_list = isinstance(node, yaml.SequenceNode)
    cells = [fields.integer(source, one, f"`{name}`", -LARGEST_INTEGER, LARGEST_INTEGER) for one in _cells(node)]
    numbers = tuple(cell for cell in cells if cell is not None)
    if is_list and phases and len(cells) != len(phases):
        message, hint = f"`{name}` has {plural(len(cells), 'number')}", "or a single number for all phases"
        source.report_at(node, "P056", message, f"{len(phases)}, for {', '.join(phases)}", hint)
    return numbers if is_list else numbers * len(phases or ())


def _cells(node: yaml.Node) -> list[yaml.Node]:
    return list(node.value) if isinstance(node, yaml.SequenceNode) else [node]
