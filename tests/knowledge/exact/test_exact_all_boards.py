"""Tests of exact answers for patterns without facts, checked on all 24,318,165 legal 4x4 boards."""

from __future__ import annotations

from collections import Counter
from random import Random

from all_boards import PASSES, parts
from small_universe import random_pattern, relaxed

from littlego.knowledge.exact.questions import NO, YES, Exact
from littlego.rules.ruleset import Ruleset

LONG_GAME = Ruleset("little-go-4", 4, komi2=4, length=40)  # long enough for every legal board to occur
LEGAL_BOARDS = 24_318_165  # as others counted
MOVES = (0, 1, 5, PASSES)  # a corner, a side and an inner point: all other moves are equivalent by symmetry
FAMILIES, SEED = 15, 7


def test_every_pair_of_patterns_on_every_board():
    seed, patterns, pairs = Random(SEED), [], []
    for k in range(0, 2 * FAMILIES, 2):
        patterns.append(random_pattern(seed, facts=False))
        patterns.append(relaxed(patterns[-1], seed))
        pairs += [(k, k + 1), (k + 1, k), (k, seed.randrange(k + 1))]
    legal, fires, without, together = 0, Counter(), Counter(), Counter()
    for part in parts():
        legal += part.legal.bit_count()
        for move in MOVES:
            fired = [part.fires(pattern.rows, move) for pattern in patterns]
            for k, boards in enumerate(fired):
                fires[k] += boards.bit_count()
            for p, q in pairs:
                without[p, q] += (fired[p] & ~fired[q]).bit_count()
                together[p, q] += (fired[p] & fired[q]).bit_count()
    assert legal == LEGAL_BOARDS
    exact = Exact(patterns, LONG_GAME, positions=[])
    for k, pattern in enumerate(patterns):
        assert exact.can_be_legal(k).verdict == (YES if fires[k] else NO), pattern
    for p, q in pairs:
        rows = patterns[p].rows, patterns[q].rows
        assert exact.implies(p, q).verdict == (NO if without[p, q] else YES), rows
        assert exact.cofire(p, q).verdict == (YES if together[p, q] else NO), rows
    firing = [pair for pair in pairs if fires[pair[0]]]
    follows = [pair for pair in firing if not without[pair]]
    assert len(follows) > FAMILIES / 2 and len(firing) - len(follows) > FAMILIES / 2
