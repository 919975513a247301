"""Tic-tac-toe: the game, the course handout's three players, and training and test games.

A learner plays the training and test games against these players. Squares are numbered 0 to 8, row by row. A board is a
pair (own, theirs): the masks of the mover's stones and of the opponent's stones. All rotations and reflections of a
board count as one state. Two squares count as one action if a symmetry of the stones (a rotation or reflection) maps
one square to the other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

from littlego.players.learners.qlearner import Pupil, QLearner
from littlego.rules.geometry import image_of, points_of, symmetry_tables

FULL = 0b111_111_111
LINES = (0b111, 0b111_000, 0b111_000_000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)
TABLES = symmetry_tables(3)

Choice = Callable[[int, int], int]  # (own, theirs) -> a free square


@cache
def has_line(stones: int) -> bool:
    """Return whether three of the stones form a line."""
    return any(stones & line == line for line in LINES)


@cache
def free(own: int, theirs: int) -> list[int]:
    """Return the free squares in ascending order."""
    return points_of(FULL & ~(own | theirs))


def play(first: Choice, second: Choice) -> int:
    """Play a game; return 1 if the first player wins, -1 if the second player wins, 0 for a draw."""
    own, theirs, result = 0, 0, 1
    while free(own, theirs):
        own |= 1 << (first if result == 1 else second)(own, theirs)
        if has_line(own):
            return result
        own, theirs, result = theirs, own, -result
    return 0


@cache
def view(own: int, theirs: int) -> tuple[tuple[int, int], dict[int, list[int]]]:
    """Return (state, actions) for a learner. actions: {action: the squares that count as this action}."""
    images = [(image_of(own, table), image_of(theirs, table)) for table in TABLES]
    state = min(images)
    turns = [table for table, image in zip(TABLES, images, strict=True) if image == state]
    actions: dict[int, list[int]] = {}
    for square in free(own, theirs):
        actions.setdefault(min(table[square] for table in turns), []).append(square)
    return state, actions


def random_player(rng: random.Random) -> Choice:
    """Return RandomPlayer, which takes a random free square."""
    return lambda own, theirs: rng.choice(free(own, theirs))


def smart_player(rng: random.Random) -> Choice:
    """Return SmartPlayer, which completes a line, else blocks a line, else takes a random free square.

    SmartPlayer can lose to a fork, a move that threatens to complete two lines.
    """

    def choose(own: int, theirs: int) -> int:
        squares = free(own, theirs)
        wins = [square for square in squares if has_line(own | 1 << square)]
        blocks = [square for square in squares if has_line(theirs | 1 << square)]
        return rng.choice(wins or blocks or squares)

    return choose


def perfect_player(rng: random.Random) -> Choice:
    """Return PerfectPlayer, which never loses: it takes a random square with the best exact value."""
    return lambda own, theirs: rng.choice(best_squares(own, theirs))


@cache
def best_squares(own: int, theirs: int) -> list[int]:
    """Return the winning squares, else the drawing squares, else all free squares."""
    values = {square: value(own, theirs, square) for square in free(own, theirs)}
    return [square for square in values if values[square] == max(values.values())]


@cache
def value(own: int, theirs: int, square: int) -> int:
    """Return the mover's result if best play follows a move on the square: 1 (win), 0 (draw) or -1 (loss)."""
    own |= 1 << square
    return 1 if has_line(own) else -max((value(theirs, own, reply) for reply in free(theirs, own)), default=0)


OPPONENTS = {"RandomPlayer": random_player, "SmartPlayer": smart_player, "PerfectPlayer": perfect_player}
SEATS = (1, -1)  # the learner moves first, or second


class Score(NamedTuple):
    """The learner's results against one opponent. seat: 1 if the learner moves first, else 2."""

    opponent: str
    seat: int
    wins: int
    draws: int
    losses: int


def train(learner: QLearner, games: Iterable[int], rng: random.Random) -> None:
    """Play training games; each number in `games` determines a game's opponent and the learner's seat."""
    opponents = [make(rng) for make in OPPONENTS.values()]
    for game in games:
        opponent, seat = opponents[game // 2 % len(opponents)], SEATS[game % 2]
        pupil = Pupil(learner, rng)
        pupil.end(_play_seated(_learning_player(pupil), opponent, seat))


def _learning_player(pupil: Pupil) -> Choice:
    return lambda own, theirs: pupil.move(*view(own, theirs))


def advice(learner: QLearner, rng: random.Random) -> Choice:
    """Return a player that plays the learner's best actions without learning."""

    def choose(own: int, theirs: int) -> int:
        state, actions = view(own, theirs)
        return rng.choice(actions[rng.choice(learner.best(state, actions))])

    return choose


def scores(learner: QLearner, games: int, rng: random.Random) -> list[Score]:
    """Return the Scores of test games against each opponent in each seat.

    The learner plays `games` games against each opponent in each seat. The Scores are ordered by opponent, then by
    seat.
    """
    results = []
    for name, make in OPPONENTS.items():
        for number, seat in enumerate(SEATS, 1):
            ends = [_play_seated(advice(learner, rng), make(rng), seat) for _ in range(games)]
            results.append(Score(name, number, *(ends.count(end) for end in (1, 0, -1))))
    return results


def _play_seated(player: Choice, opponent: Choice, seat: int) -> int:
    """Play a game; return 1 if `player` wins, -1 if `opponent` wins, 0 for a draw.

    seat: 1 if `player` moves first, else -1.
    """
    return play(player, opponent) if seat == 1 else -play(opponent, player)
