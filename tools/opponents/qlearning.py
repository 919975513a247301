"""Q-learning: `uses Q-learning to learn Q values from practice games`. Runs on Python 3.7.

It plays the action with the highest value in a table that self-play made (`littlego train`; tools.learning.qlearner is
the learner, qlearning_view what it sees of a position), and learns nothing while it plays. The table is text:

    # Q-values of Little-Go, in thousandths, made by: littlego train ...
    STATE ACTION=VALUE ACTION=VALUE ...     states and actions in order

A move needs the line of one state alone.
"""

from __future__ import annotations

import os
import random
from functools import lru_cache

from rules.position import Position
from tools.learning.qlearner import QLearner, Settings
from tools.opponents.qlearning_view import view

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "qlearning.txt")
UNTRIED = float("-inf")  # in play, what training never tried comes last
HEADER = "# Q-values of Little-Go, in thousandths"
PLAYING = Settings(alpha=0, gamma=0, win=0, draw=0, lose=0, initial_q=UNTRIED, explore=0)
STEPS = 1000  # values are kept in thousandths
SHOWN = 40  # characters of a wrong line that a message quotes


class BadTable(ValueError):
    """A file that is no table, or a damaged one; the message says what was found."""


def choose(position: Position, rng: random.Random, path: str = TABLE) -> int:
    """Return any of the moves with the highest value in the table at `path`. Raise OSError and BadTable."""
    state, actions = view(position)
    return _drawn({state: row(path, state)}, state, actions, rng)


def advised(table: dict, position: Position, rng: random.Random) -> int:
    """Return any of the moves with the highest value in a learner's table."""
    return _drawn(table, *view(position), rng)


def _drawn(table: dict, state: str, actions: dict, rng: random.Random) -> int:
    best = QLearner(PLAYING, table).best(state, actions)
    return rng.choice([move for action in best for move in actions[action]])


def as_text(table: dict, command: str) -> str:
    """Return a learner's table as text; command: what made it."""
    lines = [f"{HEADER}, made by: {command}"]
    for state in sorted(table):
        values = sorted(table[state].items())
        lines.append(" ".join([state, *(f"{action}={round(STEPS * value)}" for action, value in values)]))
    return "\n".join(lines) + "\n"


def row(path: str, state: str) -> dict:
    """Return the values of a state by action, empty where the table does not know it. Raise OSError and BadTable."""
    return _row(path, _stamp(path), state)


def _stamp(path: str) -> tuple:
    """Return what tells a file from the one that was there before: a table may be trained further meanwhile."""
    found = os.stat(path)
    return found.st_mtime_ns, found.st_size


@lru_cache(maxsize=256)
def _row(path: str, stamp: tuple, state: str) -> dict:
    text = _text(path, stamp)
    start = text.find(f"\n{state} ") + 1
    return _values(text[start : text.find("\n", start)]) if start else {}


def check(path: str) -> None:
    """Raise OSError or BadTable where a table cannot be played with."""
    for line in _text(path, _stamp(path)).splitlines()[1:]:
        _values(line)


@lru_cache(maxsize=4)
def _text(path: str, stamp: tuple) -> str:
    with open(path, "rb") as file:
        text = file.read().decode("ascii", "replace")
    if not text.startswith(HEADER):
        raise BadTable(
            f"{path} is no table of `littlego train`: expected {HEADER!r} at its start, found {text[:SHOWN]!r}"
        )
    return text


def _values(line: str) -> dict:
    try:
        return {action: int(value) for action, value in (pair.split("=") for pair in line.split(" ")[1:])}
    except ValueError:
        raise BadTable(f"the table is damaged: expected STATE ACTION=VALUE ..., found {line[:SHOWN]!r}") from None
