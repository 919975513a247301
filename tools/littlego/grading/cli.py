"""The command `littlego grade`."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from contextlib import closing

import click

from littlego.cli.arguments import FINDINGS, FINE, ArgumentError, show_results, trying_to
from littlego.cli.commandline import PositiveNumber, command, jobs_option, json_option
from littlego.engines.books import own_file, tell_own_file
from littlego.files import short_name, write_text
from littlego.grading.games import (
    STAGES,
    GradedGame,
    Outcome,
    Task,
    forfeit_late,
    plan_games,
    play,
    scratch_folder,
    time_left,
)
from littlego.grading.kept import KeptGames, head_of, open_kept
from littlego.grading.marks import WAITED_A_GAME, marks
from littlego.grading.options import plan_options, program_options
from littlego.grading.report import Grading, format_grading, grading_value
from littlego.knowledge.problems import plural
from littlego.match.environments import split_packages
from littlego.match.referee import COLOURS
from littlego.match.student_programs import Program, ProgramError, program_at
from littlego.parallel import each, with_progress
from littlego.players.named_books import program_with
from littlego.players.registry import check_text
from littlego.records.records import game_record
from littlego.records.sgf_writing import record_sgf
from littlego.rules.ruleset import LITTLE_GO
from littlego.sandbox.confinement import sandbox_option, warn_unconfined
from littlego.sandbox.sandbox import SandboxError

OURS = "my_player3"  # our player's name in `littlego play`
HELP = """Grade a program as the course does: play games against six roles, and report points and CPU time.

The roles imitate the course's own players. The tables of the course's handout define the points and CPU limits. The
best repetition determines the points. PROGRAM is a folder, or a file in a folder that contains several programs.
Without PROGRAM, the command grades our player. The program can be in any language that the course accepts. The program
reads input.txt and writes output.txt in a copy of its folder, and the folder itself stays unchanged.

If bubblewrap works, the program plays in a sandbox: it sees the system's files and its own folder, but no other file,
no other process and no network. Otherwise the program runs with your permissions, with limits on memory, files and time
(docs/grading.md)."""
STATUS = """In the sandbox a program can neither read nor change your files, the results, the cache or other programs,
and can reach neither the network nor other programs' processes. The CPU time of a turn includes all processes that
the program starts; the command kills these processes after the turn. The sandbox does not defend against
vulnerabilities in the kernel or in bubblewrap, or against a program that fills the disk faster than the command can
check.

Exit status: 0 if the program was graded without a fault; 1 if the program lost a game through a fault or exceeded a
time limit, or if a game could not be judged; 2 if the command could not run; 130 after Ctrl-C."""


@command("grade", help=HELP, example="littlego grade ../theirs --factor 2 --keep theirs.games", epilog=STATUS)
@click.argument("program", metavar="[PROGRAM]", default=OURS)
@program_options
@plan_options
@click.option(
    "--time-limit",
    "whole_limit",
    type=PositiveNumber(),
    metavar="SECONDS",
    help="Seconds of wall time for all turns of the program; after this time the program loses all remaining games. "
    "Time in which the program waits for a core does not count.  [default: 180 per game, which is twice the CPU limit; "
    "more for a --factor below 1]",
)
@click.option(
    "--stop-late",
    is_flag=True,
    help="Skip the remaining games of a stage once the program has exceeded the CPU time limit of the stage. The "
    "program gets no points for the stage, whatever the results of the remaining games.",
)
@click.option("--keep", "file", metavar="FILE", help="File for the games; the command resumes from an existing file.")
@click.option("--sgf", metavar="FOLDER", help="Folder for SGF files of the games that the program did not win.")
@sandbox_option
@jobs_option
@json_option
def grade(
    program: str,
    python: str,
    packages: str,
    factor: float,
    repetitions: int,
    stage: int | None,
    games: int,
    seed: int,
    whole_limit: float | None,
    stop_late: bool,
    file: str | None,
    sgf: str | None,
    jobs: int,
    json: str | None,
) -> int:
    """Grade a program; return the exit status."""
    warn_unconfined()
    graded, name = _find_program(program, factor, python, packages)
    if sgf:
        _make_folder(sgf)
    plan = plan_games(repetitions, [stage] if stage else list(STAGES), games, seed)
    whole = whole_limit or WAITED_A_GAME * len(plan) * max(1.0, 1 / factor)
    interrupted = False
    with open_kept(file, head_of(graded, seed, factor, games)) as kept:
        try:
            _play_missing(plan, graded, factor, jobs, kept, stop_late, whole)
            _seal(kept, file)
        except KeyboardInterrupt:
            interrupted = True
    outcomes = sorted(outcome for outcome in kept.outcomes if outcome.game in set(plan))  # the file may have others
    grading = Grading(graded, name, factor, games, marks(plan, outcomes), outcomes)
    if interrupted:
        kept_in = f"; run the same command to resume from the games in {file}" if file else ""
        print(f"\ninterrupted after {len(outcomes)} of {len(plan)} games{kept_in}", file=sys.stderr)
    _report(grading, json, sgf)
    return 128 + signal.SIGINT if interrupted else FINDINGS if _is_faulty(grading) else FINE


def _make_folder(folder: str) -> None:
    """Create the folder for games if it is missing; raise ArgumentError if it cannot be written."""
    with trying_to(f"write the games to {folder}"):
        if not os.path.isdir(folder):
            os.mkdir(folder)
        with tempfile.TemporaryFile(dir=folder):
            pass


def _find_program(path: str, factor: float, python: str, packages: str) -> tuple[Program, str]:
    """Return (the program to grade, its name in `littlego play`). factor, python, packages: option values."""
    check_text(path)
    ours = path == OURS and not os.path.exists(path)
    if ours:
        tell_own_file(LITTLE_GO)
    try:
        place = short_name(os.path.dirname(program_with(own_file(LITTLE_GO)))) if ours else path
        program = program_at(place, python, split_packages(packages))
    except ProgramError as error:
        raise ArgumentError(str(error)) from None
    options = [f"slower={factor:g}:"] * (factor != 1)
    options += [f"python={os.path.abspath(python)}:"] * bool(python) + [f"with={packages}:"] * bool(packages)
    return program, OURS if ours and not options else f"folder:{''.join(options)}{program.path if options else path}"


def _play_missing(
    plan: Sequence[GradedGame],
    program: Program,
    factor: float,
    jobs: int,
    kept: KeptGames,
    stop_late: bool,
    whole_limit: float,
) -> None:
    """Play and store the plan's missing games; raise ArgumentError if they cannot be played."""
    done = {outcome.game for outcome in kept.outcomes}
    left = [game for game in plan if game not in done]
    wanted = (game for game in left if not (stop_late and _is_late(game, plan, kept.outcomes)))
    try:
        with scratch_folder() as folder:
            tasks = (
                Task(game, program, factor, folder, seconds)
                for game in wanted
                if (seconds := time_left(kept.outcomes, whole_limit)) > 0
            )
            with closing(each(play, tasks, min(jobs, len(left) or 1))) as results:
                for _, outcome in with_progress(results, len(left), "game"):
                    kept.add(outcome)
        _forfeit_rest(plan, f"folder:{program.path}", kept, whole_limit)
    except (ProgramError, SandboxError) as error:
        raise ArgumentError(str(error)) from None
    except BrokenExecutor:
        raise ArgumentError(
            "a process was killed, perhaps because memory ran out; use fewer --jobs to save memory"
        ) from None


def _forfeit_rest(plan: Sequence[GradedGame], name: str, kept: KeptGames, whole_limit: float) -> None:
    """Record the remaining games as lost if the program has used up the wall time for all its turns."""
    if time_left(kept.outcomes, whole_limit) > 0:
        return
    done = {outcome.game for outcome in kept.outcomes}
    for game in plan:
        if game not in done:
            kept.add(forfeit_late(game, name, whole_limit))


def _seal(kept: KeptGames, file: str | None) -> None:
    if digest := kept.seal():
        print(f"{file}: {plural(len(kept.outcomes), 'game')}, sealed with digest {digest}", file=sys.stderr)


def _is_late(game: GradedGame, plan: Sequence[GradedGame], outcomes: Sequence[Outcome]) -> bool:
    """Return whether the program has exceeded the CPU limit for the game's stage in the game's repetition."""
    mark = marks(plan, outcomes)[game.repetition - 1]
    return any(stage.late for stage in mark.stages if stage.stage == game.stage)


def _is_faulty(grading: Grading) -> bool:
    """Return whether a game was lost through a fault of the program, a game is void, or a stage is late."""
    stages = (stage for mark in grading.marks for stage in (*mark.stages, *mark.submit))
    return any(outcome.fault or outcome.void for outcome in grading.outcomes) or any(stage.late for stage in stages)


def _report(grading: Grading, json: str | None, sgf: str | None) -> None:
    show_results(format_grading(grading), json, lambda: grading_value(grading))
    if sgf:
        with trying_to(f"write the games to {sgf}"):
            for game, record in [(o.game, o.record) for o in grading.outcomes if not o.won and not o.void]:
                name = f"{game.seed}-{game.role}-as-{COLOURS[game.colour].lower()}.sgf"
                write_text(os.path.join(sgf, name), record_sgf(game_record(record)))
