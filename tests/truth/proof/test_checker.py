"""Tests that the independent checker accepts a correct walk, and detects altered walks."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from given_away import given_away
from slow_walk import roots
from small_proofs import NO_PATTERNS

from littlego.knowledge.overrides import to_bytes
from littlego.rules.patternfile import empty_book, load
from littlego.rules.position import BLACK, WHITE
from littlego.rules.positionkey import unpack
from littlego.rules.ruleset import LITTLE_GO
from littlego.truth.labels.decider import Decider
from littlego.truth.proof import checker
from littlego.truth.proof.certificate import Player, Report
from littlego.truth.proof.checker import Checked, Checker
from littlego.truth.proof.replayed import Files, is_settled
from littlego.truth.proof.values import Values
from littlego.truth.proof.walk import Decisions, Layer, Walk, save_layer
from littlego.truth.solver.solver import Solver
from littlego.truth.solver.vectors import Vector


@cache
def beginnings() -> list[int]:
    """Return the walk's first positions; from some, the player gives a win away."""
    drawn = [code for code in roots(5, 12, 7) if not is_settled(code)]
    return sorted({*drawn, *given_away(empty_book(LITTLE_GO), 5, 3)})


class Proof:
    """A stored walk from positions with five moves left."""

    def __init__(self, folder: Path, overrides: dict[int, int] | None = None):
        self.folder = folder
        self.overrides = overrides or {}
        folder.mkdir(exist_ok=True)
        (folder / "patterns.txt").write_bytes(NO_PATTERNS)
        values = Values(Solver(16), folder / "values", 1)
        decider = Decider(load(str(folder / "patterns.txt"), LITTLE_GO), self.overrides)
        roots = np.array(beginnings())
        self.layers = Walk(Decisions(decider, folder / "decisions", 1), values, 1).layers(roots)
        for layer in self.layers:
            save_layer(folder, layer)
        self.report = Report("white", Player("", "", ""), roots, decider.book, self.layers, True)

    def check(
        self, certificate: dict | None = None, samples: int = 10_000, vectors: tuple[Vector, ...] = ()
    ) -> list[Checked]:
        path = self.folder / "overrides.txt"
        path.write_bytes(to_bytes(self.overrides))
        files = Files(self.folder / "patterns.txt", path if self.overrides else None)
        certificate = certificate or self.report.certificate()
        where = set(beginnings()), self.folder, files
        return list(Checker(certificate, *where, Solver(16), samples, 1, vectors).layers())

    def faults(self, certificate: dict | None = None) -> dict[int, list[str]]:
        return {layer.left: layer.faults for layer in self.check(certificate) if layer.faults}

    def layer(self, left: int) -> Layer:
        return next(layer for layer in self.layers if layer.left == left)

    def change(self, left: int, digest_too: bool = True, **columns) -> dict:
        """Apply functions to columns of a layer, and return a certificate.

        The certificate has the layer's new digest and counts if `digest_too`.
        """
        layer = self.layer(left)
        layer = layer._replace(**{name: change(getattr(layer, name)) for name, change in columns.items()})
        save_layer(self.folder, layer)
        certificate = self.report.certificate()
        for row in certificate["layers"]:
            if row["left"] == left and digest_too:
                row.update(
                    digest=layer.digest,
                    positions=layer.codes.size,
                    won=int(layer.won.sum()),
                    failures=layer.failing.size,
                )
        return certificate


@pytest.fixture
def proof(tmp_path):
    return Proof(tmp_path)


def none_of(column: np.ndarray) -> np.ndarray:
    return column[:0]


def passes(moves: np.ndarray) -> np.ndarray:
    return np.full_like(moves, 25)


def test_a_sound_walk_has_no_faults_and_all_its_decisions_are_repeated(proof):
    layers = proof.check()
    assert [layer.faults for layer in layers] == [[], []]
    assert [layer.sampled for layer in layers] == [layer.positions for layer in layers]
    assert [layer.valued for layer in layers] == [layer.positions for layer in layers]


def test_a_sample_is_a_part(proof):
    assert [(layer.sampled, layer.valued, layer.faults) for layer in proof.check(samples=3)] == [(3, 3, [])] * 2


def test_the_overrides_of_failures_are_followed(tmp_path):
    first = Proof(tmp_path / "a")
    assert first.report.failures
    second = Proof(tmp_path / "b", first.report.repairs())
    assert not second.report.failures and second.report.certificate()["proved"]
    assert second.faults() == {}
    second.overrides = {}
    assert any("the player plays" in fault for faults in second.faults().values() for fault in faults)


def test_a_layer_that_was_changed_is_not_the_certificates(proof):
    proof.change(3, moves=passes, digest_too=False)
    assert "in its digest" in proof.faults()[3][0]


def test_a_move_that_the_player_does_not_play_is_found(proof):
    faults = proof.faults(proof.change(5, moves=passes))
    assert any("the player plays" in fault for fault in faults[5])


def test_a_reply_that_is_missing_is_found(proof):
    def without_some(column: np.ndarray) -> np.ndarray:
        return column[::2]

    certificate = proof.change(
        3, codes=without_some, moves=without_some, won=without_some, failing=none_of, thrown=none_of
    )
    assert any("is not in the next layer" in fault for fault in proof.faults(certificate)[5])


def test_a_win_that_was_not_seen_is_found(proof):
    certificate = proof.change(5, won=np.zeros_like, failing=none_of, thrown=none_of)
    assert any("records a loss" in fault for fault in proof.faults(certificate)[5])


def test_a_failure_that_was_not_seen_is_found(tmp_path, monkeypatch):
    # show all faults, since missing replies to the other moves are listed first
    monkeypatch.setattr(checker, "SHOWN", 10_000)
    proof = Proof(tmp_path)
    left = next(row.left for row in proof.report.rows if row.failures)
    layer = proof.layer(left)

    def as_decided(moves: np.ndarray) -> np.ndarray:
        moves[layer.failing] = layer.thrown
        return moves

    certificate = proof.change(left, moves=as_decided, failing=none_of, thrown=none_of)
    assert any("gives the win away" in fault for fault in proof.faults(certificate)[left])


def test_a_walk_from_elsewhere_is_found(proof):
    certificate = {**proof.report.certificate(), "openings": beginnings()[1:]}
    assert any("openings differ from the openings of the game" in fault for fault in proof.faults(certificate)[5])


def vector_of(code: int, wins: bool) -> Vector:
    position = unpack(code)
    return Vector(7, position, position.colour if wins else BLACK + WHITE - position.colour, 0)


def test_walk_and_solver_are_held_to_values_from_elsewhere(proof):
    layer = proof.layer(5)
    values = list(zip(layer.codes.tolist(), layer.won.tolist(), strict=True))
    right = tuple(vector_of(code, won) for code, won in values)
    first, second = proof.check(vectors=right)
    assert (first.known, first.met, first.faults) == (len(values), len(values), [])
    assert (second.known, second.met) == (0, 0)

    code, won = values[0]
    wrong = proof.check(vectors=(vector_of(code, not won),))[0]
    assert "disagrees with line 7 of the known values" in wrong.faults[0]
    assert "the solver disagrees" in wrong.faults[1]


def test_values_of_positions_that_are_not_walked_hold_the_solver(proof):
    code = next(one for one in roots(4, 20, 3) if not is_settled(one))
    won = Solver(16).wins(code)
    assert [layer.faults for layer in proof.check(vectors=(vector_of(code, won),))] == [[], []]
    first = proof.check(vectors=(vector_of(code, not won),))[0]
    assert (first.known, first.met) == (1, 0) and "the solver disagrees" in first.faults[0]
