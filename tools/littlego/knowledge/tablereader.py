"""The reader of phases and of tables of points in a patterns file."""

from __future__ import annotations

import yaml

from littlego.knowledge import fields
from littlego.knowledge.expressions import LARGEST_INTEGER
from littlego.knowledge.keys import POINTS_KEYS
from littlego.knowledge.problems import plural
from littlego.knowledge.source import Source, compose
from littlego.knowledge.tables import ROWS, Phases, Row, flow, in_flow, one_line

MOST_PHASES, MOST_LEFT = 9, 999
_DECLARE = "declare `phases:` above `patterns:`, each phase with its minimum number of moves left"


def read_phases(source: Source, node: yaml.Node, length: int) -> dict[str, int] | None:
    """Return the phases that a file declares, or report mistakes in the declaration and return None.

    length: the number of moves of a game, or 0 for games without a limit.
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
        wanted = "1, the minimum number of moves left in the last phase"
        source.report_at(node.value[-1][1], "P055", f"the last phase ends with {last} moves left", wanted)
    if len(phases) > MOST_PHASES:
        source.report_at(node, "P055", plural(len(phases), "phase"), f"at most {MOST_PHASES}")
    return phases if source.count == known else None


def _check_order(source: Source, node: yaml.Node, least: int, earlier: Phases) -> None:
    if earlier and least >= [*earlier.values()][-1]:
        name, before = [*earlier.items()][-1]
        wanted = f"a number below {before}, the minimum of `{name}`"
        message = f"the phases are not in order: {least} after {before}"
        source.report_at(node, "P055", message, wanted, "declare the earliest phase first")


def read_rows(source: Source, node: yaml.MappingNode, phases: Phases | None) -> tuple[Row, Row] | None:
    """Return (Black's row, White's row) of a table, or report the mistakes and return None.

    phases: the file's phases; {} if the file declares no phases; None if their declaration has mistakes.
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
    """Return a row's numbers, one for each phase; report mistakes to `source`."""
    is_list = isinstance(node, yaml.SequenceNode)
    cells = [fields.integer(source, one, f"`{name}`", -LARGEST_INTEGER, LARGEST_INTEGER) for one in _cells(node)]
    numbers = tuple(cell for cell in cells if cell is not None)
    if is_list and phases and len(cells) != len(phases):
        message, hint = f"`{name}` has {plural(len(cells), 'number')}", "or a single number for all phases"
        wanted = f"{plural(len(phases), 'number')}, for {', '.join(phases)}"
        source.report_at(node, "P056", message, wanted, hint)
    return numbers if is_list else numbers * len(phases or ())


def _cells(node: yaml.Node) -> list[yaml.Node]:
    return list(node.value) if isinstance(node, yaml.SequenceNode) else [node]


def block_of(line: str) -> list[str]:
    """Return the lines of a one-line table, with one line for each key; [] for a number or an expression."""
    source = Source(line, "points")
    node = compose(source) if line.startswith("{") else None
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    return [f"{key.value}: {_written(source, value)}" for key, value in pairs]


def line_of(source: Source, node: yaml.Node) -> str:
    """Return the value of the key `points`, as the author wrote it, on one line."""
    if isinstance(node, yaml.ScalarNode):
        return one_line(node.value)
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    return flow({str(key.value): in_flow(_written(source, value)) for key, value in pairs})


def _written(source: Source, node: yaml.Node) -> str:
    """Return a value of a table as text, without quotes unless the value starts with `- `."""
    if isinstance(node, yaml.ScalarNode) and not node.value.startswith("- "):
        return str(node.value)
    return source.text[node.start_mark.index : node.end_mark.index]
