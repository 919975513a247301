"""Tests of signals deferred while a process starts, whichever thread receives them."""

import os
import signal
import threading
import time

import pytest

from littlego.signals import signals_held

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs signals")


class AskedToEnd(Exception):
    """The exception that the test's signal handler raises."""


@pytest.fixture
def asking():
    """Raise AskedToEnd on SIGTERM."""

    def handler(*_):
        raise AskedToEnd

    before = signal.signal(signal.SIGTERM, handler)
    yield handler
    signal.signal(signal.SIGTERM, before)


@pytest.mark.parametrize("threads", [0, 3])
def test_a_signal_waits_for_the_end_of_the_block(asking, threads):
    over, reached = threading.Event(), False
    idle = [threading.Thread(target=over.wait) for _ in range(threads)]
    for one in idle:
        one.start()
    try:
        with pytest.raises(AskedToEnd), signals_held():
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(0.05)  # enough time for a handler that is wrongly not deferred
            reached = True
    finally:
        over.set()
        for one in idle:
            one.join()
    assert reached
    assert signal.getsignal(signal.SIGTERM) is asking


def test_without_a_signal_nothing_changes(asking):
    with signals_held():
        pass
    assert signal.getsignal(signal.SIGTERM) is asking
    with pytest.raises(AskedToEnd):
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0.05)


def test_another_thread_may_hold_them_too(asking):
    done = []

    def hold():
        with signals_held():
            done.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=hold)
    thread.start()
    thread.join()
    assert done == [asking]
