"""External programs as players over the course's file protocol, with limits on time and disk space. POSIX only.

This module runs on Python 3.7.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import signal
import sys
import tempfile
import time

from littlego.match.protocol import OutputError, Turn, read_output, write_input
from littlego.match.referee import CPU_LIMIT, Player, Reply
from littlego.paths import CODE, HOME, PACKAGE
from littlego.rules.turn import INPUT, OUTPUT
from littlego.sandbox import sandbox
from littlego.sandbox.limited import BACKSTOP, LARGEST, LOOK, Run, find_lack, run_limited
from littlego.sandbox.supervise import BROKE, UNENDED
from littlego.sandbox.workfolder import (
    FILLED,
    NO_SPACE,
    FolderError,
    WorkFolder,
    describe_excess,
    make_bounded,
    measure,
    remove,
    remove_tree,
)
from littlego.scratch import prefix
from littlego.stalled import StalledError

OUR_PLAYER = str(HOME / "my_player3.py")
WALL_LIMIT = BACKSTOP * CPU_LIMIT  # seconds, to stop a player that sleeps
SHARE, TURNS = 0.3, 12  # a game may use SHARE of the wall limits of its turns, or of TURNS turns if it has fewer
SHORTEST = 0.1  # seconds, the shortest wall limit: a program without remaining time still runs, and loses
ATTEMPTS = 3  # number of runs of a turn; if all are void, the turn cannot be judged
ROOM = 20.0  # maximum seconds to wait before a turn is played again
SHOWN = 200  # maximum characters shown of a program's last error line
_TRACE = re.compile(r"^([^\s].*)\n((?:[ \t]+at .*(?:\n|$)|[ \t]+\.\.\. .*(?:\n|$))+)", re.M)  # a Java stack trace
_FRAME = re.compile(r"^[ \t]+at (?:[\w.@-]+/)*([\w.$<>]+)\(([^)]*)\)", re.M)  # the method, the file and line
_OF_JAVA = ("java.", "javax.", "jdk.", "sun.", "com.sun.")
LOUD = 1 << 20  # bytes of standard error; above this size, the reply's note reports the size


class FilePlayer(Player):
    """A player that starts a program for every move; the program reads input.txt and writes output.txt.

    The program's exit status, standard output and standard error do not affect the result.
    """

    timed = False  # the host itself measures the child process

    def __init__(
        self,
        name: str,
        command: list[str],  # words, run without a shell
        folder: str | None = None,  # the work folder; if None, a fresh folder that `close` removes
        extra: dict[str, str] | None = None,  # environment variables to add
        cpu_limit: float = CPU_LIMIT,  # in seconds of the reference machine, like the replies' CPU time
        wall_limit: float = WALL_LIMIT,
        slower: float = 1.0,  # how many times slower the reference machine is than this machine
        # whether the program is untrusted and therefore runs in the sandbox, if the sandbox is in use
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
        self.writable: tuple[str, ...] = ()  # further folders that the program may write to
        # (bytes, number of files) in the folder at the start; workfolder.DISK and FILES limit what the program adds
        self.had = (0, 0)
        self.spoilt = False  # whether the program filled its folder
        self.replayed = self.turns = 0
        # wall seconds of the runs that are not void, without the time in which the program waited for a core
        self.waited = 0.0
        self.whole = math.inf  # limit of `waited`

    def choose(self, turn: Turn) -> Reply:
        """Write input.txt, run the program, and return its reply. If a valid run fails, `fault` is the reason.

        A run is void if other work on the machine stalls it, or if the program fails while other programs fill the disk
        or use up the user's process limit. The program is started again after a void run; raise StalledError after
        ATTEMPTS void runs.
        """
        self.turns += 1
        for _ in range(ATTEMPTS):
            reply, void = self._try(turn)
            if not void:
                return reply
            self.replayed += 1
            _await_room(self.folder)
        raise StalledError(void)

    def _try(self, turn: Turn) -> tuple[Reply, str]:
        """Run the program once; return (reply, reason why the run is void, or '' for a valid run)."""
        limits = self._limits()
        try:
            with self.work.open(make=True) as folder:
                _clean(folder)
                write_input(folder, turn)
            run = self._run(*limits)
        except FolderError as error:
            return Reply(None, 0.0, str(error)), ""
        except OSError as error:
            full = f"the disk of {self.folder} was full" if error.errno in NO_SPACE else ""
            return Reply(None, 0.0, f"cannot be started: {error}"), self._void(full or find_lack(self.folder))
        if run.is_stalled(*limits):
            return Reply(None, 0.0), self._describe_stalled(run)
        self.waited += run.share * run.wall
        reply = self._reply(run._replace(cpu=run.cpu * self.slower), turn.position.ruleset.size, limits[1])
        return reply, self._void(run.lacked) if reply.fault else ""

    def _void(self, lacked: str) -> str:
        return (
            lacked
            and f"{lacked}, {ATTEMPTS} times in a turn of {self.name}, so the turn cannot be judged; run the command "
            "again"
        )

    def _describe_stalled(self, run: Run) -> str:
        return (
            f"the machine is too busy for {self.name}: in {run.wall:.0f} s a process got {run.share * run.wall:.1f} s "
            f"of CPU time, {ATTEMPTS} times, so the turn cannot be judged; run the command again with fewer "
            "--jobs or fewer other programs"
        )

    def _reply(self, run: Run, size: int, wall_limit: float) -> Reply:
        """Return the reply for a run of the program. size: the board's size."""
        self.held = run.held
        late = self._why_late(run, wall_limit)
        try:
            with self.work.open() as folder:
                large, filled = _describe_large(run, folder), describe_excess(folder, self.had)
                self.spoilt = bool(filled)
                reply = self._judge(run, folder, size, late, large, filled)
        except OSError as error:
            large, reply = "", Reply(None, run.cpu, late or str(error))
        fault = reply.fault and _join([reply.fault, *run.struck])
        warning = _join([reply.warning, _describe_left(run), *([] if fault else run.struck)])
        return reply._replace(fault=fault, warning=warning, note=_note(run, large))

    def _limits(self) -> tuple[float, float]:
        """Return (CPU time limit, wall time limit) of the next run, in seconds on this machine.

        The wall limit is at most the rest of the game's wall budget and the rest of `whole`, but at least SHORTEST.
        """
        cpu, wall = self.cpu_limit / self.slower, self.wall_limit / min(1, self.slower)
        allowed = min(self.whole, SHARE * max(wall, BACKSTOP * cpu) * max(TURNS, self.turns))
        return cpu, max(SHORTEST, min(wall, allowed - self.waited))

    def _run(self, cpu_limit: float, wall_limit: float) -> Run:
        return run_limited(
            self.command,
            self.folder,
            cpu_limit,
            wall_limit,
            self.extra,
            sandboxed=self.stranger and sandbox.is_used(),
            writable=self.writable,
            excess=lambda: self.work.excess(self.had),
        )

    def measure(self) -> None:
        """Count the bytes and files that are now in the work folder, and store the numbers in `had`.

        Call this method for a user's own folder, so that the files already there do not count against the program.
        """
        with contextlib.suppress(OSError), self.work.open() as folder:
            self.had = measure(folder, (math.inf, math.inf))

    def _judge(self, run: Run, folder: int, size: int, late: str, large: str, filled: str) -> Reply:
        """Return the reply for a run: a fault if the run broke a limit or rule, else the answer in output.txt.

        folder: the open work folder. late, large, filled: texts about exceeded limits on time, file size and disk
        space, or '' for each limit that the program respected.
        """
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

    def _why_late(self, run: Run, wall_limit: float) -> str:
        if run.cpu > self.cpu_limit:
            return f"used {run.cpu:.2f} s of CPU time; the limit is {self.cpu_limit:g} s"
        if not run.stopped:
            return ""
        was_shortened = wall_limit < self.wall_limit
        rest = "; its earlier turns or games had used the rest of its time" if was_shortened else ""
        return f"was stopped after {wall_limit:.3g} s on the clock{rest}"

    def _why_no_time(self, run: Run) -> str:
        """Return the fault if RLIMIT_CPU ended the program, else ''.

        The measured CPU time of such a program may be below the limit.
        """
        used = f"used up its CPU time; the limit is {self.cpu_limit:g} s (stopped at {run.cpu:.2f} s)"
        return used if run.ended_by(signal.SIGXCPU) else ""

    def close(self) -> None:
        """Remove input.txt and output.txt, and the work folder if this player created it."""
        if self.closed:
            self.work.remove()
            remove_tree(self.closed)
        else:
            with contextlib.suppress(OSError), self.work.open() as folder:
                _clean(folder)


def _await_room(folder: str) -> None:
    """Wait until disk space and processes are available again, for at most ROOM seconds."""
    until = time.monotonic() + ROOM
    while find_lack(folder) and time.monotonic() < until:
        time.sleep(LOOK)


def make_below(closed: str) -> str:
    """Create a program's work folder inside the private folder `closed`; return the work folder's path.

    The program may change the permissions of its work folder, but not of the private folder. Without the private
    folder, another user could run files from the work folder with this user's rights.
    """
    folder = os.path.join(closed, "game")
    make_bounded(folder)
    return folder


def _clean(folder: int) -> None:
    """Remove input.txt and output.txt, of whatever type, from an open folder; keep all other files."""
    for name in (INPUT, OUTPUT):
        remove(folder, name)


def _join(parts: list[str]) -> str:
    return "; ".join(dict.fromkeys(filter(None, parts)))


def _note(run: Run, large: str) -> str:
    """Return one line with a program's exit status, large output and last error line.

    The line omits missing parts, and is '' if all parts are missing. If there is a Java stack trace, its description
    replaces the last error line. large: a text about large files, or ''.
    """
    ended = f"exit status {run.status}" if run.status > 0 else f"signal {-run.status}"
    loud = f"{run.printed / 1e6:,.0f} MB on standard error" if run.printed > LOUD else ""
    last_line = (
        _describe_java_trace(run) or ([""] + [line.strip() for line in run.errors.splitlines() if line.strip()])[-1]
    )
    return _join(
        [ended if run.status else "", large, loud, last_line if len(last_line) <= SHOWN else last_line[:SHOWN] + " ..."]
    )


def _describe_java_trace(run: Run) -> str:
    """Return a Java stack trace's exception and first frame in the program's own code.

    The result is '' if there is no trace.
    """
    tail = run.errors if run.printed <= len(run.began) else run.errors.partition("\n")[2]  # may start mid-line
    for text in (tail, run.began):  # the stored end may lack the start of a long trace
        traces = _TRACE.findall(text)
        if traces:
            exception, frames = traces[-1]
            places = [place for place in _FRAME.findall(frames) if not place[0].startswith(_OF_JAVA)]
            where = f" at {places[0][1]} ({places[0][0]})" if places else ""
            return re.sub(r'^(Exception in thread "[^"]*"|Caused by:) ', "", exception.strip()) + where
    return ""


def _describe_large(run: Run, folder: int) -> str:
    """Return a text about files that ended a program by reaching LARGEST bytes.

    The result is '' if there are no such files. folder: the descriptor of the program's open folder.
    """
    if not run.status:
        return ""
    names = []
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        names = sorted(entry.name for entry in entries if entry.stat(follow_symlinks=False).st_size == LARGEST)
    if not names and not run.ended_by(signal.SIGXFSZ):
        return ""
    return f"{', '.join(names) or 'a file'} grew to {LARGEST >> 20} MB, the limit for a file"


def _describe_left(run: Run) -> str:
    several = "es" if run.left > 1 else ""
    return f"left {run.left} process{several} running after its move; stopped by the host" if run.left else ""


def our_player(folder: str | None = None, python: str = sys.executable, program: str = OUR_PLAYER) -> FilePlayer:
    """Return our player, run as in the course: in a new process for every turn.

    `program` is the path of a my_player3.py in a folder that also contains rules/ and the patterns.
    """
    return FilePlayer("my_player3", [python, program], folder)


def role_player(role: str, seed: int, folder: str | None = None) -> FilePlayer:
    """Return a player that runs a role (see littlego.players) in a new process for every turn."""
    program = str(PACKAGE / "players" / "__main__.py")  # not -m, which would prefer modules in the work folder
    return FilePlayer(
        "file:" + role, [sys.executable, program, role, "--seed", str(seed)], folder, {"PYTHONPATH": str(CODE)}
    )
