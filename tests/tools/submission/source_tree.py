"""A small repository to hand in from: the real engine and one pattern."""

from __future__ import annotations

import shutil
from pathlib import Path

from tools.knowledge.compiler import compile_text

ROOT = Path(__file__).parents[3]
YAML = """\
ruleset: little-go
patterns:
  - id: take-the-last-liberty
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
        - to_play: X
          board: |
            . . . . .
            . X . . .
            X O . . .
            . X . . .
            . . . . .
          move: 2,2
      no_match:
        - to_play: X
          board: |
            . . . . .
            . X . . .
            . O . . .
            . X . . .
            . . . . .
          move: 2,2
"""


def make_tree(root: Path) -> Path:
    """Make `root` a repository whose patterns.txt is fresh, and return it."""
    root.mkdir()
    shutil.copy(ROOT / "my_player3.py", root)
    shutil.copytree(ROOT / "rules", root / "rules", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "patterns.yaml").write_text(YAML, encoding="utf-8")
    data, problems, _ = compile_text(YAML, "patterns.yaml")
    assert not problems and data is not None
    (root / "patterns.txt").write_bytes(data)
    return root
