"""Overrides for tests: a legal move for each of some random positions, and a file in memory."""

from __future__ import annotations

import random
from functools import cache
from io import BytesIO

from littlego.knowledge.overrides import to_bytes
from littlego.rules.engine import canonical
from littlego.rules.geometry import image_of, points_of
from littlego.rules.overrides import Overrides
from littlego.rules.position import PASS, Position, opening
from littlego.rules.positionkey import PASS_POINT, pack_state
from littlego.rules.ruleset import LITTLE_GO


def override(position: Position, move: int) -> tuple[int, int]:
    """Return the override of a position: (code of its canonical image, move on the image; 25 is a pass)."""
    table, state = canonical(position)
    return pack_state(state), PASS_POINT if move == PASS else table[move]


@cache
def situations(number: int, seed: int) -> dict[int, Position]:
    """Return {canonical code: position} of `number` random positions with more than two moves left."""
    rng, found = random.Random(seed), {}
    while True:
        position = opening(LITTLE_GO)
        while position.left > 2:
            found[pack_state(canonical(position)[1])] = position
            if len(found) == number:
                return found
            move = rng.choice(points_of(position.legal()) or [PASS]) if rng.random() < 0.95 else PASS
            if position.ends_with(move):
                break
            position = position.play(move)


def some_overrides(number: int, seed: int) -> dict[int, int]:
    """Return {code: a legal move, sometimes a pass} for `number` canonical positions."""
    rng, found = random.Random(seed), {}
    for code, position in situations(number, seed).items():
        table, _ = canonical(position)
        found[code] = rng.choice([*points_of(image_of(position.legal(), table)), PASS_POINT])
    return found


class Asked:
    """An overrides.txt in memory, and the error messages of its reader."""

    def __init__(self, data: bytes | dict[int, int]):
        self.said: list[str] = []
        data = data if isinstance(data, bytes) else to_bytes(data)
        self.overrides = Overrides(BytesIO(data), "overrides.txt", self.said.append)

    def move_for(self, position: Position) -> int | None:
        """Return a position's override as a move on the canonical image: 25 for a pass, None for no override."""
        move = self.overrides.move_for(canonical(position)[1])
        return PASS_POINT if move == PASS else move
