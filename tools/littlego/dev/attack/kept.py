"""Fuzzing targets for files with results: files of graded games, and tournament files."""

from __future__ import annotations

import io
import json
import os
import tempfile
from collections.abc import Sequence
from contextlib import redirect_stderr
from functools import cache
from pathlib import Path

from littlego.arena.plan import ROUND_ROBIN, Entrant, Pair, Plan
from littlego.arena.play import Played, PlayedPair, play_pair, result_of
from littlego.arena.store import Store
from littlego.cli.arguments import ArgumentError
from littlego.dev.attack.targets import Target, Violation
from littlego.files import json_text
from littlego.grading.chain import resealed
from littlego.grading.games import Outcome, forfeit, plan_games
from littlego.grading.kept import FORMAT, UNSEALED, open_kept
from littlego.grading.marks import marks
from littlego.grading.report import Grading, format_grading, grading_value
from littlego.match.referee import record_json
from littlego.match.series import Pairing, play_game
from littlego.match.student_programs import Program
from littlego.players.registry import player_for
from littlego.printable import printable
from littlego.records.records import game_record
from littlego.records.sgf_writing import record_sgf
from littlego.rules.position import BLACK

GRADED, TOURNAMENT = "graded.txt", "tournament.arena"
HEAD = {"format": FORMAT, "program": "a", "roles": "b", "seed": 0, "factor": 1.0, "games": 2}
PLAN = plan_games(1, (1,), 2, 0)
PROGRAM = Program("a", "my_player3.py", "", (), "Python 3.7", (), ())
NAMES = ("random", "greedy")


@cache
def _tournament() -> bytes:
    """Return the bytes of a tournament file with two pairs of games, in the format of `littlego arena`."""
    plan = Plan(ROUND_ROBIN, tuple(Entrant(name, name, "") for name in NAMES), 2, seed=1)
    with tempfile.TemporaryDirectory(prefix="littlego-attack-") as folder:
        with Store.make(Path(folder, TOURNAMENT), plan) as store:
            for pair in plan.all_pairs():
                black_first, white_first = (_untimed(game, pair) for game in play_pair(pair).games)
                store.add(PlayedPair(pair.number, (black_first, white_first)))
        return Path(folder, TOURNAMENT).read_bytes()


def _untimed(game: Played, pair: Pair) -> Played:
    """Return a game with its measured times set to 0, so that the result is the same on every machine."""
    record = game.record._replace(moves=tuple(move._replace(cpu=0.0) for move in game.record.moves))
    return Played(result_of(record, pair, game.result.half), record)


def tournaments() -> list[bytes]:
    """Return a list with one item: the bytes of a small tournament file."""
    return [_tournament()]


def read_tournament(data: bytes) -> str:
    """Read a tournament's results and up to four of its games; return a summary or the error message."""
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


@cache
def _outcomes() -> list[Outcome]:
    """Return the outcomes of the first four games in PLAN.

    All moves have the same CPU time. The last of the four games is a forfeit.
    """
    made = []
    for game in PLAN[:3]:
        black, white = ("random", game.role) if game.colour == BLACK else (game.role, "random")
        played = play_game(Pairing(game.index, black, white, game.seed), player_for)
        record = played._replace(moves=tuple(move._replace(cpu=0.5) for move in played.moves))
        seconds = [move.cpu for move in record.moves if move.colour == game.colour]
        ends = record.winner == game.colour, record.winner == 0, record.fault == game.colour, False
        made.append(Outcome(game, *ends, seconds, ["a warning"], ["a note"], ["a.txt"], record_json(record), "b", 1.0))
    return [*made, forfeit(PLAN[3], "random", "late")]


def graded_games() -> list[bytes]:
    """Return the bytes of files of graded games, with and without digests.

    The files contain no games, some games or all games. One additional file without digests is truncated.
    """
    outcomes, files = _outcomes(), []
    with tempfile.TemporaryDirectory(prefix="littlego-attack-") as folder:
        for number in range(len(outcomes) + 1):
            path = Path(folder, f"{number}.txt")
            with open_kept(str(path), HEAD) as kept:
                for outcome in outcomes[:number]:
                    kept.add(outcome)
                kept.seal()
            unsealed: list[object] = [{**HEAD, "format": UNSEALED}, *outcomes[:number]]
            files += [path.read_bytes(), "".join(json.dumps(line) + "\n" for line in unsealed).encode()]
    return [*files, files[-1][:-20]]


def read_graded(data: bytes) -> str:
    """Grade the games in a file of graded games; return the text that a user sees, or the error message.

    Raise Violation if the reader changes a file that it rejects.
    """
    path = Path(GRADED)
    path.write_bytes(data)
    try:
        with redirect_stderr(io.StringIO()) as messages, open_kept(GRADED, HEAD) as kept:
            outcomes = sorted(outcome for outcome in kept.outcomes if outcome.game in set(PLAN))
            for outcome in outcomes:
                record_sgf(game_record(outcome.record))
            grading = Grading(PROGRAM, "a", 1.0, 2, marks(PLAN, outcomes), outcomes)
            shown = [messages.getvalue(), format_grading(grading), json_text(grading_value(grading))]
            return printable("\n".join(shown), lines=True)
    except ArgumentError as error:
        if path.read_bytes() != data:
            raise Violation("a rejected file was changed") from None
        return str(error)
    finally:
        path.unlink()


KEPT: Sequence[Target] = (
    Target(
        "graded",
        "the games that `grade --keep` saves",
        graded_games,
        read_graded,
        (b"[]", b"{}", b'"', b",", b"[[1"),
        resealed,
    ),
    Target("arena", "a tournament's file", tournaments, read_tournament, (b"SQLite format 3\0", b"LGAR", b"{", b"\0")),
)
