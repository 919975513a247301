"""Tests that values of many positions equal those of exhaustive play, and survive an interrupted run."""

from __future__ import annotations

import numpy as np
import pytest
from override_files import situations
from slow_walk import Truth, moves_of, roots

from littlego.cli.arguments import ArgumentError
from littlego.rules.positionkey import pack_move, unpack
from littlego.truth.proof import values as values_module
from littlego.truth.proof.checker import final_lead
from littlego.truth.proof.values import KnownValues, Values
from littlego.truth.solver.solver import Solver

TRUTH = Truth()


def values(folder, jobs=2) -> Values:
    return Values(Solver(16), folder, jobs)


@pytest.mark.parametrize("left", [3, 4, 5, 6])
def test_values_and_winning_moves_are_those_of_playing_everything_out(tmp_path, left):
    codes = np.array(roots(left, 30 if left < 6 else 4) * 2)  # each twice
    here = values(tmp_path)
    positions = [unpack(code) for code in codes.tolist()]
    assert here.wins(codes).tolist() == [TRUTH.wins(position) for position in positions]
    assert here.winning(codes).tolist() == [
        sum(1 << pack_move(move) for move in moves_of(position) if TRUTH.keeps(position, move))
        for position in positions
    ]


@pytest.mark.parametrize("left", [3, 4, 5])
def test_leads_without_pruning_have_the_same_winner(left):
    codes = np.array(roots(left, 20))
    leads = np.array([final_lead(code) for code in codes]) * 2 + (5 if left % 2 else -5)
    assert (leads > 0).tolist() == [TRUTH.wins(unpack(code)) for code in codes.tolist()]


def test_a_later_run_solves_nothing_again(tmp_path):
    codes = np.array([code for code in situations(3000, 2) if code >> 56 == 8])
    first, second = values(tmp_path), values(tmp_path)
    wins = first.wins(codes)
    assert first.solver.nodes > 1000
    assert (second.wins(codes) == wins).all()
    assert second.solver.nodes == 0


def test_what_was_solved_before_a_stop_is_kept(tmp_path, monkeypatch):
    codes = np.array(sorted(code for code in situations(3000, 2) if code >> 56 == 8))
    monkeypatch.setattr(values_module, "AT_ONCE", ((24, 1),))
    stopped = values(tmp_path, jobs=1)

    def over(pieces, *_):
        for number, piece in enumerate(pieces):
            if number == 10:
                raise KeyboardInterrupt
            yield piece

    monkeypatch.setattr(stopped.watch, "over", over)
    with pytest.raises(KeyboardInterrupt):
        stopped.wins(codes)
    known, wins = values(tmp_path).known.look_up(codes, 8)
    assert 10 <= known.sum() < codes.size
    assert (wins[known] == values(tmp_path / "anew").wins(codes)[known]).all()


def test_no_positions_have_no_values(tmp_path):
    assert values(tmp_path).wins(np.zeros(0, dtype=np.int64)).size == 0
    assert values(tmp_path).winning(np.zeros(0, dtype=np.int64)).size == 0


CODES = np.array([3, 5, 9], dtype=np.int64)


def known_values(folder) -> KnownValues:
    return KnownValues(folder, "wins", np.int8)


def test_what_is_added_is_found_also_by_the_next_run(tmp_path):
    one = known_values(tmp_path)
    one.add(np.array([9, 3]), np.array([1, 0]), 7)
    one.add(np.array([5]), np.array([1]), 7)
    for later in (one, saved(one, tmp_path)):
        known, numbers = later.look_up(np.array([9, 4, 3, 5, 11]), 7)
        assert known.tolist() == [True, False, True, True, False]
        assert numbers.tolist() == [1, 0, 0, 1, 0]
        assert not later.look_up(CODES, 8)[0].any()


def saved(one: KnownValues, folder) -> KnownValues:
    one.save()
    return known_values(folder)


def test_two_runs_add_to_one_file(tmp_path):
    one, other = known_values(tmp_path), known_values(tmp_path)
    for run in (one, other):
        run.look_up(CODES, 7)  # both runs read the file before either writes it
    one.add(CODES[:1], np.array([1]), 7)
    other.add(CODES[1:], np.array([1, 1]), 7)
    one.save()
    other.save()
    assert known_values(tmp_path).look_up(CODES, 7)[0].all()


def test_nothing_is_written_where_nothing_is_new(tmp_path):
    one = known_values(tmp_path)
    one.add(CODES[:0], CODES[:0], 7)
    one.look_up(CODES, 7)
    one.save()
    assert not list(tmp_path.iterdir())


def test_a_damaged_file_is_named(tmp_path):
    one = known_values(tmp_path)
    one.add(CODES, CODES, 7)
    one.save()
    path = next(tmp_path.iterdir())
    path.write_bytes(path.read_bytes()[:50])
    with pytest.raises(ArgumentError, match="wins-07.npz is damaged"):
        known_values(tmp_path).look_up(CODES, 7)
