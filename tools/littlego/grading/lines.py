"""A line of the file with a grading's games: what it must hold, and with what the outcome in it must agree.

A line without a digest may hold anything, and so may one whose digest was made anew.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from littlego.grading.games import GradedGame, Outcome, planned
from littlego.match.host import WALL_LIMIT
from littlego.match.referee import GameRecord
from littlego.match.shapes import find_misfit
from littlego.records.records import RecordError, game_record
from littlego.sandbox.limited import PROCESSES

SEALED = "sealed"  # the key of a line that says how many games all before it are
REQUIRED = len(Outcome._fields) - len(Outcome._field_defaults)  # later fields are missing in lines of earlier versions


class LineError(ValueError):
    """A line that holds no outcome, or one that cannot be true; the message continues the line's number."""


def is_seal(line: Any) -> bool:
    """Return whether a line holds no game but how many there are."""
    return isinstance(line, dict) and line.keys() == {SEALED}


class Plan(NamedTuple):
    """What all games of a file have in common and their lines depend on; see head_of."""

    seed: int
    games: int
    factor: float


class Lines:
    """The lines after the first, taken one by one: `outcomes`."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.outcomes: list[Outcome] = []
        self._numbers: dict[GradedGame, int] = {}

    def take(self, number: int, line: Any) -> None:
        """Take in a line of this number; raise LineError."""
        if is_seal(line):
            if line[SEALED] is True or line[SEALED] != len(self.outcomes):
                raise LineError(f"it says that {str(line[SEALED])[:40]} games are there, but {len(self.outcomes)} are")
            return
        outcome = read_outcome(line)
        if (before := self._numbers.setdefault(outcome.game, number)) != number:
            raise LineError(f"its game is that of line {before}")
        if wrong := _find_misplanned(outcome.game, self.plan) or _find_wrong(outcome, self.plan.factor):
            raise LineError(wrong)
        self.outcomes.append(outcome)


def read_outcome(line: Any) -> Outcome:
    """Return the outcome that a line of JSON holds, each field of the type that Outcome says; raise LineError."""
    if not isinstance(line, list) or not REQUIRED <= len(line) <= len(Outcome._fields):
        raise LineError(f"it is no list of {REQUIRED} to {len(Outcome._fields)} values, as a game is")
    values = dict(zip(Outcome._fields, line, strict=False))
    if wrong := find_misfit(Outcome, values):
        raise LineError(wrong)
    values["game"] = GradedGame(*values["game"])
    return Outcome(**values)


def _find_misplanned(game: GradedGame, plan: Plan) -> str:
    """Return in what a game is none that such a grading plays, '' in nothing."""
    expected = planned(game.repetition, game.role, game.index, plan.seed)
    if expected is None or game.index >= plan.games:
        return f"its game, {list(game)}, is none of a grading with --seed {plan.seed} and --games {plan.games}"
    for name, found, wanted in zip(GradedGame._fields, game, expected, strict=True):
        if found != wanted:
            return f"its {name} is {found}, but that of such a game is {wanted}"
    return ""


def _find_wrong(outcome: Outcome, factor: float) -> str:
    """Return in what an outcome is not what its record comes to, '' in nothing."""
    try:
        record = game_record(outcome.record)
    except RecordError as error:
        return str(error).removeprefix(": ")
    except (KeyError, TypeError) as error:
        return f"its record cannot be read: {error}"
    game, colour = outcome.game, outcome.game.colour
    seconds = [move.cpu for move in record.moves if move.colour == colour]
    compared = [
        ("seed", game.seed, record.seed),
        ("role", game.role, record.players[2 - colour]),
        ("won", outcome.won, record.winner == colour),
        ("tie", outcome.tie, record.winner == 0),
        ("fault", outcome.fault, record.fault == colour),
        ("failed", outcome.failed, record.fault not in (0, colour)),
        ("seconds", outcome.seconds[: len(seconds)], seconds),
    ]
    for name, found, expected in compared:
        if found != expected:
            return f"its {name} is {found}, but its record says {expected}"
    return _find_odd_times(outcome, record, len(seconds), factor)


def _find_odd_times(outcome: Outcome, record: GameRecord, turns: int, factor: float) -> str:
    """Return which times of an outcome are not those of so many turns, or of one more that lost; '' if none is."""
    most_turns = turns + (record.fault == outcome.game.colour)
    if len(outcome.seconds) > most_turns:
        return f"its seconds are those of {len(outcome.seconds)} turns, but its record has {most_turns}"
    most = WALL_LIMIT * PROCESSES * factor
    for second in outcome.seconds:
        if not 0 <= second <= most:
            return f"its seconds have {second:g}, but a turn takes 0 to {most:g}"
    return "" if outcome.wall >= 0 else f"its wall is {outcome.wall:g}, but a clock does not go back"
