"""Marks according to the course's tables: points for roles, stages and repetitions, and time limits.

Points and times are from sections 5.2 and 6 of the course's 2025 handout.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from littlego.grading.games import STAGES, GradedGame, Outcome, is_submitted
from littlego.rules.position import BLACK, WHITE

# Every limit in the handout is this number of CPU seconds per game: 5,400 for 60 games, 1,800 for 20, 7,200 for 80 and
# 3,600 for 40. A program that exceeds the limit loses all points of the stage.
SECONDS_A_GAME = 90
WAITED_A_GAME = 2 * SECONDS_A_GAME  # wall seconds per game after which a program that sleeps loses the remaining games
EXCELLENT, GOOD = Fraction(90, 100), Fraction(70, 100)  # win rates


class Rubric(NamedTuple):
    """The points that a program can win against one role, by win rate.

    excellent: the points for a win rate of at least EXCELLENT. For a lower win rate, the points are the rate times
    `good` if the rate is at least GOOD, else the rate times `lower`.
    """

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
    """Return the points for `wins` wins in `games` games against a role; 0 if `games` is 0."""
    if not games:
        return Fraction(0)
    rate, rubric = Fraction(wins, games), RUBRICS[role]
    if rate >= EXCELLENT:
        return Fraction(rubric.excellent)
    return rate * (rubric.good if rate >= GOOD else rubric.lower)


class RoleMark(NamedTuple):
    """The mark for one role.

    wins, games: {the program's colour: number of wins or games}. planned: the number of planned games. seconds: the
    program's CPU time, in seconds of the grader's machine. slowest: the CPU time of the program's slowest turn.
    """

    role: str
    wins: dict[int, int]
    games: dict[int, int]
    ties: int
    planned: int
    seconds: float
    slowest: float

    @property
    def played(self) -> int:
        return sum(self.games.values())

    @property
    def rate(self) -> Fraction | None:
        """The fraction of games that the program won; None if no game was played."""
        return Fraction(sum(self.wins.values()), self.played) if self.played else None

    @property
    def points(self) -> Fraction:
        """The points according to the course's table, ignoring the time limit."""
        return points(self.role, sum(self.wins.values()), self.played)

    @property
    def most(self) -> int:
        """The maximum points, for an excellent win rate."""
        return RUBRICS[self.role].excellent


class StageMark(NamedTuple):
    """The mark for one stage: the marks for its roles, with one time limit for the whole stage."""

    stage: int
    roles: list[RoleMark]

    @property
    def seconds(self) -> float:
        return sum(mark.seconds for mark in self.roles)

    @property
    def limit(self) -> int:
        """The CPU limit for the whole stage in seconds."""
        return SECONDS_A_GAME * sum(mark.planned for mark in self.roles)

    @property
    def late(self) -> bool:
        """Whether the program exceeded the stage's time limit and so loses the stage's points."""
        return self.seconds > self.limit

    @property
    def points(self) -> Fraction:
        return Fraction(0) if self.late else sum((mark.points for mark in self.roles), Fraction(0))

    @property
    def most(self) -> int:
        return sum(mark.most for mark in self.roles)


class Mark(NamedTuple):
    """The mark for one repetition.

    stages: the mark of each stage, from all its games. submit: the mark of each stage, from only the games that the
    course's `submit` plays.
    """

    repetition: int
    stages: list[StageMark]
    submit: list[StageMark]

    @property
    def points(self) -> Fraction:
        return sum((stage.points for stage in self.stages), Fraction(0))

    @property
    def most(self) -> int:
        return sum(stage.most for stage in self.stages)

    @property
    def played(self) -> int:
        return sum(mark.played for stage in self.stages for mark in stage.roles)

    @property
    def complete(self) -> bool:
        """Whether all games were played, ignoring stages in which the program exceeded the time limit."""
        return all(stage.late or all(mark.played == mark.planned for mark in stage.roles) for stage in self.stages)


def marks(plan: Sequence[GradedGame], outcomes: Iterable[Outcome]) -> list[Mark]:
    """Return the Mark of each repetition, in order of repetition number.

    Planned games without an outcome, or with a void outcome, count as not played.
    """
    done = {outcome.game: outcome for outcome in outcomes if not outcome.void}
    games = 1 + max(game.index for game in plan)
    repetitions = []
    for repetition in sorted({game.repetition for game in plan}):
        mine = [game for game in plan if game.repetition == repetition]
        fewer = [game for game in mine if is_submitted(game, games)]
        repetitions.append(Mark(repetition, list(_mark_stages(mine, done)), list(_mark_stages(fewer, done))))
    return repetitions


def best(repetitions: Sequence[Mark]) -> Mark:
    """Return the repetition that counts: the complete repetition with the most points.

    Incomplete repetitions count only if no repetition is complete. Ties go to the repetition with more played games,
    then to the earlier repetition.
    """
    return max(repetitions, key=lambda mark: (mark.complete, mark.points, mark.played, -mark.repetition))


def _mark_stages(plan: list[GradedGame], done: dict[GradedGame, Outcome]) -> Iterator[StageMark]:
    """Yield a StageMark for each stage that has games in the plan. done: the outcomes of played games."""
    for stage, roles in STAGES.items():
        games = {role: [game for game in plan if game.role == role] for role in roles}
        marked = [
            _mark_role(role, len(mine), [done[game] for game in mine if game in done])
            for role, mine in games.items()
            if mine
        ]
        if marked:
            yield StageMark(stage, marked)


def _mark_role(role: str, planned: int, outcomes: list[Outcome]) -> RoleMark:
    coloured = {colour: [outcome for outcome in outcomes if outcome.game.colour == colour] for colour in (BLACK, WHITE)}
    return RoleMark(
        role,
        {colour: sum(outcome.won for outcome in coloured[colour]) for colour in coloured},
        {colour: len(coloured[colour]) for colour in coloured},
        sum(outcome.tie for outcome in outcomes),
        planned,
        sum(sum(outcome.seconds) for outcome in outcomes),
        max((second for outcome in outcomes for second in outcome.seconds), default=0.0),
    )
