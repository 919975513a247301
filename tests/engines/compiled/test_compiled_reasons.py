"""Tests that the compiled engine gives the same reasons as littlego.engines.reasons in each position."""

from __future__ import annotations

import random

import numpy as np
import pytest
from knowledge_files import book
from random_books import random_book
from small_books import book as book_of
from small_books import pattern

from littlego.engines.compiled.engine import compile_book
from littlego.engines.compiled.reasons import Reasons, reasons_many
from littlego.engines.compiled.roles import ROLE_NAMES, VETOED
from littlego.engines.reasons.contrast import KINDS, contrast, roles_of
from littlego.judging.recorded import read_decisions
from littlego.rules.engine import Decision, canonical, decide, rank
from littlego.rules.geometry import symmetry_tables
from littlego.rules.patternfile import Book
from littlego.rules.position import Position
from littlego.rules.positionkey import pack, pack_move


def reasons_of(positions: list[Position], other: Book) -> Reasons:
    codes = np.array([pack(position) for position in positions], dtype=np.int64)
    return reasons_many(codes, compile_book(other))


def assert_same_reasons(positions: list[Position], other: Book) -> None:
    found = reasons_of(positions, other)
    for number, position in enumerate(positions):
        made = decide(position, other, complete=True)
        assert found.moves[number] == pack_move(made.move)
        roles = {one.id: found.roles[number, index] for index, one in enumerate(other.patterns)}
        expected = {name: ROLE_NAMES[role] for name, role in roles_of(made).items()}
        assert {name: role & 3 for name, role in roles.items() if role & 3} == expected, number
        assert {name for name, role in roles.items() if role & VETOED} == vetoed(made), number
        assert KINDS[found.kinds[number]] == contrast(made).by, number


def vetoed(made: Decision) -> set[str]:
    """Return the ids of patterns of moves that are barred or rank above the chosen move.

    These are each such move's first pattern and its patterns with `forbid`.
    """
    table, _ = canonical(made.position)
    # moves with a worse result cannot be chosen
    equal = [one for one in made.candidates if one.result2 == made.chosen.result2]
    return {
        firing.pattern.id
        for one in equal
        if one.barred or rank(one, table) < rank(made.chosen, table)
        for number, firing in enumerate(one.firings)
        if number == 0 or firing.pattern.forbid
    }


def test_recorded_positions():
    assert_same_reasons([one.position for one in read_decisions()[3::60]], book())


@pytest.mark.parametrize("seed", range(10))
def test_other_books(seed):
    positions = [one.position for one in read_decisions()]
    assert_same_reasons(random.Random(seed).sample(positions, 14), random_book(seed))


def test_forbid_and_sacrifice_decide():
    positions = [one.position for one in read_decisions()[::300]]
    assert_same_reasons(positions, book_of(pattern("no", "*", flags="f", priority=900)))
    assert_same_reasons(positions, book_of(pattern("near", "X*", points="@* own_liberties", flags="s")))
    assert_same_reasons(positions, book_of())


def test_firings_are_noted_with_the_placement_that_counts():
    positions = [one.position for one in read_decisions()[::500]]
    found = reasons_of(positions, book())
    noted = set(zip(found.at.tolist(), found.pattern.tolist(), found.cells.tolist(), found.turn.tolist(), strict=True))
    numbers = {one.id: number for number, one in enumerate(book().patterns)}
    tables = symmetry_tables(5)
    expected = {
        (at, numbers[firing.pattern.id], firing.cells, tables.index(canonical(position)[0]))
        for at, position in enumerate(positions)
        for one in decide(position, book(), complete=True).candidates
        for firing in one.all_firings
    }
    assert noted == expected


def test_without_firings_all_else_is_the_same():
    codes = np.array([pack(one.position) for one in read_decisions()[:50]], dtype=np.int64)
    program = compile_book(book())
    whole, part = reasons_many(codes, program), reasons_many(codes, program, with_firings=False)
    assert part.at.size == 0 < whole.at.size
    assert all((getattr(whole, name) == getattr(part, name)).all() for name in ("moves", "kinds", "roles"))
    assert (whole.has_a_say() == (whole.roles & 3 >= 2).any(axis=1)).all() and whole.has_a_say([0]).sum() < 50
