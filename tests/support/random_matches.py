"""Random matches with frequent captures. Without captures, no position would repeat."""

from __future__ import annotations

import random

from littlego.games.match import MatchPosition, match_rules
from littlego.rules.geometry import count, points_of
from littlego.rules.position import PASS


def random_match(seed: int, size: int, plies: int = 120, passing: float = 0.1, **rules: object) -> list[MatchPosition]:
    """Return the positions of a random match, which ends after `plies` plies or two passes in a row.

    passing: the probability of a pass when there are legal points. rules: options of match_rules.
    """
    rng = random.Random(seed)
    positions = [match_rules(size, **rules).opening()]
    while len(positions) <= plies:
        last = positions[-1]
        options = points_of(last.legal())
        tried = [] if rng.random() < passing else rng.sample(options, min(5, len(options)))
        move = max(tried, key=lambda point: count(last.theirs & ~last.play(point).own), default=PASS)
        positions.append(last.play(move))
        if last.ends_with(move):
            break
    return positions
