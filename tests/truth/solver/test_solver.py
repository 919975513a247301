"""Tests of searches: stopped and resumed, several threads on one table, and leads by bisection."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from littlego.rules.positionkey import pack
from littlego.truth.solver import kernel
from littlego.truth.solver import solver as module
from littlego.truth.solver.leads import most
from littlego.truth.solver.solver import Solver
from littlego.truth.solver.vectors import read_vectors

FILE = Path(__file__).parents[2] / "data" / "solver_vectors.txt"
VECTORS = read_vectors(str(FILE))


def with_left(*lefts: int) -> list:
    return [vector for vector in VECTORS if vector.left in lefts]


@pytest.mark.parametrize("jobs, far, horizons", [(1, 20, {14}), (2, 20, {14}), (1, 14, {10, 12, 14})])
def test_a_search_in_slices_ends_with_the_same_answer(monkeypatch, jobs, far, horizons):
    monkeypatch.setattr(module, "SLICE", 500)
    monkeypatch.setattr(module, "FAR", far)
    for vector in with_left(14)[:3]:
        solver, seen = Solver(20, jobs=jobs), []
        solver.watch = seen.append
        assert solver.wins(pack(vector.position)) == (vector.winner == vector.position.colour)
        assert len(seen) > 3 and set(seen) <= horizons and seen == sorted(seen)


def give_up(horizon):
    raise KeyboardInterrupt


def test_a_search_given_up_leaves_a_table_to_go_on_with(monkeypatch):
    monkeypatch.setattr(module, "SLICE", 2000)
    vector = with_left(14)[0]
    whole = Solver(20)
    whole.wins(pack(vector.position))

    solver = Solver(20, watch=give_up)
    with pytest.raises(KeyboardInterrupt):
        solver.wins(pack(vector.position))
    solver.watch = None
    assert solver.wins(pack(vector.position)) == (vector.winner == vector.position.colour)
    assert solver.nodes < 2 * whole.nodes


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_a_search_at_once(monkeypatch, jobs):
    searched = []

    class Pool(ThreadPoolExecutor):
        def map(self, work, scratches):
            searched.extend(self.submit(work, scratch) for scratch in scratches)
            raise KeyboardInterrupt

    monkeypatch.setattr(kernel, "ThreadPoolExecutor", Pool)
    monkeypatch.setattr(module, "SLICE", 1 << 60)
    with pytest.raises(KeyboardInterrupt):
        Solver(16, jobs=jobs).wins(23 << 56)  # with such a small table the search would take hours
    assert [future.result() for future in searched] == [module.STOPPED] * jobs


def test_two_threads_on_one_solver_agree():
    vectors = with_left(11, 12)[::2]
    codes = np.array([pack(vector.position) for vector in vectors])
    solver = Solver(16)
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(solver.winning_many, [codes, codes[::-1].copy()]))
    assert found[0].tolist() == [vector.winning for vector in vectors]
    assert found[1].tolist() == found[0][::-1].tolist()


def test_nodes_are_counted():
    vector = with_left(12)[0]
    solver = Solver(16)
    solver.winning(pack(vector.position))
    searched = solver.nodes
    assert searched > 100
    solver.winning(pack(vector.position))
    assert solver.nodes - searched < searched / 2


@pytest.mark.parametrize("first", [-24, 0, 3, 25])
def test_most_finds_every_lead(first):
    for lead in range(-25, 26):
        asked = []

        def reaches(goal, lead=lead, asked=asked):
            asked.append(goal)
            return goal <= lead

        assert most(reaches, first) == lead
        assert min(asked) > -25 and max(asked) <= 25 and len(set(asked)) == len(asked) <= 12
