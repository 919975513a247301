"""The test runner for the examples of patterns.

The runner uses the player's engine. Each example is a test with a name and a status. An example with an unexpected
result yields a problem to report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from littlego.games.boards import move_text
from littlego.knowledge.firing import moves_fired, near_misses
from littlego.knowledge.model import MATCHES, NO_MATCH, TODO_MATCH, TODO_NO_MATCH, Example, KnowledgeBase, KnownPattern
from littlego.knowledge.problems import Problem
from littlego.knowledge.textfile import book_for
from littlego.rules.patternfile import Book

# The statuses in the JSON, as ast-grep names them; the first two mean a pass. Messages use SHORTCOMINGS instead.
VALIDATED, REPORTED, NOISY, MISSING = STATUSES = ("validated", "reported", "noisy", "missing")
_STATUS = {(False, False): VALIDATED, (True, True): REPORTED, (True, False): NOISY, (False, True): MISSING}
HOLDS_TODAY = "todo"  # the kind of finding for a todo example that passes
SHORTCOMINGS = {  # singular and plural
    NOISY: ("fires where it must not", "fire where they must not"),
    MISSING: ("does not fire where it must", "do not fire where they must"),
    HOLDS_TODAY: ("is marked as failing, but now passes", "are marked as failing, but now pass"),
}


@dataclass(frozen=True)
class Outcome:
    """The result of an example. moves: the moves for which the pattern fired. passed: whether the example passed."""

    pattern: KnownPattern
    example: Example
    moves: list[int]
    passed: bool


def run_examples(base: KnowledgeBase) -> Iterator[Outcome]:
    """Yield the outcome of every example of a file's patterns."""
    for pattern in base.patterns:
        book = book_for([pattern, *pattern.companions], base.ruleset) if pattern.examples else None
        yield from (outcome_of(pattern, example, book) for example in pattern.examples)


def outcome_of(pattern: KnownPattern, example: Example, book: Book | None = None) -> Outcome:
    """Run one example and return its outcome. book: see firing.firings_for."""
    moves = moves_fired(pattern, example.position(), book)
    fired = bool(moves) if example.move is None else example.move in moves
    return Outcome(pattern, example, moves, fired == example.must_fire)


def problem_of(outcome: Outcome, filename: str) -> Problem | None:
    """Return the problem of a failing example, or None for a passing example or a todo example."""
    example, size = outcome.example, outcome.example.ruleset.size
    if outcome.passed or example.is_todo:
        return None
    code, to_fire, todo = (
        ("P070", "to fire", TODO_MATCH) if example.must_fire else ("P071", "not to fire", TODO_NO_MATCH)
    )
    places = "for " + ", ".join(point_name(move, size) for move in outcome.moves) if outcome.moves else "nowhere"
    return Problem(
        filename,
        example.line,
        example.column,
        code,
        f"`{outcome.pattern.entry}` fires {places}",
        f"it {to_fire} {'anywhere' if example.move is None else f'for {point_name(example.move, size)}'}",
        f"{_nearest_miss(outcome)}correct the diagram or the conditions, or move the example under `{todo}`",
        example.drawing(),
    )


def problem_of_todo(outcome: Outcome, filename: str) -> Problem | None:
    """Return the problem of a todo example that passes, or None for any other example."""
    example = outcome.example
    if not (outcome.passed and example.is_todo):
        return None
    return Problem(
        filename,
        example.line,
        example.column,
        "L213",
        f"an example under `{example.kind}` that now passes",
        f"it under `{MATCHES if example.must_fire else NO_MATCH}`",
    )


def _nearest_miss(outcome: Outcome) -> str:
    """Return a hint about the nearest miss, or '' unless the pattern must fire for a specific move."""
    example = outcome.example
    if not example.must_fire or example.move is None:
        return ""
    position, patterns = example.position(), (outcome.pattern, *outcome.pattern.companions)
    misses = [miss for pattern in patterns for miss in near_misses(pattern, position, example.move)[:1]]
    if not misses:
        return f"no placement of the diagram has its move at {point_name(example.move, example.ruleset.size)}; "
    nearest = min(misses, key=lambda miss: (len(miss.cells), len(miss.conditions)))
    return f"nearest there: {nearest.failed}; "


def point_name(move: int, size: int) -> str:
    """Return a move in the notation of examples: zero-based `row,column`, or `pass`."""
    return move_text(move, size).lower()


@dataclass(frozen=True)
class Case:
    """An example of a pattern, with a name such as `escape-by-extending::no_match[0]`."""

    name: str
    pattern: KnownPattern
    example: Example


@dataclass(frozen=True)
class Result:
    """A Case with the outcome of its example."""

    case: Case
    outcome: Outcome

    @property
    def status(self) -> str:
        """One of STATUSES: whether the pattern fired, and whether it had to fire."""
        must_fire = self.case.example.must_fire
        return _STATUS[self.outcome.passed == must_fire, must_fire]

    @property
    def is_finding(self) -> bool:
        """Whether the author must act: a normal example fails, or a todo example passes."""
        return self.outcome.passed == self.case.example.is_todo

    @property
    def shortcoming(self) -> str:
        """The kind of a finding: a key of SHORTCOMINGS."""
        return HOLDS_TODAY if self.case.example.is_todo else self.status

    def problem(self, filename: str) -> Problem | None:
        """Return the problem to report to the author, or None if the result is not a finding."""
        return problem_of(self.outcome, filename) or problem_of_todo(self.outcome, filename)

    def as_json(self) -> dict[str, object]:
        """Return the result as a dictionary for JSON."""
        example, size = self.case.example, self.case.example.ruleset.size
        return {
            "name": self.case.name,
            "pattern": self.case.pattern.entry,
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
    """Yield a Case for each example of each pattern.

    A case's name contains the zero-based number of the example among the pattern's examples of the same kind.
    """
    for pattern in base.patterns:
        seen: Counter[str] = Counter()
        for example in pattern.examples:
            yield Case(f"{pattern.entry}::{example.kind}[{seen[example.kind]}]", pattern, example)
            seen[example.kind] += 1


def is_meant(name: str, wanted: str) -> bool:
    """Return whether a name matches a glob in which only `*` and `?` are wildcards."""
    return fnmatchcase(name, wanted.replace("[", "[[]"))  # square brackets are parts of names, not wildcards


def is_chosen(case: Case, wanted: Sequence[str]) -> bool:
    """Return whether the names, ids and globs in `wanted` select a case. An empty `wanted` selects every case.

    The id of a sequence, or of any pattern in the sequence, selects all examples of the sequence. For globs, see
    is_meant.
    """
    pattern = case.pattern
    names = case.name, pattern.entry, pattern.id, *(companion.id for companion in pattern.companions)
    return not wanted or any(is_meant(name, one) for one in wanted for name in names)


@dataclass(frozen=True)
class Report:
    """The result of a test run."""

    filename: str
    problems: list[Problem]  # mistakes in the file; a pattern with a mistake has no results
    results: list[Result]
    known: list[str] = field(repr=False)  # all names by which a caller can select examples

    @property
    def findings(self) -> list[Result]:
        return [result for result in self.results if result.is_finding]

    @property
    def is_fine(self) -> bool:
        return not self.problems and not self.findings

    def counts(self) -> dict[str, int]:
        """Return {status: number of results}. A todo example is counted only under `todo`."""
        tally = Counter("todo" if result.case.example.is_todo else result.status for result in self.results)
        return {name: tally[name] for name in (*STATUSES, "todo")}

    def as_json(self) -> dict[str, object]:
        """Return the report as a dictionary for JSON."""
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
