"""Tests that hostile programs reach nothing outside, leave no process, and are reported."""

import os
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from bubblewrap import needs_bubblewrap
from hostile_programs import HOSTILE, KNOWN, MORE, ONLY_HELD

from littlego.match.host import FilePlayer
from littlego.match.protocol import Turn
from littlego.rules.position import opening
from littlego.rules.ruleset import LITTLE_GO
from littlego.sandbox import limited
from littlego.sandbox.workfolder import remove_tree

BLACKS = Turn(opening(LITTLE_GO), (0, 0))
WHITES = Turn(opening(LITTLE_GO).play(12), (0, 0))
SECRET = "the marks of everybody"


class Traps:
    """Files, a process and sockets that no program may read, change or touch."""

    def __init__(self, folder: Path):
        self.folder = folder
        (folder / "cache" / "programs").mkdir(parents=True)
        for name in ("secret.txt", "results.jsonl", "cache/programs/classmate.py"):
            (folder / name).write_text(SECRET)
        self.results = open(folder / "results.jsonl", "a+b")  # noqa: SIM115 - stays open, as in a grading
        self.bystander = subprocess.Popen(["sleep", "600"], env={"WORD": SECRET})
        self.server = socket.create_server(("127.0.0.1", 0))
        self.abstract = socket.socket(socket.AF_UNIX)
        self.abstract.bind(f"\0littlego-{os.getpid()}")
        self.abstract.listen()
        self.before = self.look()

    def look(self) -> dict[str, str]:
        """Return all files with their contents."""
        return {str(path): path.read_text() for path in sorted(self.folder.rglob("*")) if path.is_file()}

    def text_of(self, text: str) -> str:
        """Return a program with the placeholders of traps replaced by their real names."""
        text = text.replace("TRAPS", str(self.folder)).replace("BYSTANDER", str(self.bystander.pid))
        text = text.replace("ABSTRACT", f"littlego-{os.getpid()}")
        return text.replace("PORT", str(self.server.getsockname()[1]))

    def check(self, folder: str) -> None:
        """Assert that no trap was touched."""
        assert self.look() == self.before
        assert self.bystander.poll() is None
        for server in (self.server, self.abstract):
            server.setblocking(False)
            with pytest.raises(BlockingIOError):
                server.accept()
        for name in os.listdir(folder) if os.path.isdir(folder) and not os.path.islink(folder) else ():
            path = Path(folder, name)
            if path.is_file() and not path.is_symlink():
                data = path.read_bytes()
                assert SECRET.encode() not in data and b"root:" not in data, name

    def close(self) -> None:
        """Take all away."""
        self.bystander.kill()
        self.bystander.wait()
        for one in (self.server, self.abstract, self.results):
            one.close()


@pytest.fixture
def traps(tmp_path):
    (tmp_path / "traps").mkdir()
    laid = Traps(tmp_path / "traps")
    yield laid
    laid.close()


@pytest.fixture(autouse=True)
def small_limits(monkeypatch):
    """Lower the memory limits, so that the attacks barely affect the machine."""
    monkeypatch.setattr(limited, "MEMORY", 400 << 20)


def children() -> set[int]:
    """Return this process's children."""
    pairs = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        pairs[int(pid)] = int(fields[1])
    mine = {os.getpid()}
    while more := {pid for pid, parent in pairs.items() if parent in mine} - mine:
        mine |= more
    return mine - {os.getpid()}


MINE = f"600.{os.getpid()}"  # seconds of sleep, with a fraction that identifies the processes of this test run
PROGRAM = f"hostile-{os.getpid()}.py"


def alive() -> set[int]:
    """Return this test's running hostile programs, whatever their parent is."""
    found = set()
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):
            words = Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace").split("\0")
            if PROGRAM in words or MINE in words:
                found.add(int(pid))
    return found


def attack(traps, folder, text):
    """Play two turns in a folder; return the report on them."""
    folder.mkdir()
    (folder / PROGRAM).write_text(traps.text_of(text).replace("sleep 600", f"sleep {MINE}"))
    player = FilePlayer("hostile", [sys.executable, "-S", "-E", PROGRAM], str(folder), stranger=True)
    player.wall_limit = 0.5 if "sleep(300)" in text else 20.0
    below = children()
    replies = [player.choose(BLACKS), player.choose(WHITES)]
    assert children() == below and not alive()
    told = [text for reply in replies for text in (reply.fault, reply.warning, reply.note)]
    if any(reply.cpu > 0.45 for reply in replies):
        told.append("CPU")
    return player, "\n".join(told)


def test_there_are_21_known_ones_and_10_more():
    assert len(KNOWN) >= 21 and len(MORE) >= 10 and len(HOSTILE) == len(KNOWN) + len(MORE)
    assert set(HOSTILE) > ONLY_HELD


@needs_bubblewrap
@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_foreign_is_touched_from_within_the_sandbox(traps, tmp_path, name):
    text, told = HOSTILE[name]
    player, said = attack(traps, tmp_path / "work", text)
    traps.check(player.folder)
    assert told in said
    assert player.held.startswith("bubblewrap")
    remove_tree(player.folder)
    assert not os.path.lexists(player.folder)


@pytest.mark.parametrize("name", [name for name in HOSTILE if name not in ONLY_HELD])
def test_without_a_sandbox_the_host_follows_no_link_and_leaves_no_process(traps, tmp_path, monkeypatch, name):
    monkeypatch.setenv("LITTLEGO_SANDBOX", "none")
    text, told = HOSTILE[name]
    player, said = attack(traps, tmp_path / "work", text)
    traps.check(player.folder)
    assert told in said or "link in the place of its work folder" in said or "another folder in the place" in said
    remove_tree(player.folder)
    remove_tree(player.folder + "-moved")
    assert not os.path.lexists(player.folder)
