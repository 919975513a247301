"""Tests that commands give the same results on a cluster as on one machine, even if a worker dies."""

from __future__ import annotations

import json
import shutil
from functools import partial

import pytest
from dask_cluster import ROOT, Cluster
from small_knowledge import CUTTING

from littlego import parallel
from littlego.arena import run
from littlego.arena.plan import GAUNTLET, Plan
from littlego.arena.play import play_pair_far
from littlego.arena.players import entrants
from littlego.arena.store import Store
from littlego.cli.arguments import ArgumentError
from littlego.cli.main import main
from littlego.learning.labelling import Met, label_positions, solve_here
from littlego.paths import DECISIONS
from littlego.truth.labels.labels import load, moves_left

TAKEN = 10  # number of results after which a worker is killed


@pytest.fixture(scope="module")
def cluster():
    made = Cluster(1)
    yield made
    made.close()


@pytest.fixture
def killing(cluster, monkeypatch):
    """Add a worker to the cluster, and kill it when a tournament has received TAKEN results."""
    victim = cluster.add_worker()
    cluster.wait_for(2)

    def each(*args):
        for number, found in enumerate(parallel.each(*args)):
            if number == TAKEN:
                cluster.stop(victim)
            yield found

    monkeypatch.setattr(run, "each", each)
    return victim


def played(path) -> list:
    """Return [(game without times, its moves)] of a tournament."""
    with Store(path) as store:
        return [(game._replace(sides=()), store.record(game.number).key) for game in store.results()]


def test_a_tournament_ends_with_the_same_table(cluster, killing, tmp_path):
    begin = ["arena", "round-robin", "greedy", "aggressive", "random", "--pairs", "16", "--keep"]
    assert main([*begin, str(tmp_path / "near.db"), "--jobs", "1"]) == 0
    assert main([*begin, str(tmp_path / "far.db"), "--scheduler", cluster.address]) == 0
    assert killing.poll() == -9
    assert played(tmp_path / "far.db") == played(tmp_path / "near.db")


def test_the_pairs_of_an_altered_worker_are_set_apart_and_played_elsewhere(cluster, tmp_path, capsys):
    altered = cluster.add_worker("--nthreads", "1", "--preload", str(ROOT / "tests" / "support" / "altered_worker.py"))
    cluster.wait_for(2)
    begin = ["arena", "gauntlet", "aggressive", "greedy", "--pairs", "60", "--keep"]
    assert main([*begin, str(tmp_path / "far.db"), "--scheduler", cluster.address]) == 0
    cluster.stop(altered)
    said = capsys.readouterr()
    assert main([*begin, str(tmp_path / "near.db"), "--jobs", "1"]) == 0
    assert played(tmp_path / "far.db") == played(tmp_path / "near.db")
    with Store(tmp_path / "far.db") as store:
        ((worker, number),) = store.apart()
    assert f"the worker at {worker} played pair " in said.err and f"{number} pair" in said.err
    assert f"not counted: {number} pair" in said.out and f"of the worker at {worker}, whose games differ" in said.out


def test_a_test_stops_early_at_the_same_pair(cluster, tmp_path):
    begin = ["arena", "sprt", "greedy", "random", "--elo1", "50", "--keep"]
    assert main([*begin, str(tmp_path / "near.db"), "--jobs", "1"]) == 0
    assert main([*begin, str(tmp_path / "far.db"), "--scheduler", cluster.address]) == 0
    near = played(tmp_path / "near.db")
    assert played(tmp_path / "far.db") == near and len(near) < 400


def test_a_worker_with_other_files_of_a_player_does_not_play(tmp_path):
    theirs = tmp_path / "them" / "program" / "my_player3.py"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("print('one')")
    plan = Plan(GAUNTLET, entrants([f"folder:{theirs.parent}", "random"]), 1)
    theirs.write_text("print('another')")
    with pytest.raises(ArgumentError, match="folder:.* files are missing or differ"):
        play_pair_far(plan.pair(0))
    shutil.rmtree(tmp_path / "them")
    with pytest.raises(ArgumentError, match="a worker needs the same files at the same paths"):
        play_pair_far(plan.pair(0))


def test_a_player_with_one_folder_does_not_play_on_many_machines(tmp_path):
    plan = Plan(GAUNTLET, entrants([f"file:cwd={tmp_path}:true", "random"]), 1)
    with Store.make(tmp_path / "far.db", plan) as store, pytest.raises(ArgumentError, match="omit --scheduler"):
        run.play_on(store, 1, "tcp://127.0.0.1:9")


def test_mutants_meet_the_same_fates(cluster, tmp_path):
    (tmp_path / "patterns.yaml").write_text(CUTTING)
    recorded = DECISIONS.read_text().splitlines(keepends=True)
    (tmp_path / "decisions.txt").write_text("".join(recorded[:60]))

    def fates(name: str, *args: str) -> dict:
        files = ["--patterns", str(tmp_path / "patterns.yaml"), "--decisions", str(tmp_path / "decisions.txt")]
        main(["mutate", *files, "--fresh", "--json", str(tmp_path / name), *args])
        return json.loads((tmp_path / name).read_text())

    near = fates("near.json", "--jobs", "1")
    assert near["score"]["survived"] and near["score"]["example"]
    assert fates("far.json", "--scheduler", cluster.address) == near


def test_labels_are_the_same(cluster, tmp_path):
    known = load()
    few = known.where((moves_left(known.codes) <= 4) & (known.codes % 23 == 0))
    assert few.codes.size > 100
    solve = partial(solve_here, 14)
    found = label_positions(Met(few.codes, few.tags), tmp_path / "labels.npz", solve, 1, cluster.address)
    assert (found.codes == few.codes).all() and (found.winning == few.winning).all()
