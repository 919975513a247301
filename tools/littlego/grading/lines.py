"""Validation of the lines in a file of finished games.

The module checks the types of a line's fields, and compares the outcome with the recorded moves. Digests do not
suffice: a line without a digest, or with a recomputed digest, may contain anything.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from littlego.grading.games import GradedGame, Outcome, planned
from littlego.match.host import WALL_LIMIT
from littlego.match.referee import GameRecord
from littlego.match.shapes import find_misfit
from littlego.records.records import RecordError, game_record
from littlego.sandbox.supervise import PROCESSES

SEALED = "sealed"  # the key of a line that contains the number of games before that line
REQUIRED = len(Outcome._fields) - len(Outcome._field_defaults)  # lines of earlier versions lack later fields


class LineError(ValueError):
    """Raised for an invalid line; callers put the file's name and the line's number before the message."""


def is_seal(line: Any) -> bool:
    """Return whether a line contains the number of games instead of a game."""
    return isinstance(line, dict) and line.keys() == {SEALED}


class Plan(NamedTuple):
    """The settings in a file's first line; all later lines must match them. See kept.head_of."""

    seed: int
    games: int
    factor: float


class Lines:
    """The validated lines after a file's first line. outcomes: the outcomes of the games in the lines."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.outcomes: list[Outcome] = []
        self._numbers: dict[GradedGame, int] = {}

    def take(self, number: int, line: Any) -> None:
        """Validate and add a line; raise LineError for an invalid line. number: the line's number, from 1."""
        if is_seal(line):
            if line[SEALED] is True or line[SEALED] != len(self.outcomes):
                said = f"the count of games is {str(line[SEALED])[:40]}"
                raise LineError(f"{said}; expected {len(self.outcomes)}, the number of games in earlier lines")
            return
        outcome = read_outcome(line)
        if (before := self._numbers.setdefault(outcome.game, number)) != number:
            raise LineError(f"the line repeats the game of line {before}")
        if wrong := _find_misplanned(outcome.game, self.plan) or _find_wrong(outcome, self.plan.factor):
            raise LineError(wrong)
        self.outcomes.append(outcome)


def read_outcome(line: Any) -> Outcome:
    """Return the Outcome in a parsed JSON line; raise LineError for a wrong number or type of values."""
    if not isinstance(line, list) or not REQUIRED <= len(line) <= len(Outcome._fields):
        raise LineError(f"it is not a game; expected a list of {REQUIRED} to {len(Outcome._fields)} values")
    values = dict(zip(Outcome._fields, line, strict=False))
    if wrong := find_misfit(Outcome, values):
        raise LineError(wrong)
    values["game"] = GradedGame(*values["game"])
    return Outcome(**values)


def _find_misplanned(game: GradedGame, plan: Plan) -> str:
    """Return why a grading with the given plan cannot contain a game, or '' if the plan contains the game."""
    expected = planned(game.repetition, game.role, game.index, plan.seed)
    if expected is None or game.index >= plan.games:
        return f"`game` is {list(game)}; expected a game of --seed {plan.seed} and --games {plan.games}"
    for name, actual, planned_value in zip(GradedGame._fields, game, expected, strict=True):
        if actual != planned_value:
            return f"`{name}` is {actual}; expected {planned_value}"
    return ""


def _find_wrong(outcome: Outcome, factor: float) -> str:
    """Return the error message for an outcome with a wrong value, or '' if all values are right.

    A value is wrong if it is invalid or contradicts the game's record.
    """
    try:
        record = game_record(outcome.record)
    except RecordError as error:
        return str(error).removeprefix(": ")
    except (KeyError, TypeError) as error:
        return f"`record` cannot be read: {error}"
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
    for name, actual, expected in compared:
        if actual != expected:
            return f"`{name}` is {actual}; expected {expected}, as in `record`"
    return _find_odd_times(outcome, record, len(seconds), factor)


def _find_odd_times(outcome: Outcome, record: GameRecord, turns: int, factor: float) -> str:
    """Return the error message if an outcome is void or has an invalid time or count, else ''.

    If the program lost through a fault, `seconds` may also contain the CPU time of the losing turn, which adds no move
    to the record.
    """
    most_turns = turns + (record.fault == outcome.game.colour)
    if len(outcome.seconds) > most_turns:
        given = len(outcome.seconds)
        return f"`seconds` has {given} values; expected at most {most_turns}, the number of turns in the record"
    most = WALL_LIMIT * PROCESSES * factor
    for second in outcome.seconds:
        if not 0 <= second <= most:
            return f"`seconds` has the value {second:g}; expected 0 to {most:g} for each turn"
    if outcome.void:
        return "the game was not judged; expected only judged games"
    if outcome.replayed < 0:
        return f"the number of replayed turns is {outcome.replayed}; expected at least 0"
    return "" if outcome.wall >= 0 else f"the wall time is {outcome.wall:g} s; expected at least 0 s"
