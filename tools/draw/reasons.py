"""A Decision in words: one line for a game shown move by move, a table of all candidates for `explain`."""

from __future__ import annotations

from rules.engine import Candidate, Decision
from rules.patternfile import Pattern
from rules.position import BLACK, PASS
from tools.draw.boards import board_text, move_text
from tools.draw.columns import wrapped
from tools.draw.patterns import turn_text

MOST_PASSED_OVER = 3  # vetoed moves that a reason line names
NAMES = 30  # columns for a pattern's name: a table of names and numbers fits 50


def reason_line(decision: Decision) -> str:
    """Return why the move was chosen, in one line: the deciding pattern, the score, better moves that were vetoed.

    Of an override: that it is one, and what the patterns would have played.
    """
    chosen, size = decision.chosen, decision.position.ruleset.size
    if decision.overruled is not None:
        return _override_line(decision)
    parts = [f"{move_text(chosen.move, size)} by {_deciding(chosen)} [{_score(chosen)}]"]
    if chosen.veto:
        parts.append(f"every move is vetoed, this one loses least: {_veto(chosen, size)}")
    over = passed_over(decision)
    parts += [f"passed over {move_text(one.move, size)}: {_veto(one, size)}" for one in over[:MOST_PASSED_OVER]]
    if len(over) > MOST_PASSED_OVER:
        parts.append(f"and {len(over) - MOST_PASSED_OVER} more")
    return "; ".join(parts)


def _override_line(decision: Decision) -> str:
    overruled, size = decision.overruled, decision.position.ruleset.size
    return (
        f"{move_text(decision.move, size)} by an override: This one position was proved to need this move; the "
        f"patterns would have played {move_text(overruled.move, size)} by {_name(overruled)} [{_score(overruled)}]"
    )


def passed_over(decision: Decision) -> list[Candidate]:
    """Return the vetoed candidates that rank above the one that the patterns chose, best first."""
    chosen = decision.overruled or decision.chosen
    if chosen.veto:
        return []
    better = [one for one in decision.candidates if one.veto and one.rank() < chosen.rank()]
    return sorted(better, key=Candidate.rank)


def decision_text(decision: Decision) -> str:
    """Return the board and the table of all candidates: score, verdict or veto, patterns with points and place."""
    lines = [heading_text(decision), ""]
    lines.append(f"  {'move':6}{'priority':>9}{'points':>8}{'specific':>10}  verdict")
    size = decision.position.ruleset.size
    for candidate in decision.candidates:
        lines += _candidate_lines(candidate, candidate is decision.chosen, size)
    return "\n".join(lines)


def heading_text(decision: Decision) -> str:
    """Return who moves, the board with the move on it, and why it was chosen."""
    position = decision.position
    size = position.ruleset.size
    mover = "Black (X)" if position.colour == BLACK else "White (O)"
    move = decision.move if decision.move != PASS else None
    return "\n".join(
        [
            f"{mover} to play move {position.number}, {position.left} left with it.",
            board_text(size, position.black, position.white, move),
            "",
            wrapped("Chosen: ", reason_line(decision)),
        ]
    )


def placed_text(pattern: Pattern, symmetry: int, place: int, size: int) -> str:
    """Return in words where a pattern stands: the top-left corner of its box, and how it is turned."""
    turn = turn_text(pattern.rows, pattern.label_rows, symmetry)
    return ", ".join(filter(None, [f"at {move_text(place, size)}", turn]))


def _candidate_lines(candidate: Candidate, chosen: bool, size: int) -> list[str]:
    mark = "*" if chosen else " "
    scores = f"{candidate.priority:9}{candidate.points:8}{candidate.specificity:10}"
    lines = [wrapped(f"{mark} {move_text(candidate.move, size):6}{scores}  ", verdict_text(candidate, size))]
    for firing in candidate.firings:
        said = []
        if firing.place is not None and not firing.pattern.passes:
            said.append(placed_text(firing.pattern, firing.symmetry, firing.place, size))
        if firing.pattern.priority != candidate.priority:
            said.append(f"priority {firing.pattern.priority}")
        lines.append(wrapped(f"    {firing.pattern.id:{NAMES}}{firing.points:+6}  ", ", ".join(said)).rstrip())
    return lines


def verdict_text(candidate: Candidate, size: int) -> str:
    """Return what the safety check, or the exact result, says of a move."""
    if candidate.veto:
        return "vetoed: " + _veto(candidate, size)
    if candidate.result2 is not None:
        return f"exact: ends {candidate.result2 / 2:+g}"
    if candidate.verdict is None:
        return "not looked at"
    return "safe" if candidate.verdict.loss <= 0 else "loses stones on purpose: " + _refuted(candidate, size)


def _veto(candidate: Candidate, size: int) -> str:
    if candidate.verdict is not None and candidate.verdict.reason == candidate.veto:
        return _refuted(candidate, size)
    return candidate.veto


def _refuted(candidate: Candidate, size: int) -> str:
    verdict = candidate.verdict
    return verdict.reason if verdict.reply is None else f"{move_text(verdict.reply, size)} {verdict.reason}"


def _deciding(candidate: Candidate) -> str:
    if not candidate.firings:
        return f"{_name(candidate)}: No pattern speaks for a better move."
    return f"{_name(candidate)}: {candidate.firings[0].pattern.summary}"


def _name(candidate: Candidate) -> str:
    return candidate.firings[0].pattern.id if candidate.firings else "the built-in play"


def _score(candidate: Candidate) -> str:
    others = len(candidate.firings) - 1
    also = f"; also {others} other pattern{'s' if others > 1 else ''}" if others > 0 else ""
    exact = f"; exact: ends {candidate.result2 / 2:+g}" if candidate.result2 is not None else ""
    return f"priority {candidate.priority}, points {candidate.points}{also}{exact}"
