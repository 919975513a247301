"""Tests of the perfect player: the solver's moves, random choices by seed, and errors at a given rate."""

from __future__ import annotations

import pytest
from brute_force import moves, playout, winning

from littlego.cache import Cache
from littlego.match.protocol import Turn
from littlego.match.referee import Game
from littlego.players.perfect import PerfectPlayer
from littlego.players.roles.table import RolePlayer
from littlego.rules.positionkey import pack_move
from littlego.rules.ruleset import LITTLE_GO
from littlego.truth.solver import perfect

POSITIONS = [position for seed in range(40) for position in playout(seed, 0.05) if position.left in (2, 3, 4)]


@pytest.fixture
def player(tmp_path, monkeypatch):
    """Return PerfectPlayer with a small table and a cache in the test's folder."""
    monkeypatch.setattr(perfect, "BITS", 16)
    monkeypatch.setattr(perfect, "Cache", lambda name: Cache(name, tmp_path))
    return PerfectPlayer


def chosen(player, position):
    return player.choose(Turn(position, (0, 0))).move


def test_it_wins_what_can_be_won(player):
    perfect_player, won = player(1), 0
    for position in POSITIONS:
        mask = winning(position, 3, {})
        move = chosen(perfect_player, position)
        assert move in moves(position)
        assert not mask or mask >> pack_move(move) & 1
        won += bool(mask)
    assert 20 < won < len(POSITIONS)


def test_the_same_seed_draws_the_same_lots(player):
    def drawn(seed):
        return [chosen(player(seed), position) for position in POSITIONS[:30]]

    assert drawn(1) == drawn(1)
    assert len({tuple(drawn(seed)) for seed in range(4)}) > 1


def test_errors_are_any_legal_move_at_their_rate(player):
    erring, always = player(3, 0.3), player(3, 1.0)
    replies = [erring.choose(Turn(position, (0, 0))) for position in POSITIONS]
    mistakes = sum(reply.reason == "by mistake" for reply in replies)
    assert 0.15 < mistakes / len(POSITIONS) < 0.45
    assert all(always.choose(Turn(position, (0, 0))).reason == "by mistake" for position in POSITIONS[:20])
    lost = [position for position in POSITIONS if winning(position, 3, {})]
    assert any(not winning(one, 3, {}) >> pack_move(chosen(always, one)) & 1 for one in lost)


def test_it_plays_a_whole_game(player, monkeypatch):
    monkeypatch.setattr(perfect, "EXACT", 8)
    monkeypatch.setattr(perfect, "VALUED", 10)
    monkeypatch.setattr(perfect, "HORIZON", 6)
    record = Game((player(1), RolePlayer("random", 1)), LITTLE_GO).play()
    assert record.moves[0].move == 12 and not record.fault and record.winner == 1
