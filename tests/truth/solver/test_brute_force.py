"""Tests that the solver agrees with exhaustive play: values, winning moves, and exact leads."""

from __future__ import annotations

import brute_force
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from littlego.rules.position import BLACK
from littlego.rules.positionkey import pack
from littlego.truth.solver.leads import Leads
from littlego.truth.solver.solver import GOAL, Solver

WANTED = {1: 300, 2: 300, 3: 280, 4: 100, 5: 25}  # number of positions by moves left


@pytest.fixture(scope="module")
def drawn():
    """Return distinct positions from random games.

    WANTED has the number of positions for each number of moves left.
    """
    found: dict = {left: {} for left in WANTED}
    seed = 0
    while any(len(found[left]) < WANTED[left] for left in WANTED):
        for position in brute_force.playout(seed):
            if position.left in WANTED and len(found[position.left]) < WANTED[position.left]:
                found[position.left][pack(position)] = position
        seed += 1
    return [position for group in found.values() for position in group.values()]


def test_the_drawn_positions_are_of_all_kinds(drawn):
    assert len(drawn) >= 1000
    assert sum(position.ko != 0 for position in drawn) > 15
    assert sum(position.passed for position in drawn) > 25


def test_winning_moves(drawn):
    solver = Solver(16)
    known: dict = {}
    codes = np.array([pack(position) for position in drawn])
    expected = [brute_force.winning(position, GOAL, known) for position in drawn]
    assert solver.winning_many(codes).tolist() == expected
    assert [solver.winning(code) for code in codes[::10]] == expected[::10]
    black = [bool(mask) == (position.colour == BLACK) for mask, position in zip(expected, drawn, strict=True)]
    assert [solver.black_wins(code) for code in codes] == black
    assert 0.2 < sum(black) / len(black) < 0.8


def test_other_goals_and_exact_leads(drawn):
    leads = Leads(Solver(14), 14)
    known: dict = {}
    some = drawn[::7]
    expected = [brute_force.lead(position, known) for position in some]
    assert [leads.lead(pack(position)) for position in some] == expected
    assert len(set(expected)) > 15
    for goal in (-4, 0, 9):
        masks = [brute_force.winning(position, goal, known) for position in some]
        assert [leads.solver(goal).winning(pack(position)) for position in some] == masks


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 5), st.sampled_from([0.0, 0.1, 0.4]))
def test_any_game_near_its_end(seed, left, passing):
    for position in brute_force.playout(seed, passing):
        if position.left == left:
            known: dict = {}
            assert Solver(14).winning(pack(position)) == brute_force.winning(position, GOAL, known)
