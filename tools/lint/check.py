"""One run over a patterns file that finds everything: what keeps it from compiling, and what the lints say."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from tools.knowledge.codes import ERROR, NOTE, WARNING
from tools.knowledge.compiler import compile_text
from tools.knowledge.model import KnowledgeBase
from tools.knowledge.problems import Problem
from tools.knowledge.source import Source
from tools.lint.texts import text_lints
from tools.lint.twins import twin_lints

OF_THE_WHOLE_FILE = ("L233",)  # no line of the file shows it
NEVER_FIRES = ("L201", "L202", "L211")  # that an example of such a pattern fails follows from it

ExactLints = Callable[[KnowledgeBase, list[str]], Iterable[Problem]]


@dataclass(frozen=True)
class Checked:
    """What a run found.

    problems: errors, warnings and notes in the order of the file. undecided: a line for each question that the
    exact lints gave up, which is then neither a fault nor known to be none.
    """

    file: str
    patterns: int
    problems: list[Problem]
    undecided: list[str] = field(default_factory=list)

    def count(self, severity: str) -> int:
        """Return how many problems are that bad."""
        return sum(problem.severity == severity for problem in self.problems)

    @property
    def has_findings(self) -> bool:
        """Whether anything is worse than a note."""
        return bool(self.count(ERROR) + self.count(WARNING))


def check_text(data: bytes, filename: str, exact_lints: ExactLints | None = None, notes: bool = False) -> Checked:
    """Return all that is wrong or doubtful in the bytes of a patterns file.

    exact_lints: yields what the exact questions show about the patterns that could be read, and adds what it could
    not decide to the list; None leaves these questions out. notes: whether to keep notes.
    """
    _, problems, base = compile_text(data, filename)
    undecided: list[str] = []
    found = [*text_lints(base), *twin_lints(base)]
    settled = {(problem.line, problem.column) for problem in found if problem.code == "L209"}
    if exact_lints:
        found += [problem for problem in exact_lints(base, undecided) if (problem.line, problem.column) not in settled]
    source = Source(data.decode("utf-8", "replace"), filename)
    found = [one if one.code in OF_THE_WHOLE_FILE else replace(one, excerpt=source.line(one.line)) for one in found]
    found = [one for one in found if notes or one.severity != NOTE]
    return Checked(filename, len(base.patterns), sorted(_without_consequences(problems + found, base)), undecided)


def _without_consequences(problems: list[Problem], base: KnowledgeBase) -> list[Problem]:
    """Return the problems less the failing examples of patterns that are proven never to fire."""
    starts = sorted((pattern.line, pattern.column) for pattern in base.patterns)

    def owner(problem: Problem) -> tuple[int, int]:
        return max((start for start in starts if start <= (problem.line, problem.column)), default=(0, 0))

    dead = {owner(problem) for problem in problems if problem.code in NEVER_FIRES}
    return [problem for problem in problems if not (problem.code == "P070" and owner(problem) in dead)]
