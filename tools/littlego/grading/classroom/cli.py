"""The command `littlego grade-class`."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import closing
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click

from littlego.arena.live import clock
from littlego.cli.arguments import FINDINGS, FINE, ArgumentError, require_posix, trying_to
from littlego.cli.commandline import NATURAL, PositiveNumber, command, jobs_option, scheduler_option
from littlego.cli.terminal import console, new_table
from littlego.files import short_name, write_json, write_text
from littlego.grading.classroom.gradescope import results_value, write_templates
from littlego.grading.classroom.page import PAGE, STUDENTS, find_losses, write_pages
from littlego.grading.classroom.playing import ClassGames, Games, Prepared, make_folders, prepare_program
from littlego.grading.classroom.roster import TIME, Entry, match_roster, read_roster, time_at
from littlego.grading.classroom.rows import (
    GRADED,
    INCOMPLETE,
    Graded,
    Row,
    add_changes,
    brief_reason_of,
    change_of,
    class_value,
    read_earlier,
    row_of,
    table_text,
)
from littlego.grading.classroom.similar import Pair, similar_pairs
from littlego.grading.classroom.submissions import Submission, files_of, find_submissions, one_submission
from littlego.grading.games import STAGES, plan_games
from littlego.grading.kept import digest_roles
from littlego.grading.marks import WAITED_A_GAME
from littlego.grading.options import plan_options, program_options
from littlego.knowledge.problems import plural
from littlego.match.environments import split_packages
from littlego.match.student_programs import ProgramError
from littlego.parallel import each, with_progress
from littlego.sandbox.confinement import sandbox_option, warn_unconfined
from littlego.sandbox.sandbox import SandboxError

TABLE, VALUES, GAMES_FOLDER, UNPACKED = "class.csv", "class.json", "games", "unpacked"  # in the results' folder
SELDOM = 30.0  # seconds between two lines of progress
HELP = """Grade the programs of a class, and write a table of the class and a page for each student.

PATH is either the zip file of one student, or a folder that contains a folder or a zip file for each student. Every
program plays the same games as in `littlego grade`, in the same kind of sandbox; the games run on all cores or on a
cluster. For a submission that cannot be graded, the table states the reason. docs/teaching.md shows the whole
procedure.

The results folder contains class.csv, class.json, index.html, and students/ with a page and the lost games of
each student. To resume after Ctrl-C, a crash or a power cut, run the same command again. The command
skips programs that are already graded and have not changed."""
STATUS = """Exit status: 0 if all students are graded; 1 if a program is missing or cannot be graded; 2 if the command
could not run; 130 after Ctrl-C."""


class Options(NamedTuple):
    """The options of a `grade-class` run.

    output: the folder for the results. deadline: the class's deadline, or None. similar: the minimum similarity of
    reported programs, in percent. lost: the maximum number of lost games on a student's page. scheduler: the address
    of a Dask cluster, or None.
    """

    output: Path
    games: Games
    deadline: datetime | None
    similar: float
    lost: int
    jobs: int
    scheduler: str | None


def _read_time(ctx: click.Context, param: click.Parameter, value: str | None) -> datetime | None:
    try:
        return time_at(value) if value else None
    except (ValueError, OverflowError):
        raise click.BadParameter(f"expected {TIME}, found {value!r}") from None


@command(
    "grade-class",
    help=HELP,
    example="littlego grade-class submissions --roster roster.csv --deadline 2025-03-14T23:59",
    epilog=STATUS,
)
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path())
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default="grades",
    metavar="FOLDER",
    show_default=True,
    help="Folder for the results. If the folder contains earlier results, the command resumes an interrupted grading, "
    "or compares the new results with them.",
)
@click.option(
    "--roster",
    type=click.Path(path_type=Path),
    metavar="FILE.csv",
    help="Table of the students with the columns id and name, and optionally deadline, extension (hours) and "
    "submitted.",
)
@click.option(
    "--deadline",
    callback=_read_time,
    metavar="TIME",
    help="Mark submissions after TIME, such as 2025-03-14T23:59, as late.",
)
@click.option(
    "--similar",
    type=PositiveNumber(100),
    default=80.0,
    metavar="PERCENT",
    show_default=True,
    help="Report pairs of programs whose similarity is at least PERCENT.",
)
@click.option(
    "--lost",
    type=NATURAL,
    default=10,
    metavar="N",
    show_default=True,
    help="Show at most N lost games on a student's page.",
)
@click.option(
    "--gradescope", metavar="FILE", help="Treat PATH as one submission, and write Gradescope's results.json to FILE."
)
@click.option(
    "--templates",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Grade nothing; write the template files for Gradescope, GitHub Classroom and a container image to FOLDER.",
)
@program_options
@plan_options
@sandbox_option
@jobs_option
@scheduler_option
def grade_class(
    paths: tuple[str, ...],
    roster: Path | None,
    gradescope: str | None,
    templates: Path | None,
    factor: float,
    repetitions: int,
    stage: int | None,
    games: int,
    seed: int,
    python: str,
    packages: str,
    **rest: Any,
) -> int:
    """Grade a class; return the exit status."""
    if templates:
        chosen = {"--games": games, "--repetitions": repetitions, "--factor": f"{factor:g}", "--seed": seed}
        chosen |= {"--stage": stage} if stage else {}
        for path in write_templates(templates, chosen):
            print(path)
        return FINE
    if not paths:
        raise ArgumentError("no PATH; expected a folder with a folder or zip file for each student")
    require_posix("grading")
    warn_unconfined()
    plan = plan_games(repetitions, [stage] if stage else list(STAGES), games, seed)
    options = Options(games=Games(plan, games, seed, factor, python, split_packages(packages)), **rest)
    make_folders(options.output, options.output / GAMES_FOLDER, options.output / STUDENTS)
    entries = _find_entries(paths, roster, options.output.absolute() / UNPACKED, one=bool(gradescope))
    return _grade(entries, options, gradescope)


def _find_entries(paths: Sequence[str], roster: Path | None, unpacked: Path, one: bool) -> list[Entry]:
    students = read_roster(roster) if roster else []
    if one and len(paths) != 1:
        raise ArgumentError(f"{len(paths)} paths; expected one submission with --gradescope")
    submissions = [one_submission(paths[0], unpacked)] if one else find_submissions(paths, unpacked)
    entries = match_roster(submissions, students)
    if strange := [entry.submission.name for entry in entries if entry.submission and students and not entry.student]:
        print(f"submissions that match no student in {short_name(roster or '')}: {', '.join(strange)}", file=sys.stderr)
    return entries


def _grade(entries: Sequence[Entry], options: Options, gradescope: str | None) -> int:
    """Play the missing games and write the results; return the exit status."""
    earlier = read_earlier(options.output / VALUES)
    prepared = _prepare([entry.submission for entry in entries if entry.submission], options)
    programs = {key: found.program for key, found in prepared.items() if found.program}
    interrupted = False
    with closing(ClassGames(options.output / GAMES_FOLDER, programs, options.games)) as played:
        try:
            _play(played, options)
        except KeyboardInterrupt:
            interrupted = True
        rows = [_row(entry, prepared, played, options.deadline) for entry in entries]
        games = {key: played.outcomes(key) for key in programs}
    value = _write_table(rows, prepared, options, earlier)
    if gradescope:
        with trying_to(f"write {gradescope}"):
            write_json(gradescope, results_value(rows[0]))
    if not interrupted:
        write_pages(options.output, value, find_losses(rows, games, options.lost, options.jobs))
    _show(value, options.output)
    if interrupted:
        print("\ninterrupted; run the same command to resume", file=sys.stderr)
        return 128 + signal.SIGINT
    return FINE if all(row["status"] == GRADED for row in rows) else FINDINGS


def _prepare(submissions: Sequence[Submission], options: Options) -> dict[str, Prepared]:
    """Compile the programs, and return {key: Prepared} for all submissions."""
    paths = {item.program: item.key for item in submissions if item.program}
    found = {item.key: Prepared(None) for item in submissions}
    prepare = partial(prepare_program, python=options.games.python, packages=options.games.packages)
    with closing(each(prepare, list(paths), min(options.jobs, len(paths) or 1))) as results:
        for path, prepared in with_progress(results, len(paths), "program"):
            found[paths[path]] = prepared
    return {item.key: found[item.key] for item in submissions}


def _play(played: ClassGames, options: Options) -> None:
    """Play the missing games and report progress; raise ArgumentError if they cannot be played."""
    tasks = played.missing()
    total = sum(len(task.games) for task in tasks)
    where = f"the cluster at {options.scheduler}" if options.scheduler else plural(options.jobs, "core")
    ready = len(played.programs) * len(options.games.plan) - total
    print(
        f"{plural(len(played.programs), 'program')}: {ready} games are finished, {total} to play on {where}",
        file=sys.stderr,
    )
    if total and not options.scheduler:
        most = clock(WAITED_A_GAME * total / options.jobs)
        print(f"about {most} to play the games if every program uses all its time", file=sys.stderr)
    try:
        for _ in _with_lines(played.play(tasks, options.jobs, options.scheduler), total):
            pass
    except (ProgramError, SandboxError) as error:
        raise ArgumentError(str(error)) from None
    except BrokenExecutor:
        raise ArgumentError(
            "a process was killed, perhaps because memory ran out; to resume with less memory, run the same command "
            "with fewer --jobs"
        ) from None


def _with_lines(finished: Iterator[int], total: int) -> Iterator[int]:
    """Yield the items of `finished`; every SELDOM seconds, print the progress and the estimated time left."""
    begun = due_at = time.monotonic()
    done = 0
    for games in finished:
        done += games
        yield games
        now = time.monotonic()
        if now >= due_at or done == total:
            left = clock((now - begun) / done * (total - done))
            print(f"{done} of {total} games, about {left} left", file=sys.stderr, flush=True)
            due_at = now + SELDOM


def _row(entry: Entry, prepared: dict[str, Prepared], played: ClassGames, deadline: datetime | None) -> Row:
    key = entry.submission.key if entry.submission else ""
    found = prepared.get(key, Prepared(None))
    if key in played.problems:
        found = Prepared(None, played.problems[key])
    return row_of(Graded(entry, found, played.outcomes(key) if found.program else [], played.games.plan), deadline)


def _write_table(rows: Sequence[Row], prepared: dict[str, Prepared], options: Options, earlier: Row | None) -> Row:
    """Write the table as CSV and JSON, and return the JSON value; raise ArgumentError if writing fails."""
    games = options.games
    settings = {
        "games": games.games,
        "repetitions": max(game.repetition for game in games.plan),
        "stages": sorted({game.stage for game in games.plan}),
        "seed": games.seed,
        "factor": games.factor,
        "roles": digest_roles(),
    }
    add_changes(rows, settings, earlier)
    sources = {key: list(files_of(found.program.folder).values()) for key, found in prepared.items() if found.program}
    pairs: list[Pair] = similar_pairs(sources, options.similar)
    value = class_value(rows, settings, pairs)
    with trying_to(f"write the results to {options.output}"):
        write_text(options.output / TABLE, table_text(value))
        write_json(options.output / VALUES, value)
    return value


def _show(value: Row, output: Path) -> None:
    """Print a short table, the similar programs and the paths of the results."""
    table = new_table("student", "points", "of", "lost points", gap=2)
    table.columns[-1].justify = "left"
    for row in value["rows"]:
        notes = [f"late {row['late']}" if row["late"] else "", change_of(row), brief_reason_of(row)]
        points = f"{row['points']:g}" if row["most"] else row["status"]
        so_far = " so far" if row["status"] == INCOMPLETE else ""
        table.add_row(row["name"], points + so_far, str(row["most"] or ""), "; ".join(filter(None, notes)))
    console().print(table)
    names = {row["key"]: row["name"] for row in value["rows"]}
    for pair in value["similar"]:
        print(f"similar programs: {names[pair['first']]} and {names[pair['second']]}, {pair['percent']}%")
    print(f"\n{output / TABLE}, {output / VALUES}, {output / PAGE}")
