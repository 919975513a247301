"""A small patterns file, for tests that replace parts of its text."""

from __future__ import annotations

import re

FILE = """\
ruleset: little-go
patterns:
  - id: take
    class: capture
    summary: Take a chain whose last liberty is here.
    priority: 900
    points: 100 * size(A)
    diagram: |
      O *
    labels: |
      A *
    when:
      - liberties(A) == 1
    examples:
      matches:
        - board: |
            . . . . .
            . X . . .
            X O . . .
            . X . . .
            . . . . .
          move: 2,2
      no_match:
        - board: |
            . . . . .
            . X . . .
            . O . . .
            . X . . .
            . . . . .
"""


def changed(old: str, new: str, text: str = FILE) -> str:
    """Return `text` with the first occurrence of `old`, which must exist, replaced by `new`."""
    assert old in text, old
    return text.replace(old, new, 1)


def expected_problems(text: str) -> list[tuple[str, str]]:
    """Return (`LINE:COL CODE`, fragment) of each line `# expect: LINE:COL CODE fragment` in a file."""
    return re.findall(r"^# expect: (\d+:\d+ \w+) ?(.*)$", text, re.MULTILINE)
