"""The command `test`, which runs the examples of a patterns file once or after each save."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from littlego.cli.arguments import FINDINGS, FINE, ArgumentError, read_file, write_results
from littlego.cli.commandline import command, json_option, patterns_option, patterns_ruleset_option
from littlego.files import STANDARD_OUTPUT, short_name
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.examples import (
    HOLDS_TODAY,
    SHORTCOMINGS,
    Case,
    Outcome,
    Report,
    Result,
    cases,
    is_chosen,
    is_meant,
    outcome_of,
)
from littlego.knowledge.problems import no_such, plural
from littlego.knowledge.textfile import book_for, pattern_line

if TYPE_CHECKING:
    from rich.console import Console

    from littlego.knowledge.model import KnownPattern
    from littlego.rules.patternfile import Book
    from littlego.rules.ruleset import Ruleset

LOOK = 500  # milliseconds between checks of the file if no change is reported
MOST_KEPT = 10_000  # maximum number of cached outcomes
Stamp = tuple[int, int, int] | None


@command(
    "test",
    example="littlego test\nlittlego test escape-by-extending 'cut-*'\nlittlego test -f my.yaml --watch",
    epilog=(
        "An example under `matches` passes if the pattern fires, and an example under `no_match` passes if the pattern "
        "does not fire. An example under `todo_match` or `todo_no_match` is expected to fail; the command reports it "
        "if it passes."
    ),
)
@click.argument("names", metavar="[NAME]...", nargs=-1)
@patterns_option("a patterns.yaml", by_ruleset=True)
@patterns_ruleset_option
@click.option("--watch", is_flag=True, help="Run the examples again whenever the file changes, until Ctrl-C.")
@click.option("-q", "--quiet", is_flag=True, help="Print only the line with the counts.")
@json_option
def test_command(names: tuple[str, ...], patterns: str, watch: bool, quiet: bool, json: str | None) -> int:
    """Run the examples of the patterns.

    NAME is the id of a pattern, or an example such as `ID::no_match[0]`, and may contain * and ?. Without NAME the
    command runs all examples. The exit status is 1 if an example fails, a todo example passes, or the file has an
    error.
    """
    if watch and json:
        raise ArgumentError("--watch together with --json: choose one")
    path, runner = Path(patterns), Runner()
    stamp = _stamp(path)
    report, seconds = _run(path, names, runner)
    write_results(json, report.as_json)
    if json != STANDARD_OUTPUT:
        _show(report, seconds, quiet)
    if watch:
        _watch(path, names, quiet, runner, stamp)
    return FINE if report.is_fine else FINDINGS


def _run(path: Path, names: Sequence[str], runner: Runner) -> tuple[Report, float]:
    """Run the examples; return the report and the seconds taken.

    Raise ArgumentError for an unreadable file and, unless the file has mistakes, for a name that matches nothing.
    """
    start = time.perf_counter()
    report = runner.run(read_file(path), short_name(path), names)
    for wanted in names if not report.problems else ():  # a selected pattern may be missing because of a mistake in it
        if not any(is_meant(known, wanted) for known in report.known):
            raise ArgumentError(no_such("pattern or example", wanted, report.known))
    return report, time.perf_counter() - start


def _watch(path: Path, names: Sequence[str], quiet: bool, runner: Runner, stamp: Stamp) -> None:
    """Rerun the examples after each change of the file until KeyboardInterrupt.

    The function also notices when another file replaces the watched file. stamp: the result of _stamp at the first run.
    """
    from watchfiles import watch

    print(f"Watching {short_name(path)}; press Ctrl-C to stop.", flush=True)
    for _ in watch(
        path.absolute().parent, watch_filter=None, recursive=False, step=20, rust_timeout=LOOK, yield_on_timeout=True
    ):
        before, stamp = stamp, _stamp(path)
        if stamp == before:
            continue
        print(f"\n{time.strftime('%H:%M:%S')}")
        try:
            _show(*_run(path, names, runner), quiet)
        except ArgumentError as error:  # the file may be missing while an editor saves it
            print(f"littlego: {error}", file=sys.stderr)
        sys.stdout.flush()


def _stamp(path: Path) -> Stamp:
    """Return a value that changes whenever a file is saved, or None if the file's state cannot be read."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size, stat.st_ino


def _show(report: Report, seconds: float, quiet: bool) -> None:
    """Print a report: the mistakes and findings, then the counts in one line.

    quiet: whether to print only the counts.
    """
    from littlego.cli.terminal import console

    screen = console()
    screen.soft_wrap = not screen.is_terminal  # in a pipe a problem's text stays one line
    for problem in report.problems if not quiet else ():
        screen.print(*problem.lines(screen.width), sep="\n")
    for result in report.findings if not quiet else ():
        _show_finding(screen, result, report.filename)
    screen.print(_summarize(report, seconds), style="green" if report.is_fine else "red")


def _show_finding(screen: Console, result: Result, filename: str) -> None:
    screen.print(f"{result.case.name}: {SHORTCOMINGS[result.shortcoming][0]}", style="bold red")
    problem = result.problem(filename)
    screen.print(*(problem.lines(screen.width) if problem else ()), sep="\n")
    screen.print()


def _summarize(report: Report, seconds: float) -> str:
    """Return the counts and the time in one line, such as `536 of 536 examples hold (0.4 s)`."""
    meant = [result for result in report.results if not result.case.example.is_todo]
    failing = Counter(result.shortcoming for result in report.findings)
    holding = sum(not result.is_finding for result in meant)
    todo = len(report.results) - len(meant) - failing[HOLDS_TODAY]
    parts = [
        f"{plural(len(report.problems), 'mistake')} in the file" if report.problems else "",
        f"{holding} of {plural(len(meant), 'example')} {'holds' if len(meant) == 1 else 'hold'}",
        *(f"{failing[kind]} {words[failing[kind] > 1]}" for kind, words in SHORTCOMINGS.items() if failing[kind]),
        f"{todo} {'is' if todo == 1 else 'are'} known to fail" if todo else "",
    ]
    return f"{'; '.join(filter(None, parts))} ({seconds:.1f} s)"


class Runner:
    """A runner of examples that caches outcomes, so that unchanged examples do not run again.

    A cache key describes a pattern, its companions and an example. Each Runner keeps the outcomes of the MOST_KEPT keys
    that were added last.
    """

    def __init__(self) -> None:
        self._outcomes: dict[tuple[object, ...], tuple[list[int], bool]] = {}
        self._book: tuple[tuple[object, ...], Book] | None = None  # the last pattern's book, with its key

    def run(self, text: str | bytes, filename: str, wanted: Sequence[str] = ()) -> Report:
        """Return the report on the examples of a patterns file. wanted: see is_chosen."""
        _, problems, base = compile_text(text, filename, with_examples=False)
        known = list(cases(base))
        return Report(
            filename,
            problems,
            results=[Result(case, self.outcome(case)) for case in known if is_chosen(case, wanted)],
            known=[*dict.fromkeys(name for pattern in base.patterns for name in (pattern.entry, pattern.id))]
            + [case.name for case in known],
        )

    def outcome(self, case: Case) -> Outcome:
        """Return an example's outcome, from the cache if possible."""
        pattern, example = case.pattern, case.example
        lines = [pattern_line(one) for one in (pattern, *pattern.companions)]
        key = (*lines, example.ruleset.name, *example.asked)
        if key not in self._outcomes:
            outcome = outcome_of(pattern, example, self._book_for(pattern, example.ruleset, lines))
            self._outcomes[key] = outcome.moves, outcome.passed
            if len(self._outcomes) > MOST_KEPT:
                del self._outcomes[next(iter(self._outcomes))]
        return Outcome(pattern, example, *self._outcomes[key])

    def _book_for(self, pattern: KnownPattern, ruleset: Ruleset, lines: list[str]) -> Book:
        """Return the book of a pattern and its companions; the last book is cached.

        lines: the lines of these patterns in patterns.txt.
        """
        key = (ruleset.name, ruleset.size, ruleset.komi2, *lines)
        if self._book is None or self._book[0] != key:
            self._book = key, book_for([pattern, *pattern.companions], ruleset)
        return self._book[1]
