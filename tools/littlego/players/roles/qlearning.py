"""The role qlearning, which plays by a table of Q-values.

According to the course's handout, the role `uses Q-learning to learn Q values from practice games`. This module runs on
Python 3.7.

The role plays the action with the highest value in a table that `littlego dev train` has trained. The role does not
learn while it plays. The table is a text file with a line for each state:

    # Q-values of Little-Go, in thousandths, made by: littlego dev train ...
    STATE ACTION=VALUE ACTION=VALUE ...     states and actions are sorted

The same board rarely occurs in two training games. Therefore, a state has only two parts:

- the stage of the game, by the number of moves left (STAGES), with shorter stages towards the end
- the mover's lead after komi, in eight steps (LEADS)

An action describes a placement by one digit for each effect of the move and one for the kind of the point:

- captured stones: 0, 1, 2, 3 or more
- stones of the mover that the opponent can capture with the next move: 0, 1, 2, 3 or more
- stones of the mover in chains with two liberties after the move: 0, 1 to 2, 3 to 4, more
- opposing stones in atari after the move: 0, 1, 2, 3 or more
- opposing stones in chains with two liberties after the move: 0, 1 to 2, 3 to 4, more
- 1 if the move fills an eye of the mover
- in the opening, the kind of the point, one of six from corner to centre; later 0 on the edge and 1 inside

All rotations and reflections of a board have the same state and the same actions.
"""

from __future__ import annotations

import os
import random
from collections.abc import Hashable
from functools import lru_cache
from typing import TYPE_CHECKING

from littlego.players.learners.qlearner import QLearner, QTable, Settings
from littlego.rules.geometry import around, count, edges_at, flood, make_grid, points_of, symmetry_tables
from littlego.rules.life import is_eye
from littlego.rules.position import PASS, WHITE, Position, chains
from littlego.rules.ruleset import LITTLE_GO

SIZE = LITTLE_GO.size
GRID = make_grid(SIZE)
NEAR = [around(1 << point, GRID) for point in range(SIZE * SIZE)]
TABLES = symmetry_tables(SIZE)
_FIRST_IMAGES = [min(table[point] for table in TABLES) for point in range(SIZE * SIZE)]
# kind of each point; symmetric points have the same kind
KINDS = [str(sorted(set(_FIRST_IMAGES)).index(image)) for image in _FIRST_IMAGES]
INSIDE = ["0" if edges_at(point, SIZE) else "1" for point in range(SIZE * SIZE)]

# stage of the game by the number of moves left, 0 to 24
STAGES = [6, 6, 5, 4, 4, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
OPENING = 0
LEADS = (-7, -3, -1, 1, 3, 5, 9)  # in half points: the lower limit of each step
DIGITS = "%d%d%d%d%d%d"
# Digits by number of stones: EXACT has a step for each stone up to 3, PAIRS a step for every two stones.
EXACT = [min(stones, 3) for stones in range(SIZE * SIZE)]
PAIRS = [min((stones + 1) // 2, 3) for stones in range(SIZE * SIZE)]
WINNING_PASS, NO_MOVE = "pass", "none"

if TYPE_CHECKING:
    Actions = dict[str, list[int]]  # the moves of each action
    Row = dict[Hashable, float]  # the values of a state's actions
    Group = tuple[int, int, int]  # a chain, its adjacent points, its size


def view_position(position: Position) -> tuple[str, Actions]:
    """Return (state, actions). actions: {action: list of the moves with this action}.

    A pass is an action only if it wins the game immediately or no other move is legal.
    """
    own, theirs = position.own, position.theirs
    lead2 = 2 * position.lead() + (LITTLE_GO.komi2 if position.colour == WHITE else -LITTLE_GO.komi2)
    stage = STAGES[position.left]
    mine, yours = _groups(own), _groups(theirs)
    actions: Actions = {}
    for point in points_of(position.legal()):
        action = _action(point, own, theirs, mine, yours)
        actions.setdefault(action + (KINDS[point] if stage == OPENING else INSIDE[point]), []).append(point)
    if position.passed and lead2 > 0:
        actions[WINNING_PASS] = [PASS]
    elif not actions:
        actions[NO_MOVE] = [PASS]
    return f"{stage}{sum(lead2 >= step for step in LEADS)}", actions


def _groups(stones: int) -> list[Group]:
    """Return (mask, mask of the adjacent points, number of stones) for each chain of `stones`."""
    return [(chain, around(chain, GRID), count(chain)) for chain in chains(stones, GRID)]


def _action(point: int, own: int, theirs: int, mine: list[Group], yours: list[Group]) -> str:
    """Return the digits of a legal move's action, except the last digit, which describes the point."""
    move, near = 1 << point, NEAR[point]
    free = GRID[1] & ~(own | theirs | move)
    taken = 0
    for chain, rim, _ in yours:
        if not rim & free:
            taken |= chain
    free |= taken
    joined = flood(move, own, GRID) if near & own else move
    rim = around(joined, GRID)
    one, two = _count_short([group for group in mine if not group[0] & near] + [(joined, rim, count(joined))], free)
    if taken and not taken & (taken - 1) and joined == move and rim & free == taken:  # a ko: no recapture at once
        one -= 1
    their_one, their_two = _count_short([group for group in yours if not group[0] & taken] if taken else yours, free)
    eye = 0 if near & ~own or not is_eye(move, own, theirs, GRID) else 1
    return DIGITS % (EXACT[count(taken)], EXACT[one], PAIRS[two], EXACT[their_one], PAIRS[their_two], eye)


def _count_short(groups: list[Group], free: int) -> tuple[int, int]:
    """Return (number of stones in chains with one liberty, number of stones in chains with two liberties)."""
    one = two = 0
    for _, rim, size in groups:
        more = rim & free
        more &= more - 1
        if not more:
            one += size
        elif not more & (more - 1):
            two += size
    return one, two


TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "qlearning.txt")
UNTRIED = float("-inf")  # value of an untrained action, which the player ranks last
HEADER = "# Q-values of Little-Go, in thousandths"
PLAYING = Settings(alpha=0, gamma=0, win=0, draw=0, lose=0, initial_q=UNTRIED, explore=0)
STEPS = 1000  # values are stored in thousandths
SHOWN = 40  # characters of a wrong line that a message quotes


class TableError(ValueError):
    """Raised for a file that is not a valid table; the message says what was found instead."""


def choose(position: Position, rng: random.Random, path: str = TABLE) -> int:
    """Return a random move among the moves with the highest value in the table at `path`.

    Raise OSError if the file is unreadable, and TableError if the header or the state's line is invalid.
    """
    state, actions = view_position(position)
    return _draw_move({state: load_row(path, state)}, state, actions, rng)


def choose_by(table: QTable, position: Position, rng: random.Random) -> int:
    """Return a random move among the moves with the highest value in a learner's table."""
    return _draw_move(table, *view_position(position), rng)


def _draw_move(table: QTable, state: str, actions: Actions, rng: random.Random) -> int:
    best = QLearner(PLAYING, table).best(state, actions)
    return rng.choice([move for action in best for move in actions[action]])


def format_table(table: QTable, command: str) -> str:
    """Return a learner's table as text. command: the training command, which the header quotes."""
    lines = [f"{HEADER}, made by: {command}"]
    for state, row in sorted(table.items(), key=lambda item: str(item[0])):
        values = sorted(row.items(), key=lambda item: str(item[0]))
        lines.append(" ".join([str(state), *(f"{action}={round(STEPS * value)}" for action, value in values)]))
    return "\n".join(lines) + "\n"


def load_row(path: str, state: str) -> Row:
    """Return {action: value} for a state, or {} if the table lacks the state. Raise the same errors as `choose`."""
    return _load_row(path, _stamp_of(path), state)


def _stamp_of(path: str) -> tuple[int, int]:
    """Return a table's modification time in ns and its size in bytes, to detect a rewritten table."""
    stat = os.stat(path)
    return stat.st_mtime_ns, stat.st_size


@lru_cache(maxsize=256)
def _load_row(path: str, stamp: tuple[int, int], state: str) -> Row:
    text = _load_text(path, stamp)
    start = text.find(f"\n{state} ") + 1
    return _parse_values(text[start : text.find("\n", start)]) if start else {}


def check_table(path: str) -> None:
    """Raise OSError if the table at `path` is unreadable, and TableError if the table is invalid."""
    for line in _load_text(path, _stamp_of(path)).splitlines()[1:]:
        _parse_values(line)


@lru_cache(maxsize=4)
def _load_text(path: str, stamp: tuple[int, int]) -> str:
    with open(path, "rb") as file:
        text = file.read().decode("ascii", "replace")
    if not text.startswith(HEADER):
        raise TableError(
            f"{path} is not a table of `littlego dev train`: expected {HEADER!r} at its start, found {text[:SHOWN]!r}"
        )
    return text


def _parse_values(line: str) -> Row:
    try:
        return {action: int(value) for action, value in (pair.split("=") for pair in line.split(" ")[1:])}
    except ValueError:
        raise TableError(f"the table is damaged: expected STATE ACTION=VALUE ..., found {line[:SHOWN]!r}") from None
