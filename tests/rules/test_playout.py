"""Tests of the last moves, which are played by a rule: choices on drawn boards, and legal lines."""

from __future__ import annotations

from boards import drawn, state_of
from hypothesis import given, settings
from hypothesis import strategies as st
from random_boards import boards
from slow_go import board_of, masks_of, play

from littlego.rules.geometry import count, points_of
from littlego.rules.playout import by_rule, lead_at_end, worst_end
from littlego.rules.position import PASS, captured_by, legal_moves
from littlego.rules.safety import LOST_END, PLAYED_OUT, Check


def by_rule_on(text: str, left: int = 4) -> str:
    """Return the move that the rule gives X, a point or PASS; k is the point that the ko rule forbids."""
    board = drawn(text)
    move = by_rule(board.own, board.theirs, board.marks.get("k", 0), left, board.grid)
    return "{},{}".format(*divmod(move.bit_length() - 1, board.size)) if move else "PASS"


def test_it_takes_the_most_stones_that_one_move_takes():
    board = """
        O O . X {}
        X X . X O
        . . . O O
        . . . X X
        . . . . ."""
    assert by_rule_on(board.format("X")) == "2,2"  # captures three stones, instead of two at 0,2
    assert by_rule_on(board.format(".")) == "0,2"


def test_it_saves_more_than_it_could_take_as_long_as_they_have_a_move_left():
    board = """
        X O . . .
        X O . . .
        X O . . .
        . X . . X
        . . . . O"""
    assert by_rule_on(board) == "3,0"
    assert by_rule_on(board, left=1) == "4,3"


def test_it_saves_by_taking_what_gives_the_atari():
    board = """
        X X X O X
        . O O . .
        . . . . .
        . . . X X
        . . . O O"""
    # X plays neither 4,2, which saves two stones, nor 1,0, after which the three stones stay in atari
    assert by_rule_on(board) == "1,3"


def test_it_leaves_alone_what_it_cannot_save():
    board = """
        O O . . .
        X O . . .
        . O . . .
        . . . . .
        . . . . ."""
    assert by_rule_on(board) != "2,0"
    assert by_rule_on(board.replace("        . O . . .", "        . . . . .")) == "2,0"


def test_it_fills_where_that_gives_atari_to_the_most_stones():
    board = """
        . O O X .
        . O X . .
        X X X . .
        . . . . .
        O . . . ."""
    assert by_rule_on(board) == "1,0"  # a stone at 0,0 would itself be in atari


def test_its_stone_is_in_atari_only_if_it_is_the_last():
    board = """
        . . O O O
        O O O O .
        O O O O O
        . O X X X
        O O X X ."""
    assert by_rule_on(board) == "PASS"
    assert by_rule_on(board, left=1) == "0,0"


def test_it_does_not_retake_a_ko_at_once():
    board = """
        . X O . .
        X O k O .
        . X O . .
        . . . . .
        . . . . ."""
    assert by_rule_on(board.replace("k", ".")) == "1,2"
    assert by_rule_on(board) != "1,2"


def test_the_first_reply_that_ends_ahead_is_named_else_the_worst():
    board = drawn("""
        . . . . .
        . O . . .
        O X X . .
        . O O . .
        . . . . .""")
    behind2, reply = worst_end(board.own, board.theirs, 0, 3, 0, 0, board.grid)
    assert behind2 <= 0 and not reply  # after a pass each side fills points, and O ends with more stones
    ahead2, reply = worst_end(board.own, board.theirs, 0, 1, 0, 9, board.grid)
    assert (ahead2, count(reply)) == (9 + 2 * (2 - 4 - 1), 1)  # O ends with one more stone; no stone can be captured
    assert worst_end(board.own, board.theirs, 0, 1, 1, 3, board.grid) == (3 + 2 * (2 - 4), 0)  # O's pass ends the game


HANGING = """
    . . . . .
    . O . . .
    O X X * .
    . O O . .
    . . . . ."""


def test_in_the_last_moves_a_move_is_judged_by_who_ends_ahead():
    board = drawn(HANGING)
    move = board.marks["*"].bit_length() - 1
    won = Check(state_of(board, left=4, bonus2=9)).vet(move)
    lost = Check(state_of(board, left=4, bonus2=-9)).vet(move)
    assert (won.loss, won.reply, won.reason) == (0, None, "")
    assert (lost.loss, lost.reply, lost.reason) == (LOST_END, PASS, "wins by 5.5 points")
    assert Check(state_of(board, left=PLAYED_OUT + 1, bonus2=-9)).vet(move).loss == 0  # by stones alone


@settings(deadline=None)
@given(drawn_board=boards(2, 6), left=st.integers(1, 8))
def test_the_line_is_legal_and_its_lead_is_that_of_the_board_at_its_end(drawn_board, left):
    grid, own, theirs = drawn_board
    lead, sign, ko = lead_at_end(own, theirs, 0, left, grid), 1, 0
    for number in range(left, 0, -1):
        move = by_rule(own, theirs, ko, number, grid)
        assert not move & ko
        if move:
            after = play(board_of(grid[0], own, theirs), divmod(move.bit_length() - 1, grid[0]), "X")
            assert after, "no suicide"
            ko = _ko(own, theirs, move, grid)
            own, theirs = masks_of(after[0])
        else:
            ko = 0
        own, theirs, sign = theirs, own, -sign
    assert lead == sign * (count(own) - count(theirs))


def _ko(own: int, theirs: int, move: int, grid: tuple) -> int:
    """Return a mask of the stone that a ko capture takes, or 0 if the move is no ko capture."""
    taken = captured_by(move, own, theirs, grid)
    back = captured_by(taken, theirs & ~taken, own | move, grid) if count(taken) == 1 else 0
    return taken if back == move else 0


@settings(deadline=None)
@given(drawn_board=boards(2, 6))
def test_the_last_move_is_the_best_there_is(drawn_board):
    grid, own, theirs = drawn_board
    gains = [
        1 + count(captured_by(1 << point, own, theirs, grid)) for point in points_of(legal_moves(own, theirs, 0, grid))
    ]
    assert lead_at_end(own, theirs, 0, 1, grid) == count(own) - count(theirs) + max(gains, default=0)
