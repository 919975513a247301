"""External programs as players: the course's file protocol, with limits. POSIX only.

Runs on Python 3.7.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import signal
import sys
import tempfile

from littlego.match.protocol import OutputError, Turn, read_output, write_input
from littlego.match.referee import CPU_LIMIT, Player, Reply
from littlego.paths import CODE, HOME, PACKAGE
from littlego.rules.turn import INPUT, OUTPUT
from littlego.sandbox import sandbox
from littlego.sandbox.limited import BACKSTOP, LARGEST, Run, run_limited
from littlego.sandbox.supervise import BROKE, UNENDED
from littlego.sandbox.workfolder import FolderError, WorkFolder, describe_excess, measure, remove, remove_tree
from littlego.scratch import prefix
from littlego.stalled import StalledError

OUR_PLAYER = str(HOME / "my_player3.py")
WALL_LIMIT = BACKSTOP * CPU_LIMIT  # seconds, to stop a player that sleeps
ATTEMPTS = 3  # runs of a turn that other work on the machine stalls
SHOWN = 200  # maximum characters shown of a program's last error line
FILLED = "has filled its work folder with {}"
_TRACE = re.compile(r"^([^\s].*)\n((?:[ \t]+at .*(?:\n|$)|[ \t]+\.\.\. .*(?:\n|$))+)", re.M)  # of Java
_FRAME = re.compile(r"^[ \t]+at (?:[\w.@-]+/)*([\w.$<>]+)\(([^)]*)\)", re.M)  # the method, the file and line
_OF_JAVA = ("java.", "javax.", "jdk.", "sun.", "com.sun.")
LOUD = 1 << 20  # bytes of standard error above which the reply's note reports their number


class FilePlayer(Player):
    """A program that reads input.txt and writes output.txt in its work folder, started for every move.

    command: words, run without a shell. folder: the work folder; if None, a fresh folder that `close` removes. extra:
    environment variables to add. slower: how many times slower the reference machine is; CPU limits and the replies'
    CPU seconds are in the reference machine's seconds. stranger: whether somebody else may have written the program; it
    then runs in the sandbox if the machine has one. The program's exit status and output do not affect the result.
    writable: further folders that the program may write to. had: bytes and files in its folder at the start;
    workfolder.DISK and FILES limit the program's additions. spoilt: whether the program filled its folder. replayed:
    number of runs that other work stalled and that were played again. waited: seconds of all runs without the time in
    which other work kept the program from a core.
    """

    timed = False  # the host itself measures the child process

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
        import resource  # noqa: F401 - Windows lacks this module: fail here, so that the program is not blamed

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
        self.replayed = 0
        self.waited = 0.0

    def choose(self, turn: Turn) -> Reply:
        """Write input.txt, run the program, read output.txt. Any failure becomes the fault of the reply.

        Raise StalledError if other work on the machine stalls the turn ATTEMPTS times.
        """
        try:
            run = self._run_unstalled(turn)
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

    def _run_unstalled(self, turn: Turn) -> Run:
        """Run the program; run it again if other work stalled it. Raise OSError or StalledError."""
        for _ in range(ATTEMPTS):
            with self.work.open(make=True) as folder:
                _clean(folder)
                write_input(folder, turn)
            run = self._run()
            if not run.is_stalled(*self._limits()):
                self.waited += run.share * run.wall
                return run._replace(cpu=run.cpu * self.slower)
            self.replayed += 1
        raise StalledError(
            f"the machine is too busy for {self.name}: in {run.wall:.0f} s a process got {run.share * run.wall:.1f} s "
            f"of CPU time, {ATTEMPTS} times, so its turn cannot be judged; run it again with less other work or fewer "
            "--jobs"
        )

    def _limits(self) -> tuple[float, float]:
        """Return the limits of a run in seconds of this machine: CPU time, wall time."""
        return self.cpu_limit / self.slower, self.wall_limit / min(1, self.slower)

    def _run(self) -> Run:
        return run_limited(
            self.command,
            self.folder,
            *self._limits(),
            self.extra,
            sandboxed=self.stranger and sandbox.is_used(),
            writable=self.writable,
            excess=self._describe_excess,
        )

    def measure(self) -> None:
        """Record the bytes and files that the folder already has, for example a user's folder."""
        with contextlib.suppress(OSError), self.work.open() as folder:
            self.had = measure(folder, (math.inf, math.inf))

    def _describe_excess(self) -> str:
        """Return the folder limit that the program's additions exceed, as a fault; '' for none."""
        with contextlib.suppress(OSError), self.work.open() as folder:
            filled = describe_excess(folder, self.had)
            return filled and FILLED.format(filled)
        return ""

    def _judge(self, run: Run, folder: int, size: int, large: str, filled: str) -> Reply:
        """Return the reply for a run. folder: the open work folder. large, filled: the run's size violations, or ''."""
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
        return f"was stopped after {self._limits()[1]:g} s on the clock" if run.stopped else ""

    def _why_no_time(self, run: Run) -> str:
        """Return the fault if RLIMIT_CPU ended the program, even if its measured time is just below the limit."""
        used = f"used up its CPU time, the limit is {self.cpu_limit:g} s (it was ended at {run.cpu:.2f} s)"
        return used if run.ended_by(signal.SIGXCPU) else ""

    def close(self) -> None:
        """Remove input.txt and output.txt, and the folder if it was created for this player."""
        if self.closed:
            self.work.remove()
            remove_tree(self.closed)
        else:
            with contextlib.suppress(OSError), self.work.open() as folder:
                _clean(folder)


def make_below(closed: str) -> str:
    """Create a folder that the program cannot open to other users, in a private folder; return its path.

    A program may change the permissions of its own folder, but not of the private folder. Without the private folder,
    another user could run files from the program's folder with this user's rights.
    """
    folder = os.path.join(closed, "game")
    os.mkdir(folder, 0o700)
    return folder


def _clean(folder: int) -> None:
    """Remove input.txt and output.txt, of whatever type, from an open folder; keep all other files."""
    for name in (INPUT, OUTPUT):
        remove(folder, name)


def _join(parts: list[str]) -> str:
    return "; ".join(dict.fromkeys(filter(None, parts)))


def _note(run: Run, large: str) -> str:
    """Describe a program's errors in one line."""
    ended = f"exit status {run.status}" if run.status > 0 else f"signal {-run.status}"
    loud = f"{run.printed / 1e6:,.0f} MB on standard error" if run.printed > LOUD else ""
    last_line = (
        _describe_java_trace(run) or ([""] + [line.strip() for line in run.errors.splitlines() if line.strip()])[-1]
    )
    return _join(
        [ended if run.status else "", large, loud, last_line if len(last_line) <= SHOWN else last_line[:SHOWN] + " ..."]
    )


def _describe_java_trace(run: Run) -> str:
    """Return the exception of a Java stack trace with its first place in the program; '' without a trace."""
    tail = run.errors if run.printed <= len(run.began) else run.errors.partition("\n")[2]  # its first line is cut
    for text in (tail, run.began):  # a long trace begins before the end that is kept
        traces = _TRACE.findall(text)
        if traces:
            exception, frames = traces[-1]
            places = [place for place in _FRAME.findall(frames) if not place[0].startswith(_OF_JAVA)]
            where = f" at {places[0][1]} ({places[0][0]})" if places else ""
            return re.sub(r'^(Exception in thread "[^"]*"|Caused by:) ', "", exception.strip()) + where
    return ""


def _describe_large(run: Run, folder: int) -> str:
    """Describe the files whose size stopped a program. The limit for each file is LARGEST bytes."""
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


def our_player(folder: str | None = None, python: str = sys.executable, program: str = OUR_PLAYER) -> FilePlayer:
    """Return our player, run as in the course: in a new process for every turn.

    program: its my_player3.py, with rules/ and the patterns beside it.
    """
    return FilePlayer("my_player3", [python, program], folder)


def role_player(role: str, seed: int, folder: str | None = None) -> FilePlayer:
    """Return a role (see littlego.players) over the file protocol: a new process for every turn."""
    program = str(PACKAGE / "players" / "__main__.py")  # not -m, which would prefer modules in the work folder
    return FilePlayer(
        "file:" + role, [sys.executable, program, role, "--seed", str(seed)], folder, {"PYTHONPATH": str(CODE)}
    )
