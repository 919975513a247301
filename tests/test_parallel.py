"""Tests of work in several processes: complete results, clean stops, and no hang if a process dies."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor
from contextlib import closing
from functools import partial
from multiprocessing import active_children
from pathlib import Path

import pytest

from littlego import parallel
from littlego.parallel import each, with_progress

ROOT = Path(__file__).resolve().parents[1]
ENDING = ["SIGHUP", "SIGINT", "SIGTERM"]


def square(number):
    return number * number


def picky(number):
    if number == 5:
        raise ValueError("not five")
    return number


def suicidal(number):
    if number == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def waiting(folder, number):
    """Record the start of the work, wait, and record its cleanup."""
    try:
        (folder / f"begun-{number}").touch()
        time.sleep(60)
    finally:
        (folder / f"cleaned-{number}").touch()


def test_one_process_works_here_and_in_order():
    assert list(each(lambda number: (number, os.getpid()), range(4), 1)) == [
        (number, (number, os.getpid())) for number in range(4)
    ]


@pytest.mark.parametrize("count", [0, 1, 2, 50])
def test_several_processes_do_everything_once(count):
    assert sorted(each(square, iter(range(count)), 3)) == [(number, number * number) for number in range(count)]
    assert not active_children()


def touched(folder, number):
    (folder / str(number)).touch()


def test_processes_go_on_while_a_result_is_made_use_of(tmp_path):
    results = each(partial(touched, tmp_path), range(99), 2)
    next(results)
    stop = time.monotonic() + 60
    while len(list(tmp_path.iterdir())) < 4:  # each process writes two files without another request from us
        assert time.monotonic() < stop
        time.sleep(0.01)
    results.close()


def test_items_need_not_be_hashable():
    assert sorted(each(len, [[1], [1, 2], []], 2)) == [([], 0), ([1], 1), ([1, 2], 2)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_exception_comes_out(jobs):
    with pytest.raises(ValueError, match="not five"):
        list(each(picky, range(100), jobs))
    assert not active_children()


def test_a_process_that_is_killed_is_an_error_and_no_wait_for_ever():
    with pytest.raises(BrokenExecutor):
        list(each(suicidal, range(100), 2))
    assert not active_children()


def test_who_stops_early_ends_the_others_once_they_have_cleaned_up(tmp_path):
    with closing(each(partial(waiting, tmp_path), range(9), 2)) as results, pytest.raises(KeyboardInterrupt):
        interrupt.folder = tmp_path
        before = signal.signal(signal.SIGALRM, interrupt)
        signal.setitimer(signal.ITIMER_REAL, 0.01, 0.05)
        try:
            next(results)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
    assert not active_children()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["begun-0", "begun-1", "cleaned-0", "cleaned-1"]


def interrupt(*_):
    """Raise KeyboardInterrupt once both processes are at work."""
    if len(list(interrupt.folder.glob("begun-*"))) == 2:
        signal.setitimer(signal.ITIMER_REAL, 0)
        raise KeyboardInterrupt


def test_stopping_while_processes_are_idle_does_not_hang():
    for _ in range(40):
        results = each(square, range(40), 2)
        for _, _ in zip(range(7), results, strict=False):
            pass
        results.close()
        assert not active_children()


SCRIPT = """
import sys, time
sys.path.insert(0, {root!r})
from littlego.parallel import each
def nap(number):
    open({folder!r} + f"/begun-{{number}}", "w").close()
    time.sleep(60)
try:
    list(each(nap, range(8), 2))
except KeyboardInterrupt:
    sys.exit(130)
"""


def test_ctrl_c_reaches_a_whole_process_group_without_tracebacks(tmp_path):
    program = SCRIPT.format(root=str(ROOT), folder=str(tmp_path))
    host = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True, start_new_session=True)
    stop = time.monotonic() + 30
    while len(list(tmp_path.glob("begun-*"))) < 2:
        assert time.monotonic() < stop, "the processes did not begin"
        time.sleep(0.01)
    os.killpg(host.pid, signal.SIGINT)
    _, errors = host.communicate(timeout=30)
    assert host.returncode == 130 and "Traceback" not in errors, errors


BEGINNING = """
import os, signal, sys, time
sys.path.insert(0, {root!r})
from littlego.parallel import each
host, begun = os.getpid(), []
def asked(number, frame):
    if os.getpid() != host:
        open({folder!r} + f"/{{number}}", "w").close()
    sys.exit(128 + number)
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
    signal.signal(number, asked)
os.register_at_fork(before=lambda: begun.append(0), after_in_child=lambda: len(begun) == 2 and time.sleep(1))
results = each(abs, range(40), 2)
next(results)
{ending}
"""


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("ending", ["results.close()", *(f"os.killpg(0, signal.{name})" for name in ENDING)])
def test_a_process_that_has_just_begun_does_not_act_for_its_parent(tmp_path, ending):
    program = BEGINNING.format(root=str(ROOT), folder=str(tmp_path), ending=ending)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, start_new_session=True)
    asked = re.search("SIG[A-Z]+", ending)
    assert done.returncode == (128 + signal.Signals[asked[0]] if asked else 0), done.stderr
    assert not os.listdir(tmp_path) and not done.stderr


def test_progress_passes_everything_on(capsys):
    assert list(with_progress(iter("abc"), 3, "letter")) == ["a", "b", "c"]
    assert capsys.readouterr().err == ""  # no terminal, so no progress bar


def test_progress_is_shown_on_a_terminal(monkeypatch):
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr(sys, "stderr", terminal)
    assert list(with_progress(iter("ab"), 2, "letter")) == ["a", "b"]
    assert "2" in terminal.getvalue() and "letter" in terminal.getvalue()


def _cleans_up_for_ever(item: int) -> int:
    if item == 0:
        return 0
    try:
        time.sleep(60)
    finally:
        while True:
            time.sleep(60)


def test_a_process_that_never_has_cleaned_up_is_killed(monkeypatch):
    monkeypatch.setattr(parallel, "LONGEST", 0.5)
    others = set(active_children())
    results = each(_cleans_up_for_ever, [1, 0, 1], 2)
    assert next(results) == (0, 0)
    results.close()
    assert not set(active_children()) - others
