"""Tests of the 2-ply safety check on drawn boards: the loss of each move, and the reported reply."""

from __future__ import annotations

import pytest
from boards import drawn, state_of, swap_colours

from littlego.rules.position import PASS, WHITE
from littlego.rules.safety import LOST_END, LOST_GAME, Check, Verdict

AHEAD, BEHIND = 101, -101  # komi in half points that decides who leads


def verdict(text: str, move=None, bonus2=AHEAD, **situation) -> Verdict:
    """Return the verdict on the move marked * (or a given move), X to move and, by default, ahead."""
    board = drawn(text)
    if move is None:
        move = board.marks["*"].bit_length() - 1
    return Check(state_of(board, bonus2=bonus2, **situation)).vet(move)


def at(row, column, size=5):
    return size * row + column


def test_a_quiet_move_costs_nothing():
    found = verdict("""
        . . . . .
        . . . . .
        . X * . .
        . . . . O
        . . . . .""")
    assert (found.loss, found.reply, found.reason) == (0, None, "")


def test_self_atari_is_refuted_by_the_capture():
    found = verdict("""
        . . . . .
        O . . . .
        * O . . .
        X O . . .
        . O . . .""")
    assert (found.loss, found.reply, found.reason) == (2, at(4, 0), "captures 2 stones")


def test_what_the_move_captures_is_set_against_the_loss():
    found = verdict("""
        O O X . .
        * X O . .
        . O X O .
        . . . . .
        . . . . .""")
    assert (found.loss, found.reply, found.reason) == (1 - 2, at(3, 2), "")


def test_leaving_a_chain_in_atari_costs_it():
    found = verdict("""
        . . . . .
        . O . . .
        O X . . .
        . O . . .
        . . . * .""")
    assert (found.loss, found.reply, found.reason) == (1, at(2, 2), "captures 1 stone")


def test_what_was_lost_before_the_move_does_not_count():
    found = verdict("""
        . . . . .
        . . . * .
        O . . . .
        X O . . .
        . O . . .""")
    assert (found.loss, found.reply) == (0, None)  # no move saves X in the corner, so the move loses nothing


def test_an_atari_that_cannot_be_answered_puts_stones_beyond_rescue():
    text = """
        . . . . .
        . . . . .
        . . . O .
        . . . O X
        . . . . *"""
    found = verdict(text)
    assert found.loss == 2 and found.reply in (at(2, 4), at(4, 3))
    assert found.reason == "puts 2 stones beyond rescue"
    assert verdict(text, left=4).loss == 0  # X still leads without these two stones
    assert verdict(text, bonus2=BEHIND, left=4).loss == LOST_END + 2
    assert verdict(text, bonus2=BEHIND, left=3).loss == LOST_END  # the capture would need a fourth move


def test_a_ladder_is_read_to_its_end():
    ladder = """
        . . . . .
        . . . . *
        . . O . .
        . O X . .
        . . . . ."""
    found = verdict(ladder, left=20)
    assert (found.loss, found.reply, found.reason) == (1, at(3, 3), "puts 1 stone beyond rescue")
    assert verdict(ladder, bonus2=BEHIND, left=6).loss == LOST_END + 1
    assert verdict(ladder, bonus2=BEHIND, left=5).loss == LOST_END  # O has only one move after our answer
    broken = ladder.replace(". . O . .", ". . O X .").replace(". O X . .", ". O X . X")
    assert verdict(broken, left=20).loss == 0  # X could capture the attacker's stone at 3,3


def test_double_atari_costs_the_smaller_chain():
    found = verdict(
        """
        . . . . . . .
        . . . . . . .
        . O X . . . .
        . . O X O . .
        . . O X O . .
        . . . . . . .
        . * . . . . .""",
        left=16,
    )
    assert (found.loss, found.reply, found.reason) == (1, at(2, 3, 7), "puts 1 stone beyond rescue")


def test_one_rescue_for_two_chains_saves_both():
    found = verdict(
        """
        . . . . . . .
        . . O . * . .
        . O X . . . .
        . . . X O . .
        . X . O . . .
        . . . . . . .
        . . . . . . .""",
        left=16,
    )
    assert found.loss == 0


def test_their_snapback_puts_stones_beyond_rescue():
    found = verdict(
        """
        X X . . O
        X O X X O
        X O O O .
        X . . . .
        . * . . .""",
        left=12,
    )
    assert (found.loss, found.reply, found.reason) == (2, at(0, 2), "puts 2 stones beyond rescue")


def test_stones_taken_back_in_a_snapback_were_lost_before():
    found = verdict("""
        X X * O X
        O O O X .
        . . . . .
        . . . . .
        . . . . .""")
    assert (found.loss, found.reply) == (1 - 1, at(0, 3))  # three lost, of which two were lost anyway, and one captured


LIVING = """
    . X . X O
    X X X X O
    O O O O O
    . . . . .
    . . . . ."""


@pytest.mark.parametrize("eye, other", [(at(0, 0), at(0, 2)), (at(0, 2), at(0, 0))])
def test_filling_one_of_two_eyes_costs_the_whole_chain(eye, other):
    found = verdict(LIVING, eye)
    assert (found.loss, found.reply, found.reason) == (7, other, "captures 7 stones")


LARGE_EYE = """
    * X . . .
    X X X X X
    O O O O O
    . . . . .
    . . . . ."""


def test_giving_up_life_counts_even_if_no_reply_captures_at_once():
    found = verdict(LARGE_EYE)
    assert (found.loss, found.reply, found.reason) == (6, 2, "ends the life of 6 stones")


def test_life_that_they_have_no_time_to_take_is_not_lost():
    # three liberties, and O still has three moves
    assert verdict(LARGE_EYE, bonus2=BEHIND, left=6).loss == LOST_END + 6
    assert verdict(LARGE_EYE, bonus2=BEHIND, left=5).loss == LOST_END


THEIR_LIFE = """
    * . . . .
    X X X X X
    O O O O X
    . . . O X
    O O O O X"""  # with O at 3,1 the O stones live unconditionally


def test_a_reply_after_which_their_stones_live_takes_nothing():
    assert verdict(THEIR_LIFE, bonus2=BEHIND, left=16).loss == 0


def test_a_ko_capture_can_be_retaken_only_by_a_reply_that_the_rules_allow():
    found = verdict("""
        . . O X .
        . O * O X
        . . O X .
        . . . . .
        . . . . .""")
    assert found.loss <= 0  # O may not recapture at once


# -- passing --------------------------------------------------------------------------------------------------------

EVEN = """
    . . . . .
    . . X . .
    . . . . .
    . . O . .
    . . . . ."""


def test_a_pass_while_behind_loses_the_game_to_a_second_pass():
    found = verdict(EVEN, PASS, bonus2=-5)
    assert (found.loss, found.reply, found.reason) == (LOST_GAME, PASS, "ends the game without a win")


def test_a_pass_after_a_pass_ends_the_game_itself():
    found = verdict(EVEN, PASS, bonus2=-5, passed=True)
    assert (found.loss, found.reply, found.reason) == (LOST_GAME, None, "ends the game without a win")


def test_a_pass_that_ends_the_game_ahead_is_safe():
    assert verdict(EVEN, PASS, bonus2=5, passed=True).loss == 0


def test_a_level_game_is_not_worth_a_pass():
    assert verdict(EVEN, PASS, bonus2=0).loss == LOST_GAME


def test_a_pass_while_ahead_costs_what_the_reply_takes():
    found = verdict(
        """
        . . . . .
        . O . . .
        O X . . .
        . O . . .
        . . . . .""",
        PASS,
    )
    assert (found.loss, found.reply, found.reason) == (1, at(2, 2), "captures 1 stone")


def test_komi_decides_who_is_behind():
    assert verdict(EVEN, PASS, bonus2=-5).loss == LOST_GAME
    assert verdict(swap_colours(EVEN), PASS, bonus2=5, colour=WHITE).loss == 0


@pytest.mark.parametrize("size", [3, 4, 7, 9, 19])
def test_other_sizes(size):
    rows = [["."] * size for _ in range(size)]
    rows[0][1], rows[1][0], rows[1][1] = "*", "O", "O"
    found = verdict("\n".join(" ".join(row) for row in rows), left=20)
    assert found.loss == 1 and found.reply in (0, 2)
