"""Problems of a patterns file, and functions that format their messages."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from littlego.games.lookalikes import describe_lookalike
from littlego.knowledge.codes import CODES
from littlego.printable import printable

INDENT = " " * 4
COLUMNS = 80  # maximum width of an excerpt, with its indentation


@dataclass(frozen=True, order=True)
class Problem:
    """A problem of a patterns file. line, column: one-based, as in text editors.

    The constructor escapes invisible characters in file, message, expected and hint.
    """

    file: str
    line: int
    column: int
    code: str  # a key of littlego.knowledge.codes.CODES
    message: str
    expected: str = ""
    hint: str = ""
    drawing: str = ""  # a board that shows the problem
    excerpt: str = ""  # the source line

    def __post_init__(self) -> None:
        for name in ("file", "message", "expected", "hint"):
            object.__setattr__(self, name, printable(getattr(self, name)))

    @property
    def severity(self) -> str:
        """The severity: error, warning or note."""
        return CODES[self.code].severity

    @property
    def text(self) -> str:
        """The message, the expectation and the hint, in one line."""
        return "; ".join(filter(None, [self.message, self.expected and f"expected {self.expected}", self.hint]))

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, columns: int = COLUMNS) -> list[str]:
        """Return the lines to print: the problem, an excerpt of at most `columns` characters, and the drawing."""
        below = point_out(self.excerpt, self.column, columns - len(INDENT)) if self.excerpt.strip() else []
        return [
            f"{self.file}:{self.line}:{self.column} {self.code} {self.text}",
            *(INDENT + line for line in [*below, *self.drawing.splitlines()]),
        ]


def point_out(line: str, column: int, most: int) -> list[str]:
    """Return two lines: an excerpt of a source line around a column, and a caret below the column.

    The excerpt has at most `most` characters. column: one-based.
    """
    first = min(column - 1, len(line) - len(line.lstrip()))
    if len(line) - first > most:
        first = max(first, column - 1 - most * 2 // 3)
    shown = "".join(one if one.isprintable() else " " for one in line[first : first + most])
    before = shown[: column - 1 - first].ljust(column - 1 - first)
    return [shown.rstrip(), " " * sum(map(_width, before)) + "^"]


def _width(character: str) -> int:
    """Return the number of columns that a terminal uses for a character."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "FW" else 1


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the question "did you mean `x`?" for the most similar known word x, or ''.

    The result is '' if no known word is similar.
    """
    close = get_close_matches(word, list(known), n=1)
    return f"did you mean `{close[0]}`?" if close else ""


def no_such(noun: str, word: str, known: Iterable[str]) -> str:
    """Return the message that no `noun` has the name `word`.

    The message suggests a similar name if there is one.
    """
    return "; ".join(filter(None, [f"no {noun} `{word}`", did_you_mean(word, known)]))


def in_one_line(problems: Sequence[Problem]) -> str:
    """Return the first problem in one line, and the number of further problems, if any.

    The line omits the problem's excerpt and drawing. problems: must not be empty.
    """
    more = f" (and {plural(len(problems) - 1, 'more problem')})" if len(problems) > 1 else ""
    return problems[0].lines()[0] + more


def plural(number: int, noun: str) -> str:
    """Return a number with its noun, such as `1 row` or `2 rows`."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def quoted(text: str, most: int = 40) -> str:
    """Return a text in one line and in backquotes, truncated to `most` characters.

    If the text contains a look-alike or invisible character, a note about the first such character is appended.
    """
    line, odd = printable(" ".join(text.split())), describe_lookalike(text)
    return f"`{line if len(line) <= most else line[: most - 3] + '...'}`" + (f" ({odd})" if odd else "")
