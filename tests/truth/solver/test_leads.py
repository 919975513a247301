"""Tests of a perfect player's choices, compared with exhaustive play."""

from __future__ import annotations

import brute_force
import pytest

from littlego.cache import Cache
from littlego.rules.position import BLACK, PASS, Position, opening
from littlego.rules.positionkey import pack, pack_move
from littlego.rules.ruleset import LITTLE_GO
from littlego.truth.solver import leads as leads_module
from littlego.truth.solver import perfect
from littlego.truth.solver.leads import Leads, best_moves
from littlego.truth.solver.perfect import Perfect
from littlego.truth.solver.solver import GOAL, Solver

POSITIONS = [position for seed in range(60) for position in brute_force.playout(seed, 0.06) if 2 <= position.left <= 4]


@pytest.fixture
def solver():
    return Solver(14)


def own_lead(position, move, known):
    lead = brute_force.lead_after(position, move, known)
    return lead if position.colour == BLACK else -lead


def winning_replies(position, move, known):
    if position.ends_with(move):
        return leads_module.NEVER
    return brute_force.winning(position.play(move), GOAL, known).bit_count()


def best_by_brute_force(position, known):
    """Return the expected result of best_moves with few moves left, by exhaustive play."""
    moves = brute_force.moves(position)
    won = [move for move in moves if brute_force.winning(position, GOAL, known) >> pack_move(move) & 1]
    if not won:
        replies = {move: winning_replies(position, move, known) for move in moves}
        won = [move for move in moves if replies[move] == min(replies.values())]
    leads = {move: own_lead(position, move, known) for move in won}
    return sorted(pack_move(move) for move in won if leads[move] == max(leads.values()))


def test_of_winning_moves_the_best_lead_of_losing_ones_the_fewest_winning_replies(solver):
    leads, known, lost = Leads(solver, 14), {}, 0
    for position in POSITIONS:
        assert sorted(best_moves(pack(position), solver, leads)) == best_by_brute_force(position, known)
        lost += not brute_force.winning(position, GOAL, known)
    assert 20 < lost < len(POSITIONS) - 20


def test_where_leads_cost_too_much_winners_leave_the_fewest_answers(solver, monkeypatch):
    monkeypatch.setattr(leads_module, "LEADS", 0)
    leads, known, narrowed = Leads(solver, 14), {}, 0
    for position in POSITIONS:
        mask = brute_force.winning(position, GOAL, known)
        won = [move for move in brute_force.moves(position) if mask >> pack_move(move) & 1]
        if not won:
            continue
        answers = {move: 0 if position.ends_with(move) else len(brute_force.moves(position.play(move))) for move in won}
        expected = [pack_move(move) for move in won if answers[move] == min(answers.values())]
        assert sorted(best_moves(pack(position), solver, leads)) == sorted(expected)
        narrowed += len(expected) < len(won)
    assert narrowed > 5


@pytest.fixture
def player(tmp_path, monkeypatch):
    monkeypatch.setattr(perfect, "BITS", 16)
    return Perfect(Cache("perfect", tmp_path))


def test_the_player_chooses_so_near_the_end(player):
    known: dict = {}
    for position in POSITIONS[::3]:
        assert player.moves(pack(position)) == best_by_brute_force(position, known)


def test_what_was_found_is_kept_modulo_symmetry(player, tmp_path, monkeypatch):
    position = next(one for one in POSITIONS if one.left == 4 and not one.ko)
    turned = Position(LITTLE_GO, *_turned(position), position.colour, 0, position.passed, 4)
    found = player.moves(pack(position))
    again = Perfect(Cache("perfect", tmp_path))
    monkeypatch.setattr(again, "_best", None)
    assert again.moves(pack(position)) == found
    rows = sorted(move if move == 25 else move % 5 * 5 + move // 5 for move in found)
    assert again.moves(pack(turned)) == rows


def _turned(position):
    """Return (black, white) with rows and columns exchanged."""
    masks = position.black, position.white
    return [sum(1 << point % 5 * 5 + point // 5 for point in range(25) if mask >> point & 1) for mask in masks]


def test_further_from_the_end_it_keeps_every_win(player, monkeypatch):
    monkeypatch.setattr(perfect, "EXACT", 1)
    monkeypatch.setattr(perfect, "HORIZON", 2)
    known, kept = {}, 0
    for position in POSITIONS[::2]:
        mask = brute_force.winning(position, GOAL, known)
        chosen = player.moves(pack(position))
        assert chosen
        if mask:
            assert all(mask >> move & 1 for move in chosen)
            kept += 1
    assert kept > 20


def test_furthest_from_the_end_it_plays_for_the_lead_of_a_shorter_game(player, monkeypatch):
    monkeypatch.setattr(perfect, "EXACT", 1)
    monkeypatch.setattr(perfect, "VALUED", 1)
    monkeypatch.setattr(perfect, "HORIZON", 2)
    known: dict = {}
    for position in POSITIONS[::2]:
        black, white, colour = position.black, position.white, position.colour
        left = 2 if colour == BLACK else 3
        shorter = Position(LITTLE_GO, black, white, colour, position.ko, position.passed, left)
        moves = brute_force.moves(shorter)
        leads = {move: own_lead(shorter, move, known) for move in moves}
        best = sorted(pack_move(move) for move in moves if leads[move] == max(leads.values()))
        expected = [move for move in best if move % 5 in (1, 2, 3) and move // 5 in (1, 2, 3)] or best
        assert player.moves(pack(position)) == expected


def test_the_first_move_is_known(player):
    assert player.moves(pack(opening(LITTLE_GO))) == [12]
    assert player.solver.nodes == 0


def test_a_pass_that_ends_the_game_sets_no_trap(player):
    lost = [one for one in POSITIONS if one.passed and not brute_force.winning(one, GOAL, {})]
    assert lost
    for position in lost:
        assert pack_move(PASS) not in player.moves(pack(position)) or not position.legal()
