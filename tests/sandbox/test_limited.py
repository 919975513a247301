"""A child with limits: whoever is asked to end while it starts ends it too."""

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
    """What the handler of a signal raises here."""


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """Let every child ask us to end before it becomes the program, and take its time; return where its id is noted."""
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
    """Let threads idle meanwhile: the system gives a signal to any of them that takes it."""
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
    until = time.monotonic() + 10  # less than the program takes
    while count_alive(int(asked.read_text())) and time.monotonic() < until:
        time.sleep(0.05)
    assert not count_alive(int(asked.read_text()))
