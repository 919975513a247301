"""Tests of running tournaments: order and interruptions change no result, and an SPRT stops in time."""

from __future__ import annotations

import random
import subprocess
import sys
from contextlib import contextmanager, suppress

import pytest
from arena_plans import made_up, played, small_plan, sprt_plan, straight

from littlego.arena import run as module
from littlego.arena.elo import H0, H1, Hypothesis, verdict
from littlego.arena.results import pentanomial
from littlego.arena.run import Claims, SequentialTest, play_on
from littlego.arena.store import MOST, Store
from littlego.cli.arguments import ArgumentError

POINTS = (0, 0.5, 1, 1.5, 2)


def made(tmp_path, plan, name="t.sqlite"):
    return Store.make(tmp_path / name, plan)


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_pair_is_played_once_as_it_would_be_alone(jobs, tmp_path):
    plan = small_plan(("random", "greedy", "aggressive"), pairs=4)
    with made(tmp_path, plan) as store:
        seen = []
        play_on(store, jobs, show=lambda: seen.append(len(store.done())))
        assert [(result.number, result.winner) for result in store.results()] == [
            (result.number, result.winner) for result, _ in straight(plan)
        ]
        assert [store.record(number).key for number in range(24)] == [key for _, key in straight(plan)]
        assert seen == list(range(1, 13))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t.sqlite"]


class Stop(BaseException):
    """An exception that simulates Ctrl-C at an arbitrary moment."""


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_was_stopped_goes_on_and_ends_the_same(jobs, tmp_path):
    plan = small_plan(("random", "greedy", "aggressive"), pairs=4)

    def stop_after(number, store):
        if len(store.done()) >= number:
            raise Stop

    with made(tmp_path, plan) as store, made(tmp_path, plan, "whole.sqlite") as whole:
        for number in (1, 5, 6):
            with suppress(Stop):
                play_on(store, jobs, show=lambda number=number: stop_after(number, store))
            assert len(store.done()) == number
        play_on(store, jobs)
        play_on(whole, jobs)
        assert played(store) == played(whole)


def walked(points, hypothesis):
    """Return (number of pairs, accepted hypothesis) when a sequential test stops, or None if it does not."""
    counts = [0] * 5
    for number, point in enumerate(points, 1):
        counts[POINTS.index(point)] += 1
        if accepted := verdict(counts, hypothesis).accepted:
            return number, accepted
    return None


@pytest.mark.parametrize(("weights", "accepted"), [((1, 1, 4, 3, 3), H1), ((3, 3, 4, 1, 1), H0), ((0, 0, 1, 0, 0), H0)])
def test_where_a_test_stops_does_not_depend_on_the_order_of_arrival(weights, accepted, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "PIECE", 7)
    hypothesis = Hypothesis(0, 100)
    points = random.Random(2).choices(POINTS, weights, k=60)
    expected = walked(points, hypothesis)
    assert expected and expected[1] == accepted and expected[0] < 50
    for seed in range(3):
        plan, order = sprt_plan(60, hypothesis), list(range(60))
        random.Random(seed).shuffle(order)
        with made(tmp_path, plan, f"{seed}.sqlite") as store:
            test = SequentialTest(store, hypothesis)
            for number in order:
                store.add(made_up(plan.pair(number), points[number]))
                if test.decide():
                    break
            assert store.decision() == expected and store.done() == set(range(expected[0]))
            assert pentanomial(store.results()) == tuple(points[: expected[0]].count(point) for point in POINTS)
            assert SequentialTest(store, hypothesis).decide()


def test_a_test_that_is_decided_plays_no_more(tmp_path):
    plan = small_plan(("greedy", "random"), pairs=400)._replace(format="sprt", hypothesis=Hypothesis(0, 200))
    found = []
    for jobs in (1, 3):
        with made(tmp_path, plan, f"{jobs}.sqlite") as store:
            play_on(store, jobs)
            found.append((store.decision(), played(store)))
            play_on(store, jobs)
            assert (store.decision(), played(store)) == found[-1]
    assert found[0] == found[1] and found[0][0][1] == H1 and found[0][0][0] < 100


def test_a_player_that_changes_meanwhile_stops_the_tournament(tmp_path, monkeypatch):
    program = tmp_path / "program.sh"
    program.write_text("printf PASS > output.txt\n")
    plan = small_plan((f"file:sh {program}", "random"), pairs=3)
    with made(tmp_path, plan) as store:
        with pytest.raises(ArgumentError, match=r"program\.sh changed while the tournament ran"):
            play_on(store, 1, show=lambda: program.write_text("printf PASS >output.txt\n"))
        assert store.done() == {0}


def test_a_program_with_one_folder_plays_one_game_at_a_time(tmp_path, monkeypatch):
    (tmp_path / "own").mkdir()

    def each(function, items, jobs, scheduler, check):
        raise Stop(jobs)

    monkeypatch.setattr(module, "each", each)
    for name, jobs in ((f"file:cwd={tmp_path / 'own'}:true", 1), ("greedy", 4)):
        with made(tmp_path, small_plan((name, "random")), f"{jobs}.sqlite") as store:
            with pytest.raises(Stop) as caught:
                play_on(store, 4)
            assert caught.value.args == (jobs,)


HOLD = """
import sys, time
from pathlib import Path
from littlego.arena.run import Claims
claims = Claims(Path(sys.argv[1]))
pair = int(sys.argv[2])
print(claims.take(pair), claims.take(pair), flush=True)
time.sleep(600)
"""


@contextmanager
def held(path, pair):
    """Start a process that claims a pair, and yield the process."""
    words = [sys.executable, "-c", HOLD, str(path), str(pair)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout.readline() == "True True\n"
            yield child
        finally:
            child.kill()


def test_a_claim_is_seen_by_others_and_ends_with_its_process(tmp_path):
    path = tmp_path / "t.sqlite"
    with held(path, 2) as child, Claims(path) as claims:
        assert not claims.take(2) and claims.take(3)
        child.kill()
        child.wait()
        assert claims.take(2)
        claims.leave(2)


def test_a_program_with_one_folder_is_played_by_one_process_at_a_time(tmp_path):
    plan = small_plan((f"file:cwd={tmp_path}:printf PASS", "random"), pairs=1)
    with made(tmp_path, plan) as store, held(store.path, MOST):
        with pytest.raises(ArgumentError, match=r"another process is playing .*t\.sqlite, .*: wait until that"):
            play_on(store, 1)
        assert store.done() == set()


def test_pairs_that_another_process_plans_meanwhile_are_played_too(tmp_path):
    with made(tmp_path, small_plan(("random", "greedy"), pairs=2)) as store:
        assert play_on(store, 1, show=lambda: len(store.done()) == 2 and store.extend(4)) == 4
        assert store.done() == set(range(4))


def test_a_pair_that_somebody_else_has_just_played_is_not_played_again(tmp_path, monkeypatch):
    plan = small_plan(("random", "greedy"), pairs=3)
    with made(tmp_path, plan) as store, Claims(store.path) as claims:
        todo = module._claim_missing(store, plan, claims)
        store.add(made_up(plan.pair(1), 1))
        assert [pair.number for pair in todo] == [0, 2]


def test_the_scheduler_is_passed_on(tmp_path, monkeypatch):
    asked = []

    def on_cluster(function, items, jobs, scheduler, check):
        asked.append((scheduler, check.share))
        return ((item, function(item)) for item in items)

    monkeypatch.setattr(module, "each", on_cluster)
    with made(tmp_path, small_plan()) as store:
        play_on(store, 2, "tcp://somewhere:8786", share=0.02)
        assert asked == [("tcp://somewhere:8786", 0.02)] and len(store.done()) == 3
