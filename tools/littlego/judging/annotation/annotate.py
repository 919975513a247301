"""Annotation of a whole game, with notes in the nodes of its SGF tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from littlego.games.little_go import game_of
from littlego.games.match import territory
from littlego.games.vertices import vertex_text
from littlego.judging.annotation.comments import Decide, judge
from littlego.judging.annotation.marking import Notes, add_notes, add_variation, remove_ours
from littlego.records.main_line import main_line_of, moved_nodes
from littlego.records.records import Played, Record
from littlego.records.sgf import Node, point_values
from littlego.rules.position import BLACK, PASS, WHITE, Position

if TYPE_CHECKING:
    from littlego.judging.annotation.exact import Oracle


_MOVES = ("B", "W")


class Step(NamedTuple):
    """A move of the main line.

    number: the one-based move number. before: the parent of the move's node. position: the position before the move.
    """

    number: int
    before: Node
    node: Node
    position: Position
    played: Played


def split_moves(root: Node) -> None:
    """Split nodes until the root has no move and each other main-line node has at most one move."""
    node = root
    while True:
        moves = [(name, value) for name in node.properties if name in _MOVES for value in node.properties[name]]
        keep = 0 if node is root else 1
        last, children = node, node.children
        for name, value in moves[keep:]:
            node.properties[name].remove(value)
            last.children = [Node({name: [value]}, node.line, node.column)]
            last = last.children[0]
        if last is not node:
            last.children = children
            node.properties = {name: values for name, values in node.properties.items() if values}
        if not last.children:
            return
        node = last.children[0]


def steps_of(root: Node, record: Record) -> list[Step]:
    """Return the moves of a game's main line. The caller must split the nodes first: see split_moves."""
    steps: list[Step] = []
    line = list(root.main_line())
    moved = moved_nodes(root, record)
    before = {id(node): previous for previous, node in zip(line, line[1:], strict=False)}
    for number, (node, position, played) in enumerate(zip(moved, record.positions(), record.moves, strict=False), 1):
        steps.append(Step(number, before[id(node)], node, position, played))
    return steps


def annotate(
    root: Node,
    ruleset: str | None,
    wanted: range,
    decide: Decide,
    oracle: Oracle,
    watch: Callable[[list[Step]], Iterator[Step]] = iter,
    tell: Callable[[str], object] = str,
) -> int:
    """Replace littlego's notes in a game; return the number of annotated moves.

    ruleset: see main_line_of. wanted: the numbers of the moves to annotate. decide: a function that returns our
    player's decision in a position. oracle: the solver for positions near the end of a game. watch: a function that
    yields the given steps unchanged and may report progress. tell: a function that receives each warning, without the
    file's name. Raise RecordError for an invalid game.
    """
    remove_ours(root)
    record = main_line_of(root, ruleset)
    for warning in _warnings(record, wanted):
        tell(warning)
    split_moves(root)
    steps = steps_of(root, record)
    notes: dict[int, Notes] = {}
    some = [step for step in steps if step.number in wanted]
    for step in watch(some):
        _annotate_step(step, decide, oracle, notes)
    if steps and steps[-1].number in wanted:
        _note_end(steps[-1], notes)
    for node in root.main_line():
        if id(node) in notes:
            add_notes(node, notes[id(node)])
    return len(some)


def _warnings(record: Record, wanted: range) -> list[str]:
    """Return the warnings that concern the moves to annotate."""
    warnings = list(map(str, record.remarks_up_to(wanted.stop)))
    if record.broken and wanted.stop - 1 > len(record.moves):
        warnings.append(f"{record.broken}; only the moves before this point are annotated")
    return warnings


def _annotate_step(step: Step, decide: Decide, oracle: Oracle, notes: dict[int, Notes]) -> None:
    found = judge(step.position, step.played.move, decide, oracle, step.node.text("C"))
    size, mover = step.position.ruleset.size, step.position.colour
    for node, more in ((step.node, found.after), (step.before, found.before)):
        _join(notes.setdefault(id(node), Notes()), more)
    if found.refuting is not None:
        words = f"This reply refutes {vertex_text(step.played.move, size)}."
        add_variation(step.node, [(BLACK + WHITE - mover, found.refuting)], size, [words])
    if found.better:
        colours = [mover if ply % 2 == 0 else BLACK + WHITE - mover for ply in range(len(found.better))]
        words = f"Best play instead of {vertex_text(step.played.move, size)}, to the end."
        add_variation(step.before, list(zip(colours, found.better, strict=True)), size, [words])


def _join(notes: Notes, more: Notes) -> None:
    notes.lines += more.lines
    for name, values in more.properties.items():
        notes.add(name, *values)


def _note_end(last: Step, notes: dict[int, Notes]) -> None:
    """Add notes with the territory and the score to the last node of a match that two passes ended."""
    if last.played.move != PASS or not last.position.ends_with(PASS):
        return
    end = last.position.play(PASS)
    if parts := game_of(end.ruleset).score_text(end):
        more = Notes(lines=[parts])
        for name, points in zip(("TB", "TW"), territory(end.black, end.white, end.grid), strict=True):
            more.add(name, *point_values(points, end.ruleset.size))
        _join(notes.setdefault(id(last.node), Notes()), more)
