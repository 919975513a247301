"""Tests of the last two moves: `outcome` and the chosen move, compared with plain minimax."""

from __future__ import annotations

from random import Random

import knowledge_files
import pytest
import slow_go
from boards import position
from hypothesis import example, given, settings
from random_boards import SEEDS, boards, without_dead

from littlego.rules.engine import decide
from littlego.rules.facts import State
from littlego.rules.geometry import count, make_grid, points_of
from littlego.rules.patternfile import empty_book
from littlego.rules.position import BLACK, PASS, WHITE, Position, captured_by, legal_moves, margin2
from littlego.rules.ruleset import LITTLE_GO, little_go
from littlego.rules.safety import outcome

pytestmark = pytest.mark.untraced  # slow when traced; the shorter tests of the engine are traced


def value2(before: Position, move: int) -> int:
    """Return the mover's final lead in half points after a move, with best play by both sides."""
    after = before.play(move)
    if before.ends_with(move):
        return margin2(after) if before.colour == BLACK else -margin2(after)
    return -max(value2(after, reply) for reply in [PASS, *points_of(after.legal())])


def last_moves(seed: Random, grid, own, theirs) -> Position:
    """Return the board with one or two moves left and a random mover, sometimes with a ko or after a pass."""
    left = seed.choice([1, 2, 2])
    options = legal_moves(own, theirs, 0, grid)
    kos = [p for p in points_of(options) if count(captured_by(1 << p, own, theirs, grid)) == 1]
    ko = 1 << seed.choice(kos) if kos and seed.random() < 0.5 else 0
    colour = seed.choice([BLACK, WHITE])
    black, white = (own, theirs) if colour == BLACK else (theirs, own)
    return Position(little_go(grid[0]), black, white, colour, ko, not ko and seed.random() < 0.3, left, (), grid)


def state_of(before: Position):
    komi2 = before.ruleset.komi2
    bonus2 = -komi2 if before.colour == BLACK else komi2
    return State(
        before.own,
        before.theirs,
        before.ko,
        before.left,
        before.number,
        before.colour,
        bonus2,
        before.passed,
        before.grid,
    )


@settings(max_examples=150, deadline=None)
@given(boards(2, 6), SEEDS)
def test_outcome_is_the_minimax_value_of_every_move(board, seed):
    before = last_moves(Random(seed), *board)
    for move in [PASS, *points_of(before.legal())]:
        result2, reply = outcome(state_of(before), move)
        assert result2 == value2(before, move)
        if before.ends_with(move):
            assert reply is None
        else:  # the reported reply leads to the reported result
            after = before.play(move)
            assert reply == PASS or after.legal() >> reply & 1
            assert result2 == -value2(after, reply)


@settings(max_examples=40, deadline=None)
@given(boards(2, 4), SEEDS)
@example((make_grid(3), 0b010_111_010, 0), 0)  # O can only pass
def test_outcome_agrees_with_rules_on_lists(board, seed):
    before = last_moves(Random(seed), *board)
    size, stone = before.ruleset.size, "XO"[before.colour - 1]
    drawn = slow_go.board_of(size, before.black, before.white)
    moves = [PASS, *points_of(before.legal())]
    ko = points_of(before.ko)
    forbidden = slow_go.play(drawn, divmod(ko[0], size), stone)[0] if ko else None
    assert len(moves) - 1 == len(slow_go.legal(drawn, stone, forbidden))
    for move in moves:
        assert outcome(state_of(before), move)[0] == slow_value2(drawn, move, stone, before)


def slow_value2(board, move, stone, before) -> int:
    other = "O" if stone == "X" else "X"
    after = board if move == PASS else slow_go.play(board, divmod(move, before.ruleset.size), stone)[0]
    ends = [slow_lead2(after, stone, before)]  # the game is over, or the opponent passes
    if before.left == 2 and not (move == PASS and before.passed):
        for reply in slow_go.legal(after, other, None if move == PASS else board):
            ends.append(slow_lead2(slow_go.play(after, reply, other)[0], stone, before))
    return min(ends)


def slow_lead2(board, stone, before) -> int:
    stones = list(board.values())
    lead2 = 2 * (stones.count("X") - stones.count("O")) - before.ruleset.komi2
    return lead2 if stone == "X" else -lead2


SLOW = [pytest.param(number, 600, marks=pytest.mark.slow) for number in range(2, 8)]


@pytest.mark.parametrize(("number", "boards"), [(0, 200), (1, 200), *SLOW])
def test_the_chosen_move_is_optimal_on_hundreds_of_last_moves(number, boards):
    """By default the test tries few boards; `-m slow` tests thousands."""
    books = [knowledge_files.book(), empty_book(LITTLE_GO)]
    seed = Random(number)
    for tried in range(boards):
        before = last_moves(seed, *random_board(seed))
        moves = [PASS, *points_of(before.legal())]
        best = max(value2(before, move) for move in moves)
        made = decide(before, books[tried % 2])
        assert made.chosen.result2 == value2(before, made.move) == best


def random_board(seed):
    """Return (grid, X, O) of a random 5x5 board, fairly full as at the end of a game."""
    grid, density = make_grid(5), seed.uniform(0.5, 1)
    own = theirs = 0
    for point in range(25):
        if seed.random() < density:
            own, theirs = (own | 1 << point, theirs) if seed.random() < 0.5 else (own, theirs | 1 << point)

    return (grid, *without_dead(own, theirs, grid))


# -- drawn ----------------------------------------------------------------------------------------------------------


def test_a_pass_after_a_pass_with_two_moves_left_is_taken_where_it_is_best():
    board = """
        . O X . O
        O O X X O
        X X X O .
        X O O O O
        X X O . O"""
    for colour in (BLACK, WHITE):
        before = position(board, colour=colour, left=2, passed=True)
        made = decide(before, empty_book(LITTLE_GO), complete=True)
        assert made.chosen.result2 == max(value2(before, move) for move in [PASS, *points_of(before.legal())])


def test_of_equal_results_the_patterns_choose_and_eyes_are_kept():
    before = position(
        """
        . X . X .
        X X X X X
        . . . . .
        O O O O O
        . O . O .""",
        left=1,
    )
    made = decide(before, empty_book(LITTLE_GO), complete=True)
    assert made.move in range(10, 15)
    assert {candidate.veto for candidate in made.candidates if candidate.move in (0, 2, 4)} == {"fills an own eye"}
    assert {candidate.result2 for candidate in made.candidates if candidate.move != PASS} == {made.chosen.result2}
