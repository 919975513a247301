"""What is played without a pattern: read off the decision, and true."""

from __future__ import annotations

import pytest
from boards import position
from effects_files import book_without
from knowledge_files import book
from small_books import book as small_book
from small_books import pattern

from rules.engine import canonical, decide
from tools.effects.parts import firing_ids, indices_by_id
from tools.effects.recorded import read_decisions
from tools.effects.without import Without, foresee_move


@pytest.mark.parametrize("complete", [False, True])
def test_agrees_with_the_whole_book_less_one(complete):
    index_of, without, unforeseen, asked = indices_by_id(book()), Without(book()), 0, 0
    by_left = sorted(read_decisions(), key=lambda one: one.position.left)
    chosen = by_left[:500:90] + by_left[600::400]  # the last two moves of games, and others
    for one in chosen:
        decision = decide(one.position, book(), complete)
        moves, (table, _) = without.moves(decision), canonical(one.position)
        assert set(moves) == firing_ids(decision)
        for name, move in moves.items():
            assert move == decide(one.position, book_without(book(), index_of[name])).move, name
            guess = foresee_move(name, decision, table)
            assert guess in (None, move), name
            asked, unforeseen = asked + 1, unforeseen + (guess is None)
    assert asked > 300 and unforeseen < asked / 5


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
        decision = decide(position(board, left=left), whole, complete)
        for name, move in Without(whole).moves(decision).items():
            rest = book_without(whole, indices_by_id(whole)[name])
            assert move == decide(decision.position, rest).move, (name, complete)
