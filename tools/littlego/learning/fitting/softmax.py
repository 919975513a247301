"""Softmax regression on choices, as in conditional logit and Bradley-Terry models.

An option's score is the sum of feature values times weights, plus an offset that is not fitted. The chance that an
option is chosen is exp(score of the option), divided by the sum of exp(score) over all options of the choice. If
several options are right, such as all winning moves of a solved position, the likelihood is the chance that any right
option is chosen. Choices come from games or from solved positions.

Sources: McFadden, "Conditional logit analysis of qualitative choice behavior" (1973); for moves of Go, Coulom,
"Computing Elo ratings of move patterns in the game of Go" (2007).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]

CLOSE = 1e-9  # the fit stops when one step changes the objective by less than this share of its value
MOST_STEPS = 500


@dataclass(frozen=True)
class Choices:
    """Choices and their options. Each option is a row, and the rows of a choice are adjacent.

    Each choice has at least one row. starts: int [choices + 1], the first row of each choice, then the number of rows.
    features: a scipy.sparse CSR matrix, float [rows, features]. offset: float [rows], the part of each score that is
    not fitted. right: bool [rows], the right options. weight: float [choices], at least 0.
    """

    starts: Integers
    features: Any
    offset: Floats
    right: Flags
    weight: Floats

    @cached_property
    def choice_of(self) -> Integers:
        """The index of each row's choice, int [rows]."""
        return np.repeat(np.arange(self.starts.size - 1), np.diff(self.starts))

    def scores(self, weights: Floats) -> Floats:
        """Return the score of each row, float [rows]. weights: float [features]."""
        scores: Floats = self.features @ weights + self.offset
        return scores

    def softened(self, factor: float) -> Choices:
        """Return the choices with all scores divided by a factor. With a larger factor, scores matter less."""
        return replace(self, features=self.features / factor, offset=self.offset / factor)

    def only(self, wanted: Flags) -> Choices:
        """Return the `wanted` choices in the same order. wanted: bool [choices]."""
        rows = np.repeat(wanted, np.diff(self.starts))
        starts = np.concatenate([[0], np.cumsum(np.diff(self.starts)[wanted])]).astype(np.int64)
        return Choices(starts, self.features[rows], self.offset[rows], self.right[rows], self.weight[wanted])


@dataclass(frozen=True)
class Prior:
    """The prior distribution of the weights: independent normal distributions within bounds.

    centre, deviation: float [features]. low, high: float [features], infinite where there is no bound.
    """

    centre: Floats
    deviation: Floats
    low: Floats
    high: Floats

    @classmethod
    def around(cls, centre: Floats, deviation: float) -> Prior:
        """Return a prior without bounds that has the same deviation for all weights."""
        everywhere = np.full(centre.size, np.inf)
        return cls(centre, np.full(centre.size, deviation), -everywhere, everywhere)


@dataclass(frozen=True)
class Fitted:
    """The best-fitting weights and their standard errors, both float [features].

    error: the standard error of each weight with the other weights fixed. If weights are correlated, the true errors
    are larger.
    """

    weights: Floats
    error: Floats


def log_chances(choices: Choices, weights: Floats) -> Floats:
    """Return, for each choice, the log of the chance of a right option: float [choices].

    The log is -inf if no option is right.
    """
    scores = choices.scores(weights)
    right = np.where(choices.right, scores, -np.inf)
    return _shares(choices, right)[0] - _shares(choices, scores)[0]


def chances(choices: Choices, weights: Floats) -> Floats:
    """Return the chance that each row's option is chosen, float [rows]."""
    return _shares(choices, choices.scores(weights))[1]


def _shares(choices: Choices, scores: Floats) -> tuple[Floats, Floats]:
    """Return (the log of the sum of exp(score) for each choice, each row's share of its choice's sum)."""
    if choices.starts.size == 1:
        return np.zeros(0), np.zeros(0)
    first, choice = choices.starts[:-1], choices.choice_of
    top = np.maximum.reduceat(scores, first)
    top = np.where(np.isfinite(top), top, 0.0)
    powers = np.exp(scores - top[choice])
    sums = np.add.reduceat(powers, first)
    with np.errstate(divide="ignore", invalid="ignore"):  # for choices without a right option
        return top + np.log(sums), powers / sums[choice]


def telling(choices: Choices) -> Flags:
    """Return whether each choice affects the fit, bool [choices].

    A choice affects the fit if it has right and wrong options and a positive weight.
    """
    right = np.add.reduceat(choices.right.astype(np.int64), choices.starts[:-1]) if choices.starts.size > 1 else 0
    several: Flags = (right > 0) & (right < np.diff(choices.starts))
    return several & (choices.weight > 0)


def fit(choices: Choices, prior: Prior, start: Floats) -> Fitted:
    """Return the weights with the highest posterior density. start: the initial weights, float [features].

    The result is deterministic. If each choice has one right option, the density has a single maximum, so the start
    affects only the running time.
    """
    from scipy.optimize import minimize

    known = choices.only(telling(choices))
    bounds = list(zip(prior.low.tolist(), prior.high.tolist(), strict=True))
    result = minimize(
        _objective,
        np.clip(start, prior.low, prior.high),
        (known, prior),
        "L-BFGS-B",
        jac=True,
        bounds=bounds,
        options={"maxiter": MOST_STEPS, "ftol": CLOSE, "gtol": 1e-7},
    )
    weights = np.asarray(result.x, dtype=np.float64)
    return Fitted(weights, 1 / np.sqrt(_curvature(known, weights) + prior.deviation**-2))


def _objective(weights: Floats, choices: Choices, prior: Prior) -> tuple[float, Floats]:
    """Return (objective, gradient); the objective to minimize is a constant minus log(posterior density)."""
    away = (weights - prior.centre) / prior.deviation
    scores = choices.scores(weights)
    sums, chance = _shares(choices, scores)
    right_sums, right_chance = _shares(choices, np.where(choices.right, scores, -np.inf))
    value = float(choices.weight @ (sums - right_sums) + away @ away / 2)
    surprise = (chance - right_chance) * choices.weight[choices.choice_of]
    gradient: Floats = choices.features.T @ surprise + away / prior.deviation
    return value, gradient


def _curvature(choices: Choices, weights: Floats) -> Floats:
    """Return the approximate second derivative of the negative log-likelihood with respect to each weight.

    The result is the weighted sum, over all choices, of each feature's variance over the options. The result is exact
    if each choice has one right option.
    """
    if choices.starts.size == 1:
        return np.zeros(weights.size)
    chance = chances(choices, weights)
    weight = choices.weight[choices.choice_of] * chance
    squares: Floats = choices.features.power(2).T @ weight
    return np.maximum(squares - _squared_means(choices, chance), 0.0)


def _squared_means(choices: Choices, chance: Floats) -> Floats:
    """Return the weighted sums, over all choices, of the features' squared means: float [features].

    The mean of a feature is taken over the rows of one choice. chance: the weight of each row in the mean, float
    [rows]. The weight of a choice in the sums is choices.weight.
    """
    from scipy.sparse import csr_matrix

    shape = choices.starts.size - 1, chance.size
    means = csr_matrix((chance, np.arange(chance.size), choices.starts), shape) @ choices.features
    squared: Floats = means.power(2).T @ choices.weight
    return squared


def typical_values(choices: Choices) -> Floats:
    """Return the mean absolute value of each feature over the rows where the feature is not 0.

    The result is float [features]; it is 1 for a feature that is 0 in all rows.
    """
    sizes = abs(choices.features)
    count = np.asarray((sizes > 0).sum(axis=0)).ravel()
    total = np.asarray(sizes.sum(axis=0)).ravel()
    typical: Floats = np.where(count > 0, total / np.maximum(count, 1), 1.0)
    return typical


def ranks(scores: Sequence[float] | Floats, starts: Integers, right: Flags) -> Integers:
    """Return, for each choice, how many rows rank above the best right row, or -1 if no row is right.

    The result is int [choices]. If two rows have equal scores, the earlier row ranks higher.
    """
    result = np.full(starts.size - 1, -1, dtype=np.int64)
    values = np.asarray(scores, dtype=np.float64)
    for number in range(result.size):
        rows = slice(starts[number], starts[number + 1])
        order = np.argsort(-values[rows], kind="stable")
        places = np.flatnonzero(right[rows][order])
        if places.size:
            result[number] = places[0]
    return result
