"""Tests of the sentinel, which measures the share of a core that a runnable process gets."""

import os
import time

import pytest

from littlego.sandbox import sentinel
from littlego.sandbox.sentinel import Sentinel


@pytest.fixture
def measured(monkeypatch):
    """Return a function that returns a sentinel's share after its process printed `lines` in `seconds`."""
    made = []

    def make(lines, seconds):
        monkeypatch.setattr(sentinel, "_PROGRAM", f"import sys, time\nsys.stdout.write({lines!r})\n")
        made.append(Sentinel())
        made[-1]._child.wait()
        made[-1]._began -= seconds
        return made[-1].share()

    yield make
    for one in made:
        one.close()


@pytest.mark.parametrize(
    ("lines", "seconds", "share"),
    [
        ("0.05 0.05\n0.05 0.05\n", 10, 1.0),
        ("0.05 0.05\n0.05 0.95\n", 10, 0.1),
        ("0.05 0.5\n0.05 0.", 10, 0.1),  # the last line is still incomplete
        ("0.05 0.04\n", 10, 1.0),
        ("", 1, 1.0),  # too early to judge
        ("", 10, 0.0),  # the process got no CPU time at all
    ],
)
def test_the_share_of_a_core_is_cpu_time_by_wall_time(measured, lines, seconds, share):
    assert measured(lines, seconds) == pytest.approx(share)


def test_a_machine_without_room_for_the_sentinel_is_busy(monkeypatch):
    monkeypatch.setattr(sentinel.sys, "executable", "/nowhere/python")
    busy = Sentinel()
    busy._began -= 10
    assert busy.share() == 0.0
    busy.close()


@pytest.mark.skipif(os.name != "posix", reason="needs processes")
def test_a_real_sentinel_measures_and_ends():
    real = Sentinel()
    until = time.monotonic() + 60
    while not real._read and time.monotonic() < until:
        real.share()
        time.sleep(0.05)
    assert 0 < real.share() <= 1
    real.close()
    assert real._child.returncode == -9
