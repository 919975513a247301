"""What is wrong in a patterns file, as values: where, what was found, what was expected, what to do."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from littlego.games.lookalikes import describe_lookalike
from littlego.knowledge.codes import CODES
from littlego.printable import printable

INDENT = " " * 4
COLUMNS = 80  # of a line of an excerpt, its indentation included


@dataclass(frozen=True, order=True)
class Problem:
    """One thing that an author must change; line and column count from 1, as editors do.

    code: its kind, see codes. excerpt: the source's line. drawing: a board that shows it, or ''. What it quotes of the
    file is kept as `printable` has it.
    """

    file: str
    line: int
    column: int
    code: str
    message: str
    expected: str = ""
    hint: str = ""
    drawing: str = ""
    excerpt: str = ""

    def __post_init__(self) -> None:
        for name in ("file", "message", "expected", "hint"):
            object.__setattr__(self, name, printable(getattr(self, name)))

    @property
    def severity(self) -> str:
        """How bad it is: error, warning or note."""
        return CODES[self.code].severity

    @property
    def text(self) -> str:
        """What was found, what is expected and what to do, in one line."""
        return "; ".join(filter(None, [self.message, self.expected and f"expected {self.expected}", self.hint]))

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, columns: int = COLUMNS) -> list[str]:
        """Return what to print: place, code and text in one line; the excerpt, cut to the columns; the drawing."""
        below = point_out(self.excerpt, self.column, columns - len(INDENT)) if self.excerpt.strip() else []
        return [
            f"{self.file}:{self.line}:{self.column} {self.code} {self.text}",
            *(INDENT + line for line in [*below, *self.drawing.splitlines()]),
        ]


def point_out(line: str, column: int, most: int) -> list[str]:
    """Return a line of the source, cut to `most` characters around a column from 1, and a caret below that column."""
    first = min(column - 1, len(line) - len(line.lstrip()))
    if len(line) - first > most:
        first = max(first, column - 1 - most * 2 // 3)
    shown = "".join(one if one.isprintable() else " " for one in line[first : first + most])
    before = shown[: column - 1 - first].ljust(column - 1 - first)
    return [shown.rstrip(), " " * sum(map(_width, before)) + "^"]


def _width(character: str) -> int:
    """Return the columns that a terminal gives a character."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "FW" else 1


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Suggest the known word that is spelled most like this one, or return ''."""
    close = get_close_matches(word, list(known), n=1)
    return f"did you mean `{close[0]}`?" if close else ""


def no_such(noun: str, word: str, known: Iterable[str]) -> str:
    """Return that there is nothing of that name, and what may be meant."""
    return "; ".join(filter(None, [f"no {noun} `{word}`", did_you_mean(word, known)]))


def in_one_line(problems: Sequence[Problem]) -> str:
    """Return the first problem without its excerpt, and how many more there are."""
    more = f" (and {plural(len(problems) - 1, 'more problem')})" if len(problems) > 1 else ""
    return problems[0].lines()[0] + more


def plural(number: int, noun: str) -> str:
    """Return a number with its noun, as `1 row` or `2 rows`."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def quoted(text: str, most: int = 40) -> str:
    """Quote what was found, shortened to one line of a readable length; tell a character that is not what it looks."""
    line, odd = printable(" ".join(text.split())), describe_lookalike(text)
    return f"`{line if len(line) <= most else line[: most - 3] + '...'}`" + (f" ({odd})" if odd else "")
