"""A small patterns file that is divided into pieces, for tests that change one of the pieces."""

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
    """Return the file with the first occurrence of `old`, which must exist, replaced by `new`."""
    assert old in text, old
    return text.replace(old, new, 1)


def expected_problems(text: str) -> list[tuple[str, str]]:
    """Return (`LINE:COL CODE`, fragment) of each `# expect: LINE:COL CODE fragment` at the head of a file."""
    return re.findall(r"^# expect: (\d+:\d+ \w+) ?(.*)$", text, re.MULTILINE)
