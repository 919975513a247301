"""The command `littlego grade`."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from contextlib import closing

from tools.arguments import FINDINGS, FINE, ArgumentError, add_jobs, add_json, complaining, natural, positive, trying_to
from tools.data import HOME
from tools.files import STANDARD_OUTPUT, short_name, write_json, write_text
from tools.grading.games import (
    GAMES,
    MOST_GAMES,
    MOST_REPETITIONS,
    REPETITIONS,
    STAGES,
    Graded,
    Outcome,
    Task,
    planned,
    play,
)
from tools.grading.kept import Kept, head_of, kept_in
from tools.grading.marks import marks
from tools.grading.report import Grading, text, value
from tools.match.programs import BadProgram, Program, program_at
from tools.match.records import game_record
from tools.match.referee import COLOURS
from tools.match.sgf import record_sgf
from tools.parallel import each, with_progress

OURS = "my_player3"  # as littlego play calls it
DESCRIPTION = """Grade a program as the course does: its games against the six roles, the points by the handout's
tables, its limits of CPU time; the best of three repetitions counts. The program may be in any of the course's
languages. It plays over input.txt and output.txt in a copy of its folder, which is only read."""
STATUS = """Exit status: 0 graded, 1 graded and a fault lost a game or time lost points, 2 could not run, 130 after
Ctrl-C."""


def add_parsers(subparsers) -> None:
    """Add this room's command to the command line's argparse subparsers."""
    grade = subparsers.add_parser(
        "grade", help="grade a program as the course does", description=DESCRIPTION, epilog=STATUS
    )
    grade.add_argument(
        "program",
        nargs="?",
        default=OURS,
        metavar="PROGRAM",
        help="its folder, or its file where the folder holds several (default: our player)",
    )
    grade.add_argument(
        "--factor",
        type=_factor,
        default=1.0,
        metavar="F",
        help="the grader's machine is F times slower: CPU seconds are multiplied",
    )
    grade.add_argument(
        "--repetitions",
        type=_repetitions,
        default=REPETITIONS,
        metavar="N",
        help="of it all; the best counts (default: %(default)s)",
    )
    grade.add_argument("--stage", type=int, choices=STAGES, help="only this stage (default: both)")
    grade.add_argument(
        "--games",
        type=_games,
        default=GAMES,
        metavar="N",
        help="against each role, an even number (default, as in the course: %(default)s)",
    )
    grade.add_argument("--seed", type=natural, default=0, metavar="S", help="for the roles' choices (default: 0)")
    grade.add_argument(
        "--stop-late", action="store_true", help="leave out the rest of a stage whose time is up: its points are lost"
    )
    grade.add_argument("--file", metavar="FILE", help="keep the games there, and go on from those that it holds")
    grade.add_argument("--sgf", metavar="FOLDER", help="write every game that was not won there, as SGF")
    add_jobs(grade)
    add_json(grade)
    grade.set_defaults(run=complaining(run_grade))


def _factor(text: str) -> float:
    factor = float(text)
    if not 0 < factor < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a number above 0, found {text}")
    return factor


def _games(text: str) -> int:
    games = positive(text)
    if games % 2 or games > MOST_GAMES:
        raise argparse.ArgumentTypeError(f"expected an even number, {MOST_GAMES} at most, found {games}")
    return games


def _repetitions(text: str) -> int:
    repetitions = positive(text)
    if repetitions > MOST_REPETITIONS:
        raise argparse.ArgumentTypeError(f"expected {MOST_REPETITIONS} at most, found {repetitions}")
    return repetitions


def run_grade(args: argparse.Namespace) -> int:
    """Grade a program; after Ctrl-C report what is known."""
    if args.sgf:
        import sgfmill.sgf  # noqa: F401 - that it is missing is better said before the games than after
    program, name = _program(args.program, args.factor)
    if args.sgf:
        _make_folder(args.sgf)
    plan = planned(args.repetitions, [args.stage] if args.stage else list(STAGES), args.games, args.seed)
    interrupted = False
    with kept_in(args.file, head_of(program, args.seed, args.factor, args.games)) as kept:
        try:
            _play_all(plan, program, args, kept)
        except KeyboardInterrupt:
            interrupted = True
    graded = set(plan)  # the file may hold more
    outcomes = sorted(outcome for outcome in kept.outcomes if outcome.game in graded)
    found = Grading(program, name, args.factor, args.games, marks(plan, outcomes), outcomes)
    if interrupted:
        print(f"\ninterrupted after {len(outcomes)} of {len(plan)} games", file=sys.stderr)
    _tell(found, args)
    return 128 + signal.SIGINT if interrupted else FINDINGS if _faulty(found) else FINE


def _make_folder(folder: str) -> None:
    """Make a folder for games, if it is not there; that it cannot be written to is better said before the games."""
    with trying_to(f"write the games to {folder}"):
        if not os.path.isdir(folder):
            os.mkdir(folder)
        with tempfile.TemporaryFile(dir=folder):
            pass


def _program(path: str, factor: float) -> tuple[Program, str]:
    """Return the program to grade, and the name under which `littlego play` knows it."""
    ours = path == OURS and not os.path.exists(path)
    try:
        program = program_at(short_name(HOME) if ours else path)
    except BadProgram as error:
        raise ArgumentError(str(error)) from None
    if factor != 1:
        return program, f"folder:slower={factor:g}:{program.path}"
    return program, OURS if ours else f"folder:{path}"


def _play_all(plan: Sequence[Graded], program: Program, args: argparse.Namespace, kept: Kept) -> None:
    """Play the games of the plan that are not kept yet, and keep each; raise ArgumentError where that fails."""
    done = {outcome.game for outcome in kept.outcomes}
    left = [game for game in plan if game not in done]
    wanted = (game for game in left if not (args.stop_late and _is_late(game, plan, kept.outcomes)))
    try:
        with tempfile.TemporaryDirectory(prefix="littlego-grade-", ignore_cleanup_errors=True) as folder:
            tasks = (Task(game, program, args.factor, folder) for game in wanted)
            with closing(each(play, tasks, min(args.jobs, len(left) or 1))) as results:
                for _, outcome in with_progress(results, len(left), "game"):
                    kept.add(outcome)
    except BadProgram as error:
        raise ArgumentError(str(error)) from None
    except BrokenExecutor:
        raise ArgumentError("a process was killed, as when memory runs out; fewer --jobs need less of it") from None


def _is_late(game: Graded, plan: Sequence[Graded], outcomes: Sequence[Outcome]) -> bool:
    """Return whether the time is up for the repetition and stage of a game."""
    mark = marks(plan, outcomes)[game.repetition - 1]
    return any(stage.late for stage in mark.stages if stage.stage == game.stage)


def _faulty(grading: Grading) -> bool:
    """Return whether the program lost a game by a fault, or points to time."""
    stages = (stage for mark in grading.marks for stage in (*mark.stages, *mark.submit))
    return any(outcome.fault for outcome in grading.outcomes) or any(stage.late for stage in stages)


def _tell(grading: Grading, args: argparse.Namespace) -> None:
    if args.json != STANDARD_OUTPUT:
        print(text(grading))
    if args.json:
        with trying_to(f"write {args.json}"):
            write_json(args.json, value(grading))
    if args.sgf:
        _write_games(args.sgf, [outcome for outcome in grading.outcomes if not outcome.won])


def _write_games(folder: str, outcomes: Sequence[Outcome]) -> None:
    with trying_to(f"write the games to {folder}"):
        for outcome in outcomes:
            game = outcome.game
            name = f"{game.seed}-{game.role}-as-{COLOURS[game.colour].lower()}.sgf"
            write_text(os.path.join(folder, name), record_sgf(game_record(outcome.record)))
