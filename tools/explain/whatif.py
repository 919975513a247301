"""What if the knowledge were another: one position decided twice, and what differs."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine import Candidate, Decision
from tools.draw.boards import move_text
from tools.draw.decisions import NAME_WIDTH, decision_json, heading_text, reason_line, verdict_text
from tools.draw.terminal import wrap_text


@dataclass(frozen=True)
class WhatIf:
    """Two complete decisions of one position: as things are, and with other knowledge. said: which that is."""

    said: str
    now: Decision
    then: Decision

    @property
    def moved(self) -> bool:
        """Whether another move is played."""
        return self.now.move != self.then.move

    @property
    def size(self) -> int:
        return self.now.position.ruleset.size


def changes(found: WhatIf) -> list[tuple[Candidate, Candidate]]:
    """Return (now, then) of each move whose score, verdict or patterns differ; by its better rank of the two."""
    ranks = [{one.move: rank for rank, one in enumerate(side.candidates)} for side in (found.now, found.then)]
    then = {one.move: one for one in found.then.candidates}
    pairs = [(one, then[one.move]) for one in found.now.candidates]
    return sorted(
        (pair for pair in pairs if _content(pair[0]) != _content(pair[1])),
        key=lambda pair: min(rank[pair[0].move] for rank in ranks),
    )


def _content(candidate: Candidate) -> tuple:
    return candidate.priority, candidate.points, candidate.specificity, candidate.veto, _points(candidate)


def _points(candidate: Candidate) -> dict[str, int]:
    return {firing.pattern.id: firing.points for firing in candidate.firings}


def what_if_text(found: WhatIf, most: int) -> str:
    """Return the present decision and the other one side by side; at most so many moves whose score changes."""
    names = move_text(found.now.move, found.size), move_text(found.then.move, found.size)
    verdict = f"{names[1]} is played instead of {names[0]}." if found.moved else f"{names[0]} is played all the same."
    lines = [heading_text(found.now), "", wrap_text("", f"{found.said}: {verdict}")]
    if found.moved:
        lines.append(wrap_text("Then:   ", reason_line(found.then)))
    changed = changes(found)
    if not changed:
        return "\n".join([*lines, "", "No move changes its score."])
    lines += ["", f"Moves whose score changes ({min(most, len(changed))} of {len(changed)}):", ""]
    lines.append(f"  {'':{NAME_WIDTH}}{'now':>8}{'then':>8}")
    for now, then in changed[:most]:
        lines += _change_lines(now, then, found.size)
    return "\n".join(lines)


def _change_lines(now: Candidate, then: Candidate, size: int) -> list[str]:
    rows = [(what, getattr(now, what), getattr(then, what)) for what in ("priority", "points", "specificity")]
    before, after = _points(now), _points(then)
    lines = [f"  {move_text(now.move, size)}"]
    lines += [f"    {what:{NAME_WIDTH - 2}}{left:>8}{right:>8}" for what, left, right in rows if left != right]
    for pattern_id in sorted(before.keys() | after.keys()):
        left, right = (f"{side[pattern_id]:+}" if pattern_id in side else "-" for side in (before, after))
        if left != right:
            lines.append(f"    {pattern_id:{NAME_WIDTH - 2}}{left:>8}{right:>8}")
    if now.veto != then.veto:
        lines.append(wrap_text("    ", f"{verdict_text(now, size)}; then {verdict_text(then, size)}"))
    return lines


def what_if_json(found: WhatIf) -> dict:
    """Return said, moved, then (the other decision, as in decision_json) and changed (moves whose score differs)."""
    return {
        "said": found.said,
        "moved": found.moved,
        "then": decision_json(found.then),
        "changed": [move_text(now.move, found.size) for now, _ in changes(found)],
    }
