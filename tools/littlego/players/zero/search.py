"""Gumbel tree search of many positions in lockstep: one batch of the network for each simulation.

Source: Danihelka et al., Policy improvement by planning with Gumbel, ICLR 2022.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from littlego.players.zero.network import ACTIVATION_UNITS, Integers, softmax, tanh

Evaluate = Callable[[Integers], tuple[Integers, Integers]]
CONSIDERED = 16  # root actions that the first round of sequential halving compares
VISIT_OFFSET = 50
S = TypeVar("S")


class Game(Protocol[S]):
    """A game of two players with alternating moves. Results and features are those of the player to move."""

    def legal(self, state: S) -> NDArray[np.bool_]:
        """Return which actions are legal."""

    def play(self, state: S, action: int) -> S:
        """Return the state after an action."""

    def result(self, state: S) -> float | None:
        """Return 1 for a win, -1 for a loss, 0 for a draw, None if the game continues."""

    def features(self, state: S) -> Integers:
        """Return the input of the network, in units of activations."""


class Node:
    """A searched state with statistics for each action; all values are those of the player to move."""

    def __init__(self, logits: Integers, value: float, legal: NDArray[np.bool_]) -> None:
        self.logits, self.value, self.legal = logits, value, legal
        self.prior = softmax(logits, legal)
        self.visits = np.zeros(len(legal), np.int64)
        self.totals = np.zeros(len(legal))
        self.children: dict[int, Node] = {}

    def improved_logits(self) -> Integers:
        """Return logits plus scaled values of actions; an unvisited action gets the mixed value of the node."""
        visited = self.visits > 0
        values = np.full(len(self.visits), self.value)
        values[visited] = self.totals[visited] / self.visits[visited]
        if visited.any():
            prior = np.maximum(self.prior, 1e-9)  # an underflown probability must not divide by 0
            mean = sum((prior * values)[visited].tolist()) / sum(prior[visited].tolist())
            visits = int(self.visits.sum())
            values[~visited] = (self.value + visits * mean) / (1 + visits)
        scale = ACTIVATION_UNITS * (VISIT_OFFSET + int(self.visits.max())) / 10
        return self.logits + np.rint(scale * (values + 1) / 2).astype(np.int64)

    def choose(self) -> int:
        """Return the action whose share of visits is furthest below the improved policy."""
        policy = softmax(self.improved_logits(), self.legal)
        lack = policy - self.visits / (1 + int(self.visits.sum()))
        return int(np.where(self.legal, lack, -np.inf).argmax())


def visit_schedule(actions: int, simulations: int) -> Iterator[int]:
    """Yield for each simulation how often its root action was visited before (sequential halving)."""
    rounds = max(1, (actions - 1).bit_length())
    kept, visits, spent = actions, 0, 0
    while True:
        for _ in range(max(1, simulations // (rounds * kept))):
            for _ in range(kept):
                if spent == simulations:
                    return
                yield visits
                spent += 1
            visits += 1
        kept = max(min(2, actions), kept // 2)


class Tree:
    """The search tree of one position. noise: a value for each action in units of 1/32, 0 without exploration."""

    def __init__(self, root: Node, noise: Integers, simulations: int) -> None:
        self.root, self.noise = root, noise
        self.schedule = visit_schedule(min(CONSIDERED, int(root.legal.sum())), simulations)

    def best(self, visits: int) -> int:
        """Return the best root action among the legal actions with this number of visits."""
        score = self.noise + self.root.improved_logits()
        eligible = self.root.legal & (self.root.visits == visits)
        return int(np.where(eligible, score, np.iinfo(np.int64).min).argmax())


def search(game: Game[S], states: Sequence[S], evaluate: Evaluate, noise: Integers, simulations: int) -> list[Node]:
    """Return the searched root of each state; no state may be terminal. noise: integers [states, actions]."""
    trees = [Tree(root, row, simulations) for root, row in zip(_evaluate(game, states, evaluate), noise, strict=True)]
    for _ in range(simulations):
        _simulate(game, states, trees, evaluate)
    return [tree.root for tree in trees]


def chosen_action(root: Node, noise: Integers) -> int:
    """Return the most visited action of a searched root; noise, logits and values break ties."""
    return Tree(root, noise, 0).best(int(root.visits.max()))


def _simulate(game: Game[S], states: Sequence[S], trees: list[Tree], evaluate: Evaluate) -> None:
    """Add one simulation to every tree."""
    leaves, waiting = [], []
    for state, tree in zip(states, trees, strict=True):
        leaf, path = _descend(game, state, tree)
        result = game.result(leaf)
        if result is None:
            leaves.append(leaf)
            waiting.append(path)
        else:
            _back_up(path, result)
    for node, path in zip(_evaluate(game, leaves, evaluate), waiting, strict=True):
        parent, action = path[-1]
        parent.children[action] = node
        _back_up(path, node.value)


def _descend(game: Game[S], state: S, tree: Tree) -> tuple[S, list[tuple[Node, int]]]:
    """Return the state outside the tree that a simulation reaches, and the nodes and actions before it."""
    node, action = tree.root, tree.best(next(tree.schedule))
    path = [(node, action)]
    state = game.play(state, action)
    while action in node.children:
        node = node.children[action]
        action = node.choose()
        path.append((node, action))
        state = game.play(state, action)
    return state, path


def _back_up(path: list[tuple[Node, int]], value: float) -> None:
    for node, action in reversed(path):
        value = -value
        node.visits[action] += 1
        node.totals[action] += value


def _evaluate(game: Game[S], states: Sequence[S], evaluate: Evaluate) -> list[Node]:
    if not states:
        return []
    logits, values = evaluate(np.stack([game.features(state) for state in states]))
    rows = zip(states, logits, tanh(values).tolist(), strict=True)
    return [Node(row, value, game.legal(state)) for state, row, value in rows]
