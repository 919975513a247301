"""Regression tests in GNU Go's format: commands of the Go Text Protocol, and after one what its answer should be.

    loadsgf ladders.sgf 12
    110 reg_genmove black
    #? [B4|C3]
    120 reg_genmove white
    #? [!A1]*

Between the brackets stands a regular expression for the whole answer, `!` before it where it must not match, and a
star after them where the test is expected to fail. Source: the chapter on regression testing of GNU Go's manual, whose
four verdicts are used: passed, PASSED where that was not expected, failed where it was, FAILED.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from littlego.cli.arguments import ArgumentError, read_file
from littlego.files import short_name
from littlego.players.gtp.protocol import Engine, Session, parse_request
from littlego.printable import printable

PASSED, PASSED_UNEXPECTEDLY, FAILED_AS_EXPECTED, FAILED = "passed", "PASSED", "failed", "FAILED"
VERDICTS = (PASSED, PASSED_UNEXPECTEDLY, FAILED_AS_EXPECTED, FAILED)
SHOWN = 80  # characters of an answer
_EXPECTATION = re.compile(r"#\?\s*\[(!?)(.*)\](\*?)&?\s*")
_ANSWER = re.compile(r"=[0-9]*\s*(.*)", re.DOTALL)


class Expectation(NamedTuple):
    """What is expected of the answer before it. pattern: of the whole of it; denied: it must not match."""

    pattern: re.Pattern[str]
    denied: bool
    fails: bool


class Outcome(NamedTuple):
    """How a test went. name: the id of its command, else its line. verdict: one of VERDICTS. got: the whole answer."""

    name: str
    verdict: str
    expected: str
    got: str

    def __str__(self) -> str:
        if self.verdict in (PASSED, PASSED_UNEXPECTEDLY):
            return f"{self.name} {self.verdict}"
        first, *others = self.got.split("\n")
        cut = len(first) > SHOWN or others
        got = printable(first)[:SHOWN] + (" ..." if cut else "")
        return f"{self.name} {self.verdict}: expected {printable(self.expected)}, got {got or 'nothing'}"


def run_tests(path: Path, engine: Engine[Session]) -> Iterator[Outcome]:
    """Yield the outcome of each test in a file; raise ArgumentError where it cannot be read, before anything is run.

    The files that its commands name are looked for in the folder that the command is run in, as GNU Go does.
    """
    lines = _read_lines(path)
    answer, name = "", ""
    for number, (line, test) in enumerate(lines, 1):
        if test is not None:
            if not answer:
                raise ArgumentError(f"{short_name(path)}:{number}: no command stands before this test")
            yield _judge(test, answer, name)
            continue
        written: list[str] = []
        goes_on = engine.answer(line, written.append)
        if written:
            answer = "".join(written)
            request = parse_request(line.decode("utf-8", "surrogateescape"))
            name = request.id if request and request.id else f"line {number}"
        if not goes_on:
            return


def _read_lines(path: Path) -> list[tuple[bytes, Expectation | None]]:
    """Return each line with the test that it is, None for a command, a comment or nothing; raise ArgumentError."""
    lines = read_file(path).split(b"\n")
    return [(line, _read_test(line, f"{short_name(path)}:{number}")) for number, line in enumerate(lines, 1)]


def _read_test(line: bytes, where: str) -> Expectation | None:
    text = line.decode("utf-8", "replace").strip()
    if not text.startswith("#?"):
        return None
    found = _EXPECTATION.fullmatch(text)
    if found is None:
        raise ArgumentError(f"{where}: found {printable(text[:SHOWN])}, expected #? [ANSWER] or #? [!ANSWER], then *")
    try:
        return Expectation(re.compile(found[2]), bool(found[1]), bool(found[3]))
    except (re.error, RecursionError, OverflowError) as error:
        raise ArgumentError(f"{where}: {printable(found[2][:SHOWN])} is no regular expression: {error}") from None


def _judge(test: Expectation, answer: str, name: str) -> Outcome:
    """Return how a test went; an error is no answer that anything could match."""
    found = _ANSWER.fullmatch(answer.rstrip("\n"))
    passed = found is not None and bool(test.pattern.fullmatch(found[1])) != test.denied
    verdicts = (FAILED_AS_EXPECTED, PASSED_UNEXPECTEDLY) if test.fails else (FAILED, PASSED)
    expected = f"{'anything but ' if test.denied else ''}{test.pattern.pattern}"
    return Outcome(name, verdicts[passed], expected, found[1] if found else answer.rstrip("\n"))


def run_file(path: Path, engine: Engine[Session], say: Callable[[str], object]) -> bool:
    """Run the tests of a file, say how each went and how many went how; return whether none FAILED."""
    counts = dict.fromkeys(VERDICTS, 0)
    for outcome in run_tests(path, engine):
        counts[outcome.verdict] += 1
        say(str(outcome))
    say(f"{sum(counts.values())} tests: " + ", ".join(f"{number} {verdict}" for verdict, number in counts.items()))
    return not counts[FAILED]
