"""Small tournaments for tests, and games with results that the test chooses."""

from __future__ import annotations

from collections.abc import Sequence

from littlego.arena.digests import make_tables
from littlego.arena.elo import Hypothesis
from littlego.arena.plan import ROUND_ROBIN, SPRT, Entrant, Pair, Plan
from littlego.arena.play import Played, PlayedPair, play_pair, result_of
from littlego.arena.players import entrants
from littlego.arena.results import Result
from littlego.arena.store import Store
from littlego.match.protocol import Turn
from littlego.match.referee import Game, Player, Reply
from littlego.rules.position import PASS, RESIGN
from littlego.rules.ruleset import LITTLE_GO, little_go


def small_plan(names: Sequence[str] = ("random", "greedy"), pairs: int = 3, **others) -> Plan:
    """Return the plan of a round robin with a few quick games."""
    return Plan(ROUND_ROBIN, entrants(names), pairs, **{"seed": 7, "openings": 3, **others})


def sprt_plan(pairs: int, hypothesis: Hypothesis | None = None) -> Plan:
    """Return the plan of a sequential test between two players, both of which move at random."""
    return Plan(
        SPRT,
        (Entrant("new", "random", ""), Entrant("old", "random", "")),
        pairs,
        hypothesis=hypothesis or Hypothesis(0, 100),
    )


def made_up(pair: Pair, points: float) -> PlayedPair:
    """Return a pair of very short games in which the first player scores `points`: 0, 1/2, 1, 3/2 or 2."""
    black_points = min(points, 1)
    halves = (_game(pair, 0, black_points), _game(pair, 1, 1 - (points - black_points)))
    return PlayedPair(pair.number, halves)


class _Scripted(Player):
    """A player that plays a given list of moves."""

    def __init__(self, name: str, moves: Sequence[int]):
        self.name = name
        self.moves = iter(moves)

    def choose(self, turn: Turn) -> Reply:
        return Reply(next(self.moves), 0.25, reason="for a test")


def _game(pair: Pair, half: int, black_points: float) -> Played:
    ruleset, black, white = {
        0: (LITTLE_GO, [RESIGN], []),
        0.5: (little_go(4), [0, 1, PASS], [PASS, PASS]),  # on 5x5 the fractional komi rules out ties
        1: (LITTLE_GO, [12], [RESIGN]),
    }[black_points]
    names = (pair.second.name, pair.first.name) if half else (pair.first.name, pair.second.name)
    players = (_Scripted(names[0], black), _Scripted(names[1], white))
    record = Game(players, ruleset, seed=pair.seed).play()
    return Played(result_of(record, pair, half), record)


def reseal(store: Store) -> None:
    """Recompute all digests of a tournament's file, as a careful forger would."""
    store._base.execute("DROP TABLE digests")
    store._base.execute("DROP TABLE seal")
    make_tables(store._base)


def played(store: Store) -> list[tuple]:
    """Return (result, moves) of each stored game, without times, so that two runs compare equal."""
    found = []
    for result in store.results():
        moves = [move._replace(cpu=0.0) for move in store.record(result.number).moves]
        found.append((result._replace(sides=tuple(side.chosen for side in result.sides)), moves))
    return found


def straight(plan: Plan) -> list[tuple[Result, tuple]]:
    """Return (result, moves) of each game of a tournament, played in order in this process without a file."""
    return [(game.result, game.record.key) for pair in plan.all_pairs() for game in play_pair(pair).games]
