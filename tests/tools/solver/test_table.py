"""The solver's table: an entry names its position exactly; and its checkpoints come back whole, or are refused."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from rules.positionkey import LEFT_AT, pack
from tools.arguments import ArgumentError
from tools.compiled.board import compiled
from tools.solver import table
from tools.solver.solver import GOAL, Solver
from tools.solver.vectors import read_vectors

FILE = Path(__file__).parents[2] / "data" / "solver_vectors.txt"
WORD = 2**64


@compiled
def mixed(code):
    return table.mixed(code)


@compiled
def keep(code, wins, move, entries):
    table.keep(code, wins, move, entries)


@compiled
def find(code, entries):
    return table.find(code, entries)


def unmixed(word: int) -> int:
    """Return the code of a mixed word: each step of `mixed` undone, the last one first."""
    word ^= word >> 32
    word = word * pow(0xBF58476D1CE4E5B9, -1, WORD) % WORD
    word ^= word >> 29 ^ word >> 58
    word = word * pow(0x9E3779B97F4A7C15, -1, WORD) % WORD
    return word ^ word >> 31 ^ word >> 62


def codes(number: int) -> list[int]:
    chance = random.Random(number)
    return [chance.randrange(1, 25) << LEFT_AT | chance.randrange(1 << LEFT_AT) for _ in range(number)]


def test_mixing_can_be_undone():
    for code in [0, 1, (1 << 61) - 1, *codes(2000)]:
        assert unmixed(int(mixed(np.int64(code)))) == code


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
    with pytest.raises(ArgumentError, match="proof.npz: not a checkpoint, or a damaged one"):
        solver.resume(kept)
    assert not solver.table.any()


def test_a_checkpoint_for_another_goal_is_refused(kept):
    with pytest.raises(ArgumentError, match=f"proof.npz: version 1, goal {GOAL}; expected 1, {GOAL + 1}"):
        Solver(14, GOAL + 1).resume(kept)


@pytest.mark.parametrize("head, at", [((1, GOAL, 1000), 1), ((1, GOAL, 1 << 14), 1 << 14), ((1, GOAL, 1 << 40), 1)])
def test_places_outside_the_table_are_refused(tmp_path, head, at):
    path = tmp_path / "made.npz"
    np.savez(path, head=np.array(head), at=np.array([at]), entries=np.ones(1, dtype=np.uint64))
    with pytest.raises(ArgumentError, match="a damaged checkpoint"):
        Solver(14).resume(path)


def test_no_such_file_and_no_such_folder(tmp_path):
    with pytest.raises(ArgumentError, match="cannot read .*nowhere.npz: No such file"):
        Solver(14).resume(tmp_path / "nowhere.npz")
    with pytest.raises(ValueError, match="cannot write .*proof.npz: No such file"):
        Solver(14).save(tmp_path / "nowhere" / "proof.npz")
