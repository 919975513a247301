"""Tests that the proof's walk equals a slow walk, and has no failures with the overrides it proposes."""

from __future__ import annotations

import numpy as np
import pytest
from given_away import given_away
from slow_walk import Truth, roots, slow_walk

from littlego.rules.patternfile import empty_book
from littlego.rules.position import opening
from littlego.rules.positionkey import pack, pack_move, unpack
from littlego.rules.ruleset import LITTLE_GO
from littlego.truth.labels.decider import BY_OVERRIDE, Decider
from littlego.truth.proof import threads
from littlego.truth.proof import walk as walk_module
from littlego.truth.proof.replayed import is_settled, openings_of
from littlego.truth.proof.values import Values
from littlego.truth.proof.walk import Decisions, SortedCodes, Walk, canonical_unique, followers, is_complete
from littlego.truth.solver.solver import Solver

BOOK = empty_book(LITTLE_GO)
TRUTH = Truth()
SEED = 7


def walk(folder, overrides=None, jobs=2, searched_from=24) -> Walk:
    decisions = Decisions(Decider(BOOK, overrides or {}), folder, jobs)
    return Walk(decisions, Values(Solver(16), folder, jobs), jobs, searched_from=searched_from)


def beginnings(left: int, number: int, failing: int = 3) -> list[int]:
    """Return `number` positions, and up to 2 * `failing` positions from which wins are given away."""
    return sorted({*roots(left, number, SEED), *(given_away(BOOK, left, failing) if failing else ())})


def start(left: int, number: int, failing: int = 3) -> np.ndarray:
    return np.array(beginnings(left, number, failing), dtype=np.int64)


@pytest.mark.parametrize("searched_from", [24, 0])  # failures are found on the way back or on the way down
@pytest.mark.parametrize(("left", "number"), [(6, 4), (5, 20)])
def test_every_layer_is_that_of_a_slow_walk(tmp_path, left, number, searched_from):
    cut: set[int] = set()
    slow = slow_walk(beginnings(left, number), BOOK, TRUTH, lambda code: is_settled(code) and not cut.add(code))
    fast = walk(tmp_path, searched_from=searched_from).layers(start(left, number))
    assert len(fast) == len(slow) == 2
    assert sum(len(layer.failing) for layer in slow) > 3 and (cut or left == 6)
    for found, wanted in zip(fast, slow, strict=True):
        assert found.codes.tolist() == sorted(wanted.moves)
        assert found.moves.tolist() == [pack_move(wanted.moves[code]) for code in sorted(wanted.moves)]
        assert set(found.codes[found.won].tolist()) == wanted.won
        thrown = dict(zip(found.codes[found.failing].tolist(), found.thrown.tolist(), strict=True))
        assert thrown == {code: pack_move(move) for code, move in wanted.failing.items()}
        assert found.cut == sum(code >> 56 == found.left for code in cut)


def test_with_an_override_for_each_failure_the_same_walk_has_none(tmp_path):
    first = walk(tmp_path).layers(start(6, 4))
    overrides = {}
    for layer in first:
        codes, moves = layer.codes[layer.failing], layer.moves[layer.failing]
        overrides.update(zip(codes.tolist(), moves.tolist(), strict=True))
    second = walk(tmp_path, overrides).layers(start(6, 4))
    assert sum(layer.failing.size for layer in first) == sum(layer.overruled for layer in second) > 0
    assert [layer.failing.size for layer in second] == [0, 0]
    assert [layer.digest for layer in second] == [layer.digest for layer in first]
    assert (second[0].deciders[first[0].failing] == BY_OVERRIDE).all()


def test_a_move_that_fails_is_blamed_even_if_an_override_chose_it(tmp_path):
    layer = walk(tmp_path).layers(start(6, 4))[0]
    index = int(np.flatnonzero(layer.won)[0])
    masks = walk(tmp_path).values.winning(layer.codes[index : index + 1])
    losing = [move for move in (25, *range(25)) if not masks[0] >> move & 1 and move_is_legal(layer.codes[index], move)]
    again = walk(tmp_path, {int(layer.codes[index]): losing[0]}).layers(start(6, 4))[0]
    at = again.failing.tolist().index(index)
    assert again.thrown[at] == losing[0] and again.winning[at] == masks[0]
    assert again.deciders[index] == BY_OVERRIDE
    assert masks[0] >> int(again.moves[index]) & 1


def move_is_legal(code, move) -> bool:
    return move == 25 or bool(unpack(code).legal() >> move & 1)


def test_one_thread_walks_as_two_do_and_in_small_pieces(tmp_path, monkeypatch):
    layers = [layer.digest for layer in walk(tmp_path / "a").layers(start(5, 20))]
    monkeypatch.setattr(threads, "PIECE", 7)
    monkeypatch.setattr(walk_module, "MERGED_FROM", 50)
    assert [layer.digest for layer in walk(tmp_path / "b", jobs=1).layers(start(5, 20))] == layers


def test_further_from_the_end_both_ways_to_judge_agree(tmp_path):
    found = [walk(tmp_path / str(left), searched_from=left).layers(start(7, 12, failing=8)) for left in (0, 5, 24)]
    for layers in found[1:]:
        for layer, other in zip(found[0], layers, strict=True):
            assert all(np.array_equal(one, another) for one, another in zip(layer, other, strict=True))
    assert sum(layer.failing.size for layer in found[0]) > 10


def test_what_lies_behind_repairs_is_found_before_everything_is_walked_again(tmp_path, monkeypatch):
    told, slowly = [], []
    quick = walk(tmp_path / "a").layers(start(9, 60, failing=0), tell=told.append)
    monkeypatch.setattr(Walk, "follow_repairs", lambda *_: 0)
    slow = walk(tmp_path / "b").layers(start(9, 60, failing=0), tell=slowly.append)
    for layer, other in zip(quick, slow, strict=True):
        assert all(np.array_equal(one, another) for one, another in zip(layer, other, strict=True))
    times = [sum("repeating the walk" in line for line in lines) for lines in (told, slowly)]
    assert times[0] == 1 < times[1]


def test_a_walk_that_was_stopped_decides_nothing_again(tmp_path, monkeypatch):
    whole = walk(tmp_path).layers(start(5, 20))
    again = walk(tmp_path)
    monkeypatch.setattr(again.decisions.decider, "by_patterns", lambda codes: pytest.fail("decided again"))
    assert [layer.digest for layer in again.layers(start(5, 20))] == [layer.digest for layer in whole]


def test_a_walk_may_end_early(tmp_path):
    layers = walk(tmp_path).layers(start(7, 12), down_to=4)
    assert [layer.left for layer in layers] == [7, 5]
    assert not is_complete(layers, 4)
    whole = walk(tmp_path).layers(start(7, 12))
    assert is_complete(whole, 0)
    for layer, other in zip(layers, whole[:2], strict=True):
        assert layer.won.tolist() == other.won.tolist() and layer.digest == other.digest


def test_the_walk_begins_where_the_game_does():
    code = pack(opening(LITTLE_GO))
    assert openings_of("black") == {code} == set(canonical_unique(np.array([code])).tolist())
    assert openings_of("white") == set(followers(code).tolist())
    assert len(openings_of("white")) == 6


def test_codes_that_come_piece_by_piece_are_kept_once_in_order_and_sorted_a_few_times():
    random = np.random.default_rng(1)
    pieces = [np.unique(random.integers(0, 40_000, 50)) for _ in range(2000)]
    found, sortings = SortedCodes(least=500), 0
    for piece in pieces:
        found.add(piece)
        before = found.sorted
        found.join()
        sortings += found.sorted is not before
    assert found.all().tolist() == sorted({code for piece in pieces for code in piece.tolist()})
    assert sortings < 30  # pieces are sorted together, not each piece separately


def test_codes_that_come_while_others_are_joined_are_not_lost(monkeypatch):
    found = SortedCodes(least=0)
    found.add(np.array([5, 1]))
    concatenated = walk_module.concatenate

    def slowly(arrays):
        if not found.sorted.size:
            found.add(np.array([3]))  # as another thread does
        return concatenated(arrays)

    monkeypatch.setattr(walk_module, "concatenate", slowly)
    found.join()
    assert found.all().tolist() == [1, 3, 5]
