"""Tests that the solver's checkpoints are restored completely or refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from littlego import cache
from littlego.cli.arguments import ArgumentError
from littlego.engines.compiled.board import jit
from littlego.rules.positionkey import pack
from littlego.truth.solver import checkpoint, table
from littlego.truth.solver.solver import GOAL, Solver
from littlego.truth.solver.vectors import read_vectors

FILE = Path(__file__).parents[2] / "data" / "solver_vectors.txt"
BITS = 17


@jit
def decoded(entries, buckets):
    """Return the mixed code of each entry of a table, with 0 for empty entries."""
    words = np.zeros(entries.size, dtype=np.uint64)
    for at in range(entries.size):
        if entries[at]:
            words[at] = (entries[at] >> np.uint64(12)) * np.uint64(buckets) + np.uint64(at // 4)
    return words


def facts(entries: np.ndarray) -> dict[int, int]:
    """Return {mixed code: packed value, move and moves left} of the entries that a checkpoint stores."""
    words = decoded(entries, entries.size // table.WAYS).tolist()
    held = {word: int(entry) & 0xFFF for word, entry in zip(words, entries.tolist(), strict=True) if entry}
    return {word: entry for word, entry in held.items() if entry >> table.LEFT_AT >= checkpoint.LEAST_LEFT}


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
    monkeypatch.setattr(checkpoint, "PART", 1000)
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
    with pytest.raises(ArgumentError, match="proof.npz: not a checkpoint, or a damaged checkpoint"):
        solver.resume(kept)
    assert not solver.table.any()


def test_a_checkpoint_for_another_goal_is_refused(kept):
    found = f"proof.npz: found version 2, goal {GOAL}; expected version 1 or 2, goal {GOAL + 1}"
    with pytest.raises(ArgumentError, match=found):
        Solver(14, GOAL + 1).resume(kept)


@pytest.mark.parametrize("head, at", [((1, GOAL, 1000), 1), ((1, GOAL, 1 << 14), 1 << 14), ((1, GOAL, 1 << 40), 1)])
def test_places_outside_the_table_are_refused(tmp_path, head, at):
    path = tmp_path / "made.npz"
    np.savez(path, head=np.array(head), at=np.array([at]), entries=np.ones(1, dtype=np.uint64))
    with pytest.raises(ArgumentError, match="a damaged checkpoint"):
        Solver(14).resume(path)


def write(path, arrays, version=checkpoint.VERSION):
    """Write a checkpoint with a matching digest, as an attacker could; version 1 has no digest."""
    head = np.array([version, GOAL, arrays["size"]], dtype=np.int64)
    made = head, arrays["at"], arrays["entries"]
    more = {"digest": checkpoint._digest(*made)} if version == checkpoint.VERSION else {}
    path.write_bytes(b"")
    path.chmod(0o600)
    np.savez(path, head=head, at=made[1], entries=made[2], **more)


@pytest.fixture
def arrays(kept):
    """Return the arrays of a checkpoint."""
    with np.load(kept) as file:
        return {"size": int(file["head"][2]), "at": file["at"], "entries": file["entries"].copy()}


def test_a_thousand_random_results_are_not_taken_as_proved(tmp_path):
    chance = np.random.default_rng(1)
    left = chance.integers(9, 24, 1000, dtype=np.uint64) << np.uint64(table.LEFT_AT)
    words = chance.integers(0, 1 << 52, 1000, dtype=np.uint64) << np.uint64(table.REST_AT) | np.uint64(2) | left
    write(tmp_path / "made.npz", {"size": 1 << BITS, "at": np.arange(1000, dtype=np.uint32), "entries": words})
    solver = Solver(BITS)
    with pytest.raises(ArgumentError, match="made.npz: not usable: a result has no valid position: .*"):
        solver.resume(tmp_path / "made.npz")
    assert not solver.table.any()


@pytest.mark.parametrize("version", [checkpoint.UNSEALED, checkpoint.VERSION])
def test_results_turned_around_are_found_out(arrays, tmp_path, version):
    arrays["entries"] ^= np.uint64(1)
    write(tmp_path / "made.npz", arrays, version)
    with pytest.raises(ArgumentError, match="made.npz: not usable: the result for the position .* is"):
        Solver(BITS).resume(tmp_path / "made.npz")


def test_a_checkpoint_from_before_digests_is_read(arrays, tmp_path, solved):
    write(tmp_path / "made.npz", arrays, checkpoint.UNSEALED)
    assert Solver(BITS).resume(tmp_path / "made.npz") == len(facts(solved.table))


def test_results_that_their_digest_does_not_know_are_told(arrays, kept):
    arrays["entries"][0] ^= np.uint64(1)
    with np.load(kept) as file:
        digest = file["digest"]
    head = np.array([checkpoint.VERSION, GOAL, arrays["size"]], dtype=np.int64)
    np.savez(kept, head=head, at=arrays["at"], entries=arrays["entries"], digest=digest)
    with pytest.raises(ArgumentError, match="a damaged checkpoint: its results do not match their digest"):
        Solver(BITS).resume(kept)


def test_a_checkpoint_is_ours_alone_or_is_not_believed(kept, monkeypatch):
    assert kept.stat().st_mode & 0o777 == 0o600
    kept.chmod(0o664)
    with pytest.raises(ArgumentError, match=r"proof.npz is writable by others \(mode 664\), so its results"):
        Solver(BITS).resume(kept)
    kept.chmod(0o644)
    assert Solver(BITS).resume(kept)
    monkeypatch.setattr(cache.os, "getuid", lambda: kept.stat().st_uid + 1)
    with pytest.raises(ArgumentError, match=r"proof.npz belongs to user id \d+, not to you"):
        Solver(BITS).resume(kept)


def test_no_such_file_and_no_such_folder(tmp_path):
    with pytest.raises(ArgumentError, match="cannot read .*nowhere.npz: No such file"):
        Solver(14).resume(tmp_path / "nowhere.npz")
    with pytest.raises(ValueError, match="cannot write .*proof.npz: No such file"):
        Solver(14).save(tmp_path / "nowhere" / "proof.npz")
