"""Analysis of a position: each move's visits, winrate and, if known, lead.

For the learning player, visits and winrates come from the search. For our player, visits are a softmax of the patterns'
points. Our player's winrate is exact in three cases: the solver solves the position (Little-Go on 5x5, few moves left),
the move ends the game, or the engine reads the game to its end. Otherwise the winrate is unknown and shown as one half.
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
from littlego.players.zero.player import ZeroPlayer
from littlego.rules.engine import Candidate, Decision
from littlego.rules.geometry import Point, points_of
from littlego.rules.position import BLACK, PASS, Position
from littlego.rules.positionkey import LEFT_AT, POINTS, pack_fields, pack_move
from littlego.rules.ruleset import LITTLE_GO

if TYPE_CHECKING:
    from littlego.truth.solver.leads import Leads

# With this many moves left or fewer, compute the winner before the first answer, which takes at most a second.
AT_ONCE = 14
SHOWN = 10  # most moves with a number on the board; more numbers would hide the board
# With this many moves left or fewer, compute the winner while no other command waits, which takes at most ten seconds.
PATIENT = 16
MOST, LEAST = 1000, 10  # limits of a move's visits; front ends show no number for fewer than LEAST
SPREAD = 30  # points: a move that is worse by SPREAD points has 1/e of the better move's visits
UNKNOWN = 0.5  # the winrate of a move without a known value


class Value(NamedTuple):
    """The value of a move for the mover.

    winrate: 0 to 1. lead: the final lead in points after komi, or None if unknown.
    """

    winrate: float
    lead: float | None = None


class Outlook(NamedTuple):
    """The analysis of a move.

    move: a point or PASS. visits: the visits of a search, or the result of visits_of. line: the move, followed by its
    refutation, if any, or by the moves that the search expects.
    """

    move: Point
    visits: int
    value: Value
    line: tuple[Point, ...]


class Analysis(NamedTuple):
    """The analysis of a position: one Outlook for each candidate, best first.

    is_solved: whether the winrates are exact. searcher: the learning player's name, or '' for our player.
    """

    outlooks: list[Outlook]
    is_solved: bool
    searcher: str = ""

    @property
    def note(self) -> str:
        """A one-line explanation of the visits and winrates."""
        if self.searcher:
            return f"analysis: visits and winrates come from the search of {self.searcher}"
        if self.is_solved:
            return "analysis: winrates and shown leads are exact: the position is solved; visits follow from points"
        return "analysis: visits follow from the patterns' points; unknown winrates are shown as 0.5"


def analyse(decision: Decision, komi: float, solved: dict[Point, Value]) -> Analysis:
    """Return the analysis of a decision's candidates. komi: the komi in points. solved: see solved_values.

    If all values are exact, the moves are ordered by winrate and lead; otherwise, they are in our player's order of
    preference.
    """
    position, candidates = decision.position, decision.candidates
    values = [solved.get(candidate.move) or value_of(candidate, position, komi) for candidate in candidates]
    outlooks = [
        Outlook(candidate.move, visits, value, _line(candidate))
        for candidate, visits, value in zip(candidates, visits_of(candidates), values, strict=True)
    ]
    is_solved = bool(solved) or all(candidate.result2 is not None for candidate in candidates)
    if is_solved:
        outlooks.sort(key=lambda outlook: (-outlook.value.winrate, -(outlook.value.lead or 0)))
    return Analysis(outlooks, is_solved)


def _line(candidate: Candidate) -> tuple[Point, ...]:
    verdict = candidate.verdict
    reply = None if verdict is None or verdict.loss <= 0 else verdict.reply
    return (candidate.move,) if reply is None else (candidate.move, reply)


def visits_of(candidates: Sequence[Candidate]) -> list[int]:
    """Return the candidates' visits: MOST times the softmax of the points, but at least LEAST each.

    Vetoed candidates after the first candidate get LEAST visits and are not treated as predecessors. Each other
    candidate gets at most the visits of its predecessor. If a candidate has a lower priority than its predecessor,
    SPREAD is added to the difference between the points of the two candidates.
    """
    weights, level, before = [], 0.0, candidates[0]
    for candidate in candidates:
        if candidate.veto and candidate is not candidates[0]:
            weights.append(0.0)
            continue
        level -= max(0, before.points - candidate.points) + (SPREAD if candidate.priority < before.priority else 0)
        weights.append(math.exp(level / SPREAD))
        before = candidate
    return [max(LEAST, round(MOST * weight / sum(weights))) for weight in weights]


def value_of(candidate: Candidate, position: Position, komi: float) -> Value:
    """Return a candidate's value, computed without the solver. komi: the komi in points.

    The winrate is UNKNOWN and the lead None, unless the engine has read the game to its end or the move ends the game.
    """
    sign, usual = 1 if position.colour == BLACK else -1, position.ruleset.komi2 / 2
    if candidate.result2 is not None:
        return settled(candidate.result2 / 2 - sign * (komi - usual))
    if position.ends_with(candidate.move):
        return settled(sign * (margin2(position.play(candidate.move)) / 2 + usual - komi))
    return Value(UNKNOWN)


def settled(lead: float) -> Value:
    """Return the value of a move with a known result. lead: the mover's final lead in points."""
    return Value(1.0 if lead > 0 else 0.5 if lead == 0 else 0.0, lead)


@lru_cache(maxsize=1)
def _leads() -> Leads:
    """Return the solver's tables (32 MiB or more), which all analyses share."""
    from littlego.truth.solver.leads import (
        Leads,  # the solver's compilation takes seconds, so only an analysis loads the solver
    )
    from littlego.truth.solver.solver import Solver

    return Leads(Solver())


def is_little_go(position: Position) -> bool:
    """Return whether a position is Little-Go on 5x5 with a possible number of moves left.

    The number of moves left must be even if Black is to move, and odd if White is to move.
    """
    rules, counted = position.ruleset, (position.colour == BLACK) == (position.left % 2 == 0)
    return rules.name == LITTLE_GO.name and rules.size == LITTLE_GO.size and counted


def solved_values(
    position: Position, komi: float, most: int = AT_ONCE, is_wanted: Callable[[], bool] = lambda: True
) -> dict[Point, Value]:
    """Return {move: exact value} for all legal moves, or {} if the position is not solved.

    komi: the komi in points. most: the solver runs only with at most this many moves left. is_wanted: a function
    called before each move is solved; if it returns False, the result is {}.
    """
    if not (is_little_go(position) and 0 < position.left <= most):
        return {}
    code = pack_fields(position.black, position.white, position.ko, int(position.passed), position.left)
    values = dict.fromkeys(points_of(position.legal()) + [PASS], Value(UNKNOWN))
    for move in values:
        if not is_wanted():
            return {}
        values[move] = _solved_value(code, pack_move(move), komi)
    return values


@lru_cache(maxsize=1000)
def _solved_value(code: int, move: int, komi: float) -> Value:
    """Return the exact value of a legal move (25: pass). code: the packed position. komi: the komi in points."""
    from littlego.truth.solver.leads import LEADS

    left, leads = code >> LEFT_AT, _leads()
    sign = -1 if left & 1 else 1  # White is to move if the number of moves left is odd
    if left <= LEADS:
        return settled(sign * (leads.lead_after(code, move) - komi))
    goals = math.floor(komi) + 1, math.ceil(komi)  # the least leads in stones that win and that do not lose
    black = sum(_reaches(code, move, goal) for goal in goals) / len(goals)
    return Value(black if sign > 0 else 1 - black)


def _reaches(code: int, move: int, goal: int) -> bool:
    """Return whether Black can reach a lead of at least `goal` stones after a legal move (25: pass)."""
    from littlego.engines.compiled.states import after, ends
    from littlego.truth.solver.leads import lead_now

    if not -POINTS < goal <= POINTS:
        return goal < 0
    reached = int(after(code, move))
    return lead_now(reached) >= goal if ends(code, move) else _leads().solver(goal).black_wins(reached)


def analysis_for(
    session: Session, colour: int, most: int = AT_ONCE, is_wanted: Callable[[], bool] = lambda: True
) -> Analysis:
    """Return the session player's analysis of the position with `colour` to move.

    most, is_wanted: see solved_values. Raise GtpError if the game is over or the player has no analysis.
    """
    if isinstance(session.player, ZeroPlayer):
        return _searched(session.player, _position_for(session, colour))
    decision = decision_for(session, colour)
    return analyse(decision, session.komi, solved_values(decision.position, session.komi, most, is_wanted))


@lru_cache(maxsize=4)
def _searched(player: ZeroPlayer, position: Position) -> Analysis:
    options = [option for option in player.options(position) if option.visits or not player.simulations]
    outlooks = [Outlook(one.move, one.visits, Value((1 + one.value) / 2), one.line) for one in options]
    return Analysis(outlooks, is_solved=False, searcher=player.name)


def our_player(session: Session) -> OursPlayer:
    """Return the session's player if it plays by patterns; raise GtpError for any other player."""
    if not isinstance(session.player, OursPlayer):
        raise GtpError(f"{session.player.name} does not play by patterns; start the engine with --player ours")
    return session.player


def decision_for(session: Session, colour: int) -> Decision:
    """Return our player's decision with `colour` to move; the player examines every move.

    Raise GtpError if the game is over or the player does not play by patterns. The decision is cached, because several
    commands need it.
    """
    return _decided(our_player(session), _position_for(session, colour))


def _position_for(session: Session, colour: int) -> Position:
    """Return the current position with `colour` to move; raise GtpError if the game is over."""
    position = session.position_for(colour)
    if session.over or position.ruleset.length and not position.left:  # the set-up has too many stones for a move
        raise GtpError("the game is over")
    return position


@lru_cache(maxsize=4)
def _decided(player: OursPlayer, position: Position) -> Decision:
    return player.decide(position, complete=True)


def forget_decisions() -> None:
    """Clear the cached decisions after the player's settings have changed."""
    _decided.cache_clear()
