"""Small tournaments for tests, and games with results that a test chooses."""

from __future__ import annotations

from collections.abc import Sequence

from rules.position import BLACK, WHITE
from rules.ruleset import LITTLE_GO
from tools.arena.elo import Hypothesis
from tools.arena.plan import ROUND_ROBIN, SPRT, Entrant, Pair, Plan
from tools.arena.play import Played, PlayedPair, play_pair, result_of
from tools.arena.players import entrants
from tools.arena.results import Result
from tools.arena.store import Store
from tools.match.referee import GameRecord, Move


def small_plan(names: Sequence[str] = ("random", "greedy"), pairs: int = 3, **others) -> Plan:
    """Return a round robin of a few quick games."""
    return Plan(ROUND_ROBIN, entrants(names), pairs, **{"seed": 7, "openings": 3, **others})


def sprt_plan(pairs: int, hypothesis: Hypothesis | None = None) -> Plan:
    """Return a test of two players that do not exist."""
    return Plan(
        SPRT,
        (Entrant("new", "random", ""), Entrant("old", "random", "")),
        pairs,
        hypothesis=hypothesis or Hypothesis(0, 100),
    )


def made_up(pair: Pair, points: float) -> PlayedPair:
    """Return a pair that gave its first player 0, 1/2, 1, 3/2 or 2 points, in games of one move."""
    black_points = min(points, 1)
    halves = (_game(pair, 0, black_points), _game(pair, 1, 1 - (points - black_points)))
    return PlayedPair(pair.number, halves)


def _game(pair: Pair, half: int, black_points: float) -> Played:
    winner = {0: WHITE, 0.5: 0, 1: BLACK}[black_points]
    moves = (Move(1, BLACK, 12, 0.25, "for a test", "", ""),)
    names = (pair.second.name, pair.first.name) if half else (pair.first.name, pair.second.name)
    record = GameRecord(LITTLE_GO, names, pair.seed, 0, moves, winner, "a test", -3, 0, "", 1 << 12, 0)
    return Played(result_of(record, pair, half), record)


def played(store: Store) -> list[tuple]:
    """Return all games but for the time they took: what is the same whoever plays them, and when."""
    found = []
    for result in store.results():
        moves = [move._replace(cpu=0.0) for move in store.record(result.number).moves]
        found.append((result._replace(sides=tuple(side.chosen for side in result.sides)), moves))
    return found


def straight(plan: Plan) -> list[tuple[Result, tuple]]:
    """Return (result, moves) of a tournament played in order in this process, without a file."""
    return [(game.result, game.record.key) for pair in plan.all_pairs() for game in play_pair(pair).games]
