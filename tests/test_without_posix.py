"""Tests of the commands on a system without POSIX.

Authoring and games in one process work. Other commands are refused with a one-line message. A child process hides POSIX
modules and functions from our code, since Windows lacks them.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CHILD = """
import builtins, contextlib, io, json, os, signal, sys
import concurrent.futures, multiprocessing.connection, shutil, subprocess, tempfile  # these have their own ways

MODULES = {"fcntl", "grp", "posix", "pwd", "resource", "termios", "tty"}
FUNCTIONS = "getloadavg getpgid getuid killpg mkfifo nice sched_getaffinity setsid statvfs sysconf wait3 wait4"
SIGNALS = "SIGALRM SIGCONT SIGHUP SIGKILL SIGPIPE SIGSTOP SIGXCPU"
real_import = builtins.__import__

def hiding(name, globals=None, *rest, **more):
    ours = (globals or {}).get("__name__", "").partition(".")[0] in ("rules", "littlego", "my_player3")
    if ours and name in MODULES:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return real_import(name, globals, *rest, **more)

builtins.__import__ = hiding
for owner, names in ((os, FUNCTIONS), (signal, SIGNALS)):
    for name in names.split():
        delattr(owner, name)
from littlego.cli.main import main

results = []
for words in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(words)
    results.append((status, out.getvalue(), err.getvalue()))
print(json.dumps(results))
"""


def run_hidden(commands: list[list[str]], folder: Path) -> list[tuple[int, str, str]]:
    """Return (status, standard output, standard error) of each command, run without POSIX features."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD], input=json.dumps(commands), capture_output=True, text=True, cwd=folder
    )
    assert done.returncode == 0, done.stderr
    return [tuple(result) for result in json.loads(done.stdout.splitlines()[-1])]


@pytest.fixture
def folder(tmp_path):
    shutil.copy(ROOT / "docs" / "tutorial" / "first.yaml", tmp_path / "patterns.yaml")
    (tmp_path / "some.tst").write_text("1 genmove b\n#? [C3]\n")
    (tmp_path / "input.txt").write_text("1\n" + "00000\n" * 9 + "00000", encoding="ascii")
    return tmp_path


def test_what_writes_patterns_and_plays_in_process_works(folder):
    commands = [
        ["--help"],
        ["check"],
        ["test"],
        ["compile"],
        ["facts"],
        ["explain", "input.txt"],
        ["new", "input.txt", "--move", "2,2", "--no-fit"],
        ["dev", "gallery", "-o", "gallery.html"],
        ["play", "--black", "greedy", "--white", "random", "--json", "game.json"],
        ["match", "random", "greedy", "--games", "2", "--jobs", "1"],
        ["dev", "tictactoe", "20"],
        ["dev", "train", "table.txt", "--games", "2", "--curve-games", "1"],
        ["init", "own"],
        ["diff", "patterns.yaml", "patterns.txt", "--corpus", "game.json", "--jobs", "1"],
        ["mutate", "--patterns", "patterns.yaml", "--list"],
        ["gtp", "--regress", "some.tst"],
    ]
    for words, (status, _, err) in zip(commands, run_hidden(commands, folder), strict=True):
        assert status in (0, 1) and "Traceback" not in err and "POSIX" not in err, (words, err)


def test_every_command_has_help(folder):
    from littlego.cli.main import COMMANDS, DEV_COMMANDS

    commands = [[entry.name, "--help"] for entry in COMMANDS]
    commands += [["dev", entry.name, "--help"] for entry in DEV_COMMANDS]
    for words, (status, out, err) in zip(commands, run_hidden(commands, folder), strict=True):
        assert status == 0 and "usage: littlego" in out.lower(), (words, err)


def test_what_needs_posix_says_so_in_a_line(folder):
    shutil.copy(ROOT / "my_player3.py", folder)
    commands = [
        ["dev", "bench", "--rounds", "1"],
        ["match", f"file:{folder / 'my_player3.py'}", "random", "--games", "1", "--jobs", "1"],
        ["grade", str(folder)],
        ["gtp", "--check"],
    ]
    for words, (status, _, err) in zip(commands, run_hidden(commands, folder), strict=True):
        assert status == 2 and "a POSIX system: Linux, macOS, or WSL on Windows" in err, (words, err)
        lines = [line for line in err.strip().splitlines() if "our player uses " not in line]
        assert len(lines) == 1, (words, err)
