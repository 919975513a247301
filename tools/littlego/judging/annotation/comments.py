"""Annotations for one move of a game and its alternatives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from littlego.engines.draw.decisions import contrast_line, reason_line, verdict_text
from littlego.engines.reasons.contrast import better_but_vetoed, candidate_of, contrast
from littlego.engines.reasons.foresight import Foresight
from littlego.engines.reasons.judge import judge_of
from littlego.games.boards import move_text
from littlego.games.vertices import vertex_text, with_vertices
from littlego.judging.annotation.marking import Notes
from littlego.match.referee import COLOURS
from littlego.records.sgf import point_value, text_value
from littlego.records.sgf_writing import lead_value
from littlego.rules.engine import Candidate, Decision, Firing
from littlego.rules.geometry import Point
from littlego.rules.matching import parse_shape, point_bits
from littlego.rules.position import BLACK, PASS, WHITE, Position

if TYPE_CHECKING:
    from littlego.judging.annotation.exact import Known, Oracle

LABELS = "ABCDE"  # labels of the best candidates
MOST_SQUARES, MOST_VETOED = 8, 8  # maximum numbers of squares and of marked vetoed candidates
MOST_CELLS = 12  # maximum number of points: in larger patterns, only stones are marked
GRAVE2 = 10  # half points: a move that gives a win away and costs more than this is annotated as very bad


Decide = Callable[[Position], Decision]  # returns our decision in a position, with every candidate examined


class Judgement(NamedTuple):
    """The judgement of a move and its alternatives.

    before: notes that mark the candidates on the board, for the node before the move. after: notes for the node of the
    move. refuting: the reply that refutes the move, or None if no refutation is known. better: a line of best play that
    starts with another move, or [] if the line is unknown or not needed.
    """

    before: Notes
    after: Notes
    refuting: Point | None
    better: list[Point]


def judge(
    position: Position, move: Point, decide: Decide, oracle: Oracle, said: str = "", lettered: bool = True
) -> Judgement:
    """Return the Judgement of a legal move and its alternatives.

    said: the node's existing comment; a reason that the comment already gives is not repeated. lettered: whether the
    text in `after` names points as in Go diagrams (D4) rather than as row,column.
    """
    size, decision = position.ruleset.size, decide(position)
    played = _candidate(decision, move)
    known = oracle.ask(position, move) if oracle.knows(position) else None
    after = Notes()
    refuting: Point | None = None
    better: list[Point] = []
    _note_reason(after, decision, played, move, said, lettered)
    if known is not None:
        refuting, better = _note_exact(after, position, move, known, oracle, decision)
    elif played is not None and played.veto and played.verdict is not None and move != decision.move:
        after.add("DO", "")
        refuting = played.verdict.reply
    if refuting is not None and PASS not in (refuting, move):
        after.add("AR", f"{point_value(move, size)}:{point_value(refuting, size)}")
    if after.properties.keys() & {"BM", "DO"} and decision.move not in (move, PASS):
        after.add("CR", point_value(decision.move, size))
    return Judgement(_candidates(decision), after, refuting, better)


def _candidate(decision: Decision, move: Point) -> Candidate | None:
    """Return the candidate for a move, with its verdict, if any; None if the move is not a candidate."""
    found = candidate_of(decision, move)
    if found is None or found.verdict is not None:
        return found
    return Foresight(decision, (decision.chosen, found)).judged(found)


def _note_reason(
    notes: Notes, decision: Decision, played: Candidate | None, move: Point, said: str, lettered: bool
) -> None:
    size = decision.position.ruleset.size

    def named(words: str) -> str:
        return with_vertices(words, size) if lettered else words

    if move == decision.move:
        reason = named(reason_line(decision))
        if reason not in named(said):
            notes.lines.append(f"Our move too: {reason}")
        if firing := _first_firing(decision):
            notes.add("N", text_value(firing.pattern.id))
            notes.add("TR", *(point_value(point, size) for point in cells_of(firing, decision) if point != move))
        return
    why = reason_line(decision) if played is None else contrast_line(contrast(decision, played))
    notes.lines.append(named(f"Our player prefers another move: {why}"))
    if played is not None and played.veto and played.veto not in why:
        notes.lines.append(named(f"{move_text(move, size)} is {verdict_text(played, size)}."))


def _first_firing(decision: Decision) -> Firing | None:
    """Return the firing of the first pattern that the reason for the chosen move names.

    If the reason names no pattern, or if the first named pattern does not fire for the chosen move, return the move's
    first firing. Return None if the move has no firing.
    """
    named, firings = contrast(decision).named[:1], decision.chosen.firings
    return next((firing for firing in firings if firing.pattern.id in named), firings[0] if firings else None)


def _note_exact(
    notes: Notes, position: Position, move: Point, known: Known, oracle: Oracle, decision: Decision
) -> tuple[Point | None, list[Point]]:
    """Add the exact results to the notes; return (refuting reply or None, moves of better play or [])."""
    sign = 1 if position.colour == BLACK else -1
    cost2 = sign * (known.best2 - known.after2)  # the cost of the move in half points
    winner = BLACK if known.after2 > 0 else WHITE
    notes.add("GB" if winner == BLACK else "GW", "1")
    notes.add("V", f"{known.after2 / 2:g}")
    notes.add("SBKV", "100" if winner == BLACK else "0")
    notes.add("SBKS", f"{known.after2 / 2:g}")
    said = f"Exact: {COLOURS[winner]} wins by {lead_value(known.after2)}"
    refuting: Point | None = None
    better: list[Point] = []
    if known.winning and move not in known.winning:
        notes.add("BM", "2" if cost2 > GRAVE2 else "1")
        notes.add("HO", "1")
        said += f"; this move gave the win away and cost {lead_value(cost2)}"
        better = oracle.best_line(position)
        refuting = None if position.ends_with(move) else oracle.best_reply(position.play(move))
    elif known.winning == [move] and known.legal > 1:
        notes.add("TE", "1" if decision.move == move else "2")
        said += f"; the only move of {known.legal} that wins"
    elif known.winning and cost2 > 0:
        notes.add("DO", "")
        said += f"; another move wins by {lead_value(cost2)} more"
    elif known.replies == 1 and position.left > 2:
        notes.add("IT", "")
        said += "; the position is lost, but only one reply of the opponent wins"
    notes.lines.append(f"{said}.")
    return refuting, better


def _candidates(decision: Decision) -> Notes:
    """Return notes that mark the candidates on the board and list them in a comment.

    Labels mark the best candidates, squares mark further candidates, and crosses mark vetoed candidates that outrank
    the chosen move.
    """
    notes, size = Notes(), decision.position.ruleset.size
    able = [
        candidate
        for candidate in decision.candidates
        if not candidate.veto and candidate.move != PASS and candidate.firings
    ]
    vetoed = [one for one in better_but_vetoed(decision) if one.move != PASS][:MOST_VETOED]
    notes.add("MA", *(point_value(one.move, size) for one in vetoed))
    labelled = list(zip(LABELS, able, strict=False))
    notes.add("LB", *(f"{point_value(one.move, size)}:{label}" for label, one in labelled))
    notes.add("SQ", *(point_value(one.move, size) for one in able[len(LABELS) : len(LABELS) + MOST_SQUARES]))
    said = [
        f"{label} {vertex_text(one.move, size)} (priority {one.priority}, points {one.points})"
        for label, one in labelled
    ]
    said += [with_vertices(f"vetoed {vertex_text(one.move, size)}: {one.veto}", size) for one in vetoed]
    if said:
        notes.lines.append(f"Candidates of {COLOURS[decision.position.colour]}: {'; '.join(said)}.")
    return notes


def cells_of(firing: Firing, decision: Decision) -> Iterator[Point]:
    """Yield the points that a firing's drawing restricts: all except the cells with `?`.

    For a drawing with more than MOST_CELLS such points, yield only the points with stones.
    """
    size, pattern = decision.position.ruleset.size, firing.pattern
    undo, shape = judge_of(decision).undo(size), parse_shape(pattern.rows).turned(firing.cells & 7)
    corner = firing.cells >> 3 & (1 << point_bits(size)) - 1
    asked = [cell for cell in shape.cells if cell[2] != "?"]
    shown = asked if len(asked) <= MOST_CELLS else [cell for cell in asked if cell[2] in "XO"]
    for row, column, _ in shown:
        yield undo[corner + size * row + column]
