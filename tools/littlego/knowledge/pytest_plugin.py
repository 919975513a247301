"""A pytest plugin: each example of a patterns file is a test.

A test has a name such as `patterns.yaml::escape-by-extending::no_match[0]`. The plugin collects only patterns files
that the command line or `testpaths` names. Load the plugin with `-p littlego.knowledge.pytest_plugin`. The plugin
imports littlego's other modules lazily, so that coverage measurement starts before these imports.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from littlego.knowledge.examples import Case
    from littlego.knowledge.problems import Problem

_FIRST_KEY = re.compile(r"(?:\s|#.*\n)*(?:ruleset|patterns)\s*:")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Return the collector of a patterns file that the user named, or None for any other file."""
    if file_path.suffix not in (".yaml", ".yml") or not parent.session.isinitpath(file_path):
        return None
    text = file_path.read_text(encoding="utf-8", errors="replace")
    return PatternsFile.from_parent(parent, path=file_path) if _FIRST_KEY.match(text) else None


class PatternsFile(pytest.File):
    """The collector of a patterns file.

    The collector yields one test for the file's mistakes, then a collector for each pattern.
    """

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        from littlego.knowledge.compiler import compile_text
        from littlego.knowledge.examples import cases

        _, problems, base = compile_text(self.path.read_bytes(), self.name, with_examples=False)
        yield Mistakes.from_parent(self, name="mistakes", problems=problems)
        every = list(cases(base))
        for pattern in base.patterns:
            yield PatternExamples.from_parent(
                self, name=pattern.id, cases=[case for case in every if case.pattern is pattern]
            )


class PatternExamples(pytest.Collector):
    """The collector of the examples of one pattern."""

    def __init__(self, *, cases: Sequence[Case], **kwargs: Any):
        super().__init__(**kwargs)
        self.cases = cases

    def collect(self) -> Iterator[pytest.Item]:
        for case in self.cases:
            yield ExampleTest.from_parent(self, name=case.name.partition("::")[2], case=case)


class PatternsError(Exception):
    """Raised for mistakes in a patterns file and for failing examples.

    Pytest prints the error's text without a traceback.
    """


class _Item(pytest.Item):
    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the message of a PatternsError, or the traceback of any other error."""
        return str(excinfo.value) if excinfo.errisinstance(PatternsError) else super().repr_failure(excinfo, style)


class Mistakes(_Item):
    """A test that passes if the file has no mistakes. If a pattern has mistakes, its examples are not tested."""

    def __init__(self, *, problems: Sequence[Problem], **kwargs: Any):
        super().__init__(**kwargs)
        self.problems = problems

    def runtest(self) -> None:
        if self.problems:
            raise PatternsError("\n".join(map(str, self.problems)))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"{self.name} in the file"


class ExampleTest(_Item):
    """A test of one example.

    The test of a `todo_` example is an expected failure; the test fails once the example passes.
    """

    def __init__(self, *, case: Case, **kwargs: Any):
        super().__init__(**kwargs)
        self.case = case
        if case.example.is_todo:
            line, kind = case.example.line, case.example.kind
            reason = (
                f"line {line}, known to fail; once the example passes, "
                f"move it from `{kind}` to `{kind.removeprefix('todo_')}`"
            )
            self.add_marker(pytest.mark.xfail(raises=PatternsError, strict=True, reason=reason))

    def runtest(self) -> None:
        from littlego.knowledge.examples import outcome_of, problem_of

        outcome = outcome_of(self.case.pattern, self.case.example)
        if not outcome.passed:
            raise PatternsError(str(problem_of(outcome, self.path.name) or "known to fail"))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, self.case.example.line - 1, self.case.name
