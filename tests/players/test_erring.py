"""Tests of players that err at a given rate."""

from __future__ import annotations

import os

import pytest
from brute_force import playout

from littlego.match.protocol import Turn
from littlego.match.referee import Game
from littlego.players.erring import BY_MISTAKE
from littlego.players.registry import UnknownPlayerError, make_player, parse
from littlego.rules.position import PASS
from littlego.rules.ruleset import LITTLE_GO

TURNS = [Turn(position, (0, 0)) for seed in range(12) for position in playout(seed)]


def replies(name, seed=1):
    player = make_player(name, seed)
    return [player.choose(turn) for turn in TURNS]


def test_it_errs_at_its_rate_with_any_legal_move():
    found = replies("erring:0.3:alphabeta")
    mistakes = [(turn, reply) for turn, reply in zip(TURNS, found, strict=True) if reply.reason == BY_MISTAKE]
    assert 0.2 < len(mistakes) / len(TURNS) < 0.4
    for turn, reply in mistakes:
        assert turn.position.legal() >> reply.move & 1 if reply.move != PASS else not turn.position.legal()


def test_else_it_plays_as_the_player_does():
    plain, erring = replies("greedy"), replies("erring:0.3:greedy")
    kept = [(a.move, b.move) for a, b in zip(plain, erring, strict=True) if b.reason != BY_MISTAKE]
    assert len(kept) > 100 and all(a == b for a, b in kept)
    assert [a.move for a in plain] == [a.move for a in replies("erring:0:greedy")]


def test_the_seed_decides_when_it_errs():
    def mistakes(seed):
        return [reply.reason for reply in replies("erring:0.5:random", seed)]

    assert mistakes(1) == mistakes(1) != mistakes(2)


def test_a_program_errs_too_and_its_folder_goes():
    player = make_player("erring:1:file:greedy", 1)
    folder = player.player.folder
    record = Game((player, make_player("random", 1)), LITTLE_GO).play()
    assert not record.fault and all(move.reason == BY_MISTAKE for move in record.moves[::2])
    player.close()
    assert player.name == "erring:1:file:greedy"
    assert not os.path.exists(folder)


def test_a_program_in_its_own_folder_is_known_behind_the_rate():
    assert (
        parse("erring:0.1:file:cwd=theirs:python3 a.py").folder == "theirs" and parse("erring:0.1:ours").folder is None
    )


@pytest.mark.parametrize("name", ["erring", "erring:", "erring:0.1", "erring:2:ours", "erring:x:ours", "erring:0.1:no"])
def test_a_wrong_name_is_told(name):
    with pytest.raises(UnknownPlayerError):
        make_player(name, 0)
