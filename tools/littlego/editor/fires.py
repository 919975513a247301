"""JSON objects for the page: a pattern's firings on a board, and the clauses that fail for a move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from littlego.editor.placements import ANYTHING, Placement, Placements
from littlego.games.boards import describe_turn, move_text
from littlego.games.game import why_illegal
from littlego.knowledge.firing import near_misses
from littlego.knowledge.model import KnownPattern
from littlego.knowledge.programs import calls, infix
from littlego.rules.position import PASS, Position

MOST_DRAWN = 400  # maximum number of listed placements; on an empty 19x19 board a lone `*` has 361 placements


def fires(placements: Placements) -> dict[str, Any]:
    """Return the firings of one pattern.

    `pattern` is the pattern's id. `moves` lists each move with the points of its best placement, best move first.
    `count` is the number of placements that fire. `placements` lists the first MOST_DRAWN firing placements with their
    points: see placement_json.
    """
    points = [placements.points(one) for one in placements.firing]
    best: dict[int, int] = {}
    for placed, worth in zip(placements.firing, points, strict=True):
        best[placed.move] = max(worth, best.get(placed.move, worth))
    ranked = sorted(best.items(), key=lambda one: (-one[1], one[0]))
    size = placements.board.size
    shown = list(zip(placements.firing, points, strict=True))[:MOST_DRAWN]
    return {
        "pattern": placements.pattern.id,
        "moves": [{"move": move_name(move, size), "points": worth} for move, worth in ranked],
        "count": len(placements.firing),
        "placements": [placement_json(placements, placed) | {"points": worth} for placed, worth in shown],
    }


def move_name(move: int, size: int) -> str:
    """Return a move in request syntax: `row,column` or `pass`."""
    return move_text(move, size).lower()


def placement_json(placements: Placements, placed: Placement) -> dict[str, Any]:
    """Return a placement as a JSON object.

    The keys are `move`, `symmetry`, `place` (the point under the top-left corner of the drawing), `turn` (the symmetry
    in words), `cells` and `labels`. A cell has `point`, `row` and `column` (zero-based in the diagram, including its
    edges) and `symbol`; cells with `?` are omitted. A label has `letter` and `point`.
    """
    size, pattern = placements.board.size, placements.pattern
    pairs = list(zip(placements.cells, placed.points, strict=True))
    return {
        "move": move_name(placed.move, size),
        "symmetry": placed.symmetry,
        "place": move_name(placed.place, size),
        "turn": describe_turn(pattern.rows, pattern.label_rows, placed.symmetry) if pattern.rows else "",
        "cells": [
            {"point": move_name(point, size), "row": cell.row, "column": cell.column, "symbol": cell.symbol}
            for cell, point in pairs
            if cell.symbol != ANYTHING
        ],
        "labels": [{"letter": cell.letter, "point": move_name(point, size)} for cell, point in pairs if cell.letter],
    }


def why_not_here(patterns: Sequence[KnownPattern], position: Position, move: int) -> dict[str, Any]:
    """Return whether a pattern of an entry fires for a move and, if none fires, the reasons.

    move: a point or PASS. In the answer, `fires` states whether a pattern fires for the move. `pattern` is the id of
    the pattern that fires or, if none fires, of the nearest pattern. The nearest pattern has the fewest differing cells
    and, among equals, the fewest failing conditions. `failed` describes the first failure, or is '' if a pattern fires.
    `failures` is the number of failing clauses. For `placement` and `clauses`, see placement_json and clauses_json. If
    no placement has this move, `placement` is null, and `pattern` is the id of the first pattern. If a placement has
    this move but does not fire, `illegal` is the reason why the move is illegal, or '' for a legal move.
    """
    size = position.ruleset.size
    answer: dict[str, Any] = {"move": move_name(move, size), "fires": False, "placement": None, "clauses": []}
    nearest: list[tuple[int, int, Placements, Placement, str]] = []
    for pattern in patterns:
        placements = Placements(pattern, position)
        if here := [one for one in placements.firing if one.move == move]:
            said = {"fires": True, "pattern": pattern.id, "failed": "", "failures": 0}
            return answer | said | _failing_json(placements, here[0])
        misses = near_misses(pattern, position, move)
        if misses:
            miss = misses[0]
            at = _same_place(placements, miss.symmetry, miss.place, [point for point, _, _ in miss.cells])
            nearest.append((len(miss.cells), len(miss.conditions), placements, at, miss.failed))
        elif elsewhere := [one for one in placements.all if one.move == move and one.wrong_edges]:
            at = min(elsewhere, key=lambda one: (len(one.wrong_edges), placements.failing(one).bit_count()))
            side = at.wrong_edges[0]
            said_edge = f"the {side} of the drawing is an edge of the board, but the board has no edge there"
            nearest.append((99, 0, placements, at, said_edge))
    if not nearest:
        no = f"no placement of the drawing on a {size}x{size} board has its move at {answer['move']}"
        return answer | {"pattern": patterns[0].id if patterns else "", "failed": no, "failures": 0}
    _, _, placements, at, failed = min(nearest, key=lambda one: one[:2])
    told = _failing_json(placements, at)
    failures = sum(clause["holds"] is False for clause in told["clauses"])
    illegal = why_illegal(position, move) if not placements.is_legal(at) else ""
    return (
        answer | {"pattern": placements.pattern.id, "failed": failed, "failures": failures, "illegal": illegal} | told
    )


def _failing_json(placements: Placements, placed: Placement) -> dict[str, Any]:
    return {"placement": placement_json(placements, placed), "clauses": clauses_json(placements, placed)}


def _same_place(placements: Placements, symmetry: int, place: int, wrong: Sequence[int]) -> Placement:
    """Return the placement with the given symmetry at the given place.

    If this placement does not exist, return a placement at the same place whose cells differ from the board exactly at
    the points `wrong`. If neither exists, return the first placement.
    """
    at = [one for one in placements.all if one.place == place and not one.wrong_edges]
    named = next((one for one in at if one.symmetry == symmetry), None)
    alike = (one for one in at if {one.points[k] for k in placements.wrong_cells(one)} == set(wrong))
    return named or next(alike, None) or (placements.placed or placements.all)[0]


def clauses_json(placements: Placements, placed: Placement) -> list[dict[str, Any]]:
    """Return a JSON object for each clause of a pattern at a placement, in the order of the badges.

    Each clause has `kind` and `holds` (null for a condition that is not evaluated because a cell differs). An edge also
    has `side`. A cell has `row`, `column`, `symbol`, `point` and `found` (the symbol on the board). A condition has
    `number`, `text`, `line`, `column` and `facts` (the text and the value of each call).
    """
    size, wrong = placements.board.size, set(placements.wrong_cells(placed))
    clauses: list[dict[str, Any]] = [
        {"kind": "edge", "side": side, "holds": side not in placed.wrong_edges} for side in placements.edges
    ]
    for number, cell in enumerate(placements.cells):
        if cell.symbol != ANYTHING:
            point = placed.points[number]
            said = {
                "point": move_name(point, size),
                "found": placements.board.symbol(point),
                "holds": number not in wrong,
            }
            clauses.append({"kind": "cell", "row": cell.row, "column": cell.column, "symbol": cell.symbol, **said})
    if placed.move != PASS:
        clauses.append({"kind": "legal", "holds": placements.is_legal(placed)})
    return clauses + [_condition_json(placements, placed, number, bool(wrong)) for number in placements.order]


def _condition_json(placements: Placements, placed: Placement, number: int, is_open: bool) -> dict[str, Any]:
    """Return a condition as a JSON object: see clauses_json.

    is_open: whether the condition is not evaluated, because a cell differs.
    """
    pattern, program = placements.pattern, placements.pattern.when[number]
    line, column = pattern.places.get(f"when {number}", (pattern.line, pattern.column))
    asked = () if is_open else calls(program)
    return {
        "kind": "condition",
        "number": number,
        "text": infix(program),
        "line": line,
        "column": column,
        "holds": None if is_open else bool(placements.value(program, placed)),
        "facts": [{"text": text, "value": placements.value(call, placed)} for text, call in asked],
    }
