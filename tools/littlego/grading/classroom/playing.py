"""The games of a class. All programs are compiled first; then each task plays one stage with one program.

As in the course, a task plays the games of a stage in order, in one new copy of the program's folder. The games
therefore do not depend on the number of processes or on other programs. An interrupted stage is played again from its
first game.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from functools import partial
from hashlib import sha256
from pathlib import Path
from socket import gethostname
from typing import NamedTuple

from littlego.cache import digest
from littlego.cli.arguments import ArgumentError, trying_to
from littlego.grading.classroom.submissions import files_of
from littlego.grading.games import STAGES, GradedGame, Outcome, Task, forfeit_late, play, scratch_folder, time_left
from littlego.grading.kept import KeptGames, head_of, open_kept
from littlego.grading.marks import SECONDS_A_GAME, WAITED_A_GAME
from littlego.match.student_programs import Program, ProgramError, program_at
from littlego.parallel import each
from littlego.sandbox import sandbox


class Prepared(NamedTuple):
    """A compiled program, or the problem that prevents the program from running.

    hashes: {file name: SHA-256 of the submitted file}; {} if there is a problem.
    """

    program: Program | None
    problem: str = ""
    hashes: dict[str, str] = {}


def prepare_program(path: str, python: str = "", packages: tuple[str, ...] = ()) -> Prepared:
    """Compile the program in the folder `path`; return it, or the problem that prevents it from running.

    python, packages: see program_at.
    """
    try:
        program = program_at(path, python, packages)
        hashes = {name: sha256(Path(file).read_bytes()).hexdigest() for name, file in files_of(path).items()}
    except ProgramError as error:
        return Prepared(None, str(error).replace(f"{path}{os.sep}", ""))  # a student must not see the folder
    except OSError as error:
        return Prepared(None, f"cannot be read: {error.strerror}")
    return Prepared(program, "", hashes)


class StageTask(NamedTuple):
    """The games of a program in one stage of one repetition.

    key: the student's key. factor: see games.Task. python, packages: see program_at.
    """

    key: str
    games: tuple[GradedGame, ...]
    program: Program
    factor: float
    python: str = ""
    packages: tuple[str, ...] = ()


class StagePlayed(NamedTuple):
    """The finished games of a stage. problem: why the program could not play, or ''."""

    outcomes: list[Outcome]
    problem: str = ""


def play_stage(task: StageTask) -> StagePlayed:
    """Play the games of a stage; return the finished games, or the problem that prevented them.

    The function skips the remaining games once the program exceeds the stage's CPU limit. The program loses the
    remaining games once its turns exceed a limit on wall time. This limit is twice the CPU limit, and proportionally
    higher on a machine slower than the grader's.
    """
    limit = SECONDS_A_GAME * len(task.games)
    wall_limit = WAITED_A_GAME * len(task.games) * max(1.0, 1 / task.factor)
    outcomes: list[Outcome] = []
    try:
        with scratch_folder() as folder:
            for game in task.games:
                if is_out_of_time(outcomes, limit):
                    break
                if (left := time_left(outcomes, wall_limit)) <= 0:
                    outcomes.append(forfeit_late(game, f"folder:{task.program.path}", wall_limit))
                else:
                    outcomes.append(play(Task(game, task.program, task.factor, folder, left)))
    except ProgramError as error:
        return StagePlayed([], str(error))
    return StagePlayed(outcomes)


def play_stage_far(task: StageTask, mode: str = sandbox.AUTO) -> StagePlayed:
    """Play a stage in this process, which is a worker of a cluster.

    mode: the caller's sandbox mode. Raise ArgumentError if the program's files on the worker are missing or different,
    or if the worker lacks the requested sandbox.
    """
    sandbox.use(mode)
    try:
        sandbox.is_used()
    except sandbox.SandboxError as error:
        raise ArgumentError(f"on {gethostname()}: {error}") from None
    program = prepare_program(task.program.path, task.python, task.packages).program
    if program is None or os.path.basename(program.folder) != os.path.basename(task.program.folder):
        raise ArgumentError(
            f"{task.program.path}: files are missing or differ on {gethostname()}; a worker needs the same files at "
            "the same paths"
        )
    return play_stage(task._replace(program=program))


def is_out_of_time(outcomes: Iterable[Outcome], limit: float) -> bool:
    """Return whether a stage's games used more than `limit` CPU seconds; such a stage scores 0."""
    return sum(sum(outcome.seconds) for outcome in outcomes) > limit


class Games(NamedTuple):
    """The games that each student's program plays, and the options of these games.

    plan: see plan_games. games: the number of games against each role in a repetition. factor: see games.Task. python,
    packages: see program_at.
    """

    plan: Sequence[GradedGame]
    games: int
    seed: int
    factor: float
    python: str = ""
    packages: tuple[str, ...] = ()

    def stages(self) -> Iterator[tuple[GradedGame, ...]]:
        """Yield the planned games of each stage, repetition by repetition."""
        for repetition in dict.fromkeys(game.repetition for game in self.plan):
            for stage in STAGES:
                games = [game for game in self.plan if (game.repetition, game.stage) == (repetition, stage)]
                if games:
                    yield tuple(games)


class ClassGames:
    """The finished games of all programs of a class, kept in one file for each program.

    The files stay open and locked until `close` is called. The name of a file contains a digest of the program, the
    roles and the options, so a changed program starts a new file.
    """

    def __init__(self, folder: Path, programs: Mapping[str, Program], games: Games):
        self.games, self.programs = games, programs
        self.problems: dict[str, str] = {}  # {student's key: why the program could not play}
        self._kept: dict[str, KeptGames] = {}
        self._open = ExitStack()
        try:
            for key, program in programs.items():
                head = head_of(program, games.seed, games.factor, games.games)
                file = folder / f"{key}-{digest(repr(head))[:12]}.jsonl"
                self._kept[key] = self._open.enter_context(open_kept(str(file), head, report=False))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close and unlock the files."""
        self._open.close()

    def outcomes(self, key: str) -> list[Outcome]:
        """Return the sorted outcomes of a program's finished games that are in the plan and not void."""
        plan = set(self.games.plan)
        return sorted(one for one in self._kept[key].outcomes if one.game in plan and not one.void)

    def missing(self) -> list[StageTask]:
        """Return a task for each unfinished stage of each program, in the order of play.

        All programs' tasks for one stage come before the tasks for the next stage.
        """
        done = {key: {outcome.game: outcome for outcome in self.outcomes(key)} for key in self.programs}
        return [
            StageTask(key, stage, program, self.games.factor, self.games.python, self.games.packages)
            for stage in self.games.stages()
            for key, program in self.programs.items()
            if not _is_finished(stage, done[key])
        ]

    def play(self, tasks: Sequence[StageTask], jobs: int, scheduler: str | None) -> Iterator[int]:
        """Play stages and store the games; after each stage, yield its number of planned games.

        scheduler: the address of a Dask cluster that plays the stages, or None for `jobs` processes.
        """
        function = partial(play_stage_far, mode=sandbox.mode()) if scheduler else play_stage
        wanted = (task for task in tasks if task.key not in self.problems)
        with closing(each(function, wanted, min(jobs, len(tasks) or 1), scheduler)) as results:
            for task, played in results:
                self._keep(task, played)
                yield len(task.games)

    def _keep(self, task: StageTask, played: StagePlayed) -> None:
        if played.problem:
            self.problems[task.key] = played.problem
        kept = self._kept[task.key]
        known = {outcome.game for outcome in kept.outcomes}  # games stored before an interruption
        for outcome in played.outcomes:
            if outcome.game not in known:
                kept.add(outcome)


def _is_finished(stage: Sequence[GradedGame], done: Mapping[GradedGame, Outcome]) -> bool:
    played = [done[game] for game in stage if game in done]
    return len(played) == len(stage) or is_out_of_time(played, SECONDS_A_GAME * len(stage))


def make_folders(*folders: Path) -> None:
    """Create folders for the results; raise ArgumentError if a folder is not writable."""
    for folder in folders:
        with trying_to(f"write the results to {folder}"):
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
