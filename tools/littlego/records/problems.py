"""Problems: drawn match positions, each with a theme and either its right or its wrong moves.

A problem is an entry of a YAML list. The keys of a pattern's example (knowledge.keys.EXAMPLE_KEYS) describe the
position; X is to move. The other keys are `id`; `theme`, one of THEMES; `why`, the reason in one sentence; and either
`right`, the moves that solve the problem, or `wrong`, the moves that fail. A move is `row,column`, both counted from 0,
or `pass`; spaces separate moves.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import yaml

from littlego.cli.arguments import ArgumentError, read_file
from littlego.files import short_name
from littlego.games.kinds import GamePosition
from littlego.games.match import match_rules
from littlego.knowledge import fields
from littlego.knowledge.boards import read_examples
from littlego.knowledge.keys import EXAMPLE_KEYS, keys_of
from littlego.knowledge.model import NO_MATCH
from littlego.knowledge.source import Source, compose
from littlego.paths import PROBLEMS
from littlego.records.records import parse_move
from littlego.rules.position import RESIGN

THEMES = "capture", "connection", "life", "seki", "filling", "endgame"
RIGHT, WRONG = "right", "wrong"
_OWN_KEYS = "id", "theme", RIGHT, WRONG, "why"


class Problem(NamedTuple):
    """A match position with either the moves that solve it or the moves that fail.

    right, wrong: moves (points or PASS); exactly one of the two sets is empty. why: the reason in one sentence, or ''
    if unknown.
    """

    id: str
    theme: str
    position: GamePosition
    right: frozenset[int]
    wrong: frozenset[int]
    why: str

    def is_solved_by(self, move: int | None) -> bool:
        """Return whether a move (a point or PASS) solves the problem; return False for RESIGN and None."""
        if move is None or move == RESIGN:
            return False
        return move in self.right if self.right else move not in self.wrong


def read_problems(path: Path = PROBLEMS) -> list[Problem]:
    """Return the problems of a file in file order.

    Raise ArgumentError for an invalid file; the message contains all mistakes.
    """
    try:
        text = read_file(path).decode("utf-8")
    except UnicodeDecodeError:
        raise ArgumentError(f"{short_name(path)} is not UTF-8; save the file as UTF-8") from None
    source = Source(text, short_name(path))
    root = compose(source)
    nodes = [] if root is None else fields.items(source, root, "the file of problems")
    problems = [problem for node in nodes if (problem := _read_problem(source, node)) is not None]
    if source.problems:
        raise ArgumentError("\n".join(str(one) for one in source.problems))
    return problems


def _read_problem(source: Source, node: yaml.Node) -> Problem | None:
    """Return the Problem that a node describes, or None for an unusable node; report all mistakes."""
    known = [*_OWN_KEYS, *(key for key in keys_of(EXAMPLE_KEYS, match_rules().name) if key != "move")]
    values = fields.mapping(source, node, known, "a problem")
    if values is None:
        return None
    name = fields.name(source, values["id"], "`id`") if "id" in values else None
    theme = fields.word(source, values["theme"], "`theme`") if "theme" in values else None
    why = fields.text(source, values["why"], "`why`") if "why" in values else None
    if theme not in THEMES:
        source.report_at(node, "P008", f"a problem with the theme {theme}", "one of " + ", ".join(THEMES))
    position = _read_position(source, node)
    if name is None or why is None or position is None:
        source.report_at(node, "P008", "an incomplete problem", "the keys `id`, `theme`, `board` and `why`")
        return None
    moves = {key: _read_moves(source, values[key], position.ruleset.size) for key in (RIGHT, WRONG) if key in values}
    if len(moves) != 1:
        source.report_at(node, "P008", f"a problem with {len(moves)} lists of moves", f"either `{RIGHT}` or `{WRONG}`")
        return None
    return Problem(name, theme or "", position, moves.get(RIGHT, frozenset()), moves.get(WRONG, frozenset()), why)


def _read_position(source: Source, node: yaml.Node) -> GamePosition | None:
    """Return a problem's position, read like a pattern's example, or report the mistakes and return None."""
    assert isinstance(node, yaml.MappingNode)
    keys = [(key, value) for key, value in node.value if key.value not in _OWN_KEYS]
    drawn = yaml.MappingNode(node.tag, keys, node.start_mark, node.end_mark)
    listed = yaml.SequenceNode(node.tag, [drawn], node.start_mark, node.end_mark)
    examples = read_examples(source, listed, NO_MATCH, match_rules(), passes=False)
    if not examples:
        return None
    position = examples[0].position()
    assert isinstance(position, GamePosition)
    return position


def _read_moves(source: Source, node: yaml.Node, size: int) -> frozenset[int]:
    """Return the moves that a node lists; report every word that is not a move on the board."""
    moves = set()
    for word in (fields.text(source, node, "a list of moves") or "").split():
        move = parse_move(word.upper(), size)
        if move is None:
            source.report_at(node, "P063", f"the move `{word}`", f"`row,column`, each from 0 to {size - 1}, or `pass`")
        else:
            moves.add(move)
    return frozenset(moves)
