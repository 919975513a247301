"""Tests of the softmax: recovered weights, a correct gradient, and independence of the order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import check_grad
from scipy.sparse import csr_matrix

from littlego.learning.fitting.softmax import Choices, Prior, _objective, chances, fit, log_chances, ranks, telling

TRUE = np.array([2.0, -1.0, 0.5, 0.0])


def drawn(seed: int, count: int, true=TRUE, several: bool = False) -> Choices:
    """Return choices of 2 to 8 options, drawn by the weights `true`. several: some have two right options."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 9, count)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    features = rng.integers(0, 2, (starts[-1], true.size)).astype(float)
    features[:, -2] *= rng.integers(1, 4, starts[-1])
    offset = rng.normal(size=starts[-1])
    right = np.zeros(starts[-1], dtype=bool)
    for first, end in zip(starts, starts[1:], strict=False):
        chance = np.exp(features[first:end] @ true + offset[first:end])
        right[rng.choice(np.arange(first, end), p=chance / chance.sum())] = True
        if several:
            right[rng.integers(first, end)] = True
    return Choices(starts, csr_matrix(features), offset, right, rng.uniform(0.5, 1, count))


def wide(size: int) -> Prior:
    return Prior.around(np.zeros(size), 100.0)


def test_the_weights_that_made_the_choices_are_found_again():
    found = fit(drawn(0, 4000), wide(4), np.zeros(4))
    assert np.all(np.abs(found.weights - TRUE) < 4 * found.error)
    assert np.all(found.error < 0.1)


def test_the_start_does_not_matter_and_the_same_choices_give_the_same_weights():
    choices = drawn(1, 500)
    found = fit(choices, wide(4), np.zeros(4)).weights
    assert np.array_equal(found, fit(choices, wide(4), np.zeros(4)).weights)
    assert np.allclose(found, fit(choices, wide(4), np.full(4, 3.0)).weights, atol=1e-3)


def test_without_choices_the_prior_is_all_that_is_known():
    choices = drawn(2, 20).only(np.zeros(20, dtype=bool))
    prior = Prior.around(np.array([1.0, -2.0, 0.0, 5.0]), 2.0)
    found = fit(choices, prior, np.zeros(4))
    assert np.allclose(found.weights, prior.centre, atol=1e-5) and np.allclose(found.error, 2.0)


def test_a_tight_prior_holds_against_few_choices_and_bounds_hold_against_any():
    choices = drawn(3, 400)
    near = fit(choices, Prior.around(np.zeros(4), 1e-3), np.zeros(4)).weights
    assert np.all(np.abs(near) < 0.01)
    prior = wide(4)
    prior.high[0] = 0.0
    assert fit(choices, prior, np.zeros(4)).weights[0] == 0.0


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.booleans())
def test_the_gradient_is_that_of_the_objective(seed, several):
    choices = drawn(seed, 12, several=several)
    prior = Prior.around(np.full(4, 0.5), 3.0)
    at = np.random.default_rng(seed).normal(size=4)
    away = check_grad(
        lambda weights: _objective(weights, choices, prior)[0],
        lambda weights: _objective(weights, choices, prior)[1],
        at,
    )
    assert away < 1e-4


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_chances_add_up_and_agree_with_their_logarithms(seed):
    choices = drawn(seed, 10, several=True)
    weights = np.random.default_rng(seed).normal(size=4)
    chance = chances(choices, weights)
    for number, (first, end) in enumerate(zip(choices.starts, choices.starts[1:], strict=False)):
        scores = choices.features[first:end].toarray() @ weights + choices.offset[first:end]
        expected = np.exp(scores) / np.exp(scores).sum()
        assert np.allclose(chance[first:end], expected)
        right = expected[choices.right[first:end]].sum()
        assert log_chances(choices, weights)[number] == pytest.approx(np.log(right))


def test_several_right_options_count_together():
    """If a solved position has several winning moves, each of them is a right choice."""
    features = csr_matrix(np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]] * 50))
    right = np.array([True, True, False] * 50)
    choices = Choices(np.arange(0, 151, 3), features, np.zeros(150), right, np.ones(50))
    found = fit(choices, Prior.around(np.zeros(2), 1.0), np.zeros(2)).weights
    assert found[0] == pytest.approx(found[1], abs=1e-3) and found[0] > 1


def test_what_cannot_tell_is_left_out():
    right = np.array([True, False, False, False, True, True, True, False])
    choices = Choices(np.array([0, 2, 4, 6, 8]), csr_matrix((8, 1)), np.zeros(8), right, np.array([1.0, 1.0, 1.0, 0.0]))
    assert telling(choices).tolist() == [True, False, False, False]
    only = choices.only(np.array([False, False, True, True]))
    assert only.starts.tolist() == [0, 2, 4] and only.right.tolist() == [True, True, True, False]


def test_ranks_count_what_scores_higher_and_take_equals_in_their_order():
    starts = np.array([0, 3, 6, 8])
    scores = [1.0, 3.0, 2.0, 5.0, 5.0, 5.0, 0.0, 1.0]
    right = np.array([True, False, False, False, True, False, False, False])
    assert ranks(scores, starts, right).tolist() == [2, 1, -1]
