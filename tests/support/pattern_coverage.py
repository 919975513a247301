"""A pytest plugin that records every pattern's effects, and fails the run if `faults` returns a fault.

Tests record surveys through the fixture `pattern_coverage`, one for each part of a corpus. The plugin judges the
patterns only if every part of every corpus was recorded, so that a run of a few tests does not fail for missing parts.
`--pattern-coverage-json FILE` writes each test's survey for `littlego coverage --test-run FILE`. The plugin works with
and without pytest-xdist: workers send their parts to the controller.
"""

from __future__ import annotations

import json
from io import StringIO
from typing import NamedTuple

import pytest
from knowledge_files import book
from rich.console import Console, RenderableType

from littlego.files import write_json
from littlego.judging.coverage import Survey, fires, is_inert, remark, total_survey
from littlego.judging.coverage_report import class_table, pattern_table, remarks_table
from littlego.rules.patternfile import Book

CORPORA = ("examples", "real games", "decisions on record", "games against the roles")
EXAMPLES, REAL, RECORDED, ROLES = CORPORA
SENT = "pattern_coverage"
# The player's known inert patterns with reasons; a pattern with an effect must be removed from this list.
KNOWN_INERT: dict[str, str] = {}


class Part(NamedTuple):
    """One of the `parts` parts of a corpus, numbered from 0."""

    corpus: str
    part: int
    parts: int


class Collected:
    """The surveys recorded so far, and their tests."""

    def __init__(self):
        self.parts: dict[Part, Survey] = {}
        self.tests: dict[Part, str] = {}

    def record(self, part: Part, survey: Survey, test: str = "") -> None:
        """Record the survey of one part of a corpus."""
        assert part.corpus in CORPORA, part
        self.parts[part], self.tests[part] = survey, test

    def is_complete(self) -> bool:
        """Return whether all parts of all corpora are recorded."""
        seen = {name: {part for part in self.parts if part.corpus == name} for name in CORPORA}
        return all(found and len(found) == max(part.parts for part in found) for found in seen.values())

    def columns(self) -> dict[str, Survey]:
        """Return one survey for each corpus."""
        return {
            name: total_survey(survey for part, survey in sorted(self.parts.items()) if part.corpus == name)
            for name in CORPORA
        }

    def by_test(self) -> dict[str, dict]:
        """Return the total survey of each test as JSON values."""
        names = sorted(set(self.tests.values()))
        return {
            name: total_survey(survey for part, survey in self.parts.items() if self.tests[part] == name).as_json()
            for name in names
        }

    def as_text(self) -> str:
        """Return all parts as text for another process."""
        return json.dumps([[part, self.tests[part], survey.as_json()] for part, survey in self.parts.items()])

    def add_text(self, text: str) -> None:
        """Add the parts that another process recorded."""
        for part, test, survey in json.loads(text):
            self.record(Part(*part), Survey.from_json(survey), test)


def unreached(book: Book, games: Survey) -> list[str]:
    """Return the classes of the book whose patterns neither decided nor supported a move of the games."""
    reached = {pattern.kind for pattern in book.patterns if not is_inert(pattern, games)}
    return sorted({pattern.kind for pattern in book.patterns} - reached)


def faults(patterns: Book, columns: dict[str, Survey]) -> list[str]:
    """Return the faults that fail the run, one text for each pattern or class."""
    games = total_survey([columns[REAL], columns[RECORDED], columns[ROLES]])
    inert = [
        f"{pattern.id} {remark(pattern, games)}; remove it, or mark it `rare:` with the reason"
        for pattern in patterns.patterns
        if not pattern.rare and is_inert(pattern, games) and pattern.id not in KNOWN_INERT
    ]
    inert += [
        f"{pattern.id} is listed as inert, but has an effect"
        for pattern in patterns.patterns
        if pattern.id in KNOWN_INERT and not is_inert(pattern, games)
    ]
    silent = [
        f"the class {kind} neither decides nor supports a move of the real games"
        for kind in unreached(patterns, columns[REAL])
    ]
    unproved = [
        f"{pattern.id}: none of its examples matches"
        for pattern in patterns.patterns
        if not fires(columns[EXAMPLES].of(pattern.id))
    ]
    return unproved + inert + silent


KEY = pytest.StashKey[Collected]()


def pytest_addoption(parser):
    parser.addoption("--pattern-coverage", action="store_true", help="show the counts of every pattern, as -v does")
    parser.addoption("--pattern-coverage-json", metavar="FILE", help="write each test's survey for littlego coverage")


def pytest_configure(config):
    config.stash[KEY] = Collected()


class Recorder:
    """The recorder of a test's surveys."""

    def __init__(self, collected: Collected, test: str):
        self.collected, self.test = collected, test

    def record(self, corpus: str, part: int, parts: int, survey: Survey) -> None:
        """Record the survey of one part of a corpus; parts are numbered from 0."""
        self.collected.record(Part(corpus, part, parts), survey, self.test)


@pytest.fixture
def pattern_coverage(request) -> Recorder:
    """Return the recorder of a test."""
    return Recorder(request.config.stash[KEY], request.node.nodeid)


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):  # a worker of pytest-xdist
        session.config.workeroutput[SENT] = session.config.stash[KEY].as_text()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    sent = getattr(node, "workeroutput", None) or {}  # a worker that crashed sends nothing
    node.config.stash[KEY].add_text(sent.get(SENT, "[]"))


@pytest.hookimpl(wrapper=True)
def pytest_runtestloop(session):
    result = yield
    collected = session.config.stash[KEY]
    if collected.is_complete() and faults(book(), collected.columns()):
        session.testsfailed += 1  # like pytest-cov for a total below --cov-fail-under
    return result


def pytest_terminal_summary(terminalreporter, config):
    collected = config.stash[KEY]
    if config.getoption("--pattern-coverage-json"):
        write_json(config.getoption("--pattern-coverage-json"), {"tests": collected.by_test()})
    if not collected.parts:
        return
    columns = collected.columns()
    terminalreporter.section("pattern coverage")
    everything = config.getoption("--pattern-coverage") or config.getoption("verbose") > 0
    for line in report(book(), columns, everything):
        terminalreporter.write_line(line)
    if not collected.is_complete():
        terminalreporter.write_line("Not every corpus was part of this run: no verdict.")
        return
    for fault in faults(book(), columns):
        terminalreporter.write_line(f"FAILED {fault}", red=True)


def lines_of(drawn: RenderableType) -> list[str]:
    """Return a renderable as text lines for a terminal of 80 columns without colour."""
    console = Console(file=StringIO(), width=80, color_system=None, highlight=False, markup=False)
    console.print(drawn)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def report(patterns: Book, columns: dict[str, Survey], everything: bool) -> list[str]:
    """Return the report's lines: a summary, the classes in real games, and a table of patterns.

    everything: whether the table lists all patterns, not only the remarkable patterns.
    """
    games = total_survey([columns[REAL], columns[RECORDED], columns[ROLES]])
    active = sum(not is_inert(pattern, games) for pattern in patterns.patterns)
    rare = sum(pattern.rare for pattern in patterns.patterns)
    letters = {name[0]: survey for name, survey in columns.items()}  # as in `littlego coverage`
    return [
        f"{len(patterns.patterns)} patterns: {active} decide or support a move in a game, {rare} are marked rare",
        "positions: " + ", ".join(f"{survey.positions} of {name}" for name, survey in columns.items()),
        "",
        *lines_of(class_table(patterns, columns[REAL])),
        "",
        *lines_of(pattern_table(patterns, games, letters, everything)),
        "",
        *lines_of(remarks_table(patterns, games)),
    ]
