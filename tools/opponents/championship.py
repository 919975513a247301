"""Championship: the strongest player that fits the course's limits: search in plain Python.

Its first moves come from a table. With READ_OUT moves left or fewer it tries to read the game out: if it has won, it
draws among the moves that keep the win; if it has lost, among those that leave the fewest winning replies. Where
neither can be told, it searches as deep as its nodes allow and draws among the moves of the highest value.

It counts nodes, not seconds, so that a game replays exactly from its seed. Only a machine three times slower meets
the clock, SECONDS of CPU time: the reason then says so. Runs on Python 3.7.
"""

from __future__ import annotations

import os
import random

from rules.position import PASS, Position
from tools.opponents.championship_board import PASSED
from tools.opponents.championship_endgame import node_of, read_out
from tools.opponents.championship_exact import Meter
from tools.opponents.championship_search import QUANTUM, WON, Search
from tools.opponents.replies import Replies

NODES = 100_000  # 1.6 s of CPU time on Python 3.11, 2.4 s on 3.7, where all are used; 0.4 s in a game's mean move
SECONDS = 6.0  # the limit of the course is 10
READ_OUT = 15  # moves left from which it tries to read the game out
AT_ONCE = 12  # from here that hardly ever fails; before, half of the nodes are kept for the search
OPENINGS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "championship_openings.txt")
BY_CLOCK = "; stopped by the clock: a replay may differ"
_openings = Replies(OPENINGS)


def choose(position: Position, rng: random.Random) -> int:
    """Return the move, a point or PASS."""
    return reasoned(position, rng)[0]


def choices(position: Position) -> list:
    """Return the moves among which it draws."""
    return list(_openings.moves(position)) or searched(position, NODES)


def searched(position: Position, nodes: int) -> list:
    """Return the moves that a search of so many nodes finds best."""
    return [_move(move) for move in _found(position, Meter(nodes, float("inf")))[0]]


def reasoned(position: Position, rng: random.Random) -> tuple:
    """Return (move, why it was chosen)."""
    known = _openings.moves(position)
    if known:
        return rng.choice(sorted(known)), "from the opening table"
    meter = Meter(NODES, SECONDS)
    moves, why = _found(position, meter)
    return _move(rng.choice(sorted(moves))), why + (BY_CLOCK if meter.late else "")


def _move(mask: int) -> int:
    return PASS if mask == PASSED else mask.bit_length() - 1


def _found(position: Position, meter: Meter) -> tuple:
    """Return (moves among which to draw, why these)."""
    if position.left <= READ_OUT:
        kept = 0 if position.left <= AT_ONCE else meter.nodes // 2
        meter.nodes -= kept
        found = read_out(node_of(position), meter)
        if found:
            return found
        meter.nodes = kept
    search = Search(meter)
    moves, value = search.best(position.own, position.theirs, position.ko, position.passed, position.left)
    standing = {WON: "won", -WON: "lost"}.get(value, f"{value * QUANTUM / 100:+.1f} stones")
    return moves, f"{search.depth} plies deep: {standing}"
