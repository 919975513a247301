"""Whether changed decisions got better or worse: asked of a judge, `tools.labels.verdicts`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence

from rules.position import Position
from tools.effects.changes import Change

# From (position, move before, move after) each to a verdict each, '' where the truth is not known.
Judge = Callable[[Sequence[tuple[Position, int, int]]], list[str]]
NEEDS = "littlego diff: better or worse? To be told, install the solver: pip install -e '.[solver]'"


def judged(changes: Sequence[Change], positions: Sequence[Position], judge: Judge | None) -> dict[int, str]:
    """Return the verdicts that are known, by change.index; where the judge cannot be loaded, say so in a line."""
    if judge is None or not changes:
        return {}
    try:
        said = judge([(positions[change.index], change.before, change.after) for change in changes])
    except ModuleNotFoundError:
        print(NEEDS, file=sys.stderr)
        return {}
    return {change.index: verdict for change, verdict in zip(changes, said, strict=True) if verdict}


def verdicts_text(verdicts: dict[int, str], changes: int) -> str:
    """Say in a line how many changes got which verdict; changes: how many there are."""
    counts = [f"{count} {verdict}" for verdict, count in sorted(Counter(verdicts.values()).items())]
    unknown = changes - len(verdicts)
    return f"By the truth: {', '.join(counts + ([f'{unknown} not told'] if unknown else []))}."
