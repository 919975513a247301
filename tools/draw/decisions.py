"""A Decision in words and as JSON.

In words it is one line for a game shown move by move, or a table of all candidates for `explain`. As plain values for
JSON it holds all that `explain` shows, for another program to read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.engine import Candidate, Decision, Firing, rank
from rules.geometry import Point
from rules.position import BLACK, PASS, Position
from rules.safety import Verdict
from tools.draw.boards import board_rows, board_text, describe_turn, move_text
from tools.draw.terminal import wrap_text

FORMAT = 1  # of the JSON; grows when a key changes its meaning or goes
MOST_PASSED_OVER = 3  # vetoed moves that a reason line names
NAME_WIDTH = 30  # columns for a pattern's name: a table of names and numbers fits 50


def reason_line(decision: Decision) -> str:
    """Return why the move was chosen, in one line: the deciding pattern, the score, better moves that were vetoed.

    Of an override: that it is one, and what the patterns would have played.
    """
    chosen, size = decision.chosen, decision.position.ruleset.size
    if decision.overruled is not None:
        return _override_line(decision, decision.overruled)
    summary = chosen.firings[0].pattern.summary if chosen.firings else "No pattern speaks for a better move."
    parts = [f"{move_text(chosen.move, size)} by {_leader_name(chosen)}: {summary} [{_format_score(chosen)}]"]
    if chosen.veto:
        parts.append(f"every move is vetoed, this one loses least: {_format_veto(chosen, size)}")
    vetoed = better_but_vetoed(decision)
    parts += [
        f"passed over {move_text(one.move, size)}: {_format_veto(one, size)}" for one in vetoed[:MOST_PASSED_OVER]
    ]
    if len(vetoed) > MOST_PASSED_OVER:
        parts.append(f"and {len(vetoed) - MOST_PASSED_OVER} more")
    return "; ".join(parts)


def _override_line(decision: Decision, overruled: Candidate) -> str:
    size = decision.position.ruleset.size
    return (
        f"{move_text(decision.move, size)} by an override: This one position was proved to need this move; the "
        f"patterns would have played {move_text(overruled.move, size)} by {_leader_name(overruled)} "
        f"[{_format_score(overruled)}]"
    )


def better_but_vetoed(decision: Decision) -> list[Candidate]:
    """Return the vetoed candidates that rank above the one that the patterns chose, best first."""
    chosen = decision.overruled or decision.chosen
    if chosen.veto:
        return []
    return sorted((one for one in decision.candidates if one.veto and rank(one) < rank(chosen)), key=rank)


def decision_text(decision: Decision) -> str:
    """Return the board and the table of all candidates: score, verdict or veto, patterns with points and place."""
    lines = [heading_text(decision), "", f"  {'move':6}{'priority':>9}{'points':>8}{'specific':>10}  verdict"]
    for candidate in decision.candidates:
        lines += _candidate_lines(candidate, candidate is decision.chosen, decision.position.ruleset.size)
    return "\n".join(lines)


def heading_text(decision: Decision) -> str:
    """Return who moves, the board with the move on it, and why it was chosen."""
    position = decision.position
    mover = "Black (X)" if position.colour == BLACK else "White (O)"
    move = decision.move if decision.move != PASS else None
    return "\n".join(
        [
            f"{mover} to play move {position.number}, {position.left} left with it.",
            board_text(position.ruleset.size, position.black, position.white, move),
            "",
            wrap_text("Chosen: ", reason_line(decision)),
        ]
    )


def placement_text(rows: Sequence[str], label_rows: Sequence[str], symmetry: int, place: Point, size: int) -> str:
    """Return in words where a diagram stands: the top-left corner of its box, and how it is turned."""
    return ", ".join(filter(None, [f"at {move_text(place, size)}", describe_turn(rows, label_rows, symmetry)]))


def _candidate_lines(candidate: Candidate, chosen: bool, size: int) -> list[str]:
    scores = f"{candidate.priority:9}{candidate.points:8}{candidate.specificity:10}"
    head = f"{'*' if chosen else ' '} {move_text(candidate.move, size):6}{scores}  "
    lines = [wrap_text(head, verdict_text(candidate, size))]
    for firing in candidate.firings:
        remarks = []
        pattern = firing.pattern
        if firing.place is not None and firing.symmetry is not None and not pattern.passes:
            remarks.append(placement_text(pattern.rows, pattern.label_rows, firing.symmetry, firing.place, size))
        if pattern.priority != candidate.priority:
            remarks.append(f"priority {pattern.priority}")
        lines.append(wrap_text(f"    {pattern.id:{NAME_WIDTH}}{firing.points:+6}  ", ", ".join(remarks)).rstrip())
    return lines


def verdict_text(candidate: Candidate, size: int) -> str:
    """Return what the safety check, or the exact result, says of a move."""
    if candidate.veto:
        return "vetoed: " + _format_veto(candidate, size)
    if candidate.result2 is not None:
        return f"exact: ends {candidate.result2 / 2:+g}"
    if candidate.verdict is None:
        return "not looked at"
    if candidate.verdict.loss <= 0:
        return "safe"
    return "loses stones on purpose: " + _format_refutation(candidate.verdict, size)


def _format_veto(candidate: Candidate, size: int) -> str:
    if candidate.verdict is not None and candidate.verdict.reason == candidate.veto:
        return _format_refutation(candidate.verdict, size)
    return candidate.veto


def _format_refutation(verdict: Verdict, size: int) -> str:
    return verdict.reason if verdict.reply is None else f"{move_text(verdict.reply, size)} {verdict.reason}"


def _leader_name(candidate: Candidate) -> str:
    return candidate.firings[0].pattern.id if candidate.firings else "the built-in play"


def _format_score(candidate: Candidate) -> str:
    others = len(candidate.firings) - 1
    also = f"; also {others} other pattern{'s' if others > 1 else ''}" if others > 0 else ""
    exact = f"; exact: ends {candidate.result2 / 2:+g}" if candidate.result2 is not None else ""
    return f"priority {candidate.priority}, points {candidate.points}{also}{exact}"


def decision_json(decision: Decision) -> dict[str, Any]:
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


def position_json(position: Position) -> dict[str, Any]:
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


def candidate_json(candidate: Candidate, decision: Decision) -> dict[str, Any]:
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


def _firing_json(firing: Firing, size: int) -> dict[str, Any]:
    pattern = firing.pattern
    return {
        "pattern": pattern.id,
        "class": pattern.kind,
        "summary": pattern.summary,
        "priority": pattern.priority,
        "points": firing.points,
        "symmetry": firing.symmetry,
        "place": None if firing.place is None or pattern.passes else move_text(firing.place, size),
        "forbids": pattern.forbid,
    }
