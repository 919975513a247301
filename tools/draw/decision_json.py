"""A Decision as plain values for JSON: all that `explain` shows, for another program to read."""

from __future__ import annotations

from rules.engine import Candidate, Decision, Firing
from rules.position import BLACK, Position
from tools.draw.boards import board_rows, move_text

FORMAT = 1  # grows when a key changes its meaning or goes


def decision_json(decision: Decision) -> dict:
    """Return a complete decision as plain values.

    format; position (see position_json); move; overruled: the move that the patterns would have played, where an
    override chose this one, else null; candidates, the chosen one first, then from the best down, the vetoed ones
    last (see candidate_json). Moves are `row,column`, zero-based, or PASS.
    """
    size, overruled = decision.position.ruleset.size, decision.overruled
    return {
        "format": FORMAT,
        "position": position_json(decision.position),
        "move": move_text(decision.move, size),
        "overruled": None if overruled is None else move_text(overruled.move, size),
        "candidates": [candidate_json(candidate, decision) for candidate in decision.candidates],
    }


def position_json(position: Position) -> dict:
    """Return ruleset, size, board (rows of X, O and .), to_move, move_number, moves_left, ko (or null), passed."""
    size = position.ruleset.size
    return {
        "ruleset": position.ruleset.name,
        "size": size,
        "board": board_rows(size, position.black, position.white),
        "to_move": "black" if position.colour == BLACK else "white",
        "move_number": position.number,
        "moves_left": position.left,
        "ko": move_text(position.ko.bit_length() - 1, size) if position.ko else None,
        "passed": position.passed,
    }


def candidate_json(candidate: Candidate, decision: Decision) -> dict:
    """Return a candidate: move, chosen, priority, points, specificity, and

    result: the mover's exact final lead after komi, or null where it is not known; veto: why, or ''; safety: loss
    in stones, the reply that brings it (or null) and the reason, null where it was not looked at; firings, the
    deciding one first: pattern, class, summary, priority, points, symmetry (0 to 7, as in rules/geometry), place
    (the top-left corner of its box; null for a pass), forbids.
    """
    size, verdict = decision.position.ruleset.size, candidate.verdict
    reply = None if verdict is None or verdict.reply is None else move_text(verdict.reply, size)
    safety = None if verdict is None else {"loss": verdict.loss, "reply": reply, "reason": verdict.reason}
    return {
        "move": move_text(candidate.move, size),
        "chosen": candidate is decision.chosen,
        "priority": candidate.priority,
        "points": candidate.points,
        "specificity": candidate.specificity,
        "result": None if candidate.result2 is None else candidate.result2 / 2,
        "veto": candidate.veto,
        "safety": safety,
        "firings": [_firing_json(firing, size) for firing in candidate.firings],
    }


def _firing_json(firing: Firing, size: int) -> dict:
    pattern = firing.pattern
    nowhere = firing.place is None or pattern.passes
    return {
        "pattern": pattern.id,
        "class": pattern.kind,
        "summary": pattern.summary,
        "priority": pattern.priority,
        "points": firing.points,
        "symmetry": firing.symmetry,
        "place": None if nowhere else move_text(firing.place, size),
        "forbids": pattern.forbid,
    }
