"""Tests that moves predicted for a removed or changed pattern equal the moves of the edited book."""

from __future__ import annotations

import random

import pytest
from boards import position as drawn_position
from effects_files import book_without
from knowledge_files import book
from small_books import book as small_book
from small_books import pattern

from littlego.engines.reasons.foresight import Foresight
from littlego.judging.recorded import read_decisions
from littlego.knowledge.parts import book_of_entries, firing_ids, indices_by_id
from littlego.rules.engine import Firing, decide


@pytest.mark.parametrize("complete", [False, True])
def test_agrees_with_the_whole_book_less_one(complete):
    asked, index_of = 0, indices_by_id(book())
    by_left = sorted(read_decisions(), key=lambda one: one.position.left)
    chosen = by_left[:500:90] + by_left[600::400]  # the last two moves of games, and other positions
    for one in chosen:
        decision = decide(one.position, book(), complete)
        moves = Foresight(decision).moves_without()
        assert set(moves) <= firing_ids(decision)
        for name, move in moves.items():
            assert move == decide(one.position, book_without(book(), index_of[name])).move, name
            asked += 1
    assert asked > 300


BOARDS = (
    """
    . . . . .
    . O X . .
    . X O . .
    . . . . .
    . . . . .
    """,
    """
    O . O X .
    O O X X .
    X X . X X
    O O X . X
    . O X X .
    """,
    """
    . O X . X
    O . O X .
    . O O X X
    O O X . X
    . O X X .
    """,
)
BOOKS = (
    (pattern("forbid", "O*", flags="f", priority=-10), pattern("beside", "O*", points=9), pattern("own", "X*")),
    (pattern("give", "*", flags="s", priority=600), pattern("own", "X*", points=3), pattern("any", "*", points=1)),
    (pattern("only", "O*"),),
    (pattern("forbid", "*", flags="f", priority=-10), pattern("two", "*", flags="f"), pattern("own", "X*", points=2)),
)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("patterns", BOOKS, ids=lambda patterns: patterns[0].id)
@pytest.mark.parametrize("left", [1, 2, 9])
def test_agrees_where_moves_are_forbidden_given_or_left_to_the_built_in_play(board, patterns, left):
    whole = small_book(*patterns)
    for complete in (False, True):
        decision = decide(drawn_position(board, left=left), whole, complete)
        for name, move in Foresight(decision).moves_without().items():
            rest = book_without(whole, indices_by_id(whole)[name])
            assert move == decide(decision.position, rest).move, (name, complete)


def test_agrees_with_another_pattern_for_one():
    """Compare with the engine's decision after replacing the pattern, as `mutate` does."""
    names = [one.id for one in book().patterns]
    for number, one in enumerate(read_decisions()[9::160]):
        rng = random.Random(number)
        decision, name = decide(one.position, book()), rng.choice(names)
        changed = pattern(
            name, rng.choice(["*", "X*", "O*"]), points=str(rng.randrange(-40, 90)), priority=rng.choice([-5, 500, 900])
        )
        other = small_book(changed)
        rest = [(book(), index) for index, known in enumerate(names) if known != name]
        expected = decide(one.position, book_of_entries([*rest, (other, 0)], book())).move
        alone = decide(one.position, other, complete=True)
        firings = {
            candidate.move: Firing(changed, firing.points, 0)
            for candidate in alone.candidates
            for firing in candidate.firings
        }
        assert Foresight(decision).move_with(name, firings) == expected
