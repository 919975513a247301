"""Random openings: reproducible, legal, and countable from the stones alone."""

from hypothesis import given
from hypothesis import strategies as st

from rules.geometry import count
from rules.position import opening
from rules.ruleset import LITTLE_GO, little_go
from rules.turn import least_moves_made
from tools.match.openings import random_opening


@given(st.integers(0, 10**9), st.integers(0, 12), st.sampled_from([LITTLE_GO, little_go(4), little_go(9)]))
def test_every_move_is_a_legal_placement_that_captures_nothing(seed, plies, ruleset):
    position = opening(ruleset)
    for made, move in enumerate(random_opening(ruleset, plies, seed), 1):
        assert position.legal() >> move & 1
        position = position.play(move)
        assert count(position.black) + count(position.white) == made
        assert least_moves_made(position.black, position.white, position.colour) == made


def test_the_seed_decides():
    openings = {random_opening(LITTLE_GO, 4, seed) for seed in range(50)}
    assert len(openings) > 45
    assert random_opening(LITTLE_GO, 4, 7) == random_opening(LITTLE_GO, 4, 7)


def test_it_stops_where_no_quiet_move_is_left():
    assert 4 < len(random_opening(LITTLE_GO, 100, 1)) < 25
