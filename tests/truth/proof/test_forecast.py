"""Tests of a walk's remaining time, which is estimated from the costs of the finished steps."""

from __future__ import annotations

import io
import sys
from functools import partial

import pytest

from littlego.truth.proof import threads
from littlego.truth.proof.forecast import COSTS, DECISIONS, JUDGED, REPLIES, VALUES, Forecast, Step, steps_of
from littlego.truth.proof.threads import Watch

COUNTS = {4: 300, 6: 20, 8: 1}


def test_the_steps_of_a_walk_in_order():
    down = [(8, DECISIONS, 1), (8, REPLIES, 1), (6, DECISIONS, 20), (6, REPLIES, 20), (4, DECISIONS, 300)]
    assert steps_of(COUNTS) == [*down, (4, VALUES, 300), (6, JUDGED, 20), (8, JUDGED, 1)]
    assert steps_of(COUNTS, down_to=6) == [*down[:3], (6, VALUES, 20), (8, JUDGED, 1)]


def test_the_time_left_follows_what_the_steps_took():
    forecast = Forecast(steps_of(COUNTS))
    rest = sum(step.cost for step in steps_of(COUNTS)[5:])
    half = forecast.seconds_left(4, DECISIONS, 150, 300, seconds=10)
    assert half == pytest.approx(10 * (1 + rest / Step(4, DECISIONS, 150).cost))
    forecast.finish(DECISIONS, 300, 20)
    assert forecast.seconds_left(4, VALUES, 0, 300, 0) == pytest.approx(20 * rest / Step(4, DECISIONS, 300).cost)
    assert forecast.seconds_left(8, JUDGED, 1, 1, 5) == 0


def test_before_anything_is_done_nothing_is_known():
    assert Forecast(steps_of(COUNTS)).seconds_left(8, DECISIONS, 0, 1, 1.0) == 0


def test_a_watch_tells_the_forecast_what_it_has_seen():
    forecast = Forecast([Step(8, VALUES, 10)])
    assert len([*Watch(8, forecast).run(lambda piece: None, 10, 1, VALUES, size=5)]) == 2
    assert forecast.cost == 10 * COSTS[VALUES] and forecast.seconds > 0
    [*Watch(8, forecast).run(lambda piece: None, 10, 1, "something else", size=5)]
    assert forecast.cost == 10 * COSTS[VALUES]


class Terminal(io.StringIO):
    """A fake terminal that records output."""

    def isatty(self) -> bool:
        return True


def test_on_a_terminal_a_step_shows_how_far_it_is_and_when_all_of_it_is_done(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(threads, "tqdm", partial(threads.tqdm, mininterval=0))  # always draw
    [*Watch(8, Forecast([Step(8, VALUES, 10)])).run(lambda piece: None, 10, 1, VALUES, size=5)]
    assert " 8 left, values: " in sys.stderr.getvalue() and "/10 " in sys.stderr.getvalue()
    assert "whole walk in 00:00" in sys.stderr.getvalue()


def test_elsewhere_nothing_is_shown(capsys):
    [*Watch(8, Forecast([Step(8, VALUES, 10)])).run(lambda piece: None, 10, 1, VALUES, size=5)]
    assert capsys.readouterr() == ("", "")
