"""Real championship: the replies that the course's own championship player gave in recorded games, else our own.

The replies are looked up modulo symmetry; of several, each is as likely as it was often played. Elsewhere our
championship plays. Runs on Python 3.7.
"""

from __future__ import annotations

import os
import random

from rules.position import Position
from tools.opponents import championship
from tools.opponents.replies import Replies

NAME = "real-championship"
RECORDED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "recorded_replies.txt")
_recorded = Replies(RECORDED)


def reasoned(position: Position, rng: random.Random) -> tuple:
    """Return (move, why it was chosen)."""
    known = _recorded.moves(position)
    if not known:
        move, why = championship.reasoned(position, rng)
        return move, f"not recorded; ours, {why}"
    moves = sorted(known)
    chosen = rng.choices(moves, [known[move] for move in moves])[0]
    return chosen, f"recorded: the real player chose it {known[chosen]} times of {sum(known.values())}"
