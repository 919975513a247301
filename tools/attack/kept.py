"""Files of results under attack: the games of a grading, and a tournament."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

from rules.position import BLACK
from tools.arena.plan import ROUND_ROBIN, Entrant, Pair, Plan
from tools.arena.play import Played, PlayedPair, play_pair, result_of
from tools.arena.store import Store
from tools.arguments import ArgumentError
from tools.attack.targets import Target, Violation
from tools.grading.games import Outcome, plan_games
from tools.grading.kept import FORMAT, KeptGames, open_kept
from tools.grading.marks import marks

GRADED, TOURNAMENT = "graded.txt", "tournament.arena"
HEAD = {"format": FORMAT, "program": "a", "roles": "b", "seed": 0, "factor": 1.0, "games": 2}
PLAN = plan_games(1, (1,), 2, 0)
NAMES = ("random", "greedy")


@cache
def _tournament() -> bytes:
    """Return the file of a tournament of two pairs, as `littlego arena` writes it."""
    plan = Plan(ROUND_ROBIN, tuple(Entrant(name, name, "") for name in NAMES), 2, seed=1)
    with tempfile.TemporaryDirectory(prefix="littlego-attack-") as folder:
        with Store.make(Path(folder, TOURNAMENT), plan) as store:
            for pair in plan.all_pairs():
                black_first, white_first = (_untimed(game, pair) for game in play_pair(pair).games)
                store.add(PlayedPair(pair.number, (black_first, white_first)))
        return Path(folder, TOURNAMENT).read_bytes()


def _untimed(game: Played, pair: Pair) -> Played:
    """Return a game without the times that it took: the same on every machine."""
    record = game.record._replace(moves=tuple(move._replace(cpu=0.0) for move in game.record.moves))
    return Played(result_of(record, pair, game.result.half), record)


def tournaments() -> list[bytes]:
    """Return the file of a small tournament."""
    return [_tournament()]


def read_tournament(data: bytes) -> str:
    """Read all that there is in a tournament's file; one that is refused must stay as it is."""
    path = Path(TOURNAMENT)
    path.write_bytes(data)
    try:
        with Store(path) as store:
            numbers = [result.number for result in store.results()]
            for number in numbers[:4]:
                store.record(number)
            return f"{len(numbers)} games of {len(store.done())} pairs, {store.decision()}, {store.checked()}"
    except ArgumentError as error:
        return str(error)
    finally:
        for left in os.listdir():
            os.unlink(left)


def graded_games() -> list[bytes]:
    """Return files of graded games: all of a small plan, none, and one whose last line is broken off."""
    rng = Random(0)
    record = {"why": "24 moves", "lead": 2.5, "moves": [{"move": "2,2", "cpu": 0.1}, {"move": "PASS", "cpu": 0.1}]}
    lines = [json.dumps(HEAD)]
    for game in PLAN:
        won = rng.random() < 0.5
        lead = 2.5 if won == (game.colour == BLACK) else -2.5
        lines.append(json.dumps(Outcome(game, won, False, False, False, [0.5], [], [], [], {**record, "lead": lead})))
    return ["\n".join([*lines[:number], ""]).encode() for number in range(1, len(lines) + 1)] + [
        "\n".join(lines).encode()
    ]


def read_graded(data: bytes) -> str:
    """Open a file of graded games and mark them; one that is refused must stay as it is."""
    path = Path(GRADED)
    path.write_bytes(data)
    try:
        with open_kept(GRADED, HEAD) as kept:
            found: KeptGames = kept
            marks(PLAN, [outcome for outcome in found.outcomes if outcome.game in set(PLAN)])
            return f"{len(found.outcomes)} games"
    except ArgumentError as error:
        if path.read_bytes() != data:
            raise Violation("a file that was refused has been changed") from None
        return str(error)
    finally:
        path.unlink()


KEPT: Sequence[Target] = (
    Target(
        "graded", "the games that `grade --file` keeps", graded_games, read_graded, (b"[]", b"{}", b'"', b",", b"[[1")
    ),
    Target("arena", "a tournament's file", tournaments, read_tournament, (b"SQLite format 3\0", b"LGAR", b"{", b"\0")),
)
