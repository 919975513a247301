"""Texts for the diff of two patterns files, in the terminal and the studio."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from littlego.engines.draw.decisions import reason_text
from littlego.engines.reasons.contrast import candidate_of, contrast
from littlego.judging.changes import ALONE, TOGETHER, Change
from littlego.knowledge.edits import ADDED, REMOVED, Edit
from littlego.knowledge.problems import plural
from littlego.rules.engine import Candidate, Decision
from littlego.rules.geometry import Point
from littlego.truth.labels.verdicts import HIDDEN, SOLVED_UP_TO

NAMED = 6  # maximum number of responsible patterns named for a change


def verdicts_text(verdicts: dict[int, str], changes: int) -> str:
    """Return a text with the number of changes for each verdict.

    For changes without a shown verdict, the text also says why the verdict is missing or hidden. changes: the number of
    all changes.
    """
    counts = Counter(verdicts.values())
    hidden, unknown = counts.pop(HIDDEN, 0), changes - len(verdicts)
    told = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
    lines = [f"Exact results: {told}."] if told else []
    if unknown:
        lines.append(
            f"No exact result is known for {unknown} of the changes: their positions have no label and more than "
            f"{SOLVED_UP_TO} moves left. `littlego solve` computes the result of any position."
        )
    if hidden:
        lines.append(
            f"Exact results of {hidden} of the changes are not shown: their positions are reserved for tests, and no "
            "pattern may be tuned on them."
        )
    return "\n".join(lines)


def edits_summary(edits: Sequence[Edit]) -> str:
    """Return a summary with the numbers of added, removed and changed patterns."""
    counts = {kind: sum(edit.kind == kind for edit in edits) for kind in (ADDED, REMOVED, "changed")}
    return "Patterns: " + ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)


def responsible_text(change: Change) -> str:
    """Return a sentence that names the patterns responsible for a change."""
    names = change.responsible
    listed = ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")
    if change.why == ALONE:
        return f"Responsible: {listed}" + (", each of them alone." if len(names) > 1 else ".")
    return (
        f"Responsible: several of {listed} together."
        if change.why == TOGETHER
        else f"Decided now by {listed or 'no pattern'}."
    )


def old_reasons(old: Point, new: Point, before: Decision | None, after: Decision) -> str:
    """Return the old patterns' reasons for the old move.

    If the old patterns are unknown, return a text that says how the new patterns rate the old move.
    """
    if before:
        return reason_against(new, before)
    return f"The reasons for the recorded move are unknown. With the new patterns: {_format_rank(old, after)}"


def reason_against(move: Point, decision: Decision) -> str:
    """Return why a decision does not choose `move`, the choice of the other patterns file."""
    return reason_text(contrast(decision, candidate_of(decision, move)))


def _format_rank(move: Point, decision: Decision) -> str:
    candidate = candidate_of(decision, move)
    if candidate is None:
        return "it is illegal."
    veto = f", vetoed: {candidate.veto}" if candidate.veto else ""
    return f"{_format_speakers(candidate)}, priority {candidate.priority}, points {candidate.points}{veto}."


def _format_speakers(candidate: Candidate) -> str:
    return f"{plural(len(candidate.firings), 'pattern')} for it" if candidate.firings else "no pattern fires for it"
