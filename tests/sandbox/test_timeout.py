"""Tests of `choose_within`: answers in time, and functions that continue after the timeout."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
import weakref

import pytest

from littlego.sandbox.timeout import Abandoned, choose_within

LONG = 60.0  # seconds; far longer than a passing test waits


def ends(condition, seconds=10.0):
    """Return whether a condition becomes true within `seconds`."""
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.005)
    return condition()


class Budget:
    """A countdown in real seconds, which starts at its creation; a call returns the remaining seconds."""

    def __init__(self, seconds):
        self.until = time.monotonic() + seconds

    def __call__(self):
        return self.until - time.monotonic()


def once(event):
    """Return a function that returns the remaining seconds: 0 after the event, otherwise LONG."""
    return lambda: 0.0 if event.is_set() else LONG


class Thinker:
    """A function that thinks in Python until it is interrupted.

    begun: set at the start. over: the exception that ended the function. thread: the thread that ran the function.
    """

    def __init__(self):
        self.begun = threading.Event()
        self.over = self.thread = None

    def __call__(self):
        self.thread = threading.current_thread()
        number = 0
        try:
            self.begun.set()
            while True:
                number += 1
        except BaseException as raised:
            self.over = type(raised)
            raise


def test_an_answer_in_time_is_the_answer():
    assert choose_within(lambda: 7, lambda: LONG) == 7


def test_without_time_nobody_is_asked():
    asked = []
    assert choose_within(lambda: asked.append(1), lambda: 0.0) is None
    assert not asked


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt, SystemExit])
def test_what_it_raises_is_raised_here(kind):
    def fail():
        raise kind("by hand")

    with pytest.raises(kind, match="by hand"):
        choose_within(fail, lambda: LONG)


def test_who_thinks_on_is_ended_and_not_heard(capfd):
    thinker = Thinker()
    assert choose_within(thinker, once(thinker.begun)) is None
    assert ends(lambda: not thinker.thread.is_alive()) and thinker.over is Abandoned
    assert capfd.readouterr() == ("", "")


def test_a_late_answer_and_a_late_exception_are_not_heard(capfd):
    go = threading.Event()
    threads = []

    def answer():
        threads.append(threading.current_thread())
        go.wait()
        return 7

    def fail():
        threads.append(threading.current_thread())
        go.wait()
        raise ValueError("late")

    assert choose_within(answer, Budget(0.05)) is None
    assert choose_within(fail, Budget(0.05)) is None
    go.set()
    assert ends(lambda: not any(thread.is_alive() for thread in threads))
    assert capfd.readouterr() == ("", "")


def test_one_that_deals_with_every_exception_ends_all_the_same(capfd):
    """The thinker is interrupted only once, and any exception that the thinker then raises is ignored."""
    over, thinker = [], Thinker()

    def stubborn():
        try:
            thinker()
        except BaseException:
            over.append(threading.current_thread())
        return 7

    assert choose_within(stubborn, once(thinker.begun)) is None
    assert ends(lambda: over and not over[0].is_alive())
    assert capfd.readouterr() == ("", "")


def test_one_that_is_told_where_nothing_can_be_raised_is_told_again(monkeypatch):
    """Python ignores exceptions in the callback of a weak reference and continues."""
    said = []
    monkeypatch.setattr(sys, "unraisablehook", said.append)
    inside, out = threading.Event(), threading.Event()
    thinker = Thinker()

    class Thing:
        pass

    def callback(_):
        inside.set()
        until = time.monotonic() + 10
        while time.monotonic() < until:
            pass

    def think():
        thing = Thing()
        reference = weakref.ref(thing, callback)
        del thing
        out.set()
        return thinker() or reference

    assert choose_within(think, once(inside)) is None
    assert out.wait(10)  # the callback ended, and Python ignored the exception
    until = time.monotonic() + 10
    while (thinker.thread is None or thinker.thread.is_alive()) and time.monotonic() < until:
        choose_within(lambda: 7, lambda: LONG)
        time.sleep(0.02)
    assert thinker.over is Abandoned and not said


def test_nothing_is_raised_in_a_thread_that_has_answered():
    """Many threads answer at their deadline; an exception raised after the answer would be printed."""
    before = set(threading.enumerate())
    for number in range(60):
        until = time.monotonic() + 0.0005 * (number % 7)

        def answer(until=until):
            while time.monotonic() < until:
                pass
            return 7

        assert choose_within(answer, lambda until=until: until - time.monotonic()) in (7, None)
    assert ends(lambda: set(threading.enumerate()) <= before)


def test_what_is_left_may_change_while_it_thinks():
    """A server may charge a clock that shows plenty of time; the timeout must then occur at once."""
    left = [LONG]
    thinker = Thinker()
    threading.Timer(0.05, lambda: left.__setitem__(0, 0.0)).start()
    started = time.monotonic()
    assert choose_within(thinker, lambda: left[0]) is None
    assert time.monotonic() - started < LONG / 2


ENDING = """
import sys, threading, time
from littlego.sandbox.timeout import choose_within
from littlego.players.keyboard import ask_within
until = time.monotonic() + 0.2
def think():
    {thought}
print(choose_within(think, lambda: until - time.monotonic()))
"""


@pytest.mark.parametrize("thought", ["while True: pass", "time.sleep(60)", "ask_within('Your move: ', 60)"])
def test_a_process_ends_quietly_while_somebody_thinks(thought):
    """In one of the cases a prompt waits for a person; standard input is a pipe without data."""
    command = [sys.executable, "-c", ENDING.format(thought=thought)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        out, err = process.stdout.read(), process.stderr.read()
        assert (process.wait(timeout=30), out.split()[-1:], err) == (0, [b"None"], b"")


ASKING = "from littlego.players.keyboard import ask_within\nwhile True: print(repr(ask_within('? ', 60)))"


def test_lines_are_asked_for_as_input_does():
    done = subprocess.run([sys.executable, "-c", ASKING], input=b"2,2\r\n\n\xc3\xa9\xff\nlast", capture_output=True)
    assert done.stdout.decode().split("? ") == ["", "'2,2'\n", "''\n", "'é\ufffd'\n", "'last'\n", ""]
    assert done.stderr.strip().endswith(b"EOFError")
