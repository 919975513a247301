"""What commands print: sentences in the columns of a terminal, and tables and colours by rich.

rich is loaded by the commands that draw tables: the others start faster without it.
"""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO, cast

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
    from rich.table import Table

MOST_COLUMNS = 80  # columns written in, however wide the terminal is
_TRAILING_BLANKS = re.compile(r"[ \t]+(?=\n)")


def terminal_columns() -> int:
    """Return in how many columns to write: MOST_COLUMNS, or what a narrower terminal has."""
    if not sys.stdout.isatty():
        return MOST_COLUMNS
    return min(MOST_COLUMNS, shutil.get_terminal_size((MOST_COLUMNS, 0)).columns)


def wrap_text(head: str, text: str, hanging: int = 0) -> str:
    """Return head and text in lines that fit the columns, the text in a column of its own.

    hanging: how much further its lines after the first are indented.
    """
    lines = textwrap.fill(
        text,
        terminal_columns(),
        initial_indent=head,
        subsequent_indent=" " * (len(head) + hanging),
        break_on_hyphens=False,
    )
    return lines or head


class _TrimmedFile:
    """A text file to which lines are written without blanks at their ends."""

    def __init__(self, file: TextIO) -> None:
        self.file = file

    def write(self, text: str) -> int:
        return self.file.write(_TRAILING_BLANKS.sub("", text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


def console(**options: Any) -> Console:
    """Return a console on standard output that colours only what it is told to; options: more for rich's Console."""
    from rich.console import Console

    return Console(file=cast(TextIO, _TrimmedFile(sys.stdout)), highlight=False, **options)


def new_table(*heads: str, gap: int = 1, rows: Iterable[Iterable[Any]] = ()) -> Table:
    """Return a table without lines, the first column to the left, all others to the right; gap: blanks between."""
    from rich.table import Table

    table = Table(box=None, padding=(0, gap, 0, 0), pad_edge=False, header_style="bold")
    for number, head in enumerate(heads):
        table.add_column(head, justify="right" if number else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


@dataclass(frozen=True)
class Fitting:
    """A drawing where it has its full width, else a narrow one."""

    full: RenderableType
    narrow: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.measure import Measurement

        wanted = Measurement.get(console, options.update(max_width=sys.maxsize), self.full).maximum
        yield self.full if wanted <= options.max_width else self.narrow
