"""The championship player's own board and its two searches, against the rules, the solver and plain minimax."""

from __future__ import annotations

import numpy as np
import pytest
from brute_force import playout

from rules.geometry import count, image_of, points_of, symmetry_tables
from rules.position import PASS
from rules.positionkey import LEFT_AT, unpack
from tools.labels import labels
from tools.opponents.roles.championship import (
    CHAINS,
    FULL,
    WON,
    Exact,
    Meter,
    Search,
    Stopped,
    around,
    children,
    evaluate,
    known_result,
    node_of,
    read_out,
)

POSITIONS = [position for seed in range(30) for position in playout(seed, 0.05)]
LIKED = dict((1 << point, 0) for point in range(25))
UNLIMITED = 1 << 40


def meter(nodes=UNLIMITED):
    return Meter(nodes, float("inf"))


def test_the_moves_are_those_of_the_rules():
    kos = 0
    for position in POSITIONS:
        found = {move: rest for *rest, move in children(position.own, position.theirs, position.ko, LIKED)}
        expected = {}
        for point in points_of(position.legal()):
            after = position.play(point)
            won = after.theirs.bit_count() - after.own.bit_count() - position.lead()
            expected[1 << point] = [after.own, after.theirs, after.ko, won]
        assert found == expected
        kos += any(rest[2] for rest in found.values())
    assert kos > 20


def test_chains_are_whole_with_their_neighbours_and_sizes():
    for position in POSITIONS[::5]:
        found = CHAINS[position.own]
        assert sum(chain for chain, _, _ in found) == position.own
        for chain, near, size in found:
            assert size == count(chain) and near == around(chain) & ~chain and not near & position.own


def test_what_was_liked_comes_first_among_equals():
    first = children(0, 0, 0, {**LIKED, 1 << 17: 3})[0]
    assert first[-1] == 1 << 17


def labelled(left, number):
    known = labels.load()
    found = np.flatnonzero(known.codes >> LEFT_AT == left)[:: max(1, 4000 // number)][:number]
    return [(unpack(int(known.codes[k])), int(known.winning[k])) for k in found]


@pytest.mark.parametrize(("left", "number"), [(4, 60), (7, 60), (9, 40), (11, 12)])
def test_who_wins_is_what_the_solver_says(left, number):
    won = 0
    for position, winning in labelled(left, number):
        assert node_of(position).won(Exact(meter())) == bool(winning)
        won += bool(winning)
    assert won


@pytest.mark.parametrize(("left", "number"), [(3, 60), (6, 40), (8, 25)])
def test_the_moves_that_keep_a_win_are_all_found(left, number):
    for position, winning in labelled(left, number):
        moves, why = read_out(node_of(position), meter())
        if winning:
            placements = winning & FULL
            assert sum(moves) == (placements or winning) and why == "won, read to the end"


def test_settled_is_never_wrong():
    told = 0
    for left in (5, 8, 10, 12):
        for position, winning in labelled(left, 300):
            known = known_result(position.own, position.theirs, left, position.lead())
            assert known is None or known == bool(winning)
            told += known is not None
    assert told > 20


def test_a_lost_position_is_left_with_the_fewest_winning_replies():
    lost = [position for left in (3, 4, 6) for position, winning in labelled(left, 400) if not winning]
    assert len(lost) > 10
    for position in lost[:40]:
        moves, why = read_out(node_of(position), meter())
        replies = {move: winning_replies(position, move) for move in [*points_of(position.legal()), PASS]}
        least = min(replies.values())
        assert why == f"lost, read to the end; winning replies: {least}"
        assert all(replies[PASS if move > FULL else move.bit_length() - 1] == least for move in moves)


def winning_replies(position, move):
    if position.ends_with(move):
        return 99
    after = position.play(move)
    replies = [*points_of(after.legal()), PASS]
    return sum(1 for reply in replies if not won_after(after, reply))


def won_after(position, move):
    """Return whether the side that is to move after a move wins."""
    if position.ends_with(move):
        lead = node_of(position.play(move)).lead
        return lead >= (-2 if position.left % 2 == 0 else 3)
    return node_of(position.play(move)).won(Exact(meter()))


def test_too_few_nodes_stop_the_search():
    position = next(one for one in POSITIONS if one.left == 12)
    with pytest.raises(Stopped):
        node_of(position).won(Exact(meter(20)))
    assert read_out(node_of(position), meter(20)) is None


def test_the_clock_stops_it_too_and_says_so():
    late = Meter(UNLIMITED, -1)
    search = Search(late)
    moves, _ = search.best(0, 0, 0, True, 24)
    assert late.late and 0 < search.depth < 24 and moves


def plain(position, depth):
    """Return the value that alpha-beta must find, by looking at every move."""
    left, lead = position.left, position.lead()
    need = -2 if left % 2 else 3
    if left == 0 or position.passed and lead >= need:
        return WON if lead >= need else -WON
    known = known_result(position.own, position.theirs, left, lead)
    if known is not None:
        return WON if known else -WON
    if depth == 0:
        return evaluate(position.own, position.theirs, left, lead)
    moves = points_of(position.legal()) + ([] if position.passed else [PASS])
    return max([-plain(position.play(move), depth - 1) for move in moves], default=-WON)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_pruning_changes_no_value(depth):
    chosen = [one for one in POSITIONS if 1 < one.left < 16][:: 12 * depth * depth]
    assert len(chosen) > 3
    for one in chosen:
        found = Search(meter()).value(
            one.own, one.theirs, one.ko, one.passed, one.left, one.lead(), depth, -WON - 1, WON + 1
        )
        assert found == plain(one, depth)


def test_all_moves_of_the_highest_value_are_found():
    for one in [one for one in POSITIONS if 3 < one.left < 14 and not one.passed][::25]:
        moves, value = Search(meter()).best(one.own, one.theirs, one.ko, one.passed, one.left, deepest=2)
        values = {move: -plain(one.play(move), 1) for move in [*points_of(one.legal()), PASS]}
        assert value == max(values.values())
        if abs(value) < WON:
            assert {PASS if move > FULL else move.bit_length() - 1 for move in moves} == {
                move for move in values if values[move] == value
            }


def test_the_evaluation_knows_no_direction():
    for one in POSITIONS[::20]:
        values = {
            evaluate(image_of(one.own, table), image_of(one.theirs, table), one.left, one.lead())
            for table in symmetry_tables(5)
        }
        assert len(values) == 1


def test_stones_in_atari_are_worth_less():
    own, attackers, elsewhere = 1 << 12, 1 << 7 | 1 << 11 | 1 << 13, 1 << 6 | 1 << 8 | 1 << 18
    assert evaluate(own, attackers, 14, -2) < evaluate(own, elsewhere, 14, -2)
