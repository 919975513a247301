"""Tests that each result of a Dask cluster arrives once, even if processes of the cluster are killed."""

from __future__ import annotations

import shutil
import time
from contextlib import nullcontext
from functools import partial
from itertools import count, islice
from types import SimpleNamespace

import pytest
from cluster_work import deadly, harder, noted, picky, process, slowly, square
from dask_cluster import ROOT, Cluster, in_environment, make_certificates

from littlego.arena.store import Store
from littlego.cli.main import main
from littlego.cluster import ClusterError, _refuse_versions, each_on, objection, sources_digest, versions_here
from littlego.parallel import each
from littlego.spot_checks import Check

pytestmark = pytest.mark.thorough

NOT_INSTALLED = "import sys; sys.meta_path[:] = [one for one in sys.meta_path if 'ditable' not in str(one)]"
ALTERED = ("--nthreads", "1", "--preload", str(ROOT / "tests" / "support" / "altered_worker.py"))
SQUARES = [(number, number * number) for number in range(60)]


@pytest.fixture(scope="module")
def cluster():
    made = Cluster(1)
    yield made
    made.close()


@pytest.fixture(scope="module")
def encrypted(tmp_path_factory):
    """Return (a cluster over TLS, the variables that name its certificates)."""
    variables = make_certificates(tmp_path_factory.mktemp("certificates"))
    with in_environment(variables):
        made = Cluster(1, "tls", **variables)
    yield made, variables
    made.close()


def test_a_tournament_over_tls_is_the_same(encrypted, tmp_path, capsys):
    cluster, variables = encrypted
    assert cluster.address.startswith("tls://")
    begin = ["arena", "gauntlet", "greedy", "random", "--pairs", "5", "--keep"]
    with in_environment(variables):
        assert main([*begin, str(tmp_path / "far.db"), "--scheduler", cluster.address]) == 0
    assert main([*begin, str(tmp_path / "near.db"), "--jobs", "1"]) == 0
    with Store(tmp_path / "far.db") as far, Store(tmp_path / "near.db") as near:
        assert [record.key for record in far.records()] == [record.key for record in near.records()]


def refusal(address):
    with pytest.raises(ClusterError) as caught:
        list(each_on(address, square, [1]))
    return str(caught.value)


def test_who_has_no_certificate_or_another_one_is_refused(encrypted, tmp_path, monkeypatch):
    cluster, variables = encrypted
    said = refusal(cluster.address)
    assert "TLS needs certificates; set DASK_DISTRIBUTED__COMM__TLS__CA_FILE, " in said and "__CLIENT__KEY" in said
    plain = cluster.address.replace("tls://", "tcp://")
    with in_environment(variables):
        assert "this environment requires encryption; expected tls://HOST:PORT" in refusal(plain)
    with in_environment({**variables, "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY": str(tmp_path / "none.key")}):
        assert "none.key: No such file or directory" in refusal(cluster.address)
    monkeypatch.setattr("littlego.cluster.CONNECTING", 2.0)
    with in_environment(make_certificates(tmp_path)):
        assert (
            "no scheduler answered" in (said := refusal(cluster.address))
            and "with the certificates that the environment" in said
        )
    assert "no scheduler answered" in refusal(plain)


def test_everything_is_done_once(cluster):
    assert sorted(each(square, iter(range(1000)), 1, cluster.address)) == [(one, one * one) for one in range(1000)]
    assert list(each(square, [], 1, cluster.address)) == []


def test_items_need_not_be_hashable(cluster):
    assert sorted(each_on(cluster.address, len, [[1], [1, 2], []])) == [([], 0), ([1], 1), ([1, 2], 2)]


def test_an_exception_comes_out(cluster):
    with pytest.raises(ValueError, match="not five"):
        list(each_on(cluster.address, picky, range(100)))


def test_who_stops_early_takes_the_rest_off_the_cluster(cluster, tmp_path):
    results = each_on(cluster.address, partial(noted, tmp_path), count())
    assert len(list(islice(results, 30))) == 30
    results.close()
    # the only worker is free again, so this task is answered
    assert next(each_on(cluster.address, square, [3])) == (3, 9)
    begun = len(list(tmp_path.iterdir()))
    time.sleep(0.5)
    assert len(list(tmp_path.iterdir())) == begun


def test_items_are_taken_as_workers_need_them(cluster):
    taken = []
    results = each_on(cluster.address, slowly, (taken.append(one) or one for one in range(1000)))
    next(results)
    assert len(taken) < 100
    results.close()


def test_items_that_turn_out_hard_are_shared_after_all(cluster):
    other = cluster.add_worker()
    cluster.wait_for(2)
    found = dict(each_on(cluster.address, harder, range(612)))
    assert found == {number: (number, found[number][1]) for number in range(612)}
    assert len({found[number][1] for number in range(600, 612)}) == 2
    cluster.stop(other)


def test_a_worker_that_is_killed_loses_nothing(cluster):
    victim = cluster.add_worker()
    cluster.wait_for(2)
    results = each_on(cluster.address, slowly, range(60))
    found = list(islice(results, 10))
    cluster.stop(victim)
    assert sorted([*found, *results]) == SQUARES


def test_workers_may_come_late(cluster, capsys):
    cluster.stop(cluster.workers.pop(0))
    cluster.wait_for(0)
    results = each_on(cluster.address, slowly, range(60))
    cluster.add_worker()
    assert sorted(results) == SQUARES
    assert capsys.readouterr().err.count("waiting for workers at tcp://127.0.0.1:") == 1


def checked(told, share=0.0001):
    """Return a Check of even items, which compares results by equality and appends differences to `told`."""
    return Check(share, int.__eq__, lambda item: item % 2 == 0, told.append)


def test_a_worker_whose_code_was_altered_is_caught_and_gets_no_more_work(cluster):
    altered, told = cluster.add_worker(*ALTERED), []
    cluster.wait_for(2)
    check = checked(told)
    found = dict(each_on(cluster.address, slowly, range(0, 200, 2), check))
    cluster.stop(altered)
    wrong = [number for number in found if found[number] != number * number]
    assert len(found) == 100 and len(wrong) < 50
    assert [difference.wrong for difference in told] == [tuple(check.caught)] and told[0].repeatable


def test_if_all_workers_are_altered_the_work_ends(cluster):
    for worker in list(cluster.workers):
        cluster.stop(worker)
    cluster.wait_for(0)
    altered, told = cluster.add_worker(*ALTERED), []
    cluster.wait_for(1)
    with pytest.raises(ClusterError, match="the results of every worker at tcp://.* differ from this process's"):
        list(each_on(cluster.address, slowly, range(2, 200), checked(told)))
    assert len(told) == 1 and told[0].item % 2 == 0
    cluster.stop(altered)
    cluster.add_worker()
    cluster.wait_for(1)


@pytest.mark.parametrize("workers", [1, 2])
def test_if_no_two_results_agree_nobody_is_blamed(cluster, workers):
    more, told = [cluster.add_worker() for _ in range(workers - 1)], []
    cluster.wait_for(workers)
    check = checked(told)
    assert len(list(each_on(cluster.address, process, range(6), check))) == 6
    assert told and not any(difference.repeatable for difference in told) and not check.caught
    for worker in more:
        cluster.stop(worker)
    cluster.wait_for(1)


def test_equal_results_are_not_told_and_a_share_of_zero_compares_nothing(cluster):
    told = []
    assert sorted(each_on(cluster.address, square, range(60), checked(told, 1))) == SQUARES and not told
    compared = Check(0, lambda *_: told.append(1), lambda item: True, told.append)
    assert sorted(each_on(cluster.address, square, range(60), compared)) == SQUARES and not told


def test_a_worker_with_several_threads_is_refused(cluster):
    worker = cluster.add_worker("--nthreads", "2")
    cluster.wait_for(2)
    with pytest.raises(ClusterError, match="has 2 threads: start it with --nthreads 1"):
        list(each_on(cluster.address, square, range(9)))
    cluster.stop(worker)


def test_a_worker_with_other_sources_is_refused(cluster, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(ROOT / "tools/littlego", other / "tools/littlego", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "rules", other / "rules", ignore=shutil.ignore_patterns("__pycache__"))
    worker = cluster.add_worker(PYTHONPATH=str(other / "tools"))
    cluster.wait_for(2)
    with pytest.raises(
        ClusterError, match="runs different sources in .*other: check out this command's revision there"
    ):
        list(each_on(cluster.address, square, range(9)))
    cluster.stop(worker)


def test_so_is_one_that_comes_late(cluster, tmp_path):
    results = each_on(cluster.address, slowly, count())
    next(results)
    worker = cluster.add_worker("--nthreads", "2")
    with pytest.raises(ClusterError, match="the worker at tcp://.* has 2 threads"):
        for _ in results:
            pass
    cluster.stop(worker)


def test_so_is_one_that_comes_late_with_other_versions(cluster, monkeypatch):
    results = each_on(cluster.address, slowly, count())
    next(results)
    said = f"the worker at tcp://.* has {versions_here()}; the command has Python 3.10 and"
    monkeypatch.setattr("littlego.cluster.versions_here", lambda: "Python 3.10 and distributed 1")
    with pytest.raises(ClusterError, match=said):
        for _ in results:
            pass


def test_versions_are_told_before_other_sources():
    worker = SimpleNamespace(state=SimpleNamespace(nthreads=1))
    assert objection(sources_digest(), versions_here(), worker) == ""
    assert "different sources" in objection("others", versions_here(), worker)
    assert "install the same versions there" in objection("others", "Python 3.10 and distributed 1", worker)


def test_a_worker_without_our_code_is_refused(cluster, tmp_path):
    (tmp_path / "littlego").mkdir()
    (tmp_path / "littlego" / "__init__.py").touch()
    (tmp_path / "sitecustomize.py").write_text(NOT_INSTALLED)
    worker = cluster.add_worker(PYTHONPATH=str(tmp_path))
    cluster.wait_for(2)
    with pytest.raises(ClusterError, match="cannot run our code .*No module named 'littlego.cluster'"):
        list(each_on(cluster.address, square, range(9)))
    cluster.stop(worker)


@pytest.mark.slow
def test_what_kills_every_worker_ends_the_work():
    made = Cluster(1, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0")
    try:
        with pytest.raises(ClusterError, match="1 workers died one after another on the same task"):
            list(each_on(made.address, deadly, range(9)))
    finally:
        made.close()


@pytest.mark.slow
def test_a_scheduler_that_ends_is_told_in_one_line():
    made = Cluster(1)
    try:
        results = each_on(made.address, slowly, count())
        next(results)
        made.stop(made.processes[0])
        with pytest.raises(ClusterError, match="lost the scheduler at tcp://.* restart it"):
            list(results)
    finally:
        made.close()


def test_without_a_scheduler_a_command_says_so_before_it_works(capsys, monkeypatch):
    monkeypatch.setattr("littlego.cluster.CONNECTING", 0.2)
    assert main(["dev", "label", "--scheduler", "tcp://127.0.0.1:9"]) == 2
    said = capsys.readouterr().err
    expected = "no scheduler answered at tcp://127.0.0.1:9 in 0.2 s: start a scheduler; see docs/cluster.md"
    assert said == f"littlego: {expected}\n"


@pytest.mark.parametrize("address", ["here", "http://host:1", "tcp://host", "tcp://host:x", "tcp://ho st:1", ""])
def test_an_address_that_is_none_is_refused(address, capsys):
    assert main(["mutate", "--scheduler", address]) == 2
    assert "expected the address of a Dask scheduler, such as tls://HOST:8786, found" in capsys.readouterr().err


class Versions:
    """A fake client of a cluster, whose processes have these versions of Python and distributed."""

    def __init__(self, scheduler: str, worker: str):
        mine = {"host": {"python": "3.11.4.final.0"}, "packages": {"distributed": "2026.8.0"}}
        python, dask = worker.split()
        self.found = {
            "client": mine,
            "scheduler": {**mine, "packages": {"distributed": scheduler}},
            "workers": {"tcp://b:1": {"host": {"python": python}, "packages": {"distributed": dask}}},
        }

    def get_versions(self) -> dict:
        return self.found


@pytest.mark.parametrize(
    ("scheduler", "worker", "said"),
    [
        ("2026.8.0", "3.11.9.final.0 2026.8.0", ""),
        ("2026.9.0", "3.11.9.final.0 2026.8.0", "the scheduler has Python 3.11 and distributed 2026.9.0; this process"),
        ("2026.8.0", "3.12.1.final.0 2026.8.0", "the worker at tcp://b:1 has Python 3.12 and distributed 2026.8.0"),
    ],
)
def test_other_versions_are_refused(scheduler, worker, said):
    with pytest.raises(ClusterError, match=said) if said else nullcontext():
        _refuse_versions(Versions(scheduler, worker))
