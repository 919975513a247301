"""A small patterns file and a position, for tests that must not depend on patterns.yaml."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from littlego.engines.books import overrides_beside
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.model import KnowledgeBase

CUT = """\
. . . . .
. . O X .
. O X X .
. . O . .
. . . . .
"""  # X to move, 18 moves left; the player plays 1,1 because of the cut and the atari
CUTTING = """\
ruleset: little-go
patterns:
  - id: cut-across
    class: cut
    summary: "Cut between two opposing chains that meet only diagonally."
    priority: 500
    points: 50
    diagram: |
      O *
      X O
    when:
      - cuts(*) >= 2
      - own_liberties(*) >= 2
    examples:
      matches:
        - board: |
            . X . . .
            . O X . .
            . . O . .
            . . . . .
            . . . . .
          move: 2,1
      no_match:
        - board: |
            . X . . .
            . O X . .
            . O O . .
            . . . . .
            . . . . .
          move: 1,3
  - id: give-atari
    class: attack
    summary: "An atari makes them answer."
    priority: 500
    points: 35 * atari(*)
    diagram: |
      O *
    labels: |
      A .
    when:
      - liberties_after(A) == 1
    examples:
      matches:
        - board: |
            X O . . .
            . . . . .
            . . . . .
            . . . . .
            . . . . .
          move: 1,1
      no_match:
        - board: |
            . . . . .
            . O . . .
            . . . . .
            . . . . .
            . . . . .
          move: 1,2
  - id: room-to-move
    class: shape
    summary: "Prefer a move that gives the new stone's chain many liberties."
    priority: 500
    points: 10 * own_liberties(*)
    diagram: |
      *
    when:
      - own_liberties(*) >= 2
    examples:
      matches:
        - board: |
            . . . . .
            . O . . .
            . . . . .
            . . . . .
            . . . . .
          move: 1,2
      no_match:
        - board: |
            . O . . .
            . . . . .
            . . . . .
            . . . . .
            . . . . .
          move: 0,0
  - id: take-the-last-liberty
    class: capture
    summary: "Take a chain whose last liberty is here."
    priority: 500
    points: 40 * size(A)
    diagram: |
      O *
    labels: |
      A .
    when:
      - in_atari(A)
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
            O O X . .
            . . . . .
            . . . . .
            . . . . .
            . . . . .
          move: 1,0
  - id: not-on-the-edge
    class: avoid
    summary: "Stones on the edge have few liberties."
    priority: -10
    points: -20
    diagram: |
      | *
    examples:
      matches:
        - board: |
            . . . . .
            . . . . .
            . . . . .
            . . . . .
            . . . . .
          move: 2,0
      no_match:
        - board: |
            . . . . .
            . . . . .
            . . . . .
            . . . . .
            . . . . .
          move: 2,1
"""


@cache
def cutting() -> tuple[bytes, KnowledgeBase]:
    """Return (the patterns.txt, the patterns) compiled from CUTTING, whose examples must pass."""
    data, problems, base = compile_text(CUTTING, "patterns.yaml", with_examples=True)
    assert not problems, "\n".join(map(str, problems))
    return data, base


def put_cutting(folder: Path) -> str:
    """Write CUTTING to a folder as patterns.yaml and patterns.txt; return the name of the patterns.txt."""
    (folder / "patterns.yaml").write_text(CUTTING, encoding="utf-8")
    (folder / "patterns.txt").write_bytes(cutting()[0])
    return "patterns.txt"


def enter_cutting(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Write CUT and CUTTING to a folder, change to the folder, and return the name of the board's file."""
    monkeypatch.chdir(folder)
    (folder / "board.txt").write_text(CUT)
    put_cutting(folder)
    overrides_beside.cache_clear()  # the cache is keyed by names, and each folder has a patterns.txt
    return "board.txt"
