"""Tests of labelling: the selected positions, and resuming after a stop at any point."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from labelled_games import solved

from littlego.learning import labelling
from littlego.learning.labelling import Met, label_positions, sample_positions
from littlego.truth.labels import CENTRE, ERRS_0, ERRS_10, MET, TREE
from littlego.truth.labels.labels import (
    canonical_many,
    find_places,
    in_test,
    load,
    load_known,
    moves_left,
    scatter,
)

ROOT = Path(__file__).parents[2]
STOPPED = """
import os, sys, time
from pathlib import Path
sys.path[:0] = ["tests/support", "tests/learning"]
from test_labelling import Counting, everything
from littlego.learning import labelling
path, signal, labelling.SAVED_EVERY = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
counting = Counting()

def solve(codes):
    if len(counting.asked) >= 40:
        os.kill(os.getpid(), signal)
        time.sleep(100)
    return counting(codes)

labelling.label_positions(everything(), path, solve, 2)
"""


class Counting:
    """A fake solver that looks up known answers and records the requested positions."""

    def __init__(self):
        self.asked: list[int] = []

    def __call__(self, codes: np.ndarray) -> np.ndarray:
        self.asked += codes.tolist()
        return solved().winning[find_places(canonical_many(codes), solved().codes)]


class Interrupted(Counting):
    """A fake solver that raises an error once it has solved `after` positions."""

    def __init__(self, after: int):
        super().__init__()
        self.after = after

    def __call__(self, codes: np.ndarray) -> np.ndarray:
        if len(self.asked) >= self.after:
            raise OSError("stopped")
        return super().__call__(codes)


def everything() -> Met:
    return Met(solved().codes, solved().tags)


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    monkeypatch.setattr(labelling, "AT_ONCE", ((24, 7),))


@pytest.mark.parametrize("jobs", [1, 3])
def test_labels_are_what_the_solver_says(tmp_path, jobs):
    path, solve = tmp_path / "labels.npz", Counting()
    found = label_positions(everything(), path, solve, jobs)
    for wanted, given, kept in zip(solved(), found, load(path=path), strict=True):
        assert (wanted == given).all() and (wanted == kept).all()
    assert sorted(solve.asked) == solved().codes.tolist()


def test_what_was_done_before_a_stop_is_not_done_again(tmp_path):
    path, first, second = tmp_path / "labels.npz", Interrupted(50), Counting()
    with pytest.raises(OSError, match="stopped"):
        label_positions(everything(), path, first, 1)
    label_positions(everything(), path, second, 1)
    assert len(first.asked) >= 50 and sorted(first.asked + second.asked) == solved().codes.tolist()
    fours = [code for code in first.asked + second.asked if code >> 56 == 4]
    # in random order, so that a partial result is a random sample
    assert fours == sorted(fours, key=lambda code: scatter(np.array([code]))[0])
    assert all((read == wanted).all() for read, wanted in zip(load(path=path), solved(), strict=True))


@pytest.mark.parametrize("number, saved_every", [(signal.SIGKILL, 0), (signal.SIGINT, 100)])
def test_a_process_that_is_stopped_ends_at_once_and_leaves_what_it_had_done(tmp_path, number, saved_every):
    path, rest = tmp_path / "labels.npz", Counting()
    command = [sys.executable, "-c", STOPPED, str(path), str(int(number)), str(saved_every)]
    # the process is stopped long before the solver starts
    done = subprocess.run(command, cwd=ROOT, timeout=60, capture_output=True)
    assert done.returncode == -number and 0 < load_known(path).codes.size < solved().codes.size
    saved = load_known(path).codes
    label_positions(everything(), path, rest, 1)
    assert sorted([*saved.tolist(), *rest.asked]) == solved().codes.tolist()
    assert list(tmp_path.iterdir()) == [path]


def test_two_runs_on_one_file_keep_the_work_of_both(tmp_path):
    path, half = tmp_path / "labels.npz", np.arange(solved().codes.size) % 2 == 0

    class Beside(Counting):
        """A fake solver during whose call another run labels the other half of the positions."""

        def __call__(self, codes: np.ndarray) -> np.ndarray:
            if not self.asked:
                label_positions(Met(solved().codes[~half], solved().tags[~half]), path, Counting(), 1)
            return super().__call__(codes)

    found = label_positions(Met(solved().codes[half], solved().tags[half]), path, Beside(), 1)
    for wanted, given, kept in zip(solved(), found, load(path=path), strict=True):
        assert (wanted == given).all() and (wanted == kept).all()


def test_a_file_that_is_damaged_during_a_run_is_made_whole_again(tmp_path):
    path = tmp_path / "labels.npz"
    label_positions(Met(solved().codes[:9], solved().tags[:9]), path, Counting(), 1)

    class Damaging(Counting):
        def __call__(self, codes: np.ndarray) -> np.ndarray:
            path.write_bytes(b"PK")
            return super().__call__(codes)

    label_positions(everything(), path, Damaging(), 1)
    assert all((read == wanted).all() for read, wanted in zip(load(path=path), solved(), strict=True))


def test_positions_labelled_before_keep_their_labels_and_gain_tags(tmp_path):
    path, again = tmp_path / "labels.npz", Counting()
    label_positions(everything(), path, Counting(), 1)
    more = everything()._replace(tags=np.full_like(solved().tags, CENTRE))
    assert (label_positions(more, path, again, 1).tags == solved().tags | CENTRE).all() and not again.asked
    assert (load(path=path).tags & CENTRE).all()


def test_a_larger_sample_holds_the_smaller_and_other_positions_do_not_move_it():
    met = everything()
    numbers = dict.fromkeys(range(1, 5), 3)
    small, large = sample_positions(met, numbers), sample_positions(met, dict.fromkeys(range(1, 5), 9))
    assert set(small.codes) < set(large.codes) < set(met.codes)
    fewer = Met(*(column[met.tags == ERRS_10] for column in met))
    alone, within = sample_positions(fewer, numbers), set(small.codes[small.tags & MET != 0])
    assert set(alone.codes) == within
    for left in range(1, 5):
        for part in (True, False):
            here = (moves_left(small.codes) == left) & (in_test(small.codes) == part) & (small.tags & MET != 0)
            there = (moves_left(met.codes) == left) & (in_test(met.codes) == part) & (met.tags & MET != 0)
            assert here.sum() == min(3, there.sum())


def test_tags_name_the_samples_and_not_every_place():
    codes = solved().codes[moves_left(solved().codes) == 4]
    codes = codes[in_test(codes)]
    met = Met(codes, np.full(codes.size, ERRS_0 | TREE, dtype=np.uint8))
    found = sample_positions(met, {4: 4})
    assert codes.size > 4 and sorted(found.tags.tolist()) == [ERRS_0] * 3 + [ERRS_0 | TREE]
