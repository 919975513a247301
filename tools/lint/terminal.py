"""What a check found, in colours on a terminal; the words are those of the plain text."""

from __future__ import annotations

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from tools.knowledge.codes import CODES, ERROR, NOTE, WARNING, Code
from tools.knowledge.problems import Problem
from tools.lint.check import Checked
from tools.lint.outputs import summary, undecided_lines

COLOURS = {ERROR: "bold red", WARNING: "bold yellow", NOTE: "bold cyan"}  # names, so that each terminal's theme decides


def show(checked: Checked, console: Console | None = None) -> None:
    """Print a check's result on a terminal."""
    console = console or Console(highlight=False)
    for problem in checked.problems:
        console.print(coloured(problem, console.width), end="\n\n")
    for line in undecided_lines(checked):
        console.print(Text(line))
    worst = checked.problems and min(checked.problems, key=lambda one: list(COLOURS).index(one.severity)).severity
    console.print(Text(summary(checked), style=COLOURS[worst] if worst else "bold green"))
    if worst:
        console.print(Text("`littlego check --explain CODE` says more about each"))


def coloured(problem: Problem, columns: int) -> Text:
    """Return a problem with its place, code and caret in colour."""
    head, *rest = problem.lines(columns)
    place, code, words = head.split(" ", 2)
    text = Text.assemble((place, "bold"), " ", (code, COLOURS[problem.severity]), " ", words)
    for line in rest:
        text.append("\n" + line, "bold green" if line.strip() == "^" else "")
    return text


def show_page(code: Code, console: Console | None = None) -> None:
    """Print the page about a code on a terminal."""
    console = console or Console()
    console.print(Markdown(code.page(), code_theme="ansi_dark"), width=min(console.width, 100))


def show_codes(console: Console | None = None) -> None:
    """Print all codes with their titles on a terminal."""
    console = console or Console(highlight=False)
    for code in CODES.values():
        console.print(Text.assemble((code.name, COLOURS[code.severity]), f"  {code.title}"))
