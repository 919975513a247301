"""Tests of tournaments that are killed or played by several processes: no game is lost or repeated."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest
from arena_plans import played

from littlego.arena.store import Store
from littlego.cli.main import main

pytestmark = pytest.mark.thorough

PATIENCE = 120.0  # timeout in seconds for an event
PAIRS = 14  # for each two players
PLAYERS = ("aggressive", "greedy", "random")
TIMES = ("cpu_a_move", "slowest", "file")  # the columns of a table that may differ from run to run


def command(file, pairs, *more):
    settings = ["--pairs", str(pairs), "--seed", "3", "--openings", "3", "--keep", str(file), *more]
    return [sys.executable, "-m", "littlego", "arena", "round-robin", *PLAYERS, *settings]


def start(file, pairs, *more):
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command(file, pairs, *more), start_new_session=True, **streams)


def there(file):
    """Return the number of pairs in a tournament's file, or 0 if the file does not exist yet."""
    if not file.exists():
        return 0
    with Store(file) as store:  # a store that was not closed may stay open, along with its -wal file
        return len(store.done())


def wait_for(what):
    deadline = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < deadline, "timeout: the expected event did not happen"
        time.sleep(0.01)  # pause, since each poll takes CPU time from the watched process


def group_is_alive(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def table(file, capsys):
    """Return a tournament's table as JSON, without its measured times."""
    capsys.readouterr()
    assert main(["arena", "table", str(file), "--json"]) == 0
    return json.loads(capsys.readouterr().out, object_hook=lambda found: {k: found[k] for k in found if k not in TIMES})


def killed_again_and_again(folder, kills, pairs, seed):
    """Start a tournament `kills` times, kill it each time at a random moment, and return its file."""
    file, chance = folder / "killed.sqlite", random.Random(seed)
    for number in range(kills):
        wanted = there(file) + chance.randrange(pairs * 3 // (kills + 1))
        kill_one(start(file, pairs, "--jobs", "2"), file, wanted, chance.random() / 50, number % 2 == 0)
    return file


def kill_one(child, file, wanted, delay, whole_group):
    """Kill a process or its whole group shortly after a tournament's file has `wanted` pairs."""
    try:
        wait_for(lambda: there(file) >= wanted or child.poll() is not None)
        time.sleep(delay)
        assert child.poll() is None, f"the tournament ended before the kill: {child.stderr.read()}"
    finally:
        if whole_group:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
        child.kill()
        child.wait()
        child.stderr.close()
    wait_for(lambda: not group_is_alive(child.pid))  # the child's own processes end a little later


def undisturbed(folder, pairs):
    """Return the file of a tournament that ran without interruption."""
    file = folder / "whole.sqlite"
    assert main(command(file, pairs, "--jobs", "1")[3:]) == 0
    return file


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return undisturbed(tmp_path_factory.mktemp("whole"), PAIRS)


def assert_same(one, other, pairs, capsys):
    """Assert that two tournaments of this many pairs have the same tables and the same games."""
    assert table(one, capsys) == table(other, capsys)
    with Store(one) as first, Store(other) as second:
        assert played(first) == played(second) and len(first.results()) == 6 * pairs


def check_kills(tmp_path, capsys, whole, kills, pairs, seed):
    killed = killed_again_and_again(tmp_path, kills, pairs, seed)
    assert 0 < there(killed) < pairs * 3
    assert main(["arena", "continue", str(killed), "--jobs", "1"]) == 0
    assert_same(killed, whole, pairs, capsys)
    assert [path.name for path in tmp_path.iterdir()] == ["killed.sqlite"]


def test_a_tournament_that_was_killed_ends_as_if_undisturbed(tmp_path, capsys, whole):
    check_kills(tmp_path, capsys, whole, kills=3, pairs=PAIRS, seed=11)


@pytest.mark.slow
def test_a_tournament_killed_fifty_times_ends_as_if_undisturbed(tmp_path, tmp_path_factory, capsys):
    whole = undisturbed(tmp_path_factory.mktemp("long"), 400)
    check_kills(tmp_path, capsys, whole, kills=50, pairs=400, seed=12)


def test_two_that_play_one_tournament_share_it(tmp_path, capsys, whole):
    file = tmp_path / "shared.sqlite"
    both = [start(file, PAIRS, "--jobs", "1") for _ in range(2)]
    said = []
    for child in both:
        with suppress(subprocess.TimeoutExpired):
            said.append(child.communicate(timeout=PATIENCE)[1])
        child.kill()
    assert [child.returncode for child in both] == [0, 0], said
    here = [int(re.search(r"(\d+) pairs? played here", text)[1]) for text in said]
    assert sum(here) == 3 * PAIRS, "a pair was played twice"
    assert_same(file, whole, PAIRS, capsys)


def test_ctrl_c_keeps_what_is_done(tmp_path):
    file = tmp_path / "stopped.sqlite"
    child = start(file, 2000, "--jobs", "2")
    try:
        wait_for(lambda: there(file) >= 3)
        os.killpg(child.pid, signal.SIGINT)
        said = child.communicate(timeout=PATIENCE)[1]
    finally:
        child.kill()
    assert child.returncode == 130 and "Traceback" not in said
    assert f"littlego arena continue {file}" in said
    assert 3 <= there(file) < 6000
    wait_for(lambda: not group_is_alive(child.pid))  # the system may need a moment to reap the last process
