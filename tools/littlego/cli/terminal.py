"""Terminal output of commands: wrapped text, tables and colours.

The package rich is loaded only for tables and colours, so that commands without tables or colours start faster.
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

MOST_COLUMNS = 80  # maximum width of the output, however wide the terminal is
NO_BREAK = "\xa0"  # a space at which lines do not break
_TRAILING_BLANKS = re.compile(r"[ \t]+(?=\n)")


def terminal_columns() -> int:
    """Return the width of the output: MOST_COLUMNS, or the width of a narrower terminal."""
    if not sys.stdout.isatty():
        return MOST_COLUMNS
    return min(MOST_COLUMNS, shutil.get_terminal_size((MOST_COLUMNS, 0)).columns)


def wrap_text(head: str, text: str, hanging: int = 0) -> str:
    """Return the head followed by the text, wrapped in a column to the right of the head.

    `hanging` is the additional indent of the lines after the first. Words joined by NO_BREAK stay on one line.
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
    """Return a clock's time as minutes and seconds, such as `14:07`, rounded up to whole seconds."""
    whole = max(0, math.ceil(seconds))
    return f"{whole // 60}:{whole % 60:02}"


class _TrimmedFile:
    """A text file that removes spaces and tabs before line ends."""

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
        """A rich console that escapes control characters in all text that it prints."""

        def render_str(self, text: str, **options: Any) -> Text:
            """Return a string, such as a table cell, as escaped Text, so that rich measures the escaped form."""
            return super().render_str(printable(text, lines=True), **options)

        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
            """Yield the segments of a renderable, with all control characters in the texts escaped."""
            for segment in super().render(renderable, options):
                yield segment if segment.control else segment._replace(text=printable(segment.text, lines=True))

    return PrintableConsole


def console(file: TextIO | None = None, **options: Any) -> Console:
    """Return a console that prints text without highlighting and without interpreting markup.

    The console prints markup such as `[red]` unchanged, and escapes control characters, so that untrusted texts are
    safe to print. `file` is the output file. The default is standard output; the console then removes trailing blanks.
    `options` are further options of rich's Console.
    """
    target = own_file(file) if file else cast(TextIO, _TrimmedFile(own_file(sys.stdout)))
    return _console_class()(file=target, **{"highlight": False, "markup": False, "emoji": False, **options})


def new_table(*heads: str, gap: int = 1, rows: Iterable[Iterable[Any]] = ()) -> Table:
    """Return a table without borders, with the first column left-aligned.

    The other columns are right-aligned. heads: the headers of the columns. gap: the number of spaces between columns.
    rows: the cells of each row.
    """
    from rich.table import Table

    table = Table(box=None, padding=(0, gap, 0, 0), pad_edge=False, header_style="bold")
    for number, head in enumerate(heads):
        table.add_column(head, justify="right" if number else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


@dataclass(frozen=True)
class Fitting:
    """A rich renderable with two forms: `full`, or `narrow` if `full` does not fit the available width."""

    full: RenderableType
    narrow: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.measure import Measurement

        wanted = Measurement.get(console, options.update(max_width=sys.maxsize), self.full).maximum
        yield self.full if wanted <= options.max_width else self.narrow
