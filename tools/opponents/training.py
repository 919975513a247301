"""Training of the role qlearning: games, checkpoints, the learning curve, the table. Runs on Python 3.7.

Self-play alone teaches good play against good play. The two coaches show what else there is: random, the positions
that no good player brings about; aggressive, a way of attack that self-play does not come upon.

Game number g of a training is a function of its plan, of g and of the table before it: whoever stops after any game
and goes on later gets the same table.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from rules.position import BLACK, WHITE, Position, opening, winner_of
from rules.ruleset import LITTLE_GO
from tools.files import write_text
from tools.learning.qlearner import Pupil, QLearner, Settings
from tools.opponents.qlearning import advised, as_text
from tools.opponents.qlearning_view import view
from tools.opponents.roles import ROLES

FORMAT = 1  # of checkpoints
DEFAULTS = Settings(alpha=0.2, gamma=1.0, win=1.0, draw=0.5, lose=0.0, initial_q=0.5, explore=0.1)
SELF = "self"
LESSONS = (SELF, "random", "aggressive")
RIVALS = ("random", "greedy")  # whom the curve is measured against


class BadCheckpoint(ValueError):
    """A file that no training can go on from; the message says why."""


class Plan(NamedTuple):
    """What a training depends on.

    settings: of the learner. cooling: games after which alpha has fallen to a half (to a third after twice as many).
    seed: what all random choices depend on.
    """

    settings: Settings
    cooling: int
    seed: int


class Point(NamedTuple):
    """A point of the learning curve: games trained, and the games won against each of RIVALS, of so many."""

    games: int
    won: list
    played: int


class Training:
    """A training as far as it is: its plan, the games played, the table, the curve."""

    def __init__(self, plan: Plan, games: int = 0, table: dict | None = None, curve: list | None = None):
        self.plan = plan
        self.games = games
        self.learner = QLearner(plan.settings, table)
        self.curve: list[Point] = curve or []

    def play_one(self) -> None:
        """Play one game: the lessons in turn, each twice, against a coach once as Black and once as White."""
        plan, number = self.plan, self.games
        self.learner.settings = plan.settings._replace(alpha=plan.settings.alpha / (1 + number / plan.cooling))
        rng = random.Random(f"train:{plan.seed}:{number}")
        sides: list = [Pupil(self.learner, rng), Pupil(self.learner, rng)]
        coach = LESSONS[number // 2 % len(LESSONS)]
        if coach != SELF:
            sides[number % 2] = None
        winner = play(*(_mover(pupil, coach, rng) for pupil in sides))
        for colour, pupil in enumerate(sides, BLACK):
            if pupil:
                pupil.end(1 if winner == colour else -1)
        self.games += 1

    def measure(self, games: int) -> Iterator[None]:
        """Add a point to the curve, from so many games against each rival; yield after each."""
        won = []
        for rival in RIVALS:
            won.append(0)
            for number in range(games):
                won[-1] += self._wins(rival, number)
                yield
        self.curve.append(Point(self.games, won, games))

    def _wins(self, rival: str, number: int) -> bool:
        rng = random.Random(f"measure:{number}")
        sides: list[Callable] = [lambda position: advised(self.learner.table, position, rng)]
        sides.append(lambda position: ROLES[rival](position, rng))
        return play(*sides) == BLACK if number % 2 == 0 else play(*sides[::-1]) == WHITE

    def table_text(self, command: str) -> str:
        """Return the table as a player reads it; command: what makes it."""
        return as_text(self.learner.table, command)

    def save(self, path: str) -> None:
        """Write a checkpoint, whole or not at all. Raise OSError."""
        value = {"format": FORMAT, "plan": self.plan, "games": self.games, "curve": self.curve}
        write_text(path, json.dumps({**value, "table": self.learner.table}, separators=(",", ":")) + "\n")


def load(path: str) -> Training:
    """Return the training of a checkpoint. Raise OSError and BadCheckpoint."""
    with open(path, encoding="utf-8") as file:
        try:
            value = json.load(file)
            if value["format"] != FORMAT:
                raise BadCheckpoint(f"it has format {value['format']}, expected {FORMAT}")
            settings, cooling, seed = value["plan"]
            curve = [Point(*point) for point in value["curve"]]
            return Training(Plan(Settings(*settings), cooling, seed), value["games"], value["table"], curve)
        except (KeyError, TypeError, UnicodeDecodeError, json.JSONDecodeError):
            raise BadCheckpoint("it is no checkpoint of a training") from None


def _mover(pupil: Pupil | None, coach: str, rng: random.Random) -> Callable:
    """Return a function from a position to a move: the pupil's, or the coach's without one."""
    if pupil:
        return lambda position: pupil.move(*view(position))
    return lambda position: ROLES[coach](position, rng)


def play(black: Callable, white: Callable) -> int:
    """Play a game between two functions from a position to a legal move; return who wins, BLACK or WHITE."""
    position: Position = opening(LITTLE_GO)
    while True:
        move = (black if position.colour == BLACK else white)(position)
        over = position.ends_with(move)
        position = position.play(move)
        if over:
            return winner_of(position)
