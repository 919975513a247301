"""Rare positions near the end in which a player gives a win away."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from slow_walk import image_of, roots

from littlego.rules.patternfile import Book
from littlego.rules.position import PASS
from littlego.rules.positionkey import PASS_POINT, unpack
from littlego.truth.labels.decider import Decider
from littlego.truth.proof.values import Values
from littlego.truth.proof.walk import Decisions, Layer, Walk, followers
from littlego.truth.solver.solver import Solver

BEFORE = 4  # the search starts this number of moves earlier
SEARCHED = 100  # number of positions from which the search starts


@cache
def given_away(book: Book, left: int, number: int, seed: int = 7) -> list[int]:
    """Return canonical positions with `left` moves left in which the book's player gives a win away.

    The result also contains positions with `left` moves left that lead, by the player's move and a reply, to a position
    in which the player gives a win away. There are at most `number` positions of each kind.
    """
    with TemporaryDirectory() as folder:
        decisions, values = (Path(folder) / name for name in ("decisions", "values"))
        walk = Walk(Decisions(Decider(book, {}), decisions, 1), Values(Solver(16), values, 1), 1)
        layers = walk.layers(np.array(roots(left + BEFORE, SEARCHED, seed), dtype=np.int64))
    layer, later = (next(one for one in layers if one.left == wanted) for wanted in (left, left - 2))
    there = layer.codes[layer.failing].tolist()
    return sorted({*there[:number], *_leading_to(set(later.codes[later.failing].tolist()), layer, number)})


def _leading_to(failing: set[int], layer: Layer, number: int) -> list[int]:
    """Return at most `number` positions of a layer that lead to a failing position in two moves."""
    found: list[int] = []
    for code, move in zip(layer.codes.tolist(), layer.moves.tolist(), strict=True):
        position, point = unpack(code), PASS if move == PASS_POINT else move
        if len(found) == number or position.ends_with(point):
            continue
        if not failing.isdisjoint(followers(image_of(position.play(point))).tolist()):
            found.append(code)
    return found
