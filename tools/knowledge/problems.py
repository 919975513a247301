"""What is wrong in a patterns file, as values: where, what was found, what was expected, what to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches


@dataclass(frozen=True, order=True)
class Problem:
    """One thing that an author must change; line and column count from 1, as editors do."""

    file: str
    line: int
    column: int
    message: str
    expected: str = ""
    hint: str = ""
    drawing: str = ""

    def __str__(self) -> str:
        parts = [self.message]
        if self.expected:
            parts.append(f"expected {self.expected}")
        if self.hint:
            parts.append(self.hint)
        lines = [f"{self.file}:{self.line}:{self.column}: {'; '.join(parts)}"]
        lines += ["    " + line for line in self.drawing.splitlines()]
        return "\n".join(lines)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Suggest the known word that is spelled most like this one, or return ''."""
    close = get_close_matches(word, list(known), n=1)
    return f"did you mean `{close[0]}`?" if close else ""


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, as `1 row` or `2 rows`."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def shown(text: str, most: int = 40) -> str:
    """Quote what was found, shortened to one line of a readable length."""
    line = " ".join(text.split())
    return f"`{line if len(line) <= most else line[: most - 3] + '...'}`"
