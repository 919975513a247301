"""Tests of how often the player beats the course's roles; the full series are marked slow."""

from __future__ import annotations

import os

import pytest

from littlego.match.series import colour_of, own_moves, pairings, play_all, tally
from littlego.players.registry import player_for

# role, minimum share of wins in each colour, games in each colour, random plies before (alphabeta is deterministic)
ROLES = [
    ("random", 0.99, 1000, 0),
    ("greedy", 0.99, 400, 0),
    ("aggressive", 0.99, 400, 0),
    ("alphabeta", 0.95, 400, 2),
]


def won(first: str, role: str, games: int, jobs: int, openings: int = 0) -> dict:
    """Return {colour: the first player's share of wins}; no fault and no warning may occur."""
    results = list(play_all(pairings(first, role, games, seed=1, openings=openings), player_for, jobs))
    ours = tally(results, first=True)
    assert not any(move.warning for game, record in results for move in own_moves(record, colour_of(game, True)))
    assert not any(part.faults for part in ours.values())
    return {colour: part.wins / part.games for colour, part in ours.items()}


@pytest.mark.parametrize("role, share, games, openings", ROLES)
def test_wins_a_short_series(role, share, games, openings):
    for colour, reached in won("ours", role, 12, 1, openings).items():
        assert reached >= share - 0.1, (role, colour)


@pytest.mark.slow
@pytest.mark.parametrize("role, share, games, openings", ROLES)
def test_wins_the_full_series(role, share, games, openings):
    for colour, reached in won("ours", role, 2 * games, os.cpu_count() or 1, openings).items():
        assert reached >= share, (role, colour)


@pytest.mark.slow
def test_wins_over_the_file_protocol():
    for colour, reached in won("my_player3", "random", 2000, jobs=os.cpu_count() or 1).items():
        assert reached >= 0.99, colour
