"""Tests that, after any edit, a walk that reuses the previous player's walk equals a full walk."""

from __future__ import annotations

import random

import numpy as np
import pytest
from given_away import given_away
from random_books import random_line
from slow_walk import roots

from littlego.knowledge.files import Knowledge
from littlego.truth.labels.decider import Decider
from littlego.truth.proof.edited import Changed, Earlier, Edit, EditedWalk, compare
from littlego.truth.proof.values import Values
from littlego.truth.proof.walk import Decisions, Layer, Walk, save_layer
from littlego.truth.solver.solver import Solver

PATTERNS = 12
JOBS = 2


def knowledge(lines) -> Knowledge:
    return Knowledge("some patterns", tuple(lines), {})


def lines(seed: int) -> list[str]:
    draw = random.Random(seed)
    return [random_line(draw, number) for number in range(PATTERNS)]


def parts(folder, patterns, overrides):
    """Return a walk's decisions and values."""
    values = Values(Solver(16), folder / "values", JOBS)
    return Decisions(Decider(knowledge(patterns).book, overrides), folder / "decisions", JOBS), values


def kept(folder, patterns, overrides, layers) -> Earlier:
    """Store the layers of a walk, and return the walk as an Earlier."""
    for layer in layers:
        save_layer(folder, layer)
    return Earlier(knowledge(patterns), overrides, folder)


def beginnings(seed: int, left: int, number: int) -> list[int]:
    """Return `number` positions, and up to 24 other positions from which a seed's patterns give wins away."""
    return sorted({*roots(left, number, 7), *given_away(knowledge(lines(seed)).book, left, 12)})


def repairs(layers) -> dict[int, int]:
    return {
        code: move
        for layer in layers
        for code, move in zip(layer.codes[layer.failing].tolist(), layer.moves[layer.failing].tolist(), strict=True)
    }


def edits(seed: int) -> dict[str, list[str]]:
    """Return {name of an edit: patterns of a seed after this edit}."""
    old, draw = lines(seed), random.Random(-seed)
    return {
        "overrides alone": old,
        "one changed": [*old[:3], random_line(draw, 3), *old[4:]],
        "first removed": old[1:],
        "one added in front": [random_line(draw, 99), *old],
        "most changed": [*(random_line(draw, number) for number in range(PATTERNS - 2)), *old[-2:]],
    }


@pytest.fixture(scope="module", params=[(9, 6, 20, 24), (2, 7, 5, 0), (3, 5, 20, 24)], ids=str)
def before(request, tmp_path_factory):
    """Return a walk as (seed, overrides, other overrides, first positions, searched_from, layers)."""
    seed, left, number, searched_from = request.param
    folder, start = tmp_path_factory.mktemp("old"), np.array(beginnings(seed, left, number))
    found = Walk(*parts(folder, lines(seed), {}), JOBS, searched_from=searched_from).layers(start)
    failing = [*repairs(found).items()]
    assert len(failing) > 10
    # from the first overrides to the second, some are removed, some are added, and some stay
    overrides, other = dict(failing[::2]), dict(failing[1::3] + failing[:4])
    layers = Walk(*parts(folder, lines(seed), overrides), JOBS, searched_from=searched_from).layers(start)
    return seed, overrides, other, start, searched_from, layers


@pytest.mark.parametrize("kind", edits(1))
def test_an_edited_walk_is_a_whole_walk(tmp_path, before, kind):
    seed, overrides, other, start, searched_from, layers = before
    new = edits(seed)[kind]
    asked = parts(tmp_path, new, other)
    whole = Walk(*asked, JOBS, searched_from=searched_from).layers(start)
    earlier = kept(tmp_path, lines(seed), overrides, layers)
    edit = Edit(earlier, knowledge(new), other)
    edited = EditedWalk(*asked, JOBS, searched_from=searched_from, edit=edit)
    found = edited.layers(start)
    assert len(found) == len(whole) > 1
    for one, another in zip(found, whole, strict=True):
        for name, column in one._asdict().items():
            assert np.array_equal(column, getattr(another, name)), name
    judged = sum(indices.size for indices in edited.dirty.values())
    assert 0 < judged < sum(layer.codes.size for layer in found)


def test_without_an_edit_nothing_is_judged(tmp_path, before):
    seed, overrides, _, start, searched_from, layers = before
    earlier = kept(tmp_path, lines(seed), overrides, layers)
    edit = Edit(earlier, knowledge(lines(seed)), overrides)
    # decisions of a player without patterns, which would be wrong here, so none of them must be reused
    nothing = parts(tmp_path, [], {})
    edited = EditedWalk(*nothing, JOBS, searched_from=searched_from, edit=edit)
    found = edited.layers(start)
    assert not edit.patterns.names and not any(indices.size for indices in edited.dirty.values())
    for one, another in zip(found, layers, strict=True):
        assert compare(another, one) == Changed(one.left, one.codes.size, 0, 0, 0, 0, 0)
        assert one.digest == another.digest and one.cut == another.cut


def layer(decided: dict[int, int], failing: dict[int, int]) -> Layer:
    """Return a layer. decided: code -> the player's move. failing: code -> the replacement of a failing move."""
    codes = np.array(sorted(decided))
    moves = np.array([failing.get(code, decided[code]) for code in sorted(decided)], dtype=np.int8)
    places = np.searchsorted(codes, sorted(failing))
    thrown = np.array([decided[code] for code in sorted(failing)], dtype=np.int8)
    won = np.ones(codes.size, dtype=bool)
    return Layer(codes, moves, np.zeros(codes.size, dtype=np.int16), won, places, thrown, np.zeros(places.size), 0)


def test_two_layers_compared():
    at = 8 << 56
    old = layer({at + 1: 3, at + 2: 4, at + 3: 5, at + 4: 6}, {at + 2: 7, at + 3: 8})
    new = layer({at + 2: 7, at + 3: 5, at + 4: 9, at + 5: 1, at + 6: 2}, {at + 3: 8, at + 6: 0})
    assert compare(old, new) == Changed(8, positions=5, changed=2, come=2, gone=1, made=1, mended=1)
