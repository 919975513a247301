"""Tests of a game's clocks under fake time: all charges are exact to the last bit."""

from __future__ import annotations

import threading
import time as time_module

import pytest
from fake_time import FakeTime
from hypothesis import given
from hypothesis import strategies as st

from littlego.games.clock import Clock, Times
from littlego.rules.position import BLACK, WHITE

COLOURS = st.sampled_from((BLACK, WHITE))
SECONDS = st.integers(0, 400).map(lambda eighths: eighths / 8)  # sums of these numbers are exact
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("start"), COLOURS),
        st.tuples(st.sampled_from(("stop", "pause", "resume"))),
        st.tuples(st.just("advance"), SECONDS),
        st.tuples(st.just("charge"), COLOURS, SECONDS),
    ),
    max_size=40,
)


class Model:
    """A simple second implementation of a game's clock."""

    def __init__(self, black, white):
        self.left = {BLACK: black, WHITE: white}
        self.state = ("stands", None)

    def start(self, colour):
        self.state = ("runs", colour)

    def stop(self):
        self.state = ("stands", None)

    def pause(self):
        if self.state[0] == "runs":
            self.state = ("paused", self.state[1])

    def resume(self):
        if self.state[0] == "paused":
            self.state = ("runs", self.state[1])

    def advance(self, seconds):
        if self.state[0] == "runs":
            self.left[self.state[1]] -= seconds

    def charge(self, colour, seconds):
        self.left[colour] -= seconds


@given(SECONDS, SECONDS, STEPS)
def test_any_sequence_comes_to_what_a_simple_model_says(black, white, steps):
    time, model = FakeTime(), Model(black, white)
    clock = Clock((black, white), time)
    for name, *arguments in steps:
        getattr(model, name)(*arguments)
        getattr(time if name == "advance" else clock, name)(*arguments)
        state, colour = model.state
        assert clock.times() == (model.left[BLACK], model.left[WHITE])
        assert (clock.running, clock.paused) == (
            colour if state == "runs" else None,
            colour if state == "paused" else None,
        )
        up = [colour for colour in (BLACK, WHITE) if model.left[colour] <= 0]
        assert [colour for colour in (BLACK, WHITE) if clock.has_flagged(colour)] == up
        assert clock.flagged() == (up[0] if up else 0)
    assert clock.budgets == Times(black, white)


def started(colour=BLACK, seconds=60.0):
    time = FakeTime()
    clock = Clock((seconds, seconds), time)
    clock.start(colour)
    return clock, time


def test_only_the_mover_s_time_runs():
    clock, time = started(WHITE)
    time.advance(10)
    assert clock.times() == (60, 50) and clock.times().of(WHITE) == 50


def test_to_start_the_time_that_runs_already_changes_nothing():
    clock, time = started()
    for _ in range(5):
        time.advance(1)
        clock.start(BLACK)
    assert clock.times() == (55, 60)


def test_the_flag_falls_at_zero_and_not_before():
    clock, time = started()
    time.advance(59.999)
    assert not clock.has_flagged(BLACK) and clock.flagged() == 0
    time.advance(0.001)
    assert clock.has_flagged(BLACK) and clock.flagged() == BLACK and not clock.has_flagged(WHITE)


def test_a_stop_ends_a_pause():
    clock, time = started()
    clock.pause()
    clock.stop()
    clock.resume()
    time.advance(10)
    assert clock.running is None and clock.times() == (60, 60)


def test_a_reader_beside_a_pausing_thread_never_sees_seconds_twice():
    """Time stands still after 20 s, so a reader must always see 40 s; a double charge would show less."""
    time = FakeTime()
    clock = Clock((60, 60), time)
    clock.start(BLACK)
    time.advance(20)
    seen, over = set(), threading.Event()

    def read():
        while not over.is_set():
            seen.add(clock.times().black)

    reader = threading.Thread(target=read)
    reader.start()
    for _ in range(3000):
        clock.pause()
        clock.resume()
    while not seen:  # on a busy machine the reader may not have started yet
        time_module.sleep(0.001)
    over.set()
    reader.join()
    assert seen == {40.0}


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_times_are_of_a_colour(colour):
    assert Times(1.0, 2.0).of(colour) == float(colour)
