"""Examples as tests: each has a name, a status, and where it is not as it should be, a problem to show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from tools.knowledge.compiler import compile_text
from tools.knowledge.examples import Outcome, outcome_of, point_name, problem_of, problem_of_todo
from tools.knowledge.model import Example, KnowledgeBase, KnownPattern
from tools.knowledge.problems import Problem
from tools.knowledge.textfile import pattern_line

# As ast-grep names them; the first two are as they should be.
VALIDATED, REPORTED, NOISY, MISSING = STATUSES = ("validated", "reported", "noisy", "missing")
_STATUS = {(False, False): VALIDATED, (True, True): REPORTED, (True, False): NOISY, (False, True): MISSING}


@dataclass(frozen=True)
class Case:
    """An example of a pattern, named as `escape-by-extending::no_match[0]`."""

    name: str
    pattern: KnownPattern
    example: Example


@dataclass(frozen=True)
class Result:
    """A case that was run. status: whether the pattern fired, and whether it should have."""

    case: Case
    outcome: Outcome

    @property
    def status(self) -> str:
        must_fire = self.case.example.must_fire
        return _STATUS[self.outcome.passed == must_fire, must_fire]

    @property
    def is_finding(self) -> bool:
        """Whether something is to be done: the example fails, or it is known to fail and passes."""
        return self.outcome.passed == self.case.example.is_todo

    def problem(self, filename: str) -> Problem | None:
        """Return what to tell the author, or None where all is as it should be."""
        if not self.is_finding:
            return None
        return problem_of(self.outcome, filename) or problem_of_todo(self.outcome, filename)

    def as_json(self) -> dict:
        """Return the result for other programs."""
        example, size = self.case.example, self.case.example.ruleset.size
        return {
            "name": self.case.name,
            "pattern": self.case.pattern.id,
            "kind": example.kind,
            "line": example.line,
            "column": example.column,
            "status": self.status,
            "todo": example.is_todo,
            "finding": self.is_finding,
            "asked": None if example.move is None else point_name(example.move, size),
            "fired": [point_name(move, size) for move in self.outcome.moves],
        }


def cases(base: KnowledgeBase) -> Iterator[Case]:
    """Yield every example of every pattern, numbered by its kind."""
    for pattern in base.patterns:
        seen: Counter[str] = Counter()
        for example in pattern.examples:
            yield Case(f"{pattern.id}::{example.kind}[{seen[example.kind]}]", pattern, example)
            seen[example.kind] += 1


def is_meant(name: str, wanted: str) -> bool:
    """Return whether a name is what is wanted, in which `*` and `?` stand for anything."""
    return fnmatchcase(name, wanted.replace("[", "[[]"))  # the brackets of a name are no choice of letters


def is_chosen(case: Case, wanted: Sequence[str]) -> bool:
    """Return whether a case is wanted by its pattern's id or its own name; all are where nothing is named."""
    return not wanted or any(is_meant(name, one) for one in wanted for name in (case.pattern.id, case.name))


@dataclass(frozen=True)
class Report:
    """What a test run found. problems: mistakes in the file itself; the patterns that hold them were not tested."""

    filename: str
    problems: list[Problem]
    results: list[Result]
    known: list[str] = field(repr=False)  # all names that could have been asked for

    @property
    def findings(self) -> list[Result]:
        return [result for result in self.results if result.is_finding]

    @property
    def is_fine(self) -> bool:
        return not self.problems and not self.findings

    def counts(self) -> dict[str, int]:
        """Return how many results there are of each status, those of todo examples apart."""
        found = Counter("todo" if result.case.example.is_todo else result.status for result in self.results)
        return {name: found[name] for name in (*STATUSES, "todo")}

    def as_json(self) -> dict:
        """Return the report for other programs."""
        return {
            "file": self.filename,
            "fine": self.is_fine,
            "counts": self.counts(),
            "problems": [
                {"line": problem.line, "column": problem.column, "code": problem.code, "message": problem.text}
                for problem in self.problems
            ],
            "examples": [result.as_json() for result in self.results],
        }


class Runner:
    """Runs the examples of a file again and again, as it is edited: what stayed the same is not run a second time.

    The file is always read as a whole, so that a result never differs from that of a first run.
    """

    def __init__(self):
        self._outcomes: dict[tuple, tuple[list[int], bool]] = {}

    def run(self, text: str | bytes, filename: str, wanted: Sequence[str] = ()) -> Report:
        """Return the report on the examples asked for."""
        _, problems, base = compile_text(text, filename, with_examples=False)
        known = list(cases(base))
        results = [Result(case, self._outcome(case)) for case in known if is_chosen(case, wanted)]
        names = [pattern.id for pattern in base.patterns] + [case.name for case in known]
        return Report(filename, problems, results, names)

    def _outcome(self, case: Case) -> Outcome:
        pattern, example = case.pattern, case.example
        key = (pattern_line(pattern), example.ruleset.name, *example.asked)
        if key not in self._outcomes:
            found = outcome_of(pattern, example)
            self._outcomes[key] = found.moves, found.passed
        return Outcome(pattern, example, *self._outcomes[key])
