"""Small patterns files and recorded decisions for tests of the commands that report effects."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from littlego.judging.corpus import Corpus
from littlego.judging.recorded import read_record, write_record
from littlego.knowledge.files import book_of_lines, read_knowledge
from littlego.knowledge.parts import part_of
from littlego.paths import DECISIONS
from littlego.rules.patternfile import Book

PATTERNS = """\
ruleset: little-go
patterns:
  - id: centre-first
    class: opening
    summary: Begin in the centre.
    priority: 900
    points: 10
    diagram: |
      + - - - - - +
      | . . . . . |
      | . . . . . |
      | . . * . . |
      | . . . . . |
      | . . . . . |
      + - - - - - +
    examples:
      matches:
        - board: |
            . . . . .
            . . . . .
            . . . . .
            . . . . .
            . . . . .
          moves_left: 24
          move: 2,2
      no_match:
        - board: |
            . . . . .
            . . X . .
            . . . O .
            . . . . .
            . . . . .
          move: 2,2
  - id: beside
    class: attack
    summary: Stand beside a stone of theirs.
    priority: 500
    points: 20
    diagram: |
      O *
    examples:
      matches:
        - board: |
            . . . . .
            . . X . .
            . . . O .
            . . . . .
            . . . . .
          move: 2,2
      no_match:
        - board: |
            . . . . .
            . . X . .
            . . . O .
            . . . . .
            . . . . .
          move: 0,0
  - id: above-own
    class: shape
    summary: Stand beside an own stone.
    priority: 500
    points: 5 * line(*)
    diagram: |
      X *
    examples:
      matches:
        - board: |
            . . . . .
            . . X . .
            . . . O .
            . . . . .
            . . . . .
          move: 2,2
      no_match:
        - board: |
            . . . . .
            . . X . .
            . . . O .
            . . . . .
            . . . . .
          move: 0,0
"""
STRONGER = PATTERNS.replace("points: 5 * line(*)", "points: 90 * line(*)")
RENAMED = PATTERNS.replace("Stand beside an own stone.", "Stay together.")
WITHOUT = PATTERNS[: PATTERNS.index("  - id: above-own")]


def book_without(book: Book, index: int) -> Book:
    """Return the book without patterns[index]."""
    return part_of(book, (other for other in range(len(book.patterns)) if other != index))


@lru_cache(maxsize=1)
def decided(lines: tuple[str, ...]) -> Corpus:
    """Return some recorded positions, decided by the patterns in these lines of a patterns.txt."""
    record = read_record(DECISIONS)
    some = record.only(range(0, len(record.names), 150))
    return some.with_moves(some.decide(book_of_lines(lines)))


class Files:
    """A folder with a patterns file, an edited copy, and the recorded decisions of the unedited file."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.old, self.new = self.write("old.yaml", PATTERNS), self.write("new.yaml", STRONGER)
        self.snapshot = folder / "decisions.txt"
        recorded = decided(read_knowledge(self.old).lines)
        self.positions = recorded.positions()
        write_record(recorded, self.snapshot)

    def write(self, name: str, text: str) -> str:
        """Write a file, and return its path for the command line."""
        (self.folder / name).write_text(text)
        return str(self.folder / name)
