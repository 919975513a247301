"""What commands print: sentences in the columns of a terminal, and tables and colours by rich.

rich is loaded by the commands that draw tables: the others start faster without it.
"""

from __future__ import annotations

import math
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TextIO, cast

from littlego.printable import own_file, printable

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
    from rich.segment import Segment
    from rich.table import Table
    from rich.text import Text

MOST_COLUMNS = 80  # columns written in, however wide the terminal is
NO_BREAK = "\xa0"  # a space at which no line is broken
_TRAILING_BLANKS = re.compile(r"[ \t]+(?=\n)")


def terminal_columns() -> int:
    """Return in how many columns to write: MOST_COLUMNS, or what a narrower terminal has."""
    if not sys.stdout.isatty():
        return MOST_COLUMNS
    return min(MOST_COLUMNS, shutil.get_terminal_size((MOST_COLUMNS, 0)).columns)


def wrap_text(head: str, text: str, hanging: int = 0) -> str:
    """Return head and text in lines that fit the columns, the text in a column of its own.

    hanging: how much further its lines after the first are indented. Words joined by NO_BREAK stay on one line.
    """
    lines = textwrap.fill(
        printable(text, lines=True),
        terminal_columns(),
        initial_indent=head,
        subsequent_indent=" " * (len(head) + hanging),
        break_on_hyphens=False,
    )
    return (lines or head).replace(NO_BREAK, " ")


def time_text(seconds: float) -> str:
    """Return the time on a clock as minutes and seconds, `14:07`; begun seconds count whole: 0:00 is a fallen flag."""
    whole = max(0, math.ceil(seconds))
    return f"{whole // 60}:{whole % 60:02}"


class _TrimmedFile:
    """A text file to which lines are written without blanks at their ends."""

    def __init__(self, file: TextIO) -> None:
        self.file = file

    def write(self, text: str) -> int:
        return self.file.write(_TRAILING_BLANKS.sub("", text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


@lru_cache(maxsize=1)
def _console_class() -> type[Console]:
    from rich.console import Console

    class PrintableConsole(Console):
        """A console that steers the terminal itself, and prints as text whatever it is given to print."""

        def render_str(self, text: str, **options: Any) -> Text:
            """Make a string, such as a cell of a table, a Text: before it is measured, so that all of it has room."""
            return super().render_str(printable(text, lines=True), **options)

        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
            """Yield the pieces of whatever is drawn, in which there may be a Text of others."""
            for segment in super().render(renderable, options):
                yield segment if segment.control else segment._replace(text=printable(segment.text, lines=True))

    return PrintableConsole


def console(file: TextIO | None = None, **options: Any) -> Console:
    """Return a console that colours only what it is told to, and takes `[red]` for text: strangers may have written it.

    file: where it prints, by default to standard output, without blanks at the ends of lines. options: more for rich's
    Console.
    """
    target = own_file(file) if file else cast(TextIO, _TrimmedFile(own_file(sys.stdout)))
    return _console_class()(file=target, **{"highlight": False, "markup": False, "emoji": False, **options})


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
