"""Regression tests in GNU Go's format: commands of the Go Text Protocol with expected answers.

    loadsgf ladders.sgf 12
    110 reg_genmove black
    #? [B4|C3]
    120 reg_genmove white
    #? [!A1]*

The brackets contain a regular expression for the whole answer. `!` before the expression means that it must not match,
and a star after the brackets marks a test that is expected to fail. The format and the four verdicts (passed, PASSED
unexpectedly, failed as expected, FAILED) are from the chapter on regression testing in GNU Go's manual.
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
SHOWN = 80  # characters of an answer that are printed
_EXPECTATION = re.compile(r"#\?\s*\[(!?)(.*)\](\*?)&?\s*")
_ANSWER = re.compile(r"=[0-9]*\s*(.*)", re.DOTALL)


class Expectation(NamedTuple):
    """The expected answer to a command.

    pattern: a regular expression for the whole answer. denied: whether the pattern must not match. fails: whether the
    test is expected to fail.
    """

    pattern: re.Pattern[str]
    denied: bool
    fails: bool


class Outcome(NamedTuple):
    """The result of a test.

    name: the id of the tested command, or `line N` if the command has no id. verdict: one of VERDICTS. expected: the
    pattern, preceded by `anything but` if it must not match. got: the text of the engine's answer, or the whole answer
    if the engine reported an error.
    """

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
    """Yield the outcome of each test in a file up to a `quit` command.

    If a test is malformed, raise ArgumentError before any command runs. If a test precedes the first answered command,
    raise ArgumentError when the run reaches this test. Relative file names in commands are resolved against the current
    folder, as in GNU Go.
    """
    lines = _read_lines(path)
    answer, name = "", ""
    for number, (line, test) in enumerate(lines, 1):
        if test is not None:
            if not answer:
                raise ArgumentError(f"{short_name(path)}:{number}: expected a command before this test")
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
    """Return (line, Expectation or None) for each line of a file; raise ArgumentError for an invalid test."""
    lines = read_file(path).split(b"\n")
    return [(line, _read_test(line, f"{short_name(path)}:{number}")) for number, line in enumerate(lines, 1)]


def _read_test(line: bytes, where: str) -> Expectation | None:
    text = line.decode("utf-8", "replace").strip()
    if not text.startswith("#?"):
        return None
    match = _EXPECTATION.fullmatch(text)
    if match is None:
        found = printable(text[:SHOWN])
        raise ArgumentError(
            f"{where}: found {found}, expected #? [ANSWER] or #? [!ANSWER], optionally with * at the end"
        )
    try:
        return Expectation(re.compile(match[2]), bool(match[1]), bool(match[3]))
    except (re.error, RecursionError, OverflowError) as error:
        raise ArgumentError(f"{where}: {printable(match[2][:SHOWN])} is not a regular expression: {error}") from None


def _judge(test: Expectation, answer: str, name: str) -> Outcome:
    """Return the Outcome of a test for an engine's answer. If the answer is an error, the test does not pass."""
    match = _ANSWER.fullmatch(answer.rstrip("\n"))
    passed = match is not None and bool(test.pattern.fullmatch(match[1])) != test.denied
    verdicts = (FAILED_AS_EXPECTED, PASSED_UNEXPECTEDLY) if test.fails else (FAILED, PASSED)
    expected = f"{'anything but ' if test.denied else ''}{test.pattern.pattern}"
    return Outcome(name, verdicts[passed], expected, match[1] if match else answer.rstrip("\n"))


def run_file(path: Path, engine: Engine[Session], say: Callable[[str], object]) -> bool:
    """Run a file's tests, and return True unless a test has the verdict FAILED.

    Print each outcome and the totals. say: the function that prints a line.
    """
    counts = dict.fromkeys(VERDICTS, 0)
    for outcome in run_tests(path, engine):
        counts[outcome.verdict] += 1
        say(str(outcome))
    say(f"{sum(counts.values())} tests: " + ", ".join(f"{number} {verdict}" for verdict, number in counts.items()))
    return not counts[FAILED]
