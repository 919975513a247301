"""Players that are programs of their own: the course's file protocol, with limits. Runs on Python 3.7, POSIX only."""

from __future__ import annotations

import contextlib
import math
import os
import signal
import sys
import tempfile

from littlego.match.protocol import OutputError, Turn, read_output, write_input
from littlego.match.referee import CPU_LIMIT, Player, Reply
from littlego.paths import CODE, HOME, PACKAGE
from littlego.rules.turn import INPUT, OUTPUT
from littlego.sandbox import sandbox
from littlego.sandbox.limited import LARGEST, Run, run_limited
from littlego.sandbox.supervise import BROKE, UNENDED
from littlego.sandbox.workfolder import FolderError, WorkFolder, describe_excess, measure, remove, remove_tree
from littlego.scratch import prefix

OUR_PLAYER = str(HOME / "my_player3.py")
WALL_LIMIT = 60.0  # seconds: six times the CPU limit, for a player that sleeps; waiting for a core is not counted
SHOWN = 200  # characters of a program's last line on standard error
FILLED = "has filled its work folder with {}"
LOUD = 1 << 20  # bytes of standard error that are worth telling


class FilePlayer(Player):
    """A program that reads input.txt and writes output.txt in its work folder, started anew for every move.

    command: words, run without a shell. folder: the work folder; a fresh one is made, and removed by close, if it
    is None. extra: environment variables to add. slower: how many times slower the machine is whose CPU seconds
    count; those of the limits and of the replies are its seconds. stranger: whether somebody else may have written it;
    it then runs in the sandbox, where there is one. Its exit status and what it prints decide nothing. writable:
    folders that it may write besides. had: the bytes and files that its folder had before, of which it may have as
    many more as workfolder.DISK and FILES say. spoilt: whether it has filled its folder.
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
        stranger: bool = False,
    ):
        import resource  # noqa: F401 - Windows has none: said now, and not held against the program

        self.name = name
        self.command = command
        self.closed = "" if folder else tempfile.mkdtemp(prefix=prefix())
        self.work = WorkFolder(folder or make_below(self.closed))
        self.folder = self.work.path
        self.extra = extra
        self.cpu_limit = cpu_limit
        self.wall_limit = wall_limit
        self.slower = slower
        self.stranger = stranger
        self.writable: tuple[str, ...] = ()
        self.had = (0, 0)
        self.spoilt = False

    def choose(self, turn: Turn) -> Reply:
        """Write input.txt, run the program, read output.txt; whatever goes wrong is the reply's fault."""
        try:
            with self.work.open(make=True) as folder:
                _clean(folder)
                write_input(folder, turn)
            run = self._run()
        except FolderError as error:
            return Reply(None, 0.0, str(error))
        except OSError as error:
            return Reply(None, 0.0, f"cannot be started: {error}")
        self.held = run.held
        try:
            with self.work.open() as folder:
                large, filled = _describe_large(run, folder), describe_excess(folder, self.had)
                self.spoilt = bool(filled)
                reply = self._judge(run, folder, turn.position.ruleset.size, large, filled)
        except OSError as error:
            large, reply = "", Reply(None, run.cpu, self._why_late(run) or str(error))
        fault = reply.fault and _join([reply.fault, *run.struck])
        warning = _join([reply.warning, _describe_left(run), *([] if fault else run.struck)])
        return reply._replace(fault=fault, warning=warning, note=_note(run, large))

    def _run(self) -> Run:
        cpu_limit, wall_limit = self.cpu_limit / self.slower, self.wall_limit / min(1, self.slower)
        run = run_limited(
            self.command,
            self.folder,
            cpu_limit,
            wall_limit,
            self.extra,
            sandboxed=self.stranger and sandbox.is_used(),
            writable=self.writable,
            excess=self._describe_excess,
        )
        return run._replace(cpu=run.cpu * self.slower)

    def measure(self) -> None:
        """Take what its folder has now as what it had before: one that is somebody's own, and no copy."""
        with contextlib.suppress(OSError), self.work.open() as folder:
            self.had = measure(folder, (math.inf, math.inf))

    def _describe_excess(self) -> str:
        """Return why to stop the program while it runs: what it has put into its folder."""
        with contextlib.suppress(OSError), self.work.open() as folder:
            filled = describe_excess(folder, self.had)
            return filled and FILLED.format(filled)
        return ""

    def _judge(self, run: Run, folder: int, size: int, large: str, filled: str) -> Reply:
        """Return what a run comes to; folder: the work folder, open. large, filled: what grew too large in it."""
        late = self._why_late(run)
        broke = _join([word for word in (BROKE, UNENDED) if word in run.struck])
        if late or filled or broke:
            return Reply(None, run.cpu, late or (filled and FILLED.format(filled)) or broke)
        try:
            answer = read_output(folder, size)
        except OutputError as error:
            return Reply(None, run.cpu, self._why_no_time(run) or _join([str(error), large]))
        if answer.move is None:
            return Reply(None, run.cpu, f"illegal move {answer.text}: off the board")
        return Reply(answer.move, run.cpu, warning=answer.warning)

    def _why_late(self, run: Run) -> str:
        if run.cpu > self.cpu_limit:
            return f"used {run.cpu:.2f} s of CPU time, the limit is {self.cpu_limit:g} s"
        return f"was stopped after {self.wall_limit:g} s on the clock" if run.stopped else ""

    def _why_no_time(self, run: Run) -> str:
        """Return why there is no answer where RLIMIT_CPU ended the program, whose own measure reads a little less."""
        used = f"used up its CPU time, the limit is {self.cpu_limit:g} s (it was ended at {run.cpu:.2f} s)"
        return used if run.ended_by(signal.SIGXCPU) else ""

    def close(self) -> None:
        """Remove the two files, and the folder if it was made for this player."""
        if self.closed:
            self.work.remove()
            remove_tree(self.closed)
        else:
            with contextlib.suppress(OSError), self.work.open() as folder:
                _clean(folder)


def make_below(closed: str) -> str:
    """Return a new folder in one that is ours alone: a program may open its own to everybody, but not the one above.

    Else somebody else on the machine could run what it puts there, as us.
    """
    folder = os.path.join(closed, "game")
    os.mkdir(folder, 0o700)
    return folder


def _clean(folder: int) -> None:
    """Remove input.txt and output.txt from an open folder, whatever they are by now; leave all other files."""
    for name in (INPUT, OUTPUT):
        remove(folder, name)


def _join(parts: list[str]) -> str:
    return "; ".join(dict.fromkeys(filter(None, parts)))


def _note(run: Run, large: str) -> str:
    """Return what a reader should see of the program's own troubles, in one line."""
    ended = f"exit status {run.status}" if run.status > 0 else f"signal {-run.status}"
    loud = f"{run.printed / 1e6:,.0f} MB on standard error" if run.printed > LOUD else ""
    said = ([""] + [line.strip() for line in run.errors.splitlines() if line.strip()])[-1]
    return _join([ended if run.status else "", large, loud, said if len(said) <= SHOWN else said[:SHOWN] + " ..."])


def _describe_large(run: Run, folder: int) -> str:
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
    """Return one of the roles (see littlego.players) over the file protocol: a new process every turn."""
    program = str(PACKAGE / "players" / "__main__.py")  # with -m, modules in the folder come first
    return FilePlayer(
        "file:" + role, [sys.executable, program, role, "--seed", str(seed)], folder, {"PYTHONPATH": str(CODE)}
    )
