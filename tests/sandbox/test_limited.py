"""Tests that a SIGTERM that arrives while a limited child process starts also ends the child."""

import os
import signal
import threading
import time

import pytest
from bubblewrap import needs_bubblewrap

from littlego.sandbox.limited import run_limited
from littlego.sandbox.processes import count_alive
from littlego.sandbox.supervise import Boxed, Plain


class AskedToEnd(Exception):
    """The exception that the test's signal handler raises."""


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """Make each child send us SIGTERM before it runs its program; return the file with the child's id."""
    noted = tmp_path / "child"

    def ask_first(join):
        def joining(self):
            noted.write_text(str(os.getpid()))
            os.kill(os.getppid(), signal.SIGTERM)
            time.sleep(0.2)
            join(self)

        return joining

    for kind in (Plain, Boxed):
        monkeypatch.setattr(kind, "join", ask_first(kind.join))

    def handler(*_):
        raise AskedToEnd

    before = signal.signal(signal.SIGTERM, handler)
    yield noted
    signal.signal(signal.SIGTERM, before)


@pytest.fixture(params=[0, 3], ids=["alone", "beside threads"])
def threads(request):
    """Keep idle threads during a test, since the system delivers a signal to any thread that accepts it."""
    over = threading.Event()
    idle = [threading.Thread(target=over.wait) for _ in range(request.param)]
    for one in idle:
        one.start()
    yield
    over.set()
    for one in idle:
        one.join()


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("sandboxed", [False, pytest.param(True, marks=needs_bubblewrap)])
def test_who_is_asked_to_end_while_a_child_starts_ends_it(asked, threads, tmp_path, sandboxed):
    with pytest.raises(AskedToEnd):
        run_limited(["sleep", "30"], str(tmp_path), 1, 10, sandboxed=sandboxed)
    until = time.monotonic() + 10  # shorter than the program's run time
    while count_alive(int(asked.read_text())) and time.monotonic() < until:
        time.sleep(0.05)
    assert not count_alive(int(asked.read_text()))
