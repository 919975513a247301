"""Tests of the engine in random positions: symmetry, determinism, lazy decisions, places of firings."""

from __future__ import annotations

from random import Random

import knowledge_files
import pytest
from boards import other
from hypothesis import given, settings
from hypothesis import strategies as st
from random_boards import SEEDS, boards, games
from slow_matching import cells_of, lies, meaning, turned_picture
from small_books import book, pattern

from littlego.games.boards import board_rows
from littlego.rules.engine import RISKED, decide, rank
from littlego.rules.geometry import count, image_of, make_grid, symmetry_tables
from littlego.rules.patternfile import Book, load
from littlego.rules.position import BLACK, PASS, WHITE, Position, captured_by, from_boards, legal_moves
from littlego.rules.ruleset import LITTLE_GO, Ruleset, little_go
from littlego.rules.safety import LOST_END

pytestmark = pytest.mark.untraced  # slow when traced; the shorter tests of the engine are traced
SMALL = [
    pattern("take", "O*", labels="A .", when="~A in_atari", points="100 ~A size *", priority=900),
    pattern("save", "X*", labels="A .", when="~A in_atari ; ~A liberties_after 2 >=", points="~A size", priority=800),
    pattern("throw-in", "+--/|*X/|O?", priority=700, flags="s"),
    pattern("hook", "XO?/?*.", labels="A../..B", points="~A liberties @B line +", priority=500, specificity=4),
    pattern("edge", "--/*O", points="@* own_near", priority=500, specificity=2),
    pattern("middle", "*", points="10 @* line *", priority=100),
    pattern("dull", "X*", points="-3", priority=-20),
    pattern("never-an-eye", "*", when="@* eye", flags="f", priority=-50),
    pattern("enough", "", flags="p", when="passed ; margin2 0 >", priority=990),
]


def small_book(size=5) -> Book:
    return book(*SMALL, size=size)


def books():
    """Return two books: a small book of hand-made patterns, and the player's book."""
    return [small_book(), knowledge_files.book()]


@st.composite
def positions(draw, sizes=(5,), rulesets=little_go):
    """Draw a position of a random game, or a random board with a possible ko and any number of moves left."""
    if draw(st.booleans()):
        _, _, found = draw(games(sizes=sizes, longest=24))
        return found[draw(st.integers(0, len(found) - 1))]
    seed = Random(draw(SEEDS))
    grid, own, theirs = draw(boards(min(sizes), max(sizes)))
    ruleset = rulesets(grid[0])
    ko = random_ko(own, theirs, grid, seed)
    left = seed.randint(1, min(ruleset.length, max(1, ruleset.length - count(own | theirs) + 1)))
    colour = BLACK if (ruleset.length - left) % 2 == 0 else WHITE
    black, white = (own, theirs) if colour == BLACK else (theirs, own)
    return Position(ruleset, black, white, colour, ko, not ko and seed.random() < 0.3, left, (), grid)


def random_ko(own, theirs, grid, seed):
    """Return the mask of a random point where O may just have captured a stone of X in a ko, or 0."""
    options = legal_moves(own, theirs, 0, grid)
    single = [
        bit
        for bit in (1 << n for n in range(grid[0] ** 2))
        if bit & options and count(captured_by(bit, own, theirs, grid)) == 1
    ]
    return seed.choice(single) if single and seed.random() < 0.5 else 0


def turned(position, table):
    """Return a position mapped by a symmetry table."""
    return Position(
        position.ruleset,
        image_of(position.black, table),
        image_of(position.white, table),
        position.colour,
        image_of(position.ko, table),
        position.passed,
        position.left,
    )


def turned_move(move, table):
    return move if move == PASS else table[move]


def summary(decision, table=None):
    """Return a decision's candidates without places and symmetries, with each move mapped by `table`."""
    turn = (lambda move: turned_move(move, table)) if table else (lambda move: move)
    return sorted(
        (
            turn(candidate.move),
            candidate is decision.chosen,
            candidate.priority,
            candidate.points,
            candidate.specificity,
            candidate.veto,
            candidate.result2,
            candidate.verdict and candidate.verdict.loss,
            sorted((firing.pattern.id, firing.points) for firing in candidate.firings),
        )
        for candidate in decision.candidates
    )


@settings(max_examples=60, deadline=None)
@given(positions())
def test_patterns_that_cannot_apply_with_so_many_moves_left_need_not_be_read(position):
    read = load(str(knowledge_files.TXT), left=position.left)
    assert len(read.patterns) < len(knowledge_files.book().patterns)
    assert summary(decide(position, read, complete=True)) == summary(
        decide(position, knowledge_files.book(), complete=True)
    )


@settings(max_examples=30, deadline=None)
@given(positions())
def test_a_turned_position_gives_the_turned_move(position):
    tables = symmetry_tables(5)
    same = [table for table in tables if key(turned(position, table)) == key(position)]
    for patterns in books():
        made = decide(position, patterns)
        for table in tables[1:]:
            move = decide(turned(position, table), patterns).move
            assert move in {turned_move(turned_move(made.move, symmetry), table) for symmetry in same}


@settings(max_examples=15, deadline=None)
@given(positions(), st.sampled_from(range(1, 8)))
def test_a_turned_position_gives_the_turned_reasons(position, symmetry):
    table = symmetry_tables(5)[symmetry]
    if any(key(turned(position, other)) == key(position) for other in symmetry_tables(5)[1:]):
        return  # among equivalent images, any one may be chosen
    for patterns in books():
        expected = summary(decide(position, patterns, complete=True), table)
        assert summary(decide(turned(position, table), patterns, complete=True)) == expected


def key(position):
    return position.black, position.white, position.ko, position.passed, position.colour, position.left


@settings(max_examples=75, deadline=None)
@given(positions())
def test_a_complete_decision_is_the_same_one_with_every_candidate_vetted(position):
    for patterns in books():
        short, full = decide(position, patterns), decide(position, patterns, complete=True)
        assert short.move == full.move and rank(short.chosen) == rank(full.chosen)
        assert short.chosen.veto == full.chosen.veto
        moves = [candidate.move for candidate in full.candidates]
        assert sorted(moves) == [PASS] + [p for p in range(25) if position.legal() >> p & 1]
        assert full.chosen is full.candidates[0] and full.move == full.chosen.move
        for candidate in full.candidates:
            assert candidate.verdict is not None
            assert (candidate.result2 is not None) == (position.left <= 2)
        assert {candidate.move for candidate in short.candidates} <= set(moves)
        assert len({id(c) for c in short.candidates}) == len({c.move for c in short.candidates})


@settings(max_examples=30, deadline=None)
@given(positions(sizes=(3, 4, 5, 6, 7)))
def test_the_chosen_move_is_legal_and_the_first_that_is_not_vetoed(position):
    made = decide(position, small_book(), complete=True)
    assert made.move == PASS or position.legal() >> made.move & 1
    if position.left <= 2:
        assert made.chosen.result2 == max(candidate.result2 for candidate in made.candidates)
        return
    allowed = [candidate for candidate in made.candidates if not candidate.veto]
    if allowed:
        assert made.chosen in allowed
        scores = [(c.priority, c.points, c.specificity) for c in allowed]
        assert (made.chosen.priority, made.chosen.points, made.chosen.specificity) == max(scores)
    else:
        assert made.chosen.verdict.loss == min(candidate.verdict.loss for candidate in made.candidates)


@settings(max_examples=30, deadline=None)
@given(positions())
def test_vetoes_have_the_reason_that_they_give(position):
    for patterns in books():
        for candidate in decide(position, patterns, complete=True).candidates:
            forbidding = [firing.pattern for firing in candidate.firings if firing.pattern.forbid]
            spared = candidate.is_spared and candidate.verdict.loss < LOST_END
            if forbidding:
                assert candidate.veto in {"forbidden by " + pattern.id for pattern in forbidding}
            elif candidate.veto and candidate.veto != "fills an own eye":
                assert candidate.verdict.loss > 0 and candidate.veto == candidate.verdict.reason and not spared
            elif not candidate.veto:
                assert (
                    candidate.verdict.loss <= 0 or spared or (candidate.is_risked and candidate.verdict.loss == RISKED)
                )


@settings(max_examples=20, deadline=None)
@given(positions(sizes=(3, 4, 5, 7)))
def test_symmetry_and_place_of_a_firing_find_its_shape_on_the_real_board(position):
    size = position.ruleset.size
    board = board_rows(size, position.own, position.theirs)
    framed = ["+" + "-" * size + "+", *("|" + row + "|" for row in board), "+" + "-" * size + "+"]
    for patterns in (small_book(size), *books()[1 : 2 * (size == 5)]):
        for candidate in decide(position, patterns, complete=True).candidates:
            for firing in candidate.firings:
                assert (
                    (firing.symmetry, firing.place) == (0, 0)
                    if not firing.pattern.rows
                    else lies_there(firing, candidate.move, framed, size)
                )


def lies_there(firing, move, framed, size):
    """Return whether a firing's drawing fits the framed board at its place, with `*` on the move."""
    picture = turned_picture(cells_of(firing.pattern.rows, firing.pattern.label_rows), firing.symmetry)
    above = all(cell.symbol in "-+" for cell in picture[0])
    before = all(row[0].symbol in "|+" for row in picture)
    row, column = divmod(firing.place, size)
    top, left = row + 1 - above, column + 1 - before
    return lies(picture, framed, top, left) and meaning(picture, 0, top, left, size).move == move


@settings(max_examples=30, deadline=None)
@given(games(longest=23))
def test_a_decision_depends_on_the_position_and_not_on_how_it_came_about(game):
    ruleset, _, found = game
    before, position = ([found[0], *found])[-2:]
    if position.left == 24:
        return
    alike = from_boards(
        ruleset, (before.black, before.white), (position.black, position.white), position.colour, position.left
    )
    plain = Position(
        ruleset, position.black, position.white, position.colour, position.ko, position.passed, position.left
    )
    for patterns in books():
        expected = summary(decide(position, patterns, complete=True))
        for same in (alike, plain, position):
            assert summary(decide(same, patterns, complete=True)) == expected


def komi_free(size):
    return Ruleset("komi-free", size, komi2=0, length=size * size - 1)


@settings(max_examples=30, deadline=None)
@given(positions(rulesets=komi_free))
def test_without_komi_both_colours_play_alike(position):
    position.ruleset = komi_free(5)
    swapped = Position(
        position.ruleset,
        position.white,
        position.black,
        other(position.colour),
        position.ko,
        position.passed,
        position.left,
    )
    one, two = (decide(board, small_book(), complete=True) for board in (position, swapped))
    assert summary(one) == summary(two)


@pytest.mark.parametrize("seed", range(4))
def test_games_of_the_engine_against_itself_are_the_same_twice(seed):
    assert played(seed) == played(seed)


def played(seed):
    """Return the moves of a game that the engine plays against itself after two random moves."""
    rng, moves = Random(seed), []
    position = Position(LITTLE_GO, 0, 0, BLACK, 0, False, 24, (), make_grid(5))
    while position.left:
        legal = [point for point in range(25) if position.legal() >> point & 1]
        move = rng.choice(legal) if len(moves) < 2 else decide(position, knowledge_files.book()).move
        assert move == PASS or move in legal
        moves.append(move)
        if position.ends_with(move):
            break
        position = position.play(move)
    return moves


@settings(max_examples=50, deadline=None)
@given(positions())
def test_without_patterns_a_move_is_safe_wherever_one_is(position):
    if position.left <= 2:
        return
    made = decide(position, book(), complete=True)
    safe = [c for c in made.candidates if c.move != PASS and c.verdict.loss <= 0 and c.veto == ""]
    assert made.chosen in safe if safe else made.move == PASS or made.chosen.veto
