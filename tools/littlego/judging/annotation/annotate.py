"""Annotation of a whole game: notes in its SGF tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from littlego.games.little_go import game_of
from littlego.games.match import territory
from littlego.games.vertices import vertex_text
from littlego.judging.annotation.comments import Decide, judge
from littlego.judging.annotation.marking import Notes, add_notes, add_variation, remove_ours
from littlego.records.records import Played, Record, RecordError, main_line_of
from littlego.records.sgf import Node, point_values
from littlego.rules.position import BLACK, PASS, WHITE, Position

if TYPE_CHECKING:
    from littlego.judging.annotation.exact import Oracle


class Step(NamedTuple):
    """A main-line move: number from 1, parent node, node, the position before, the move."""

    number: int
    before: Node
    node: Node
    position: Position
    played: Played


def steps_of(root: Node, record: Record) -> list[Step]:
    """Return the moves of a game; raise RecordError if the game cannot be annotated."""
    steps: list[Step] = []
    line = list(root.main_line())
    moved = [node for node in line if {"B", "W"} & node.properties.keys()]
    if len(moved) != len(record.moves) or root in moved:
        raise RecordError(": a node holds two moves, or the first one a move; expected one in each after the first")
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
) -> int:
    """Replace our notes in a game; return the number of annotated moves. Raise RecordError.

    ruleset: as in game_of. wanted: the numbers of the moves to annotate. decide: our decision in a position. watch: a
    function that passes the steps through and may report progress.
    """
    remove_ours(root)
    steps = steps_of(root, main_line_of(root, ruleset))
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
    """Add the territory and the score to the last node of a match that ended with two passes."""
    if last.played.move != PASS or not last.position.ends_with(PASS):
        return
    end = last.position.play(PASS)
    if parts := game_of(end.ruleset).score_text(end):
        more = Notes(lines=[parts])
        for name, points in zip(("TB", "TW"), territory(end.black, end.white, end.grid), strict=True):
            more.add(name, *point_values(points, end.ruleset.size))
        _join(notes.setdefault(id(last.node), Notes()), more)
