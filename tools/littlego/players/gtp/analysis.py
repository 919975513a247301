"""What analysis can say of a decision: each move's share of our player's liking, its winrate and its lead.

The share is a softmax of the points that the patterns give. The winrate is exact where it is solved: in Little-Go on
5x5 with few moves left, for a move that ends the game, and where the engine itself plays the end out. Elsewhere nobody
here knows one, and none is invented: it is a half for every move.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from littlego.games.game import margin2
from littlego.players.gtp.protocol import GtpError
from littlego.players.gtp.session import Session
from littlego.players.ours import OursPlayer
from littlego.rules.engine import Candidate, Decision
from littlego.rules.geometry import Point, points_of
from littlego.rules.position import BLACK, PASS, Position
from littlego.rules.positionkey import LEFT_AT, POINTS, pack_fields, pack_move
from littlego.rules.ruleset import LITTLE_GO

if TYPE_CHECKING:
    from littlego.truth.solver.leads import Leads

AT_ONCE = 14  # moves left up to which it is solved who wins before anything is said: a second at most
SHOWN = 10  # moves that have a number on the board: more would hide it
PATIENT = 16  # moves left up to which that is solved while nobody asks for anything else: ten seconds at most
MOST, LEAST = 1000, 10  # visits; front ends show no number beside a move with fewer than LEAST
SPREAD = 30  # points: a move that is so much behind has the better one's share divided by e
UNKNOWN = 0.5  # the winrate of which nothing is known


class Value(NamedTuple):
    """What is known of a move: the mover's winrate, 0 to 1, and its lead at the end in points after komi, or None."""

    winrate: float
    lead: float | None = None


class Outlook(NamedTuple):
    """A move as analysis shows it.

    move: a point or PASS. visits: LEAST to MOST, by its share. line: the move, and the reply that refutes it if any.
    """

    move: Point
    visits: int
    value: Value
    line: tuple[Point, ...]


class Analysis(NamedTuple):
    """The moves of a decision, the best first, and whether their winrates are exact."""

    outlooks: list[Outlook]
    is_solved: bool

    @property
    def note(self) -> str:
        """A line that says what the numbers are."""
        if self.is_solved:
            return "analysis: winrates and leads are exact here, the position is solved; visits are shares of points"
        return "analysis: visits are shares of the patterns' points; no winrate is known here, and 0.5 stands for it"


def analyse(decision: Decision, komi: float, solved: dict[Point, Value]) -> Analysis:
    """Return what is known of each candidate of a decision. komi: in points. solved: of solved_values.

    Solved moves come in the order of their results; else in that of our player, whose choice is then the first.
    """
    position, candidates = decision.position, decision.candidates
    values = [solved.get(one.move) or value_of(one, position, komi) for one in candidates]
    outlooks = [
        Outlook(one.move, visits, value, _line(one))
        for one, visits, value in zip(candidates, visits_of(candidates), values, strict=True)
    ]
    is_solved = bool(solved) or all(one.result2 is not None for one in candidates)
    if is_solved:
        outlooks.sort(key=lambda one: (-one.value.winrate, -(one.value.lead or 0)))
    return Analysis(outlooks, is_solved)


def _line(candidate: Candidate) -> tuple[Point, ...]:
    verdict = candidate.verdict
    reply = None if verdict is None or verdict.loss <= 0 else verdict.reply
    return (candidate.move,) if reply is None else (candidate.move, reply)


def visits_of(candidates: Sequence[Candidate]) -> list[int]:
    """Return the visits of a decision's candidates: MOST times the softmax of their points, and never below LEAST.

    None has more than one that is ranked before it, and a lower priority costs it SPREAD. A vetoed one has LEAST.
    """
    weights, level, before = [], 0.0, candidates[0]
    for one in candidates:
        if one.veto and one is not candidates[0]:
            weights.append(0.0)
            continue
        level -= max(0, before.points - one.points) + (SPREAD if one.priority < before.priority else 0)
        weights.append(math.exp(level / SPREAD))
        before = one
    return [max(LEAST, round(MOST * weight / sum(weights))) for weight in weights]


def value_of(candidate: Candidate, position: Position, komi: float) -> Value:
    """Return what is known of a candidate without the solver: a lead where its result is exact or it ends the game."""
    sign, usual = 1 if position.colour == BLACK else -1, position.ruleset.komi2 / 2
    if candidate.result2 is not None:
        return settled(candidate.result2 / 2 - sign * (komi - usual))
    if position.ends_with(candidate.move):
        return settled(sign * (margin2(position.play(candidate.move)) / 2 + usual - komi))
    return Value(UNKNOWN)


def settled(lead: float) -> Value:
    """Return the value of a move after which the mover's lead at the end, in points, is known."""
    return Value(1.0 if lead > 0 else 0.5 if lead == 0 else 0.0, lead)


@lru_cache(maxsize=1)
def _leads() -> Leads:
    """Return the solver's tables, 32 MiB and more: one set for all questions."""
    from littlego.truth.solver.leads import (
        Leads,  # it is compiled, which takes seconds: only where analysis is asked for
    )
    from littlego.truth.solver.solver import Solver

    return Leads(Solver())


def is_little_go(position: Position) -> bool:
    """Return whether it is a position of the course's own game, whose moves left tell who moves."""
    rules, counted = position.ruleset, (position.colour == BLACK) == (position.left % 2 == 0)
    return rules.name == LITTLE_GO.name and rules.size == LITTLE_GO.size and counted


def solved_values(
    position: Position, komi: float, most: int = AT_ONCE, is_wanted: Callable[[], bool] = lambda: True
) -> dict[Point, Value]:
    """Return the exact value of each legal move, by move; {} where it is not solved.

    komi: in points. most: moves left up to which it is solved. is_wanted: asked before each move; {} once it says no.
    """
    if not (is_little_go(position) and 0 < position.left <= most):
        return {}
    code = pack_fields(position.black, position.white, position.ko, int(position.passed), position.left)
    found = dict.fromkeys(points_of(position.legal()) + [PASS], Value(UNKNOWN))
    for move in found:
        if not is_wanted():
            return {}
        found[move] = _solved_value(code, pack_move(move), komi)
    return found


@lru_cache(maxsize=1000)
def _solved_value(code: int, move: int, komi: float) -> Value:
    """Return the exact value of a legal move (25 passes) in the position with a key."""
    from littlego.truth.solver.leads import LEADS

    left, leads = code >> LEFT_AT, _leads()
    sign = -1 if left & 1 else 1  # White moves with an odd number left
    if left <= LEADS:
        return settled(sign * (leads.lead_after(code, move) - komi))
    goals = math.floor(komi) + 1, math.ceil(komi)  # in stones: to win, and not to lose
    black = sum(_reaches(code, move, goal) for goal in goals) / len(goals)
    return Value(black if sign > 0 else 1 - black)


def _reaches(code: int, move: int, goal: int) -> bool:
    """Return whether Black ends with such a lead in stones, or more, after a legal move (25 passes)."""
    from littlego.engines.compiled.states import after, ends
    from littlego.truth.solver.leads import lead_now

    if not -POINTS < goal <= POINTS:
        return goal < 0
    reached = int(after(code, move))
    return lead_now(reached) >= goal if ends(code, move) else _leads().solver(goal).black_wins(reached)


def our_player(session: Session) -> OursPlayer:
    """Return the player, if it is one that plays by patterns; raise GtpError for any other."""
    if not isinstance(session.player, OursPlayer):
        raise GtpError(f"{session.player.name} has no patterns to tell of; start the engine with --player ours")
    return session.player


def decision_for(session: Session, colour: int) -> Decision:
    """Return what our player plays for a colour, and why, every move vetted. Raise GtpError.

    It is decided once for a position, however often it is asked about.
    """
    player, position = our_player(session), session.position_for(colour)
    if session.over or position.ruleset.length and not position.left:  # so many stones were set up
        raise GtpError("the game is over")
    return _decided(player, position)


@lru_cache(maxsize=4)
def _decided(player: OursPlayer, position: Position) -> Decision:
    return player.decide(position, complete=True)


def forget_decisions() -> None:
    """Decide anew what is asked about next: the player's settings have changed."""
    _decided.cache_clear()
