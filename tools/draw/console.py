"""The console that commands print tables and colours on: rich's, but for blanks at the ends of lines."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import TextIO

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table

_TRAILING = re.compile(r"[ \t]+(?=\n)")


class _Trimmed:
    """A text file to which lines are written without blanks at their ends."""

    def __init__(self, file: TextIO):
        self.file = file

    def write(self, text: str) -> int:
        return self.file.write(_TRAILING.sub("", text))

    def __getattr__(self, name: str):
        return getattr(self.file, name)


def console(**options) -> Console:
    """Return a console on standard output that colours only what it is told to; options: more for rich's Console."""
    return Console(file=_Trimmed(sys.stdout), highlight=False, **options)


def table_of(*heads: str, gap: int = 1) -> Table:
    """Return a table without lines, the first column to the left, all others to the right; gap: blanks between."""
    found = Table(box=None, padding=(0, gap, 0, 0), pad_edge=False, header_style="bold")
    for number, head in enumerate(heads):
        found.add_column(head, justify="right" if number else "left", overflow="fold")
    return found


@dataclass(frozen=True)
class Fitting:
    """A drawing where it has its full width, else a narrow one."""

    full: RenderableType
    narrow: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        wanted = Measurement.get(console, options.update(max_width=sys.maxsize), self.full).maximum
        yield self.full if wanted <= options.max_width else self.narrow
