"""Positions with made-up labels, in which a move wins if and only if a known rule fires for the move."""

from __future__ import annotations

import random
from functools import lru_cache

import numpy as np
from labelled_games import any_position

from littlego.knowledge.files import Knowledge, read_knowledge
from littlego.learning.mining.rules import Features, Rule
from littlego.learning.mining.table import Table, table_of
from littlego.rules.positionkey import pack
from littlego.truth.labels import ERRS_10
from littlego.truth.labels.labels import Labels, canonical_many, in_test

# the move is on the edge, below a stone of the mover
PLANTED: Rule = (("cell", -1, 0, "X"), ("cell", 0, -1, "O"), ("edge", 1, 4))
PATTERNS = "docs/tutorial/first.yaml"


@lru_cache(maxsize=1)
def knowledge() -> Knowledge:
    """Return a small knowledge base that lacks the planted rule."""
    return read_knowledge(PATTERNS)


@lru_cache(maxsize=1)
def codes(number: int = 450, seed: int = 3) -> np.ndarray:
    """Return the codes of random positions, some in the training part and some in the test part."""
    rng = random.Random(seed)
    positions = [any_position(rng, rng.randint(3, 12)) for _ in range(number)]
    return np.unique(canonical_many(np.array([pack(position) for position in positions], dtype=np.int64)))


def table(some: np.ndarray) -> Table:
    """Return the table of positions with dummy labels: only point 0 wins."""
    return table_of(some, np.ones(some.size, np.int32), knowledge().book)


@lru_cache(maxsize=1)
def planted() -> Labels:
    """Return positions of the training part in which exactly the planted rule's moves win."""
    some = codes()[~in_test(codes())]
    rows = table(some)
    fired = Features(rows).fired(PLANTED)
    winning = np.zeros(some.size, np.int32)
    np.bitwise_or.at(winning, rows.position[fired], np.int32(1) << rows.move[fired].astype(np.int32))
    return Labels(some, winning, np.full(some.size, ERRS_10, np.uint8))
