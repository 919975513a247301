"""Runs of hostile programs beside traps: files, a process and sockets that no program may touch."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from littlego.dev.attack.programs import HOSTILE
from littlego.match.host import FilePlayer, make_below
from littlego.match.protocol import Turn
from littlego.rules.position import opening
from littlego.rules.ruleset import LITTLE_GO
from littlego.sandbox import supervise
from littlego.sandbox.sandbox import ENDING
from littlego.sandbox.workfolder import remove_tree
from littlego.scratch import prefix
from littlego.stalled import StalledError

TURNS = (Turn(opening(LITTLE_GO), (0, 0)), Turn(opening(LITTLE_GO).play(12), (0, 0)))  # as Black and as White
SECRET = "the marks of everybody"
WALL_LIMIT, SHORT = 20.0, 1.0  # seconds of wall time for a turn; SHORT for a program that sleeps until it is stopped
MEMORY = 400 << 20  # bytes; a low limit, so that the attacks barely affect the machine
MOST_CPU = 0.45  # seconds of CPU time above which the report contains "CPU"
PROGRAM, SLEEP = "hostile-{}.py", "600.{}"  # with the process id of this process, to identify its programs' processes


class Attacked(NamedTuple):
    """The result of running a hostile program."""

    name: str
    report: str  # the host's messages about the program
    faults: tuple[str, ...]  # descriptions of the violations
    held: str  # the program's confinement in words
    seconds: float  # wall time of the longest turn


def attack_host(name: str) -> Attacked:
    """Run a hostile program for two turns beside traps, and return the result."""
    closed = tempfile.mkdtemp(prefix=prefix("attack"))
    try:
        with lowered_memory(), traps_in(Path(closed)) as traps:
            return _attack(name, traps, make_below(closed))
    finally:
        remove_tree(closed)


def _attack(name: str, traps: Traps, folder: str) -> Attacked:
    text, expected = HOSTILE[name]
    file = PROGRAM.format(os.getpid())
    text = traps.text_of(text).replace("sleep 600", f"sleep {SLEEP.format(os.getpid())}")
    Path(folder, file).write_text(text, encoding="utf-8")
    player = FilePlayer("hostile", [sys.executable, "-S", "-E", file], folder, stranger=True)
    player.wall_limit = SHORT if "sleep(300)" in text else WALL_LIMIT
    player.cpu_limit = WALL_LIMIT / 2
    below, report, longest = children(), [], 0.0
    for turn in TURNS:
        began = time.monotonic()
        try:
            reply = player.choose(turn)
            report += [reply.fault, reply.warning, reply.note, *["CPU"] * (reply.cpu > MOST_CPU)]
        except StalledError as error:
            report.append(str(error))
        longest = max(longest, time.monotonic() - began)
    told = "\n".join(dict.fromkeys(filter(None, report)))
    faults = [*traps.find_touched(folder)]
    faults += ["processes are still running"] * (children() != below or bool(alive()))
    faults += [f"a turn took {longest:.1f} s"] * (longest > 5 * player.wall_limit + ENDING and not player.replayed)
    faults += [f"the report does not contain {expected!r}"] * all(text not in told for text in expected.split("|"))
    for path in (folder, f"{folder}-moved"):  # a program without a sandbox may move its folder
        remove_tree(path)
        faults += [f"{path} cannot be removed"] * os.path.lexists(path)
    return Attacked(name, told, tuple(faults), player.held, longest)


@contextmanager
def lowered_memory() -> Iterator[None]:
    """Lower the memory limit of the programs that start inside the `with` block."""
    before, supervise.MEMORY = supervise.MEMORY, MEMORY
    try:
        yield
    finally:
        supervise.MEMORY = before


@contextmanager
def traps_in(folder: Path) -> Iterator[Traps]:
    """Yield the Traps in a new subfolder `traps`; close them when the `with` block ends."""
    traps = Traps(folder / "traps")
    try:
        yield traps
    finally:
        traps.close()


class Traps:
    """Files, a process and sockets that no program may read, change or reach."""

    def __init__(self, folder: Path):
        self.folder = folder
        (folder / "cache" / "programs").mkdir(parents=True)
        for name in ("secret.txt", "results.jsonl", "cache/programs/classmate.py"):
            (folder / name).write_text(SECRET, encoding="utf-8")
        self.results = open(folder / "results.jsonl", "a+b")  # noqa: SIM115 - stays open, as in a grading
        self.bystander = subprocess.Popen(["sleep", "600"], env={"WORD": SECRET})
        self.server = socket.create_server(("127.0.0.1", 0))
        self.abstract = socket.socket(socket.AF_UNIX)
        self.abstract.bind(f"\0littlego-{os.getpid()}")
        self.abstract.listen()
        self.before = self._read_all()

    def _read_all(self) -> dict[str, str]:
        return {str(path): path.read_text("utf-8") for path in sorted(self.folder.rglob("*")) if path.is_file()}

    def text_of(self, text: str) -> str:
        """Return a program's text with real paths, ids and addresses in place of the trap placeholders."""
        text = text.replace("TRAPS", str(self.folder)).replace("BYSTANDER", str(self.bystander.pid))
        text = text.replace("ABSTRACT", f"littlego-{os.getpid()}")
        return text.replace("PORT", str(self.server.getsockname()[1]))

    def find_touched(self, folder: str) -> Iterator[str]:
        """Yield a description of each violation by a program.

        The violations are a changed file, a killed process, a contacted socket, and copied data. folder: the program's
        work folder.
        """
        if self._read_all() != self.before:
            yield "the program changed files outside its folder"
        if self.bystander.poll() is not None:
            yield "the program killed a process that it did not start"
        for server in (self.server, self.abstract):
            server.setblocking(False)
            with suppress(BlockingIOError):
                server.accept()[0].close()
                yield "the program connected to a socket outside its sandbox"
        if os.path.isdir(folder) and not os.path.islink(folder):
            os.chmod(folder, 0o700)
            for path in map(Path, (os.path.join(folder, name) for name in os.listdir(folder))):
                if path.is_file() and not path.is_symlink() and path.stat().st_size < 1 << 20:
                    data = path.read_bytes()
                    if path.name != PROGRAM.format(os.getpid()) and (SECRET.encode() in data or b"root:" in data):
                        yield f"{path.name!a} contains data that the program must not read"

    def close(self) -> None:
        """Stop the process, and close the sockets and the results file."""
        self.bystander.kill()
        self.bystander.wait()
        for each in (self.server, self.abstract, self.results):
            each.close()


def children() -> set[int]:
    """Return the ids of this process's descendants."""
    parents = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
            parents[int(pid)] = int(fields[1])
    mine = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in mine} - mine:
        mine |= more
    return mine - {os.getpid()}


def alive() -> set[int]:
    """Return the ids of running processes of hostile programs that this process started, orphans included."""
    found, names = set(), {PROGRAM.format(os.getpid()), SLEEP.format(os.getpid())}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):
            words = Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace").split("\0")
            if names.intersection(words):
                found.add(int(pid))
    return found
