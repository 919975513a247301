"""The mutants of a pattern: small changes that an example or a recorded decision should detect.

A pattern has the same mutants in every run. The kinds of changes are:

    cell        X to x ? O, O to o ? X, `.` to x o ?, x to X . ?, o to O . ?; a `?` matches anything and has no mutant
    star        the move exchanged with each `.` of the diagram
    edge        each drawn edge of the board removed, or moved one line further out; each other edge drawn
    condition   each condition dropped; each alternative of an `or` dropped; `<` to `<=`, `>` to `>=` and back, unless
                an operand is a number
    number      each operand of a comparison that is a single number, increased and decreased by 1
    points      each number in `points`, increased and decreased by 10 (a quarter of a stone); in a table, the numbers
                of the colours and phases that the conditions allow
    priority    changed to the next higher and to the next lower value in the file
    flag        `sacrifice`, `risk` or `forbid` dropped

A mutant contains a draft: a pattern with changed source texts and stale compiled values. The source texts are the
fields rows, label_rows, when_text (an item for each condition that a top-level `and` joins), points_text, priority,
passes and FLAGS. The reader of patterns.yaml decides whether a mutant is valid. `Places` maps a mutant to the line and
column of the change in the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

import yaml

from littlego.engines.draw.tables import heads
from littlego.games.boards import SIDES, draw_edges
from littlego.games.game import game_named
from littlego.knowledge import fields
from littlego.knowledge.compiler import read
from littlego.knowledge.diagrams import MOVE
from littlego.knowledge.expressions import COMPARISONS, Token, tokens
from littlego.knowledge.model import KnownPattern
from littlego.knowledge.source import Source, compose
from littlego.knowledge.tablereader import block_of
from littlego.knowledge.tables import EACH, ROWS, Points, allowed_cells, unnamed
from littlego.rules.matching import parse_shape
from littlego.rules.ruleset import LITTLE_GO

_EXAMPLES = """\
    examples:
      matches:
        - move: MOVE
          board: BOARD
      no_match:
        - board: BOARD
"""  # the reader requires the key `examples`
TOP, BOTTOM, LEFT, RIGHT = SIDES
Rows = list[str]
KINDS = CELL, STAR, EDGE, CONDITION, NUMBER, POINTS, PRIORITY, FLAG = (
    "cell",
    "star",
    "edge",
    "condition",
    "number",
    "points",
    "priority",
    "flag",
)
FLAGS = "sacrifice", "risk", "forbid"
SYMBOLS = {"X": "x?O", "O": "o?X", ".": "xo?", "x": "X.?", "o": "O.?"}
STEP = 10  # points
STRICTER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}


def draft_of(pattern: KnownPattern) -> KnownPattern:
    """Return a pattern as a draft.

    In a draft, `when_text` has an item for each condition that a top-level `and` joins.
    """
    return replace(pattern, when_text=[text for item in pattern.when_text for _, text in split_conjuncts(item)])


def split_conjuncts(text: str) -> list[tuple[int, str]]:
    """Return (offset, text) of each part of a condition.

    Parts are separated by a top-level `and`; a condition with a top-level `or` is a single part.
    """
    return [(0, text)] if len(split_at(text, "or")) > 1 else split_at(text, "and")


def split_at(text: str, word: str) -> list[tuple[int, str]]:
    """Return (offset, text) of each part of an expression, split at `word` outside parentheses."""
    depth, begin = 0, 0
    parts: list[tuple[int, str]] = []
    for token in tokens(text):
        depth += (token.text == "(") - (token.text == ")")
        if token.kind == "end" or token.text == word and not depth:
            part = text[begin : token.at]
            parts.append((begin + len(part) - len(part.lstrip()), part.strip()))
            begin = token.at + len(word)
    return parts


def read_draft(draft: KnownPattern, ruleset: str = LITTLE_GO.name) -> KnownPattern | None:
    """Return a draft's pattern, with the draft's examples, or None if the reader rejects the draft.

    ruleset: the ruleset name of the file that contains the pattern.
    """
    rows = (("diagram", draft.rows), ("labels", draft.label_rows))
    drawing = [line for key, drawn in rows if drawn for line in (f"{key}: |", *(f"  {row}" for row in drawn))]
    patterns = read_drafts(draft, ruleset, drawing)
    if len(patterns) != 1:
        return None
    kept = {key: getattr(draft, key) for key in ("examples", "rare", "line", "column", "sequence", "companions")}
    return replace(patterns[0], **kept)


def read_drafts(draft: KnownPattern, ruleset: str, drawing: Sequence[str]) -> list[KnownPattern]:
    """Return the patterns of a draft's YAML entry, or [] if the reader rejects the entry.

    drawing: the lines of the entry's drawing.
    """
    source = Source(_file_text(draft, ruleset, drawing), "draft")
    patterns = read(source).patterns
    return [] if source.problems else patterns


def _file_text(draft: KnownPattern, ruleset: str, drawing: Sequence[str]) -> str:
    """Return the text of a patterns file that contains only a draft. drawing: the lines of the draft's drawing."""
    values = {"id": draft.id, "class": draft.kind, "summary": draft.summary}
    lines = [f"    {key}: {json.dumps(value)}" for key, value in values.items()]
    is_table = bool(block_of(draft.points_text))
    lines.append(f"    points: {draft.points_text if is_table else json.dumps(draft.points_text)}")
    lines.append(f"    priority: {draft.priority}")
    flags = [("move: pass", draft.passes)]
    flags += [(f"{name}: true", getattr(draft, name)) for name in FLAGS]
    lines += [f"    {text}" for text, is_set in flags if is_set]
    lines += [f"    {line}" for line in drawing]
    if draft.when_text:
        lines += ["    when:", *(f"      - {json.dumps(condition)}" for condition in draft.when_text)]
    lines[0] = "  -" + lines[0][3:]
    size = game_named(ruleset).pattern_sizes.smallest
    board = "|\n" + ("            " + " ".join("." * size) + "\n") * size
    examples = _EXAMPLES.replace("MOVE", "pass" if draft.passes else "0,0").replace("BOARD", board)
    phases = [f"  {name}: {least}" for name, least in unnamed(Points.of(draft.points_text, draft.table).bounds).items()]
    phases = ["phases:", *phases] if phases else []
    return "\n".join([f"ruleset: {ruleset}", *phases, "patterns:", *lines, examples])


def edge_changes(draft: KnownPattern) -> Iterator[tuple[str, KnownPattern, tuple[int, int]]]:
    """Yield (name of the change, changed draft, place) for each possible change of a board edge.

    The edges belong to the draft's diagram. place: the middle cell on the edge's side of the diagram, as (row, column).
    Some of the changed diagrams do not fit on any board.
    """
    sides = frozenset(compress(SIDES, parse_shape(draft.rows).edges))
    for side in SIDES if draft.rows else ():
        at = _middle(draft.rows, side)
        if side in sides:
            yield f"edge {side} removed", _redraw(draft, sides, sides - {side}), at
            yield f"edge {side} one line out", _redraw(draft, sides, sides, further=side), at
        else:
            yield f"edge {side} drawn", _redraw(draft, sides, sides | {side}), at


def _middle(rows: Rows, side: str) -> tuple[int, int]:
    """Return the row and column of the middle cell on a side of a diagram."""
    height, width = len(rows), len(rows[0])
    row = {TOP: 0, BOTTOM: height - 1}.get(side, height // 2)
    return row, {LEFT: 0, RIGHT: width - 1}.get(side, width // 2)


def _redraw(draft: KnownPattern, old: frozenset[str], new: frozenset[str], further: str = "") -> KnownPattern:
    """Return the draft with board edges on the sides `new` instead of the sides `old`.

    further: the side to extend by a line of `?`, or '' to extend no side.
    """
    rows = draw_edges(with_line(without_edges(draft.rows, old), further, "?"), new, "-|+")
    labels = draft.label_rows and draw_edges(with_line(without_edges(draft.label_rows, old), further, "."), new, "...")
    return replace(draft, rows=rows, label_rows=labels)


def without_edges(rows: Rows, sides: frozenset[str]) -> Rows:
    """Return the rows without the board edges on the given sides."""
    rows = rows[TOP in sides : len(rows) - (BOTTOM in sides)]
    return [row[LEFT in sides : len(row) - (RIGHT in sides)] for row in rows]


def with_line(rows: Rows, side: str, symbol: str) -> Rows:
    """Return the rows with a row or column of `symbol` added on a side, or unchanged rows if `side` is ''."""
    if side in (LEFT, RIGHT):
        return [symbol + row if side == LEFT else row + symbol for row in rows]
    line = [symbol * len(rows[0])]
    return {TOP: line + rows, BOTTOM: rows + line}.get(side, rows)


@dataclass(frozen=True)
class Mutant:
    """A mutant: one change of a pattern.

    name: unique in the pattern, and the same in every run for an unchanged pattern. key: the changed key of the
    pattern's entry. row, column: the place of the change, with indexes from 0: for `diagram` and `sequence`, a
    cell's row and column; for `when`, the index of a condition and an offset in the condition; for `points`, 0 and an
    offset in the expression; for a row of a table of points, 1 (Black) or 2 (White), and the index of the phase.
    """

    name: str
    kind: str
    draft: KnownPattern
    key: str
    row: int = 0
    column: int = 0


def mutants_of(pattern: KnownPattern, priorities: Iterable[int]) -> list[Mutant]:
    """Return all mutants of a pattern, including mutants that the reader rejects.

    priorities: all priorities in the file.
    """
    draft = draft_of(pattern)
    mutants = [
        *_cells(draft),
        *_stars(draft),
        *(Mutant(name, EDGE, changed, "diagram", *at) for name, changed, at in edge_changes(draft)),
        *_conditions(draft),
        *_points(draft),
        *_priorities(draft, priorities),
        *_flags(draft),
    ]
    names = [mutant.name for mutant in mutants]
    again = [names[:number].count(name) for number, name in enumerate(names)]
    return [replace(mutant, name=mutant.name + times * ", again") for mutant, times in zip(mutants, again, strict=True)]


def with_cell(rows: Rows, row: int, column: int, symbol: str) -> Rows:
    """Return the rows of a diagram with `symbol` in a cell."""
    line = rows[row]
    return [*rows[:row], line[:column] + symbol + line[column + 1 :], *rows[row + 1 :]]


def cells_of(rows: Sequence[str]) -> dict[tuple[int, int], str]:
    """Return {(row, column): symbol} for a diagram, including edges."""
    return {(row, column): symbol for row, line in enumerate(rows) for column, symbol in enumerate(line)}


def _cells(draft: KnownPattern) -> Iterator[Mutant]:
    for (row, column), symbol in cells_of(draft.rows).items():
        for other in SYMBOLS.get(symbol, ""):
            changed = replace(draft, rows=with_cell(draft.rows, row, column, other))
            yield Mutant(f"cell {row},{column} {symbol}->{other}", CELL, changed, "diagram", row, column)


def _stars(draft: KnownPattern) -> Iterator[Mutant]:
    cells = cells_of(draft.rows)
    for star in [place for place, symbol in cells.items() if symbol == MOVE]:  # at most one move; none for a pass
        for (row, column), symbol in cells.items():
            if symbol == ".":
                rows = with_cell(with_cell(draft.rows, *star, "."), row, column, MOVE)
                yield Mutant(f"star to {row},{column}", STAR, replace(draft, rows=rows), "diagram", *star)


def _conditions(draft: KnownPattern) -> Iterator[Mutant]:
    for index, text in enumerate(draft.when_text):
        name = f"when[{index}]"
        yield Mutant(f"{name} dropped", CONDITION, _with_condition(draft, index), "when", index)
        parts = split_at(text, "or")
        for number, (at, _) in enumerate(parts) if len(parts) > 1 else ():
            rest = " or ".join(part for k, (_, part) in enumerate(parts) if k != number)
            changed = _with_condition(draft, index, rest)
            yield Mutant(f"{name} alternative {number} dropped", CONDITION, changed, "when", index, at)
        for kind, token, other in changed_comparisons(tokens(text)):
            changed = _with_condition(draft, index, _with_token(text, token, other))
            yield Mutant(f"{name} {token.text}->{other}", kind, changed, "when", index, token.at)


def _with_condition(draft: KnownPattern, index: int, *instead: str) -> KnownPattern:
    return replace(draft, when_text=[*draft.when_text[:index], *instead, *draft.when_text[index + 1 :]])


def _with_token(text: str, token: Token, other: str) -> str:
    return text[: token.at] + other + text[token.at + len(token.text) :]


def changed_comparisons(words: list[Token]) -> Iterator[tuple[str, Token, str]]:
    """Yield (kind of mutant, token, replacement) for each possible change of a comparison."""
    for index, token in enumerate(words):
        if token.text not in COMPARISONS:
            continue
        numbers = [number for number in (_number_before(words, index), _number_after(words, index)) if number]
        for number in numbers:
            for other in (int(number.text) + 1, int(number.text) - 1):
                yield NUMBER, number, str(other)
        if not numbers and token.text in STRICTER:
            yield CONDITION, token, STRICTER[token.text]


def _number_before(words: list[Token], index: int) -> Token | None:
    """Return the left operand of a comparison, or None if the operand is not a single number."""
    alone = index == 1 or index >= 2 and words[index - 2].text in ("(", "and", "or", "not")
    return words[index - 1] if alone and words[index - 1].kind == "number" else None


def _number_after(words: list[Token], index: int) -> Token | None:
    """Return the number token of a comparison's right operand, without a minus sign, or None.

    The result is None if the operand is not a single number. index: the index of the comparison in `words`.
    """
    first = index + 1 + (words[index + 1].text == "-")
    alone = words[first].kind == "number" and words[first + 1].text not in ("+", "-", "*")
    return words[first] if alone else None


def _points(draft: KnownPattern) -> Iterator[Mutant]:
    points = Points.of(draft.points_text, draft.table)
    for token in tokens(points.each) if draft.points != "0" else ():
        if token.kind == "number":
            for other in (int(token.text) + STEP, int(token.text) - STEP):
                each = _with_token(points.each, token, str(other))
                changed = replace(draft, points_text=replace(points, each=each).line)
                yield Mutant(f"points {token.text}->{other}", POINTS, changed, "points", 0, token.at)
    yield from _numbers(draft, points)


def _numbers(draft: KnownPattern, points: Points) -> Iterator[Mutant]:
    """Yield the mutants that change the numbers of a table of points.

    If all numbers of a row are equal, a mutant changes the whole row.
    """
    allowed = allowed_cells(draft.when, points.bounds)
    for row, numbers in enumerate(points.rows):
        phases = range(len(numbers))
        groups = [phases] if len(set(numbers)) == 1 else [range(phase, phase + 1) for phase in phases]
        for group in groups:
            if any((row, phase) in allowed for phase in group):
                yield from _number_steps(draft, points, row, group)


def _number_steps(draft: KnownPattern, points: Points, row: int, phases: range) -> Iterator[Mutant]:
    old = points.rows[row][phases[0]]
    where = ROWS[row] if len(phases) > 1 else f"{ROWS[row]} {[*heads(points.bounds)][phases[0]]}"
    for new in (old + STEP, old - STEP):
        changed = replace(draft, points_text=points.with_cell(row, phases, new).line)
        yield Mutant(f"points {where} {old}->{new}", POINTS, changed, "points", row + 1, phases[0])


def _priorities(draft: KnownPattern, priorities: Iterable[int]) -> Iterator[Mutant]:
    higher = sorted(value for value in priorities if value > draft.priority)[:1]
    lower = sorted(value for value in priorities if value < draft.priority)[-1:]
    for other in higher + lower:
        name = f"priority {draft.priority}->{other}"
        yield Mutant(name, PRIORITY, replace(draft, priority=other), "priority")


def _flags(draft: KnownPattern) -> Iterator[Mutant]:
    for name in FLAGS:
        if getattr(draft, name):
            dropped: dict[str, Any] = {name: False}
            yield Mutant(f"{name} dropped", FLAG, replace(draft, **dropped), name)


class Places:
    """The places of a pattern's parts in the text of a patterns file."""

    def __init__(self, text: str, pattern: KnownPattern, patterns: Iterable[KnownPattern]) -> None:
        lines = text.splitlines(keepends=True)
        end = min((one.line for one in patterns if one.line > pattern.line), default=len(lines) + 1)
        self.pattern = pattern
        self.source = Source("".join(lines[pattern.line - 1 : end - 1]), "")
        root = compose(self.source)
        item = root.value[0] if isinstance(root, yaml.SequenceNode) and root.value else None
        self.values = {key.value: node for key, node in item.value} if isinstance(item, yaml.MappingNode) else {}

    def text(self, key: str) -> str:
        """Return a key's value with all spaces removed, or '' if the key is missing or has no text."""
        node = self.values.get(key)
        lines = node.value.splitlines() if isinstance(node, yaml.ScalarNode) else ()
        return "\n".join(line.replace(" ", "") for line in lines)

    def of(self, mutant: Mutant) -> tuple[int, int]:
        """Return the one-based line and column of a mutant's change."""
        node = self.values.get(mutant.key)
        if node is None:
            return self.pattern.line, self.pattern.column
        line, column = self.source.place(self._index(node, mutant))
        return self.pattern.line + line - 1, column

    def _index(self, node: yaml.Node, mutant: Mutant) -> int:
        if mutant.key in ("diagram", "sequence"):
            cells = fields.block(self.source, node, mutant.key)
            return cells[mutant.row][mutant.column][1] if cells else int(node.start_mark.index)
        if mutant.key == "when":
            return self._in_condition(node, mutant)
        if mutant.key == "points":
            return self._in_points(node, mutant)
        return int(node.start_mark.index)

    def _in_points(self, node: yaml.Node, mutant: Mutant) -> int:
        """Return the text index of a mutant's change in the value of `points`.

        The value is an expression or a table.
        """
        if isinstance(node, yaml.MappingNode):
            key = ROWS[mutant.row - 1] if mutant.row else EACH
            node = next(value for name, value in node.value if name.value == key)
        if isinstance(node, yaml.SequenceNode):
            node = node.value[mutant.column]
        if isinstance(node, yaml.ScalarNode) and not mutant.row:
            return self.source.indexes(node)[mutant.column]
        return int(node.start_mark.index)

    def _in_condition(self, node: yaml.Node, mutant: Mutant) -> int:
        """Return the text index of a mutant's change in a condition.

        The function counts only visible characters, because YAML folds white space.
        """
        items = node.value if isinstance(node, yaml.SequenceNode) else [node]
        nodes = [item for item in items if isinstance(item, yaml.ScalarNode)]
        places = [(item, at) for item in nodes for at, _ in split_conjuncts(" ".join(item.value.split()))]
        item, at = places[mutant.row]
        before = " ".join(item.value.split())[: at + mutant.column].replace(" ", "")
        indexes = self.source.indexes(item)
        visible = [index for index, letter in zip(indexes, item.value, strict=False) if not letter.isspace()]
        return visible[min(len(before), len(visible) - 1)]
