"""Facts about positions in files."""

from __future__ import annotations

import numpy as np
import pytest

from tools.arguments import ArgumentError
from tools.proof.values import KnownValues

CODES = np.array([3, 5, 9], dtype=np.int64)


def facts(folder) -> KnownValues:
    return KnownValues(folder, "wins", np.int8)


def test_what_is_added_is_found_also_by_the_next_run(tmp_path):
    one = facts(tmp_path)
    one.add(np.array([9, 3]), np.array([1, 0]), 7)
    one.add(np.array([5]), np.array([1]), 7)
    for later in (one, saved(one, tmp_path)):
        known, numbers = later.look_up(np.array([9, 4, 3, 5, 11]), 7)
        assert known.tolist() == [True, False, True, True, False]
        assert numbers.tolist() == [1, 0, 0, 1, 0]
        assert not later.look_up(CODES, 8)[0].any()


def saved(one: KnownValues, folder) -> KnownValues:
    one.save()
    return facts(folder)


def test_two_runs_add_to_one_file(tmp_path):
    one, other = facts(tmp_path), facts(tmp_path)
    for run in (one, other):
        run.look_up(CODES, 7)  # both have read the file before either writes
    one.add(CODES[:1], np.array([1]), 7)
    other.add(CODES[1:], np.array([1, 1]), 7)
    one.save()
    other.save()
    assert facts(tmp_path).look_up(CODES, 7)[0].all()


def test_nothing_is_written_where_nothing_is_new(tmp_path):
    one = facts(tmp_path)
    one.add(CODES[:0], CODES[:0], 7)
    one.look_up(CODES, 7)
    one.save()
    assert not list(tmp_path.iterdir())


def test_a_damaged_file_is_named(tmp_path):
    one = facts(tmp_path)
    one.add(CODES, CODES, 7)
    one.save()
    path = next(tmp_path.iterdir())
    path.write_bytes(path.read_bytes()[:50])
    with pytest.raises(ArgumentError, match="wins-07.npz is damaged"):
        facts(tmp_path).look_up(CODES, 7)
