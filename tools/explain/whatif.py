"""What if the knowledge were another: one position decided twice, and what differs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from rules.engine import Candidate, Decision
from rules.patternfile import Book
from tools.arguments import ArgumentError
from tools.draw.boards import move_text
from tools.draw.decisions import NAME_WIDTH, decision_json, heading_text, reason_line, verdict_text
from tools.draw.terminal import wrap_text
from tools.effects.parts import indices_by_id, part_of
from tools.knowledge.problems import no_such


@dataclass(frozen=True)
class WhatIf:
    """Two complete decisions of one position: as things are, and with other knowledge. words: which that is."""

    words: str
    now: Decision
    then: Decision

    @property
    def moved(self) -> bool:
        """Whether another move is played."""
        return self.now.move != self.then.move

    @property
    def size(self) -> int:
        return self.now.position.ruleset.size


def book_without(book: Book, ids: Collection[str]) -> Book:
    """Return the book without these patterns; raise ArgumentError for an id that it does not have."""
    index_of = indices_by_id(book)
    for unknown in sorted(set(ids) - index_of.keys()):
        raise ArgumentError(no_such("pattern", unknown, index_of))
    return part_of(book, (index for name, index in index_of.items() if name not in ids))


def changed_candidates(answer: WhatIf) -> list[tuple[Candidate, Candidate]]:
    """Return (now, then) of each move whose score, verdict or patterns differ; by its better rank of the two."""
    ranks = [{one.move: rank for rank, one in enumerate(side.candidates)} for side in (answer.now, answer.then)]
    then = {one.move: one for one in answer.then.candidates}
    pairs = [(one, then[one.move]) for one in answer.now.candidates]
    return sorted(
        (pair for pair in pairs if _content_of(pair[0]) != _content_of(pair[1])),
        key=lambda pair: min(rank[pair[0].move] for rank in ranks),
    )


def _content_of(candidate: Candidate) -> tuple[object, ...]:
    return candidate.priority, candidate.points, candidate.specificity, candidate.veto, _points_by_pattern(candidate)


def _points_by_pattern(candidate: Candidate) -> dict[str, int]:
    return {firing.pattern.id: firing.points for firing in candidate.firings}


def what_if_text(answer: WhatIf, most: int) -> str:
    """Return the present decision and the other one side by side; at most so many moves whose score changes."""
    names = move_text(answer.now.move, answer.size), move_text(answer.then.move, answer.size)
    verdict = f"{names[1]} is played instead of {names[0]}." if answer.moved else f"{names[0]} is played all the same."
    lines = [heading_text(answer.now), "", wrap_text("", f"{answer.words}: {verdict}")]
    if answer.moved:
        lines.append(wrap_text("Then:   ", reason_line(answer.then)))
    changed = changed_candidates(answer)
    if not changed:
        return "\n".join([*lines, "", "No move changes its score."])
    lines += ["", f"Moves whose score changes ({min(most, len(changed))} of {len(changed)}):", ""]
    lines.append(f"  {'':{NAME_WIDTH}}{'now':>8}{'then':>8}")
    for now, then in changed[:most]:
        lines += _change_lines(now, then, answer.size)
    return "\n".join(lines)


def _change_lines(now: Candidate, then: Candidate, size: int) -> list[str]:
    rows = [(what, getattr(now, what), getattr(then, what)) for what in ("priority", "points", "specificity")]
    before, after = _points_by_pattern(now), _points_by_pattern(then)
    lines = [f"  {move_text(now.move, size)}"]
    lines += [f"    {what:{NAME_WIDTH - 2}}{left:>8}{right:>8}" for what, left, right in rows if left != right]
    for pattern_id in sorted(before.keys() | after.keys()):
        left, right = (f"{side[pattern_id]:+}" if pattern_id in side else "-" for side in (before, after))
        if left != right:
            lines.append(f"    {pattern_id:{NAME_WIDTH - 2}}{left:>8}{right:>8}")
    if now.veto != then.veto:
        lines.append(wrap_text("    ", f"{verdict_text(now, size)}; then {verdict_text(then, size)}"))
    return lines


def what_if_json(answer: WhatIf) -> dict[str, Any]:
    """Return said, moved, then (the other decision, as in decision_json) and changed (moves whose score differs)."""
    return {
        "said": answer.words,
        "moved": answer.moved,
        "then": decision_json(answer.then),
        "changed": [move_text(now.move, answer.size) for now, _ in changed_candidates(answer)],
    }
