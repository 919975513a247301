"""Small patterns files whose mutants have known outcomes, and a separate cache folder for `mutate`."""

from __future__ import annotations

from functools import partial

from littlego.cache import Cache
from littlego.judging.mutation import trial
from littlego.judging.recorded import HEADER

# Captures a chain in atari. The examples detect mutants of the O and the condition; RECORDED detects mutants of points
# and priority.
TAKE = """\
ruleset: little-go
patterns:
  - id: take
    class: capture
    summary: Take a chain whose last liberty is here.
    priority: 500
    points: 100 * size(A)
    diagram: |
      O *
    labels: |
      A .
    when:
      - liberties(A) == 1
    examples:
      matches:
        - board: |
            O X . . .
            . . . . .
            . . . . .
            . . . . .
            . . . . .
          move: 1,0
      no_match:
        - board: |
            . X O . .
            . . . . .
            . . . . .
            . . . . .
            . . . . .
          move: 0,3
"""

# A pattern that competes with `take`; its points are slightly less than a stone's.
WAIT = """
  - id: in-the-open
    class: shape
    summary: A point with nothing around it.
    priority: 500
    points: 95
    diagram: |
      . . .
      . * .
      . . .
    examples:
      matches:
        - board: |
            . . . . .
            . . . . .
            . . . . .
            . . . . .
            . . . . .
          move: 2,2
      no_match:
        - board: |
            . . . . .
            . . X . .
            . X . X .
            . . X . .
            . . . . .
          move: 2,2
"""

RECORDED = HEADER + "OX....................... black 20 - - 1,0\n"


def written(folder, text: str = TAKE, recorded: str = RECORDED) -> list[str]:
    """Write a patterns file and recorded decisions; return the arguments of `mutate` for both files."""
    (folder / "patterns.yaml").write_text(text)
    (folder / "decisions.txt").write_text(recorded)
    return ["-f", str(folder / "patterns.yaml"), "--decisions", str(folder / "decisions.txt"), "--jobs", "1"]


def keep_in(folder, monkeypatch) -> None:
    """Make `mutate` store its cache in a folder."""
    monkeypatch.setattr(trial, "Cache", partial(Cache, folder=folder))
