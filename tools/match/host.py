"""Players that are programs of their own: the course's file protocol, with limits. Runs on Python 3.7, POSIX only."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import tempfile

from rules.turn import INPUT, OUTPUT
from tools.data import CODE, HOME
from tools.match.limited import LARGEST, Run, run_limited
from tools.match.protocol import OutputError, Turn, read_output, write_input
from tools.match.referee import CPU_LIMIT, Player, Reply
from tools.scratch import prefix

OUR_PLAYER = str(HOME / "my_player3.py")
WALL_LIMIT = 60.0  # seconds: six times the CPU limit, for a player that sleeps; waiting for a core is not counted
SHOWN = 200  # characters of a program's last line on standard error
LOUD = 1 << 20  # bytes of standard error that are worth telling


class FilePlayer(Player):
    """A program that reads input.txt and writes output.txt in its work folder, started anew for every move.

    command: words, run without a shell. folder: the work folder; a fresh one is made, and removed by close, if it
    is None. extra: environment variables to add. slower: how many times slower the machine is whose CPU seconds
    count; those of the limits and of the replies are its seconds. Its exit status and what it prints decide nothing.
    """

    timed = False  # the host measures the child itself

    def __init__(
        self,
        name: str,
        command: list[str],
        folder: str | None = None,
        extra: dict[str, str] | None = None,
        cpu_limit: float = CPU_LIMIT,
        wall_limit: float = WALL_LIMIT,
        slower: float = 1.0,
    ):
        import resource  # noqa: F401 - Windows has none: said now, and not held against the program

        self.name = name
        self.command = command
        self.folder: str = folder or tempfile.mkdtemp(prefix=prefix())
        self.fresh = None if folder else self.folder
        self.extra = extra
        self.cpu_limit = cpu_limit
        self.wall_limit = wall_limit
        self.slower = slower

    def choose(self, turn: Turn) -> Reply:
        """Write input.txt, run the program, read output.txt; whatever goes wrong is the reply's fault."""
        if self.fresh and os.path.islink(self.fresh):  # what we write or remove there would be somebody else's
            return Reply(None, 0.0, "has put a link in the place of its work folder")
        os.makedirs(self.folder, exist_ok=True)  # a player may have removed it
        self.clean()
        write_input(self.folder, turn)
        try:
            run = self._run()
        except OSError as error:
            return Reply(None, 0.0, f"cannot be started: {error}")
        large = _describe_large(run, self.folder)
        note = _note(run, large)
        late = self._why_late(run)
        if late:
            return Reply(None, run.cpu, late, note=note)
        try:
            answer = read_output(self.folder, turn.position.ruleset.size)
        except OutputError as error:
            return Reply(None, run.cpu, self._why_no_time(run) or _join([str(error), large]), note=note)
        if answer.move is None:
            return Reply(None, run.cpu, f"illegal move {answer.text}: off the board", note=note)
        return Reply(answer.move, run.cpu, warning=_join([answer.warning, _describe_left(run)]), note=note)

    def _run(self) -> Run:
        cpu_limit, wall_limit = self.cpu_limit / self.slower, self.wall_limit / min(1, self.slower)
        run = run_limited(self.command, self.folder, cpu_limit, wall_limit, self.extra)
        return run._replace(cpu=run.cpu * self.slower)

    def _why_late(self, run: Run) -> str:
        if run.cpu > self.cpu_limit:
            return f"used {run.cpu:.2f} s of CPU time, the limit is {self.cpu_limit:g} s"
        return f"was stopped after {self.wall_limit:g} s on the clock" if run.stopped else ""

    def _why_no_time(self, run: Run) -> str:
        """Return why there is no answer where RLIMIT_CPU ended the program, whose own measure reads a little less."""
        used = f"used up its CPU time, the limit is {self.cpu_limit:g} s (it was ended at {run.cpu:.2f} s)"
        return used if run.ended_by(signal.SIGXCPU) else ""

    def clean(self) -> None:
        """Remove input.txt and output.txt, whatever they are by now; leave all other files."""
        for name in (INPUT, OUTPUT):
            _remove(os.path.join(self.folder, name))

    def close(self) -> None:
        """Remove the two files, and the folder if it was made for this player."""
        if self.fresh:
            _remove(self.fresh)
        elif os.path.isdir(self.folder):
            self.clean()


def _remove(path: str) -> None:
    """Remove a file or a folder, or what a player put in its place."""
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, ignore_errors=True)
    elif os.path.lexists(path):
        os.remove(path)


def _join(parts: list[str]) -> str:
    return "; ".join(filter(None, parts))


def _note(run: Run, large: str) -> str:
    """Return what a reader should see of the program's own troubles, in one line."""
    ended = f"exit status {run.status}" if run.status > 0 else f"signal {-run.status}"
    loud = f"{run.printed / 1e6:,.0f} MB on standard error" if run.printed > LOUD else ""
    said = ([""] + [line.strip() for line in run.errors.splitlines() if line.strip()])[-1]
    return _join([ended if run.status else "", large, loud, said if len(said) <= SHOWN else said[:SHOWN] + " ..."])


def _describe_large(run: Run, folder: str) -> str:
    """Return which files stopped a program by their size; every one may come to LARGEST bytes."""
    if not run.status:
        return ""
    names = []
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        names = sorted(entry.name for entry in entries if entry.stat(follow_symlinks=False).st_size == LARGEST)
    if not names and not run.ended_by(signal.SIGXFSZ):
        return ""
    return f"{', '.join(names) or 'a file'} grew to {LARGEST >> 20} MB, where writing ends"


def _describe_left(run: Run) -> str:
    several = "es" if run.left > 1 else ""
    return f"left {run.left} process{several} running after its move; stopped by the host" if run.left else ""


def our_player(folder: str | None = None, python: str = sys.executable) -> FilePlayer:
    """Return our own player as the course runs it: a new process every turn."""
    return FilePlayer("my_player3", [python, OUR_PLAYER], folder)


def role_player(role: str, seed: int, folder: str | None = None) -> FilePlayer:
    """Return one of the roles (see tools.opponents) over the file protocol: a new process every turn."""
    program = str(CODE / "tools" / "opponents" / "__main__.py")  # with -m, modules in the folder come first
    return FilePlayer(
        "file:" + role, [sys.executable, program, role, "--seed", str(seed)], folder, {"PYTHONPATH": str(CODE)}
    )
