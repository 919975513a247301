"""A small match patterns file, composed of parts that tests can replace."""

from __future__ import annotations

from littlego.knowledge.compiler import compile_text
from littlego.knowledge.model import KnowledgeBase
from littlego.knowledge.problems import Problem


def drawn(size: int, **stones: str) -> str:
    """Return the rows of a board, indented as in an example. stones: symbol=`row,column row,column ...`."""
    rows = [["."] * size for _ in range(size)]
    for symbol, places in stones.items():
        for place in places.split():
            row, column = map(int, place.split(","))
            rows[row][column] = symbol
    return "".join("            " + " ".join(row) + "\n" for row in rows)


def example(board: str, *lines: str) -> str:
    """Return an example with a board and further lines such as `move: 2,3`."""
    return "        - board: |\n" + board + "".join(f"          {line}\n" for line in lines)


MATCHES = example(drawn(9, O="2,2"), "move: 2,3")
NO_MATCH = example(drawn(9, X="2,2"), "move: 2,3")
TOUCH = "    diagram: |\n      O *\n"


def entry(name: str = "touch", body: str = TOUCH, matches: str = MATCHES, no_match: str = NO_MATCH) -> str:
    """Return a pattern's entry. body: other keys; a priority is added unless `body` has `priority` or `forbid`."""
    head = f"  - id: {name}\n    class: shape\n    summary: A pattern of the test.\n"
    head += "" if "priority:" in body or "forbid:" in body else "    priority: 500\n"
    return head + body + "    examples:\n      matches:\n" + matches + "      no_match:\n" + no_match


def file_of(*entries: str, head: str = "ruleset: match\n") -> str:
    """Return a patterns file with `entries`, by default only with the result of `entry()`."""
    return head + "patterns:\n" + "".join(entries or (entry(),))


def read(text: str, name: str = "patterns.match.yaml") -> tuple[list[Problem], KnowledgeBase]:
    """Return the problems of a file, including its examples, and its patterns."""
    _, problems, base = compile_text(text, name)
    return problems, base


def codes(text: str) -> list[str]:
    """Return the codes of a file's problems."""
    return [problem.code for problem in read(text)[0]]
