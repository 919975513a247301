"""The commands `coverage` (roles of each pattern in play) and `diff` (decisions that an edit changes)."""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from littlego.cli.arguments import FINDINGS, FINE, ArgumentError, default_patterns, read_file, trying_to, write_results
from littlego.cli.commandline import (
    NATURAL,
    RULESET,
    accept_options,
    accepted_of,
    command,
    decisions_option,
    jobs_option,
    json_option,
    patterns_option,
    patterns_ruleset_option,
)
from littlego.cli.terminal import console, wrap_text
from littlego.files import STANDARD_OUTPUT, short_name, write_text
from littlego.judging.accepting import accept as accept_chosen
from littlego.judging.changes import Change, group_changes
from littlego.judging.corpora import RECORDED, Wanted, corpora_of, survey_all
from littlego.judging.coverage import TEST_RUN, Survey, active_share, coverage_json, total_in_play
from littlego.judging.coverage_page import coverage_page
from littlego.judging.coverage_report import coverage_report, pattern_detail
from littlego.judging.deciding import decided
from littlego.judging.diff import Diff, diff_of
from littlego.judging.diff_report import change_text, diff_report
from littlego.judging.recorded import write_record
from littlego.judging.stale import stale_with
from littlego.knowledge.files import Knowledge, read_knowledge
from littlego.knowledge.stale import Stale
from littlego.rules.patternfile import Book
from littlego.rules.ruleset import LITTLE_GO

DRAWN = 3  # maximum number of changes drawn for each group
COVERAGE_EXAMPLE = """
littlego coverage
littlego coverage take-the-last-liberty --games 50
"""
DIFF_EXAMPLE = """
littlego diff
littlego diff HEAD:patterns.yaml patterns.yaml --most 0
littlego diff --accept
"""
DIFF_STATUS = (
    "Exit status: 0 if no decision changes or all changes were accepted; 1 if decisions change and not all changes "
    "were accepted; 2 if the command could not run."
)
COVERAGE_STATUS = (
    "Exit status: 0 for success; 1 if too few patterns decide or support a move (--fail-under); 2 if the command could "
    "not run."
)
POSITIONS = 300
FILE = click.Path(path_type=Path)


@command("coverage", example=COVERAGE_EXAMPLE, epilog=COVERAGE_STATUS)
@click.argument("ids", nargs=-1, metavar="[ID]...")
@patterns_option(by_ruleset=True)
@patterns_ruleset_option
@click.option(
    "--games",
    type=NATURAL,
    default=16,
    metavar="N",
    show_default=True,
    help="Number of new games against each of random, greedy, aggressive and alphabeta.",
)
@click.option("--seed", type=int, default=0, metavar="S", show_default=True, help="Seed of the new games.")
@click.option(
    "--games-from",
    "recorded",
    type=FILE,
    metavar="FILE",
    help="Use the games in FILE instead of the recorded games.",
)
@click.option(
    "--positions",
    type=NATURAL,
    default=POSITIONS,
    metavar="N",
    show_default=True,
    help="For match patterns: maximum number of recorded positions for each board size.",
)
@decisions_option
@click.option(
    "--played",
    type=FILE,
    multiple=True,
    metavar="FILE",
    help="Also include the games in a JSON file written by `littlego match`; repeatable.",
)
@click.option(
    "--test-run",
    type=FILE,
    metavar="FILE",
    help="Also include the test run recorded by pytest --pattern-coverage-json FILE.",
)
@click.option("--wide", is_flag=True, help="Show the counts of each corpus; needs a wide terminal.")
@click.option("--html", type=FILE, metavar="FILE", help="Also write the counts as a web page with pictures.")
@click.option(
    "--fail-under",
    type=click.FloatRange(0, 100),
    default=0.0,
    metavar="PERCENT",
    help="Fail if less than PERCENT of the patterns decide or support a move outside the examples and the test run.",
)
@jobs_option
@json_option
def coverage(
    ids: tuple[str, ...],
    patterns: str,
    games: int,
    seed: int,
    recorded: Path | None,
    positions: int,
    snapshot: Path | None,
    played: tuple[Path, ...],
    test_run: Path | None,
    wide: bool,
    html: Path | None,
    fail_under: float,
    jobs: int,
    json: str | None,
) -> int:
    """Count how often each pattern fires and decides a move in examples, recorded positions and games.

    A pattern decides a move if the player would choose another move without the pattern. If no single pattern decides
    a move, the patterns that support the move are the smallest known set whose removal changes the move. The games
    include recorded games, and new games of the player against four opponents (--games). For match patterns, the
    command uses examples and recorded games between engines. With ID the command shows only the named patterns, in
    detail.
    """
    knowledge = read_knowledge(patterns)
    knowledge.check_ids(ids)
    snapshot = snapshot or _record_for(Path(patterns).parent, knowledge.ruleset)
    wanted = Wanted(recorded, snapshot, played, games, seed, positions)
    with _trying_to_read():
        surveys = survey_all(knowledge, corpora_of(knowledge.ruleset).sources(knowledge, wanted), jobs)
    surveys |= _read_test_run(test_run) if test_run else {}
    in_play = total_in_play(surveys)
    write_results(json, lambda: coverage_json(knowledge, surveys, in_play))
    if html:
        with trying_to(f"write {html}"):
            write_text(html, coverage_page(knowledge, surveys, in_play))
    if json != STANDARD_OUTPUT:
        _print_coverage(knowledge.book, ids, surveys, in_play, wide)
    return FINE if 100 * active_share(knowledge.book, in_play) >= fail_under else FINDINGS


@contextmanager
def _trying_to_read() -> Iterator[None]:
    """Convert an OSError into an ArgumentError that names the unreadable file."""
    try:
        yield
    except OSError as error:
        raise ArgumentError(f"cannot read {short_name(error.filename)}: {error.strerror}") from None


def _read_test_run(path: Path) -> dict[str, Survey]:
    """Return {key: survey} for the tests in a recorded test run.

    A key is TEST_RUN followed by the name of the test.
    """
    data = read_file(path)
    try:
        return {f"{TEST_RUN}{name}": Survey.from_json(one) for name, one in json_module.loads(data)["tests"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        expected = "expected the output of `pytest --pattern-coverage-json FILE`"
        raise ArgumentError(f"{short_name(path)} is not a record of a test run: {expected}") from None


def _print_coverage(book: Book, ids: Sequence[str], surveys: dict[str, Survey], in_play: Survey, wide: bool) -> None:
    patterns = {pattern.id: pattern for pattern in book.patterns}
    details = [pattern_detail(patterns[name], book, surveys, in_play) for name in ids]
    for drawn in details or [coverage_report(book, surveys, in_play, wide)]:
        console().print(drawn)


@command("diff", example=DIFF_EXAMPLE, epilog=DIFF_STATUS)
@click.argument("old", default=RECORDED, metavar="[OLD]")
@click.argument("new", required=False, metavar="[NEW]")
@click.option(
    "--corpus",
    default=RECORDED,
    metavar="real|recorded|FILE",
    help="Positions in which to compare decisions. real: the positions of recorded games of other programs; recorded: "
    "all recorded positions; FILE: the positions in FILE.  [default: recorded]",
)
@decisions_option
@accept_options("Replace the recorded moves with the new moves.")
@click.option(
    "--most",
    type=NATURAL,
    default=DRAWN,
    metavar="N",
    show_default=True,
    help="Draw at most N changes for each pattern that causes changes; 0 draws all.",
)
@click.option("--brief", is_flag=True, help="Print only the counts.")
@click.option(
    "--record",
    is_flag=True,
    help="For match patterns: replace the recorded decisions with the moves that NEW chooses in a sample of positions "
    "from recorded games.",
)
@patterns_ruleset_option
@jobs_option
@json_option
def diff(
    old: str,
    new: str | None,
    corpus: str,
    snapshot: Path | None,
    accept: bool,
    interactive: bool,
    most: int,
    brief: bool,
    record: bool,
    jobs: int,
    json: str | None,
) -> int:
    """Compare two patterns files, and the decisions that each file leads to in many positions.

    OLD and NEW each name a patterns.yaml or patterns.txt, optionally in a git revision, such as HEAD:patterns.yaml. NEW
    defaults to patterns.yaml, or to patterns.match.yaml with --ruleset match. Without OLD, or if OLD is `recorded`, the
    command compares NEW with the recorded decisions.
    """
    if accept and old != RECORDED:
        raise ArgumentError(f"--accept compares with the recorded decisions: omit OLD, or pass `{RECORDED}`")
    ruleset = click.get_current_context().meta.get(RULESET, LITTLE_GO.name)
    new = new or str(default_patterns(ruleset=ruleset))
    if record:
        return _record(read_knowledge(new), Path(new).parent, snapshot, jobs)
    folder, after = Path(new).parent, read_knowledge(new)
    target = snapshot or corpora_of(after.ruleset).record_of(folder)
    snapshot = snapshot or _record_for(folder, after.ruleset)
    result = diff_of(old, after, corpus, snapshot, jobs)
    stale = stale_with(result, Path(new), against_record=old == RECORDED)
    write_results(json, lambda: {**result.as_json(), "stale": [one._asdict() for one in stale]})
    if json != STANDARD_OUTPUT:
        _print_diff(result, stale, None if brief or interactive else most)
    if accept and not result.changes and json != STANDARD_OUTPUT:
        print("There is nothing to accept.")
    if not accept or not result.changes:
        return FINDINGS if result.changes else FINE
    return _accept(result, folder, corpus, snapshot, target, interactive, say=json != STANDARD_OUTPUT)


def _record_for(folder: Path, ruleset: str) -> Path:
    """Return the path of the recorded decisions for a folder's patterns.

    For an author's folder, the function also prints which record the command uses.
    """
    corpora = corpora_of(ruleset)
    record = corpora.record_for(folder)
    if corpora.record_of(folder) != corpora.record:
        own = short_name(corpora.record_of(folder))
        missing = f"no {own} yet: using the shipped record, from which `littlego diff --accept` creates {own}"
        print(f"littlego: {missing if record == corpora.record else f'using {own}'}", file=sys.stderr)
    return record


def _print_diff(result: Diff, stale: list[Stale], most: int | None) -> None:
    """Print the changed decisions and a message about each stale file.

    most: the maximum number of changes to draw for each pattern; 0 for no limit, None to draw no changes.
    """
    screen = console()
    for part in diff_report(result, most):
        screen.print(part)
    for one in stale:
        print(wrap_text("", str(one)) if sys.stdout.isatty() else one)


def _record(new: Knowledge, folder: Path, snapshot: Path | None, jobs: int) -> int:
    """Write a record of the moves that the patterns choose; return the exit status.

    folder: the folder of the patterns. snapshot: the file to write, or None for the record that belongs to the folder.
    """
    corpora = corpora_of(new.ruleset)
    snapshot = snapshot or corpora.record_of(folder)
    record = decided(new, corpora.new_record(), jobs)
    write_record(record, snapshot)
    print(f"{short_name(snapshot)}: {len(record.names):,} decisions")
    return FINE


def _accept(diff: Diff, folder: Path, corpus: str, snapshot: Path, target: Path, interactive: bool, say: bool) -> int:
    """Record all changes or, if `interactive`, the changes that the user accepts; return the exit status.

    After an interrupt, the changes accepted so far are recorded. folder: the folder of the player with the new
    patterns. target: the file to write, created as a copy of `snapshot` if missing.
    """
    chosen: list[Change] = []
    try:
        for change in _ask(diff) if interactive else diff.changes:
            chosen.append(change)
    finally:
        changed = accept_chosen(diff, chosen, folder, corpus, snapshot, target)
        if say:
            print(f"{short_name(target)}: {changed} of {len(diff.changes)} changes accepted")
    return FINDINGS if len(chosen) < len(diff.changes) else FINE


def _ask(diff: Diff) -> Iterator[Change]:
    """Draw each change, group by group, and yield the changes that the user accepts."""
    changes = [change for group in group_changes(diff.changes) for change in group.changes]
    screen = console()
    for _, change in accepted_of(enumerate(changes, 1), lambda one: screen.print(change_text(*one, diff))):
        yield change
