"""Gumbel tree search of many positions in lockstep: each simulation evaluates one batch for all trees.

Source: Danihelka et al., Policy improvement by planning with Gumbel, ICLR 2022. This module runs on Python 3.7.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from littlego.players.zero.compilation import jit
from littlego.players.zero.exact import UNITS, exp, tanh
from littlego.players.zero.game import ONGOING

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from littlego.players.zero.game import Array, Game, Integers, States

    Evaluate = Callable[[Integers], tuple[Integers, Integers]]
    Floats = NDArray[np.float64]

CONSIDERED = 16  # root actions that the first round of sequential halving compares
# An action's value, -1 to 1, times VALUE_SCALE * (VISIT_OFFSET + most visits) is added to its logit. A VALUE_SCALE of
# 0.2 plays and learns better than 0.05, and plays better than 0.5.
VISIT_OFFSET, VALUE_SCALE = 50, 0.2
TINY = 1e-300  # smallest weight of a visited action in a weighted mean
UNVISITED = -1


class Trees(NamedTuple):
    """The search trees of a batch. Node 0 of each tree is the root; values are from the view of the player to move.

    For each node [batch, nodes]: the state, the result, the parent, the action that led to the node, and the value (the
    result of a finished game, else the network's value). For each action of a node [batch, nodes, actions]: the logit
    (-inf if illegal), the prior, the number of visits, the total of the backed-up values, and the child (a node or
    UNVISITED). used [batch]: the number of nodes in each tree.
    """

    states: Array
    results: Array
    parents: Array
    actions: Array
    values: Array
    logits: Array
    priors: Array
    visits: Array
    totals: Array
    children: Array
    used: Array


class Searched(NamedTuple):
    """The results of a batch of searches.

    actions [batch]: the chosen actions. visits, values, policy [batch, actions]: for the root's actions, the number of
    visits, the values from -1 to 1 for the player to move (estimates for unvisited actions), and the improved policy.
    root_values [batch]: the mean value of the root over its own evaluation and all simulations. trees: the search
    trees, for `line_of`.
    """

    actions: Integers
    visits: Integers
    values: Floats
    policy: Floats
    root_values: Floats
    trees: Trees


def search(game: Game, evaluate: Evaluate, states: States, noise: Integers, simulations: int) -> Searched:
    """Search from each state and return the results; the game must not be over in any state.

    evaluate(features): returns logits [count, actions] and values before tanh [count], both in units of 1 / UNITS.
    noise: integers [count, actions] in the same units, all 0 for play without exploration. simulations: the number of
    simulations for each state; with 0, only the logits and the noise determine the chosen actions.
    """
    trees = _make_trees(game, states, simulations)
    rows = np.arange(len(states))
    _add_nodes(game, evaluate, trees, rows, np.zeros(len(rows), np.int64), states)
    considered = np.minimum(CONSIDERED, np.isfinite(trees.logits[:, 0]).sum(1))
    schedules = np.array([_schedule(int(count), simulations) for count in considered], np.int64)
    for simulation in range(simulations):
        nodes, actions = np.empty(len(rows), np.int64), np.empty(len(rows), np.int64)
        _select(trees, noise, schedules[:, simulation], nodes, actions)
        new = trees.children[rows, nodes, actions] == UNVISITED
        trees.parents[rows[new], trees.used[new]], trees.actions[rows[new], trees.used[new]] = nodes[new], actions[new]
        trees.children[rows[new], nodes[new], actions[new]] = trees.used[new]
        played = game.play(trees.states[rows[new], nodes[new]], actions[new])
        _add_nodes(game, evaluate, trees, rows[new], trees.used[new], played)
        _back_up(trees, trees.children[rows, nodes, actions])
    return _summarize(trees, noise)


def line_of(trees: Trees, tree: int, action: int) -> list[int]:
    """Return a line of actions: `action` at the root of a tree, then the most visited action at each node.

    tree: the index of the tree in the batch. The line ends at the first node without visited actions.
    """
    line, node = [action], int(trees.children[tree, 0, action])
    while node != UNVISITED and trees.visits[tree, node].any():
        line.append(int(trees.visits[tree, node].argmax()))
        node = int(trees.children[tree, node, line[-1]])
    return line


@lru_cache(maxsize=4096)
def _schedule(considered: int, simulations: int) -> tuple[int, ...]:
    """Return, for each simulation, the exact number of visits that makes a root action eligible.

    The numbers follow sequential halving. considered: the number of root actions that the first round compares.
    """
    rounds = max(1, (considered - 1).bit_length())
    kept, visits, schedule = considered, 0, []  # type: int, int, list[int]
    while len(schedule) < simulations:
        for _ in range(max(1, simulations // (rounds * kept))):
            schedule += [visits] * kept
            visits += 1
        kept = max(min(2, considered), kept // 2)
    return tuple(schedule[:simulations])


def _make_trees(game: Game, states: States, simulations: int) -> Trees:
    batch, nodes = len(states), simulations + 1
    per_node, per_action = (batch, nodes), (batch, nodes, game.actions)
    return Trees(
        states=np.empty((*per_node, states.shape[1]), states.dtype),
        results=np.empty(per_node, np.int8),
        parents=np.full(per_node, UNVISITED, np.int32),
        actions=np.empty(per_node, np.int32),
        values=np.empty(per_node),
        logits=np.empty(per_action),
        priors=np.empty(per_action),
        visits=np.zeros(per_action, np.int32),
        totals=np.zeros(per_action),
        children=np.full(per_action, UNVISITED, np.int32),
        used=np.zeros(batch, np.int64),
    )


def _add_nodes(game: Game, evaluate: Evaluate, trees: Trees, rows: Integers, nodes: Integers, states: States) -> None:
    """Evaluate `states`, and store each state as a node of a different tree.

    rows, nodes: the indexes of the trees and of the nodes.
    """
    results = game.results(states)
    logits, units = evaluate(game.features(states))
    trees.states[rows, nodes], trees.results[rows, nodes] = states, results
    trees.values[rows, nodes] = np.where(results == ONGOING, tanh(units), results)
    trees.logits[rows, nodes] = np.where(game.legal(states), logits / UNITS, -np.inf)
    _add_priors(trees, rows, nodes)
    trees.used[rows] += 1


def _summarize(trees: Trees, noise: Integers) -> Searched:
    batch, _, actions = trees.visits.shape
    chosen = np.empty(batch, np.int64)
    values, policy = np.empty((batch, actions)), np.empty((batch, actions))
    _choose(trees, noise, chosen, values, policy)
    visits = trees.visits[:, 0].astype(np.int64)
    means = (trees.values[:, 0] + trees.totals[:, 0].sum(1)) / (1 + visits.sum(1))
    return Searched(chosen, visits, values, policy, means, trees)


@jit
def _softmax(logits: Array, shares: Array) -> None:
    """Write the softmax of logits into `shares`; a logit of -inf gets 0."""
    best, total = logits.max(), 0.0
    for action in range(len(logits)):
        shares[action] = 0.0 if logits[action] == -np.inf else exp(logits[action] - best)
        total += shares[action]
    for action in range(len(logits)):
        shares[action] /= total


@jit
def _add_priors(trees: Trees, rows: Array, nodes: Array) -> None:
    for index in range(len(rows)):
        row, node = rows[index], nodes[index]
        if trees.results[row, node] == ONGOING:
            _softmax(trees.logits[row, node], trees.priors[row, node])


@jit
def _complete(trees: Trees, row: int, node: int, values: Array) -> int:
    """Write the values of a node's actions into `values`.

    Return the largest number of visits of an action. The value of an unvisited action is the weighted mean of two
    values. The first is the network's value of the node, with weight 1. The second is the mean of the visited actions'
    values, weighted by prior; its weight is the total number of visits.
    """
    visits, totals, priors = trees.visits[row, node], trees.totals[row, node], trees.priors[row, node]
    most, count, weight, mean = 0, 0, 0.0, 0.0
    for action in range(len(visits)):
        if visits[action]:
            values[action] = totals[action] / visits[action]
            most, count = max(most, visits[action]), count + visits[action]
            prior = max(priors[action], TINY)
            weight, mean = weight + prior, mean + prior * values[action]
    mixed = trees.values[row, node]
    if count:
        mixed = (mixed + count * (mean / weight)) / (1 + count)
    for action in range(len(visits)):
        if not visits[action]:
            values[action] = mixed
    return most


@jit
def _improve(trees: Trees, row: int, node: int, logits: Array) -> int:
    """For each action of a node, write the sum of the logit and the scaled value into `logits`.

    Return the largest number of visits of an action.
    """
    most: int = _complete(trees, row, node, logits)
    scale = VALUE_SCALE * (VISIT_OFFSET + most)
    for action in range(len(logits)):
        logits[action] = trees.logits[row, node, action] + scale * logits[action]
    return most


@jit
def _best_at_root(trees: Trees, noise: Array, row: int, visits: int, logits: Array) -> int:
    """Return the root action with the highest improved logit plus noise.

    Only actions that have exactly `visits` visits are compared.
    """
    best, highest = 0, -np.inf
    for action in range(len(logits)):
        score = logits[action] + noise[row, action] / UNITS
        if trees.visits[row, 0, action] == visits and score > highest:
            best, highest = action, score
    return best


@jit
def _select(trees: Trees, noise: Array, root_visits: Array, nodes: Array, actions: Array) -> None:
    """Write the end of the simulation's path through each tree into `nodes` and `actions`.

    The entry in `nodes` is the last node on the path; the entry in `actions` is the action chosen there, which is
    unvisited or ends the game. root_visits: for each tree, the number of visits that a root action must have to be
    eligible. Below the root, the search chooses the action whose share of the visits is furthest below its probability
    in the improved policy.
    """
    logits, policy = np.empty(noise.shape[1]), np.empty(noise.shape[1])
    for row in range(len(nodes)):
        node = 0
        _improve(trees, row, 0, logits)
        action = _best_at_root(trees, noise, row, root_visits[row], logits)
        child = trees.children[row, node, action]
        while child != UNVISITED and trees.results[row, child] == ONGOING:
            node = child
            _improve(trees, row, node, logits)
            _softmax(logits, policy)
            count, highest = 1, -np.inf
            for visits in trees.visits[row, node]:
                count += visits
            for option in range(len(policy)):
                lack = policy[option] - trees.visits[row, node, option] / count
                if lack > highest and logits[option] > -np.inf:
                    action, highest = option, lack
            child = trees.children[row, node, action]
        nodes[row], actions[row] = node, action


@jit
def _back_up(trees: Trees, leaves: Array) -> None:
    """Add a visit and the leaf's value to each action on the path to each tree's leaf.

    The value is from the view of the player who took the action. leaves: the leaf of each tree.
    """
    for row in range(len(leaves)):
        node = leaves[row]
        value = trees.values[row, node]
        while trees.parents[row, node] != UNVISITED:
            action, node = trees.actions[row, node], trees.parents[row, node]
            value = -value
            trees.visits[row, node, action] += 1
            trees.totals[row, node, action] += value


@jit
def _choose(trees: Trees, noise: Array, chosen: Array, values: Array, policy: Array) -> None:
    """Write each root's chosen action into `chosen`.

    Also write the values of the root's actions into `values`, and the improved policy into `policy`.
    """
    logits = np.empty(noise.shape[1])
    for row in range(len(chosen)):
        most = _improve(trees, row, 0, logits)
        chosen[row] = _best_at_root(trees, noise, row, most, logits)
        _softmax(logits, policy[row])
        _complete(trees, row, 0, values[row])
