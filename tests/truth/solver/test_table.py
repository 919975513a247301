"""Tests of the solver's table: an entry identifies its position exactly."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from littlego.engines.compiled.board import jit
from littlego.rules.positionkey import LEFT_AT, pack
from littlego.truth.solver import table
from littlego.truth.solver.solver import Solver
from littlego.truth.solver.vectors import read_vectors

FILE = Path(__file__).parents[2] / "data" / "solver_vectors.txt"
WORD = 2**64


@jit
def mixed(code):
    return table.mixed(code)


@jit
def keep(code, wins, move, entries):
    table.keep(code, wins, move, entries)


@jit
def find(code, entries):
    return table.find(code, entries)


def codes(number: int) -> list[int]:
    chance = random.Random(number)
    return [chance.randrange(1, 25) << LEFT_AT | chance.randrange(1 << LEFT_AT) for _ in range(number)]


def test_mixing_can_be_undone():
    for code in [0, 1, (1 << 61) - 1, *codes(2000)]:
        assert table.unmixed(int(mixed(np.int64(code)))) == code


@pytest.mark.parametrize("bits", [table.SMALLEST, 18])
def test_what_is_found_is_what_was_kept_for_this_code(bits):
    entries = table.make_table(bits)
    kept = {code: (number % 2, number % 26) for number, code in enumerate(codes(60_000))}
    for code, (wins, move) in kept.items():
        keep(np.int64(code), wins, move, entries)
    found = {code: find(np.int64(code), entries) for code in kept}
    known = {code: facts for code, facts in found.items() if facts[0] != table.UNKNOWN}
    assert known == {code: kept[code] for code in known}
    assert len(known) > 0.99 * min(len(kept), 1 << bits)
    assert all(find(np.int64(code), entries)[0] == table.UNKNOWN for code in codes(5000))


def test_the_last_word_on_a_code_counts():
    entries = table.make_table(table.SMALLEST)
    for wins, move in ((0, 0), (1, 25), (1, 7)):
        keep(np.int64(3 << LEFT_AT), wins, move, entries)
        assert find(np.int64(3 << LEFT_AT), entries) == (wins, move)
    assert np.count_nonzero(entries) == 1


def test_a_full_bucket_gives_up_what_is_nearest_to_the_end():
    entries = table.make_table(table.SMALLEST)
    buckets = entries.size // table.WAYS
    same = [code for code in codes(100_000) if int(mixed(np.int64(code))) % buckets == 0]
    same = list({code >> LEFT_AT: code for code in same}.values())
    assert len(same) > 5
    for code in same:
        keep(np.int64(code), 1, 3, entries)
    last = same[-1]
    known = {code for code in same if find(np.int64(code), entries)[0] != table.UNKNOWN}
    assert known == {last, *sorted((code for code in same if code != last), reverse=True)[:3]}


@pytest.mark.parametrize("bits", [0, table.SMALLEST - 1])
def test_a_table_has_a_least_size(bits):
    with pytest.raises(ValueError, match=f"a table of 2\\*\\*{bits} entries, expected 2\\*\\*14 or more"):
        table.make_table(bits)


def test_a_crowded_table_changes_no_value():
    vectors = [vector for vector in read_vectors(str(FILE)) if vector.left == 12][:8]
    solver = Solver(table.SMALLEST)
    assert [solver.winning(pack(vector.position)) for vector in vectors] == [vector.winning for vector in vectors]
    assert np.count_nonzero(solver.table) > 0.9 * solver.table.size
