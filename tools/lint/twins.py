"""Patterns that differ only in a colour: in the one that they ask for, or in whose stones are whose."""

from __future__ import annotations

from collections.abc import Iterator

from tools.draw.boards import diagram_images
from tools.knowledge.model import KnowledgeBase, KnownPattern
from tools.knowledge.problems import Problem
from tools.lint.texts import report

ASKED_COLOURS = ("colour 1 ==", "colour 2 ==")
_OTHER = dict(zip(ASKED_COLOURS, reversed(ASKED_COLOURS), strict=True))
_SWAPPED = str.maketrans("XOxo", "OXox")

Plain = tuple  # what two patterns share if they say the same, however they are turned and lettered


def twin_lints(base: KnowledgeBase) -> Iterator[Problem]:
    """Yield each pattern that is an earlier one for the other colour."""
    earlier: dict[tuple[Plain, str], KnownPattern] = {}
    for pattern in base.patterns:
        asked = " ".join(sorted(set(pattern.when) & set(ASKED_COLOURS)))
        same, exchanged = plain(pattern), plain(pattern, swapped=True)
        twin = earlier.get((same, _OTHER[asked])) if asked in _OTHER else None
        if exchanged != same:
            twin = twin or earlier.get((exchanged, asked))
        if twin:
            message = f"`{pattern.id}` is `{twin.id}` (line {twin.line}) for the other colour"
            yield report(pattern, base.filename, "", "L232", message, "", "X is the mover, whoever that is")
        earlier.setdefault((same, asked), pattern)


def plain(pattern: KnownPattern, swapped: bool = False) -> Plain:
    """Return a pattern's drawing, conditions and points without turn, letters and colour.

    swapped: as if the stones of both sides were exchanged in the diagram.
    """
    rows = [row.translate(_SWAPPED) if swapped else row for row in pattern.rows]
    programs = [program for program in pattern.when if program not in ASKED_COLOURS]
    drawn = [_lettered(*image, programs, pattern.points) for image in diagram_images(rows, pattern.label_rows)]
    return pattern.passes, pattern.forbid, min(drawn)


def _lettered(rows: tuple[str, ...], label_rows: tuple[str, ...], when: list[str], points: str) -> tuple:
    """Return a drawing with its expressions, the letters replaced by their order of appearance in the drawing."""
    letters = list(dict.fromkeys(letter for row in label_rows for letter in row if letter.isalpha()))
    names = {letter: f"{number:02}" for number, letter in enumerate(letters)}

    def renamed(program: str) -> str:
        return " ".join(
            token[0] + names.get(token[1:], token[1:]) if token[0] in "~@" else token for token in program.split()
        )

    cells = tuple(tuple(names.get(letter, "") for letter in row) for row in label_rows)
    return rows, cells, tuple(sorted(map(renamed, when))), renamed(points)
