"""Coloured terminal output of a check's result and of the pages that explain problem codes."""

from __future__ import annotations

from rich import markdown
from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.text import Text
from rich.theme import Theme

from littlego.cli.terminal import console as new_console
from littlego.knowledge.codes import CODES, ERROR, NOTE, SEVERITIES, WARNING, Code
from littlego.knowledge.lint.check import Checked, below, head, left_out_lines, shown_problems, summary, undecided_lines
from littlego.knowledge.problems import Problem

# Colour names follow the terminal's theme. Yellow and cyan are unreadable in many light themes.
COLOURS = {ERROR: "bold red", WARNING: "bold magenta", NOTE: "bold"}
PAGE = Theme({"markdown.code": "bold", "markdown.h1": "bold", "markdown.h2": "bold"})  # rich itself shows code on black


def show(checked: Checked, console: Console | None = None) -> None:
    """Print a check's result on a terminal."""
    console = console or new_console()
    for problem in shown_problems(checked):
        console.print(colour_problem(problem, console.width), end="\n\n")
    for line in [*left_out_lines(checked), *undecided_lines(checked)]:
        console.print(Text(line))
    worst = checked.problems and min(checked.problems, key=lambda one: list(COLOURS).index(one.severity)).severity
    console.print(Text(summary(checked), style=COLOURS[worst] if worst else "green"))
    if worst:
        console.print(Text("`littlego check --explain CODE` explains a code"))


def colour_problem(problem: Problem, columns: int) -> Text:
    """Return a problem as styled text: the place in bold, the code and the caret in the severity's colour."""
    (place, code, words), colour = head(problem), COLOURS[problem.severity]
    text = Text.assemble((place, "bold"), " ", (code, colour), " ", words)
    for line in below(problem, columns):
        text.append("\n" + line, colour if line.strip() == "^" else "")
    return text


class Heading(markdown.Heading):
    """A left-aligned heading."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self.text


class Example(markdown.CodeBlock):
    """An excerpt of a patterns file as indented text in the terminal's default colours."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Padding(Text(str(self.text).rstrip()), (0, 0, 0, 4))


class Page(markdown.Markdown):
    """The page that explains a code."""

    elements = markdown.Markdown.elements | {"heading_open": Heading, "fence": Example}


def show_page(code: Code, console: Console | None = None) -> None:
    """Print the page of a code on a terminal."""
    console = console or new_console()
    with console.use_theme(PAGE):
        console.print(Page(code.page()), width=min(console.width, 100))


def show_codes(console: Console | None = None) -> None:
    """Print all codes with their titles on a terminal, the most severe first."""
    console = console or new_console()
    for severity in SEVERITIES:
        console.print(Text(f"{severity}s"))
        for code in CODES.values():
            if code.severity == severity:
                console.print(Text.assemble("  ", (code.name, COLOURS[severity]), f"  {code.title}"))
