"""Tests of interrupting answers that nobody awaits. Imports and forks are not interrupted."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from studio_server import LONGEST, ROOT

from littlego.studio.processes import is_delicate


def test_code_that_is_imported_is_delicate(tmp_path, monkeypatch):
    source = "import sys\nfrom littlego.studio.processes import is_delicate\nSEEN = is_delicate(sys._getframe())\n"
    (tmp_path / "studio_probe.py").write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert importlib.import_module("studio_probe").SEEN
    assert not is_delicate(sys._getframe())
    assert not is_delicate(None)


FORKING = """
import os
import sys
from multiprocessing import get_context
from littlego.studio.processes import is_delicate

os.register_at_fork(before=lambda: print(is_delicate(sys._getframe()), flush=True))
child = get_context("fork").Process(target=str)
child.start()
child.join()
"""


def test_a_fork_is_delicate():
    """Python ignores exceptions in fork hooks and only prints them."""
    done = subprocess.run([sys.executable, "-c", FORKING], cwd=ROOT, capture_output=True, text=True, timeout=LONGEST)
    assert done.stdout == "True\n", done.stderr


CALLED_BACK = """
import os
import signal
import time
from littlego.studio import processes

def end():
    os.kill(os.getpid(), signal.SIGTERM)
    print("the callback goes on", flush=True)

signal.signal(signal.SIGTERM, processes._terminate)
signal.signal(signal.SIGALRM, processes._interrupt)
exec("def call_back(): end()", compiled := {"__name__": "llvmlite.binding.probe", "end": end})
compiled["call_back"]()
time.sleep(600)
"""


def test_a_process_that_is_to_end_while_compiled_code_calls_back_ends_a_moment_later():
    """Python only prints an exception in a callback, so the process needs a second exception to end."""
    done = subprocess.run(
        [sys.executable, "-c", CALLED_BACK], cwd=ROOT, capture_output=True, text=True, timeout=LONGEST
    )
    assert (done.returncode, done.stdout, done.stderr) == (143, "the callback goes on\n", "")


ABANDONING = """
import time
from multiprocessing import forkserver
from threading import Thread

from littlego.studio import processes

processes.WORK = "slow_to_load"

def start():
    try:
        processes.Child(print, "first")
    except (EOFError, OSError):
        print("abandoned")

thread = Thread(target=start)
thread.start()
while not forkserver._forkserver._forkserver_pid:
    time.sleep(0.01)
processes.abandon_start()
thread.join()
"""


def test_nobody_waits_for_the_first_process_once_that_is_abandoned(tmp_path):
    """Ctrl-C may arrive while the first process loads the code of the answers."""
    (tmp_path / "slow_to_load.py").write_text("import time\ntime.sleep(600)\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-c", ABANDONING]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=LONGEST)
    assert done.stdout == "abandoned\n", done.stderr


@pytest.mark.slow
def test_stepping_quickly_leaves_the_solver_whole(running):
    """Each question replaces the previous one; the first questions arrive while the solver is loading."""
    boards = [f"...../..OX./.OXX./..O../..... black left={left}" for left in (2, 4, 6, 8, 10)]
    revision = running.request("/api/state")[1]["revision"]

    def ask(position):
        return running.request("/api/ask/exact", {"revision": revision, "position": position})

    with ThreadPoolExecutor(20) as pool:
        asked = []
        for board in boards * 4:
            asked.append(pool.submit(ask, board))
            time.sleep(0.1)
        statuses = {status for status, _ in (one.result() for one in asked)}
    assert statuses <= {200, 409}
    status, told = ask(boards[0])
    assert status == 200 and told["answer"]["known"]
