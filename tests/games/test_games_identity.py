"""Tests that the score of a match can be computed from its moves alone.

Black's lead D is T + S + R - K. T is Black's territory minus White's, S Black's stones on the board minus White's, R
Black's prisoners minus White's, and K the komi.

Let M be Black's placements minus White's, C the stones that Black captures minus those that White captures, and P
White's passes minus Black's. The stones on the board were placed and not captured, so S = M + C. A captured stone is a
prisoner, and with pass stones each pass gives the opponent a prisoner, so R = C + P. Therefore

    D = T + 2C + M + P - K   with pass stones.

Turns alternate. From an empty board, Black has had e more turns than White: e = 1 after an odd number of moves, else 0.
Each turn is a placement or a pass, so M = P + e and

    D = T + 2C + 2P + e - K   with pass stones,
    D = T + 2C +  P + e - K   without pass stones.

AGA rules count captures and pass stones once instead of twice: T + C + P. Area scoring counts T + M + C, so a captured
stone is worth one point more in this match, with or without pass stones.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_boards import SEEDS
from random_matches import random_match
from slow_match import SlowMatch

from littlego.games.boards import board_rows
from littlego.games.game import is_open, margin2
from littlego.games.match import MatchPosition
from littlego.rules.geometry import count
from littlego.rules.position import BLACK, WHITE

SIGNS = {BLACK: 1, WHITE: -1}


def counted(positions: list[MatchPosition]) -> tuple[int, int, int]:
    """Return (M, C, P) of a match, from the changes on its boards."""
    placed = captured = passed = 0
    for before, after in zip(positions, positions[1:], strict=False):
        sign = SIGNS[before.colour]
        placed += sign * count(after.theirs & ~before.own)
        captured += sign * count(before.theirs & ~after.own)
        passed -= sign * ((before.black, before.white) == (after.black, after.white))
    return placed, captured, passed


def territory_of(position: MatchPosition) -> int:
    """Return the territory difference T as the slow referee counts it."""
    rows = board_rows(position.ruleset.size, position.black, position.white)
    black, white = SlowMatch([list(row.translate(str.maketrans("XO", "BW"))) for row in rows]).territory()
    return black - white


@pytest.mark.parametrize("pass_stones", [True, False])
@settings(max_examples=40, deadline=None)
@given(seed=SEEDS, size=st.sampled_from([5, 6, 7, 9]), komi2=st.integers(-20, 20), plies=st.integers(0, 150))
def test_the_lead_is_territory_and_captures_and_passes_twice(pass_stones, seed, size, komi2, plies):
    positions = random_match(seed, size, plies, komi2=komi2, pass_stones=pass_stones)
    last = positions[-1]
    placed, captured, passed = counted(positions)
    lead, komi, territory = Fraction(margin2(last), 2), Fraction(komi2, 2), territory_of(last)
    odd = (len(positions) - 1) % 2
    assert placed == passed + odd
    assert lead == territory + 2 * captured + placed + (passed if pass_stones else 0) - komi
    assert lead == territory + 2 * captured + (2 if pass_stones else 1) * passed + odd - komi
    assert last.score().margin2(komi2) == margin2(last)
    area = sum(black - white for black, white in last.score()[:2])
    assert area == territory + placed + captured


def test_the_matches_that_it_is_held_to_have_captures_and_passes_of_both():
    seen = [counted(random_match(seed, 6, 100)) for seed in range(20)]
    for sums in zip(*seen, strict=True):
        assert min(sums) < 0 < max(sums)


def test_a_point_is_open_where_it_is_among_the_legal_ones():
    for seed in range(20):
        for position in random_match(seed, 6, 100):
            legal = position.legal()
            position._legal = None  # clears the cache
            assert sum(1 << point for point in range(36) if is_open(position, point)) == legal
