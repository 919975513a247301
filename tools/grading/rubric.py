"""What the course gives points for, and how much time it allows: sections 5.2 and 6 of its handout of 2025."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

STAGES = {1: ("random", "greedy", "aggressive", "alphabeta"), 2: ("qlearning", "championship")}
ROLES = STAGES[1] + STAGES[2]
RESERVED = "alphabeta"  # for grading: `submit` plays only the others of stage 1
GAMES = 20  # against each role, half of them as Black; `submit` plays half of them in stage 2
REPETITIONS = 3  # of it all, the best of which counts
# Every total of the handout is this many CPU seconds a game: 5,400 for 60 games, 1,800 for 20, 7,200 for 80 and
# 3,600 for 40. Who needs more loses all points of the stage.
SECONDS_A_GAME = 90
EXCELLENT, GOOD = Fraction(90, 100), Fraction(70, 100)  # win rates


class Rubric(NamedTuple):
    """Points for an excellent win rate; those that a good one, and a lower one, is multiplied by."""

    excellent: int
    good: int
    lower: int


RUBRICS = {
    "random": Rubric(25, 15, 0),
    "greedy": Rubric(25, 15, 0),
    "aggressive": Rubric(25, 20, 10),
    "alphabeta": Rubric(15, 10, 5),
    "qlearning": Rubric(5, 5, 0),
    "championship": Rubric(5, 5, 2),
}


def points(role: str, wins: int, games: int) -> Fraction:
    """Return the points for so many wins against a role; none without games."""
    if not games:
        return Fraction(0)
    rate, rubric = Fraction(wins, games), RUBRICS[role]
    if rate >= EXCELLENT:
        return Fraction(rubric.excellent)
    return rate * (rubric.good if rate >= GOOD else rubric.lower)
