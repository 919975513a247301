"""Tests of fights over chains with up to three liberties: captures, capturing moves, and saving moves."""

from __future__ import annotations

from boards import drawn
from large_states import large_state

from littlego.engines.large import tactics
from littlego.engines.large.ladders import read_capture
from littlego.rules.geometry import count

LADDER = """
. . . . . . . . .
. . . . . . . . .
. . X . b a . . .
. . . . o X . . .
. . . X X O . . .
. . . . . O . . .
. . O . . . . . .
. . . . . . . . .
. . . . . . . . .
"""
AT_THE_WAIST = """
. . . . X a X O .
. O X X . x O X .
. . O O x x O . .
. . . . O O O O .
. . O O . X X X X
. . O X O O O O X
. . X X X X O . .
. . . X . X O . .
. . . . O X . . .
"""
TWO_EYES = """
. X . X O . .
X X X X O . .
O O O O O . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
"""


def state_of(text):
    board = drawn(text)
    return board, large_state(board.own, board.theirs, board.grid)


def test_fight_is_read_where_no_ladder_captures():
    """X's move at the waist connects the chains; O's move there starts to take their liberties one by one."""
    board, state = state_of(AT_THE_WAIST)
    (fight,) = (one for one in tactics.own_fights(state) if one.stones & board.marks["x"])
    assert fight.stones == board.marks["x"]
    assert fight.attack == fight.defence == board.marks["a"]
    assert not read_capture(fight.stones, state.theirs, state.own, 0, state.grid).caught


def test_what_begins_a_fight_and_what_saves_from_it():
    board, state = state_of(LADDER)
    (fight,) = tactics.their_fights(state)
    assert fight.stones == board.marks["o"]
    assert fight.attack == board.marks["a"] | board.marks["b"]
    assert fight.defence & board.marks["a"]


def test_two_eyes_are_not_captured():
    board, state = state_of(TWO_EYES)
    assert tactics.own_fights(state) == []
    only_one = TWO_EYES.replace(". X . X O", ". X X X O")
    board, state = state_of(only_one)
    (fight,) = tactics.own_fights(state)
    assert count(fight.stones) == 7
    assert not fight.defence


def test_ko_denies_the_capture():
    board = drawn(". k X O .\nX O X X O\n. X O O .\n. . . . .\n. . . . .")
    state = large_state(board.own, board.theirs, board.grid, board.marks["k"])
    chain = next(one for one in state.table.chains_of(state.theirs) if one & 1 << 6)
    assert not tactics.attack_on(chain, state.own, state.theirs, board.marks["k"], state.grid)
    assert tactics.attack_on(chain, state.own, state.theirs, 0, state.grid) == board.marks["k"]
