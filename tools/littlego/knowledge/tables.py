"""Points that depend on the colour and the phase: an expression plus a table of numbers.

A file declares its phases once, with the minimum number of moves left in each phase. A table has a row for each colour,
with a number for each phase. A table may also have an expression, whose value is added to the number. On one line, as
in KnownPattern.points_text, a table is written as YAML: `{each: 9 * size(A), black: [4, 19, 23, 13], white: 7}`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from littlego.engines.draw.tables import phase_of
from littlego.knowledge.programs import worked_out
from littlego.rules.position import BLACK, WHITE
from littlego.rules.programs import Table
from littlego.rules.ruleset import LITTLE_GO

EACH, ROWS = "each", ("black", "white")
Phases = Mapping[str, int]  # the least number of moves left in each phase, the earliest phase first
Row = tuple[int, ...]  # a number for each phase
_EACH = re.compile(rf'\{{{EACH}: ("(?:[^"\\]|\\.)*"|[^,]*), ')  # at the start of a table on one line


@dataclass(frozen=True)
class Points:
    """Points in the form that an author writes: an expression, and a row of numbers for each colour.

    rows: Black's and White's numbers, or () if there is no table. bounds: the minimum number of moves left in each
    phase.
    """

    each: str = ""
    rows: tuple[Row, ...] = ()
    bounds: Row = ()

    @classmethod
    def of(cls, text: str, table: str) -> Points:
        """Return the Points of a pattern. text, table: see KnownPattern.points_text and KnownPattern.table."""
        return cls.compiled(_each_in(text) if table else one_line(text), table)

    @classmethod
    def compiled(cls, each: str, table: str) -> Points:
        """Return the Points for an expression and a table.

        each: the expression, in the author's notation. table: the table in the notation of patterns.txt, or '' for no
        table. If there is a table, the expression 0 is omitted.
        """
        if not table:
            return cls(each)
        known = Table(table)
        return cls("" if each == "0" else each, known.rows, known.bounds)

    @property
    def table(self) -> str:
        """The table as in patterns.txt, or '' if there is no table. See rules.programs.Table."""
        return "/".join(" ".join(map(str, row)) for row in (self.bounds, *self.rows)) if self.rows else ""

    @property
    def line(self) -> str:
        """The points as one line of YAML: the value of the key `points`."""
        if not self.rows:
            return self.each or "0"
        return flow({key: in_flow(value) for key, value in self._values().items()})

    @property
    def text(self) -> str:
        """The points as text for display; a table takes several lines."""
        return "\n".join(f"{key}: {value}" for key, value in self._values().items()) if self.rows else self.line

    def _values(self) -> dict[str, str]:
        """Return {key: value as text} of the table."""
        rows = {name: row_text(row) for name, row in zip(ROWS, self.rows, strict=True)}
        return {EACH: self.each, **rows} if self.each else rows

    def with_cell(self, row: int, phases: Iterable[int], number: int) -> Points:
        """Return the points with `number` in the given phases of a row. row: 0 for Black, 1 for White."""
        rows = [list(numbers) for numbers in self.rows]
        for phase in phases:
            rows[row][phase] = number
        return replace(self, rows=tuple(map(tuple, rows)))


def unnamed(bounds: Row) -> dict[str, int]:
    """Return {name: bound} with generated names such as `from-13`.

    Generated names are needed because compiled patterns omit the phases' names.
    """
    return {f"from-{least}": least for least in bounds}


def number_in(table: str, colour: int, left: int) -> int:
    """Return a table's number for a colour with `left` moves left. table: as in patterns.txt; '' gives the number 0."""
    return Table(table).number(colour, left) if table else 0


def allowed_cells(when: Sequence[str], bounds: Row, length: int = LITTLE_GO.length) -> set[tuple[int, int]]:
    """Return the indices (row, phase) of the table cells that the pattern's conditions do not exclude.

    when: the pattern's conditions as postfix programs. Only conditions on the colour, the moves left and the move
    number can exclude cells. length: the number of moves of a game.
    """
    allowed = set()
    for left in range(1, length + 1):
        colour = WHITE if (length - left) % 2 else BLACK
        known = {"colour": colour, "moves_left": left, "move_number": length + 1 - left}
        if all(worked_out(condition, known) != "0" for condition in when):
            allowed.add((colour - 1, phase_of(bounds, left)))
    return allowed


def row_text(row: Sequence[int]) -> str:
    """Return a row of numbers as text: a list, or a single number if all numbers are equal."""
    return str(row[0]) if len(set(row)) == 1 else f"[{', '.join(map(str, row))}]"


def one_line(text: str) -> str:
    """Return a scalar's text on one line."""
    return " ".join(text.split())


def flow(values: Mapping[str, str]) -> str:
    """Return keys and values as a YAML mapping on one line."""
    return "{" + ", ".join(f"{key}: {value}" for key, value in values.items()) + "}"


def in_flow(text: str) -> str:
    """Return a value of a table on one line; an expression that contains YAML symbols is quoted."""
    return json.dumps(text) if set(text) & set(",{}:#") and not text.startswith("[") else one_line(text)


def _each_in(text: str) -> str:
    """Return the expression of a one-line table, or '' for a table without an expression."""
    found = _EACH.match(text)
    if found is None:
        return ""
    return str(json.loads(found[1])) if found[1].startswith('"') else found[1]
