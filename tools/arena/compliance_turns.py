"""Turns that a player must be able to play: drawn from random games, the same ones every time."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from rules.geometry import points_of
from rules.position import BLACK, PASS, WHITE, Position, opening
from rules.ruleset import LITTLE_GO
from tools.match.protocol import Turn

SEED = 5


def special_turns() -> dict[str, Turn]:
    """Return turns out of the ordinary by what is special about them, in words."""
    empty = opening(LITTLE_GO)
    found = {"the first move of a new game, as Black, in the folder of another game": Turn(empty, (0, 0))}
    after = empty.play(LITTLE_GO.size + 1)
    found["the first move of a new game, as White, in the folder of another game"] = Turn(after, (0, 0))
    for colour, name in ((BLACK, "Black"), (WHITE, "White")):
        found[f"a ko that {name} may not retake"] = _first(lambda at, colour=colour: at.ko and at.colour == colour)
        found[f"a pass of the opponent, {name} to move"] = _after_pass(colour)
    found["Black's last move"] = _first(lambda at: at.left == 2)
    found["White's last move, the last of the game"] = _first(lambda at: at.left == 1)
    return found


def _first(wanted: Callable[[Position], object]) -> Turn:
    return next(turn for turn in _turns() if wanted(turn.position))


def _after_pass(colour: int) -> Turn:
    before = _first(lambda at: at.colour != colour and at.left == 14 + (colour == BLACK)).position
    return Turn(before.play(PASS), (before.black, before.white))


def _turns() -> Iterator[Turn]:
    """Yield the turns of random games without passes, one game after the other."""
    chance = random.Random(SEED)
    while True:
        position, before = opening(LITTLE_GO), opening(LITTLE_GO)
        while position.left and (legal := points_of(position.legal())):
            yield Turn(position, (before.black, before.white))
            before, position = position, position.play(chance.choice(legal))
