"""The candidates of a decision as JSON objects for the board view."""

from __future__ import annotations

from typing import Any

from littlego.editor.games import word
from littlego.engines.draw.decisions import drawn_points, number_text, score_line, verdict_text
from littlego.rules.engine import Candidate, Decision, Firing
from littlego.rules.position import PASS, Position

CHOSEN, SAFE, COSTLY, VETOED, UNKNOWN = "chosen", "safe", "costly", "vetoed", "unknown"


def moves_json(decision: Decision) -> list[dict[str, Any]]:
    """Return the display data of each candidate, in the decision's order.

    For `kind`, see kind_of. `said` is the score in one line, and `verdict` is the verdict in words. `result` is the
    mover's exact final lead, or null. `reply` is the reply that refutes the move, or null. Each of the `firings` has
    `pattern`, `summary`, `points`, `when` (see decisions.number_text), `cells` (the points of the drawing's cells) and
    `labels` (each with `letter` and `point`). The other keys are `move`, `points` and `priority`.
    """
    size = decision.position.ruleset.size
    return [_move_json(candidate, decision, size) for candidate in decision.candidates]


def _move_json(candidate: Candidate, decision: Decision, size: int) -> dict[str, Any]:
    verdict = candidate.verdict
    reply = None if verdict is None or verdict.reply is None else word(verdict.reply, size)
    return {
        "move": word(candidate.move, size),
        "kind": kind_of(candidate, decision),
        "said": score_line(candidate, size),
        "verdict": verdict_text(candidate, size),
        "points": candidate.points,
        "priority": candidate.priority,
        "result": None if candidate.result2 is None else candidate.result2 / 2,
        "reply": reply if candidate.veto or verdict is not None and verdict.loss > 0 else None,
        "firings": [_firing_json(firing, decision.position) for firing in candidate.firings],
    }


def kind_of(candidate: Candidate, decision: Decision) -> str:
    """Return a candidate's kind: chosen, safe, costly (loses stones), vetoed or unknown (not examined)."""
    if candidate is decision.chosen:
        return CHOSEN
    if candidate.veto:
        return VETOED
    if candidate.verdict is None:
        return UNKNOWN if candidate.result2 is None else SAFE
    return COSTLY if candidate.verdict.loss > 0 else SAFE


def _firing_json(firing: Firing, position: Position) -> dict[str, Any]:
    size = position.ruleset.size
    cells, labels = drawn_points(firing, size)
    return {
        "pattern": firing.pattern.id,
        "summary": firing.pattern.summary,
        "points": firing.points,
        "when": number_text(firing, position),
        "cells": [word(point, size) for point in cells if point != PASS],
        "labels": [{"letter": letter, "point": word(point, size)} for point, letter in labels.items()],
    }
