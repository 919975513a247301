"""Randomised openings: a few legal placements that capture nothing, so that a program can still count the moves."""

from __future__ import annotations

import random

from rules.geometry import points_of
from rules.position import captured_by, opening
from rules.ruleset import Ruleset


def random_opening(ruleset: Ruleset, plies: int, seed: int) -> tuple:
    """Return the points of a random opening, a function of its three arguments; Black plays the first of them.

    Neither a pass nor a capture is among them: the stones on the board then tell the number of the move. Fewer
    plies are returned where no such placement is left.
    """
    rng = random.Random(f"opening:{ruleset.name}:{plies}:{seed}")
    position = opening(ruleset)
    moves: list[int] = []
    while len(moves) < plies:
        quiet = [
            point
            for point in points_of(position.legal())
            if not captured_by(1 << point, position.own, position.theirs, position.grid)
        ]
        if not quiet:
            break
        moves.append(rng.choice(quiet))
        position = position.play(moves[-1])
    return tuple(moves)
