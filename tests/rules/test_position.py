"""Tests of legality, captures, ko and history.

The tests compare positions with sgfmill, with slow rules on lists, and with drawings.
"""

from __future__ import annotations

import pytest
import slow_go
from boards import drawn, position
from hypothesis import given, settings
from hypothesis import strategies as st
from random_boards import boards, games
from sgfmill import boards as sgfmill_boards

from littlego.rules.geometry import image_of, inverse, make_grid, points_of, symmetry_tables
from littlego.rules.position import (
    BLACK,
    PASS,
    RESIGN,
    WHITE,
    captured_by,
    chains,
    from_boards,
    is_legal,
    ko_after,
    legal_moves,
    liberties,
    opening,
    winner_of,
)
from littlego.rules.ruleset import LITTLE_GO, SUPERKO, Ruleset, little_go


@pytest.mark.parametrize("size, examples, longest", [(5, 40, 24), (9, 10, 80), (19, 2, 300)])
def test_captures_agree_with_sgfmill(size, examples, longest):
    @given(games(sizes=(size,), longest=longest))
    @settings(max_examples=examples, deadline=None)
    def replay(game):
        _, moves, positions = game
        board = sgfmill_boards.Board(size)
        for before, move, after in zip(positions, moves, positions[1:], strict=False):
            if move != PASS:
                board.play(*divmod(move, size), "b" if before.colour == BLACK else "w")
            occupied = {(row, column): colour for colour, (row, column) in board.list_occupied_points()}
            black = slow_go.mask({point for point in occupied if occupied[point] == "b"}, size)
            white = slow_go.mask({point for point in occupied if occupied[point] == "w"}, size)
            assert (after.black, after.white) == (black, white)

    replay()


@given(games(sizes=(2, 3, 4, 5, 6), longest=40))
@settings(max_examples=30, deadline=None)
def test_legal_moves_and_boards_agree_with_slow_rules(game):
    rules, moves, positions = game
    forbidden = None
    for before, move, after in zip(positions, moves, positions[1:], strict=False):
        board = slow_go.board_of(rules.size, before.black, before.white)
        stone = "X" if before.colour == BLACK else "O"
        legal = slow_go.legal(board, stone, forbidden)
        assert before.legal() == slow_go.mask(legal, rules.size)
        for point in range(rules.size**2):
            bit = 1 << point
            assert is_legal(bit, before.own, before.theirs, before.ko, before.grid) == bool(before.legal() & bit)
        if move == PASS:
            assert (after.black, after.white, after.ko, after.passed) == (before.black, before.white, 0, True)
            forbidden = None
            continue
        slow, taken = slow_go.play(board, divmod(move, rules.size), stone)
        assert (after.black, after.white) == slow_go.masks_of(slow)
        forbidden = board if taken else None


@given(games(sizes=(3, 4, 5), longest=60))
@settings(max_examples=100, deadline=None)
def test_two_boards_tell_ko_and_pass_as_the_moves_do(game):
    rules, _, positions = game
    for before, after in zip(positions, positions[1:], strict=False):
        boards_seen = (before.black, before.white), (after.black, after.white)
        read = from_boards(rules, *boards_seen, after.colour, after.left)
        assert (read.ko, read.passed, read.legal()) == (after.ko, after.passed, after.legal())
        assert (read.colour, read.left, read.own, read.theirs) == (after.colour, after.left, after.own, after.theirs)


@given(boards(2, 7), st.integers(0, 7))
@settings(max_examples=150, deadline=None)
def test_legal_moves_and_captures_turn_with_the_board_and_change_with_colours(board, symmetry):
    grid, own, theirs = board
    table = symmetry_tables(grid[0])[symmetry]
    turned_own, turned_theirs = image_of(own, table), image_of(theirs, table)
    assert image_of(image_of(own, table), inverse(table)) == own
    legal = legal_moves(own, theirs, 0, grid)
    assert legal_moves(turned_own, turned_theirs, 0, grid) == image_of(legal, table)
    for point in points_of(legal):
        taken = captured_by(1 << point, own, theirs, grid)
        assert captured_by(1 << table[point], turned_own, turned_theirs, grid) == image_of(taken, table)
    rules = little_go(grid[0])
    black = from_boards(rules, (0, 0), (own, theirs), BLACK, 3)
    white = from_boards(rules, (0, 0), (theirs, own), WHITE, 3)
    assert black.legal() == white.legal()
    for point in points_of(legal):
        after, swapped = black.play(point), white.play(point)
        assert (after.black, after.white, after.ko) == (swapped.white, swapped.black, swapped.ko)


@given(boards(2, 5))
@settings(max_examples=200, deadline=None)
def test_ko_point_is_where_retaking_would_restore_the_board(board):
    grid, own, theirs = board
    for point in points_of(legal_moves(own, theirs, 0, grid)):
        move = 1 << point
        taken = captured_by(move, own, theirs, grid)
        stones, rest = own | move, theirs & ~taken
        expected = 0
        for answer in points_of(legal_moves(rest, stones, 0, grid)):
            retaken = captured_by(1 << answer, rest, stones, grid)
            if (stones & ~retaken, rest | 1 << answer) == (own, theirs):
                expected |= 1 << answer
        assert ko_after(move, taken, stones, rest, grid) == expected


def test_retaking_two_stones_is_no_ko():
    start = position("""
        . X O O .
        X o * X O
        . X O O .
        . . . . .
        . . . . .
    """)
    after = start.play(7)
    assert after.white >> 6 & 1 == 0 and after.ko == 0 and after.legal() >> 6 & 1
    assert after.play(6).black & (1 << 7 | 1 << 8) == 0


def test_taking_two_stones_is_no_ko():
    start = position("""
        . X X O .
        X O O * O
        . X X O .
        . . . . .
        . . . . .
    """)
    assert start.play(8).ko == 0


def test_liberties_and_chains():
    board = drawn("""
        X X . .
        . X O .
        . . O O
        X . . .
    """)
    assert liberties(board.own & 0x33, board.own | board.theirs, board.grid) == 1 << 2 | 1 << 4 | 1 << 9
    assert chains(board.own, board.grid) == [1 | 2 | 1 << 5, 1 << 12]
    assert chains(0, board.grid) == []


def superko_rules(size=3):
    return Ruleset("superko", size, 1, 0, ko=SUPERKO, opening_pass_ends=False)


@pytest.mark.parametrize("rules, allowed", [(superko_rules(2), False), (Ruleset("simple", 2, 1, 0), True)])
def test_superko_denies_every_earlier_board_and_simple_ko_only_the_last_but_one(rules, allowed):
    """A capture that repeats the board after move 1 is illegal only under superko.

    On 2x2, Black would capture three stones after two captures by White.
    """
    line = opening(rules)
    for move in (0, 3, 1, 2, 0, 1):
        assert line.legal() >> move & 1
        line = line.play(move)
    assert (line.black, line.white, line.ko) == (0, 0b1110, 0)
    assert line.play(0).black == 1 and line.play(0).white == 0
    assert bool(line.legal() & 1) == allowed


def test_superko_history_grows_by_placements_and_little_go_keeps_none():
    start = opening(superko_rules())
    later = start.play(4).play(PASS).play(0)
    assert start.history == () and later.history == ((0, 0), (16, 0))
    assert opening(LITTLE_GO).play(12).play(0).history == ()


def test_a_game_without_limit_has_no_move_numbers_and_no_last_move():
    start = opening(superko_rules())
    assert start.number == 0 and start.play(4).number == 0
    assert not start.ends_with(PASS) and not start.play(4).ends_with(0)
    assert start.play(PASS).ends_with(PASS)


NO_OPENING_PASS = Ruleset("no-opening-pass", 3, 3, 8, opening_pass_ends=False)


def test_two_equal_boards_are_a_pass_except_at_the_opening_of_other_games():
    empty = (0, 0)
    assert from_boards(LITTLE_GO, empty, empty, BLACK, 24).passed
    assert not from_boards(NO_OPENING_PASS, empty, empty, BLACK, 8).passed
    assert from_boards(NO_OPENING_PASS, (1, 2), (1, 2), BLACK, 6).passed
    assert not from_boards(NO_OPENING_PASS, empty, (1, 0), WHITE, 7).passed


def test_a_pass_at_move_1_is_seen_at_move_2_where_it_did_not_end_the_game():
    played = opening(NO_OPENING_PASS).play(PASS)
    assert played.passed
    assert from_boards(NO_OPENING_PASS, (0, 0), (0, 0), WHITE, 7).passed == played.passed


def test_resigning_ends_the_game():
    assert opening(LITTLE_GO).ends_with(RESIGN) and RESIGN != PASS


def test_ties_leads_and_winners():
    tie = position("X .\n. .")
    assert (winner_of(tie), tie.lead()) == (0, 1)
    assert position("X .\n. .", colour=WHITE).lead() == -1
    assert winner_of(position("X .\n. X")) == BLACK and winner_of(position(". .\n. .")) == WHITE


@pytest.mark.parametrize("size", [2, 3, 19])
def test_smallest_and_largest_boards_can_be_played_on(size):
    start = opening(little_go(size))
    assert start.legal() == start.grid[1]
    taken = start.play(0).play(1).play(PASS).play(size)
    assert taken.black == 0 and taken.ko == 0
    last = start.play(size * size - 1).play(size * size - 2).play(PASS).play(size * (size - 1) - 1)
    assert last.black == 0 and last.ko == 0


def test_moves_off_the_board_and_on_stones_are_illegal():
    grid = make_grid(3)
    for outside in (0, 1 << 9, 1 << 40):
        assert not is_legal(outside, 0, 0, 0, grid)
    assert not is_legal(1, 1, 0, 0, grid) and not is_legal(1, 0, 1, 0, grid) and not is_legal(1, 0, 0, 1, grid)


@pytest.mark.parametrize("size", [-1, 0, 1, 20, 25])
def test_other_sizes_are_refused(size):
    with pytest.raises(ValueError, match="2 to 19"):
        opening(little_go(size))


def test_a_board_alone_knows_no_ko_and_no_pass_but_at_the_start():
    lone = from_boards(LITTLE_GO, None, (1, 2), BLACK, 12)
    assert (lone.ko, lone.passed, lone.left) == (0, False, 12)
    assert from_boards(LITTLE_GO, None, (0, 0), BLACK, LITTLE_GO.length).passed
    assert not from_boards(LITTLE_GO, None, (0, 0), WHITE, LITTLE_GO.length - 1).passed
