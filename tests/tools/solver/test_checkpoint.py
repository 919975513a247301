"""Checkpoints: what was proved comes back into a table of any size, and damage is told in one line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rules.positionkey import pack
from tools.compiled.board import compiled
from tools.solver import table
from tools.solver.solver import GOAL, Solver
from tools.solver.table import CheckpointError
from tools.solver.vectors import read_vectors

FILE = Path(__file__).parents[2] / "data" / "solver_vectors.txt"
BITS = 17


@compiled
def decoded(entries, buckets):
    """Return the mixed code of each entry of a table, 0 for none."""
    words = np.zeros(entries.size, dtype=np.uint64)
    for at in range(entries.size):
        if entries[at]:
            words[at] = (entries[at] >> np.uint64(12)) * np.uint64(buckets) + np.uint64(at // 4)
    return words


def facts(entries: np.ndarray) -> dict[int, int]:
    """Return, by mixed code, the value, move and moves left of all that a checkpoint keeps of a table."""
    words = decoded(entries, entries.size // table.WAYS).tolist()
    held = {word: int(entry) & 0xFFF for word, entry in zip(words, entries.tolist(), strict=True) if entry}
    return {word: entry for word, entry in held.items() if entry >> table.LEFT_AT >= table.LEAST_LEFT}


@pytest.fixture(scope="module")
def vector():
    return next(vector for vector in read_vectors(str(FILE)) if vector.left == 13)


@pytest.fixture(scope="module")
def solved(vector):
    solver = Solver(BITS)
    assert solver.winning(pack(vector.position)) == vector.winning
    return solver


@pytest.fixture
def kept(solved, tmp_path):
    path = tmp_path / "proof.npz"
    assert solved.save(path) == len(facts(solved.table))
    return path


def test_nothing_else_is_left_in_the_folder(kept):
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]


def test_a_checkpoint_replaces_the_one_before(kept):
    Solver(14).save(kept)
    assert Solver(14).resume(kept) == 0


@pytest.mark.parametrize("bits", [BITS - 3, BITS - 1, BITS, BITS + 2])
def test_a_table_of_any_size_takes_it(solved, kept, vector, bits):
    solver = Solver(bits)
    written = facts(solved.table)
    assert solver.resume(kept) == len(written)
    read = facts(solver.table)
    assert read.items() <= written.items()
    assert len(read) >= min(len(written), 0.8 * 2**bits) if bits < BITS else read == written
    assert solver.winning(pack(vector.position)) == vector.winning


def test_what_is_read_needs_no_search(solved, kept, vector):
    solver = Solver(BITS)
    solver.resume(kept)
    solver.winning(pack(vector.position))
    assert solver.nodes < solved.nodes / 4


def test_large_tables_are_looked_through_in_parts(solved, kept, tmp_path, monkeypatch):
    monkeypatch.setattr(table, "PART", 1000)
    again = tmp_path / "again.npz"
    solved.save(again)
    assert again.read_bytes() == kept.read_bytes()


@pytest.mark.parametrize("damage", ["cut", "flipped", "other", "array", "empty"])
def test_damage_is_told(kept, damage):
    data = bytearray(kept.read_bytes())
    if damage == "flipped":
        data[len(data) // 2] ^= 1
    kept.write_bytes({"cut": data[: len(data) // 2], "other": b"hello", "empty": b""}.get(damage, bytes(data)))
    if damage == "array":
        with open(kept, "wb") as file:
            np.save(file, np.zeros(3))
    solver = Solver(14)
    with pytest.raises(CheckpointError, match="proof.npz: not a checkpoint, or a damaged one"):
        solver.resume(kept)
    assert not solver.table.any()


def test_a_checkpoint_for_another_goal_is_refused(kept):
    with pytest.raises(CheckpointError, match=f"proof.npz: version 1, goal {GOAL}; expected 1, {GOAL + 1}"):
        Solver(14, GOAL + 1).resume(kept)


@pytest.mark.parametrize("head, at", [((1, GOAL, 1000), 1), ((1, GOAL, 1 << 14), 1 << 14), ((1, GOAL, 1 << 40), 1)])
def test_places_outside_the_table_are_refused(tmp_path, head, at):
    path = tmp_path / "made.npz"
    np.savez(path, head=np.array(head), at=np.array([at]), entries=np.ones(1, dtype=np.uint64))
    with pytest.raises(CheckpointError, match="a damaged checkpoint"):
        Solver(14).resume(path)


def test_no_such_file_and_no_such_folder(tmp_path):
    with pytest.raises(CheckpointError, match="cannot read .*nowhere.npz: No such file"):
        Solver(14).resume(tmp_path / "nowhere.npz")
    with pytest.raises(ValueError, match="cannot write .*proof.npz: No such file"):
        Solver(14).save(tmp_path / "nowhere" / "proof.npz")
